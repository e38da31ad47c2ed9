"""Real chips in the office: a guest, a shift with its slips, and the report, in a real browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from headsup.game.table.shuffle import ShuffleSource
from tests.support.browser.console import approve
from tests.support.browser.floor import hire, open_by_hand
from tests.support.browser.office import working
from tests.support.browser.visitor import check_accessibility
from tests.support.tables import opening
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")
REAL = opening("galaxy", paytables={"progressive": "none"}, shuffle=ShuffleSource.ENTERED)


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
            await approve(visitor, "Sue")
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
            await approve(visitor, "Sue")
            await page.locator("dialog.slip").get_by_role("button", name="Close").click()
            await visitor.sees("No shift is open.")
            await page.get_by_role("button", name="Print a copy").first.click()
            await expect(page.locator("dialog.slip")).to_contain_text("Closing slip 2 (copy)")
        async with working(browser, server, "Sue", "chips?span=day") as visitor:
            await visitor.sees("−$10.00")
            await visitor.sees("−10.0%")
            await check_accessibility(visitor.page)
