"""The staff pages of the demonstration, one click from the lobby, and back to the seat."""

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect

from headsup.house.people.person import Role
from headsup.web.demo.house import DEMO_APPROVER_NAME, DEMO_STAFF_NAMES
from tests.support.browser.visitor import DESKTOP, Visitor, visit
from tests.support.tables import opening
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")
SLOW = 30_000  # milliseconds: hashing passwords is slow, more so on a busy machine


async def test_a_declined_change_of_role_is_shown(browser: Browser, tmp_path: Path) -> None:
    """Nobody is left in front of a button that does nothing."""
    async with live(tmp_path) as server, visit(browser, f"{server.address}/office") as visitor:
        page = visitor.page
        too_many = {"error": {"code": "too_many", "message": "too many requests; wait a moment"}}
        for address in ("demo", "demo/staff", "logout"):
            await page.route(
                f"**/api/{address}", lambda route: route.fulfill(status=429, json=too_many)
            )
        refused = page.locator("#refused")
        await visitor.press("As a supervisor")
        await expect(refused).to_contain_text("Too many requests")
        await page.unroute("**/api/demo/staff")
        await visitor.press("As a supervisor")
        await expect(page.locator("#who")).to_contain_text("Supervisor", timeout=SLOW)
        for button in ("Log out", "Play as a guest"):
            await expect(refused).to_be_empty()
            await visitor.press(button)
            await expect(refused).to_contain_text("Too many requests")
            await page.locator("#parts a", has_text="Rounds").click()
            await page.locator("#parts a", has_text="Tables").click()
        visitor.complaints = [one for one in visitor.complaints if "status of 429" not in one]


@pytest.mark.parametrize(
    "page", ["console#/%", "office#/round/%/%", "office#/people/%", "display#%/%"]
)
async def test_a_malformed_address_leaves_no_dead_page(
    browser: Browser, tmp_path: Path, page: str
) -> None:
    async with live(tmp_path) as server, visit(browser, f"{server.address}/office") as visitor:
        await server.open_table("T1", opening("galaxy"))
        await visitor.press("As a supervisor")
        await expect(visitor.page.locator("#who")).to_contain_text("Supervisor", timeout=SLOW)
        other = Visitor(await visitor.page.context.new_page())
        await other.page.goto(f"{server.address}/{page}")
        shown = other.page.locator("#refused, #said").first
        await expect(shown).not_to_be_empty()
        await expect(shown).not_to_contain_text("Loading")
        assert [one for one in other.complaints if "status of 4" not in one] == []


async def test_a_visitor_deals_sets_up_a_table_and_returns_as_the_same_guest(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server, visit(browser, server.address) as visitor:
        await server.open_table("T1", opening("galaxy"))
        page = visitor.page
        await expect(page.locator("#who")).to_contain_text("Guest 1", timeout=SLOW)
        await visitor.press("The dealer’s console")
        await page.locator("#choose a", has_text="T1").first.click()
        await page.locator("#due button, #due p").first.wait_for()
        await expect(page.locator("#who")).to_have_text("Dealer (demonstration)", timeout=SLOW)

        await page.goto(f"{server.address}/")
        await visitor.sees("You are logged in as the dealer.")
        assert (await Axe().run(page)).violations_count == 0
        await visitor.press("The office")
        await page.locator("#parts a", has_text="Set up").click()
        await page.get_by_label("Table name").fill("Mine")
        await visitor.sees("Ready to open")
        await visitor.press("Open the table")
        await page.locator("#approval [name=lend]").click()
        await expect(page.locator("#approval")).to_be_hidden(timeout=SLOW)
        (_, opened, *_) = (text for _, text in server.house.database.entry_texts("Mine"))
        assert f"{DEMO_STAFF_NAMES[Role.SUPERVISOR]} / {DEMO_APPROVER_NAME}" in opened

        await visitor.button("Play as a guest").click()
        await expect(page.locator("#who")).to_contain_text("Guest 1", timeout=SLOW)
        assert await visitor.width() <= DESKTOP[0]
