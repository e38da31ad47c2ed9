"""R12 on the pages: a dealer issues a coupon at the console, and its player bets it."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house import clock
from headsup.house.people.person import Person, Role
from tests.support.browser.console import approve
from tests.support.browser.floor import (
    CHIPS,
    PASSWORD,
    hire,
    logged_in,
    open_by_hand,
    run_command,
    seat,
)
from tests.support.browser.visitor import DESKTOP, PHONE, Visitor
from tests.support.tables import ANTE, opening
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_coupon_is_issued_at_the_console_and_bet_at_the_table(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, opening("new-york", coupons=True))
        ann = server.accounts.create("Ann", Role.PLAYER, PASSWORD, clock.now())
        assert isinstance(ann, Person)
        server.accounts.deposit(ann, CHIPS, "deposit", clock.now())
        await run_command(server, PlayerAt(2), Sit(2, "Ann"))
        await run_command(server, PlayerAt(2), BuyIn(2, CHIPS))
        await seat(server, {4: "Bob"})

        staff = await logged_in(browser, server, "Dee", DESKTOP)
        console = await staff.new_page()
        await console.goto(f"{server.address}/console#/T1")
        await console.locator("#due button, #due p").first.wait_for()
        await console.keyboard.press("s")
        await console.locator("summary", has_text="Issue a promotional coupon").click()
        form = console.locator("form", has=console.locator("button[name=IssueCoupon]"))
        await form.locator("select[name=player]").select_option("Ann")
        await form.locator("select[name=wager]").select_option("Ante")
        await form.locator("input[name=amount]").fill("10")
        await form.locator("input[name=expires]").fill("2099-12-31")
        await form.locator("button[name=IssueCoupon]").click()
        await approve(Visitor(console), "Sue")
        await run_command(server, Staff("Dee"), OpenRound())

        context = await logged_in(browser, server, "Ann", size)
        page = await context.new_page()
        await page.goto(f"{server.address}/#/table/T1")
        coupon = page.locator("button[name='coupon 1']")
        await expect(coupon).to_have_text("Coupon: Ante $10")
        await page.locator("button[name=clear]").click()
        await coupon.click()
        await expect(coupon).to_have_attribute("aria-pressed", "true")
        await page.locator("button[name=place]").click()
        await expect(page.locator("button[name=withdraw]")).to_be_visible()
        host = server.house.host_of("T1")
        assert host is not None
        table = host.journal.floor.tables["T1"]
        assert table.round is not None
        assert table.round.seats[2].coupons == {ANTE: 1}
        assert host.journal.floor.chips("T1", 2) == CHIPS - 1_000  # only the Odds
        await context.close()
        await staff.close()
