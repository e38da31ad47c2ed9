"""After a restore, at the console: an open round is ended as docs/running.md says."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.house import clock
from headsup.house.integrity.backup import copy_database
from headsup.house.store.database import Database
from headsup.house.store.settings import mark_restored
from tests.support.browser.console import SHOE, approve, dealing, expect_step, press_space_for
from tests.support.browser.floor import CHIPS, bet, hire, open_by_hand, seat
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_open_round_is_voided_before_automatic_dealing_resumes(
    browser: Browser, tmp_path: Path
) -> None:
    again = tmp_path / "again.db"
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Ann"})
        async with dealing(browser, server) as visitor:
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1)
            await expect_step(visitor, "No more bets")
        copy_database(tmp_path / "house.db", again)
    database = Database(f"sqlite:///{again}")
    mark_restored(database.engine, clock.now())
    database.close()
    async with (
        live(tmp_path, demo=False, address=f"sqlite:///{again}") as server,
        dealing(browser, server) as visitor,
    ):
        page = visitor.page
        await expect_step(visitor, "Paused: restored from a backup")
        await page.get_by_role("button", name="Resume").click()
        notice = page.locator("#due").get_by_text("closes the bets and reports a foul deck")
        await expect(notice).to_be_visible()
        await press_space_for(visitor, "No more bets")
        await press_space_for(visitor, "Deal from the shoe")
        await expect_step(visitor, "Waiting for seat 1")
        await page.keyboard.press("i")
        await page.get_by_role("button", name="Foul deck").click()
        await expect(page.locator("#outlook")).to_contain_text("Ante $10.00, Odds $10.00")
        await page.get_by_label("Note for the record").press("Enter")
        await approve(visitor, "Sue")
        await expect(page.get_by_role("button", name="Settle the void round")).to_be_visible()
        await expect(notice).to_have_count(0)
        await press_space_for(visitor, "Settle the void round")
        await press_space_for(visitor, "Pay and take: seat 1")
        await press_space_for(visitor, "Close the round")
        await expect_step(visitor, "Open the next round")
        assert server.house.hosts["T1"].journal.floor.chips("T1", 1) == CHIPS
        await page.get_by_role("button", name="Resume automatic dealing").click()
        await expect(page.get_by_role("button", name="take over")).to_be_visible()
