"""Real chips in the office: a guest, a shift with its slips, and the report, in a real browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from headsup.game.round.commands import Proceed, Raise
from headsup.game.round.state import Phase
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.shifts import SetFelt
from headsup.game.table.commands import Command, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import SitGuest
from headsup.game.table.shuffle import ShuffleSource
from tests.support.browser.floor import PASSWORD, hire, open_by_hand, run_command
from tests.support.browser.office import working
from tests.support.browser.visitor import check_accessibility
from tests.support.scripted import ScriptRecorder
from tests.support.tables import opening, stakes
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")
REAL = opening("galaxy", paytables={"progressive": "none"}, shuffle=ShuffleSource.ENTERED)


async def approve(page: Page, name: str) -> None:
    await page.get_by_label("Supervisor’s name").fill(name)
    await page.get_by_label("Supervisor’s password").fill(PASSWORD)
    await page.get_by_role("button", name="Approve", exact=True).click()
    await expect(page.locator("#approval")).to_be_hidden()


async def count(page: Page, title: str, **fields: str) -> None:
    form = page.locator("details", has=page.get_by_text(title, exact=True).first)
    await form.locator("summary").click()
    for name, typed in fields.items():
        await form.locator(f'[name="{name.replace("_", " ")}"]').fill(typed)
    await form.get_by_role("button", name=title).click()


async def test_a_dealer_runs_a_shift_with_a_guest_and_a_supervisor_reads_the_report(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, REAL)
        async with working(browser, server, "Dee", "chips/T1") as visitor:
            page = visitor.page
            await visitor.sees("No shift is open.")
            await check_accessibility(page)
            await count(page, "Open a shift", of_500="40", of_10000="98")
            await approve(page, "Sue")
            slip = page.locator("dialog.slip")
            await expect(slip).to_contain_text("Opening slip 1")
            await expect(slip).to_contain_text("Signed by Dee / Sue")
            await expect(slip).not_to_contain_text("copy")
            await slip.get_by_role("button", name="Close").click()
            await visitor.sees("Shift 1 opened with $10,000.00")
            assert "expects" not in await page.locator("main").inner_text()
            await page.get_by_label("Seat", exact=True).fill("3")
            await page.get_by_label("Name, if you like").fill("Tom")
            await visitor.press("Seat a guest")
            await visitor.sees("Tom")
            await page.get_by_label("Cash of seat 3 in dollars").fill("100")
            await visitor.press("Cash for chips ($)")
            await expect(page.get_by_label("Cash of seat 3 in dollars")).to_have_value("")
            await count(page, "Close the shift", sum="9890")
            await approve(page, "Sue")
            await page.locator("dialog.slip").get_by_role("button", name="Close").click()
            await visitor.sees("No shift is open.")
            await page.get_by_role("button", name="Print a copy").first.click()
            await expect(page.locator("dialog.slip")).to_contain_text("Closing slip 2 (copy)")
        async with working(browser, server, "Sue", "chips?span=day") as visitor:
            await visitor.sees("−$10.00")
            await visitor.sees("−10.0%")
            await check_accessibility(visitor.page)


async def test_two_people_verify_and_pay_a_held_award(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue", "Sam")
        script = award_commands()
        opened = script[0]
        assert isinstance(opened, OpenTable)
        await open_by_hand(server, opened)
        for command in script[1:]:
            await run_command(server, Staff("dealer"), command)
        async with working(browser, server, "Dee", "chips/T1") as visitor:
            page = visitor.page
            await visitor.sees("to be verified")
            await visitor.sees("$10,000.25")
            await check_accessibility(page)
            await visitor.press("Cards verified")
            await approve(page, "Sue")
            await visitor.sees("verified")
            await visitor.press("Pay from the tray")
            await approve(page, "Sue")
            await expect(page.locator("dialog.slip")).to_contain_text("Award slip 1")
            await page.locator("dialog.slip").get_by_role("button", name="Close").click()
            await expect(page.get_by_text("Held awards")).to_have_count(0)
        async with working(browser, server, "Sue", "chips/T1") as visitor:
            page = visitor.page
            await run_command(server, Staff("dealer"), Proceed())
            await page.get_by_text("Hold large awards").click()
            await page.get_by_label("Hold awards above").fill("500")
            await visitor.press("Set the limits")
            await approve(page, "Sam")
            await page.get_by_text("Hold large awards").click()
            await expect(page.get_by_label("Hold awards above")).to_have_value("500.00")


def award_commands() -> list[Command]:
    """A guest at a table with a lock wins the whole pool."""
    play = ScriptRecorder()
    play.does(opening("galaxy", shuffle=ShuffleSource.ENTERED), SitGuest(1, "Tom"))
    play.does(SetFelt(FeltSettings(False, 100_000), ("Sue", "Sam")))
    play.bets({1: stakes(progressive=100)})
    play.deals({1: "AsKs"}, board="QsJsTs4d2c", dealer="9h9c")
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLED)
    return [request.command for request in play.requests]
