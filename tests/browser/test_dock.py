"""The dock: its decisions, what it says about money, and the row of the coach."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from headsup.game.table.commands import PlayerAt
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import DealingMode
from headsup.game.values.frozen_json import FrozenJson
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live.protocol import CloseReason
from tests.support.browser.decks import BEATEN, PLAIN, WINNER, dealing
from tests.support.browser.floor import count_events, run_command
from tests.support.browser.play import GALAXY, SOLVED, TO_READ, UNHURRIED, round_of, sit
from tests.support.browser.visitor import GUIDED, PHONE, TABLET, Visitor, visit
from tests.support.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = [(1366, 768), (1440, 900), (1280, 720), (1024, 768), (1920, 1080), (1366, 650)]
LONG_DRAW = ("QhJh", "KhKd", "Th9c2d3s8h")


def high_stakes() -> OpenTable:
    options = {**GALAXY.options.to_dict(), "limits": {"ante": {"min": "5.00", "max": "500.00"}}}
    return replace(GALAXY, options=FrozenJson(options))


@asynccontextmanager
async def at_table(
    browser: Browser, tmp_path: Path, opening: OpenTable = GALAXY
) -> AsyncIterator[tuple[Live, Visitor]]:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening, dealing(WINNER, BEATEN), TO_READ)
        async with visit(browser, server.address, SIZES[0]) as visitor:
            await sit(visitor)
            yield server, visitor


async def test_a_raise_beyond_the_chips_stays_and_says_what_to_buy(
    browser: Browser, tmp_path: Path
) -> None:
    async with at_table(browser, tmp_path, high_stakes()) as (_, visitor):
        note = visitor.page.locator(".note")
        await visitor.put_down("100")
        await expect(note).to_have_count(0)
        await visitor.put_down("150")
        await expect(note).to_have_text("This leaves you $200: Raise 3× costs $450.")
        await visitor.put_down("225")
        await expect(note).to_have_text(
            "This leaves you $50: too little for any Raise. You could only fold."
        )
        assert await visitor.width() <= SIZES[0][0]
        await visitor.press("Place bets")
        for raised, shortfall in (("Raise 3×", "$625"), ("Raise 2×", "$400"), ("Raise 1×", "$175")):
            await expect(visitor.button(raised)).to_be_disabled()
            await expect(visitor.button(f"Buy in {shortfall}")).to_be_visible()
            assert await visitor.page.locator(".choices .main").count() == 0
            if raised != "Raise 1×":
                await visitor.press("Check")
        await visitor.press("Buy in $175")
        await expect(visitor.page.locator("#panel input[name=amount]")).to_have_value("175")
        await visitor.page.locator("#panel button[name=buy]").click()
        await visitor.press("Raise 1×: $225.00")
        await expect(visitor.page.locator("#table")).to_have_attribute("data-moment", "won")


async def test_decisions_are_disabled_while_the_table_is_paused(
    browser: Browser, tmp_path: Path
) -> None:
    async with at_table(browser, tmp_path) as (server, visitor):
        await visitor.bet()
        await expect(visitor.button("Raise 3×")).to_be_enabled()
        await server.house.set_dealing_mode("T1", DealingMode("fire alarm"))
        await expect(visitor.button("Raise 3×")).to_be_disabled()
        await expect(visitor.button("Check")).to_be_disabled()
        await expect(visitor.page.locator("#bets")).to_have_text("The table is paused.")
        await visitor.page.keyboard.press("c")
        await server.house.set_dealing_mode("T1", DealingMode())
        await expect(visitor.button("Raise 3×")).to_be_enabled()
        assert count_events(server.house, "T1", "Checked") == 0


async def test_nothing_can_be_sent_while_the_connection_is_lost(
    browser: Browser, tmp_path: Path
) -> None:
    async with at_table(browser, tmp_path) as (server, visitor):
        await visitor.bet()
        await expect(visitor.button("Check")).to_be_enabled()
        await visitor.page.route("**/api/ticket", lambda route: route.abort())
        server.sockets.close_all(CloseReason.SERVER_STOPS)
        await expect(visitor.button("Check")).to_be_disabled()
        await visitor.page.keyboard.press("c")
        await visitor.page.unroute("**/api/ticket")
        await expect(visitor.button("Check")).to_be_enabled()
        assert count_events(server.house, "T1", "Checked") == 0
        visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


class DeadSocket:
    """A socket that swallows every Check, and can be cut."""

    def __init__(self) -> None:
        self.swallowed = 0
        self._route: WebSocketRoute | None = None

    async def attach(self, page: Page) -> None:
        await page.route_web_socket("**/ws", self._connect)

    async def cut(self) -> None:
        assert self._route is not None
        await self._route.close(code=1001)

    def _connect(self, page: WebSocketRoute) -> None:
        self._route, there = page, page.connect_to_server()

        def to_server(text: str | bytes) -> None:
            if json.loads(text).get("command", {}).get("command") == "Check":
                self.swallowed += 1
            else:
                there.send(text)

        page.on_message(to_server)


@pytest.mark.parametrize("cancelled", [True, False])
async def test_a_decision_lost_on_the_way_is_shown_and_can_be_cancelled(
    browser: Browser, tmp_path: Path, cancelled: bool
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER), TO_READ)
        context = await browser.new_context()
        await context.add_init_script(GUIDED)
        page, socket = await context.new_page(), DeadSocket()
        await socket.attach(page)
        await page.goto(server.address)
        await page.get_by_role("button", name="Sit here: T1").click()
        await page.get_by_role("button", name="Place bets").click()
        await page.get_by_role("button", name="Check").click()
        await page.route("**/api/ticket", lambda route: route.abort())
        await socket.cut()
        unsent = page.locator("#decisions .unsent")
        await expect(unsent).to_contain_text("Check: will be sent when the connection is back.")
        if cancelled:
            await unsent.get_by_role("button", name="Cancel").click()
            await expect(page.get_by_role("button", name="Check")).to_be_disabled()
        await page.unroute("**/api/ticket")
        await expect(page.locator("#connection")).to_have_text("Connected")
        await expect(unsent).to_have_count(0)
        if cancelled:
            await expect(page.get_by_role("button", name="Raise 3×")).to_be_enabled()
        else:
            await page.wait_for_function("1")  # one turn of the page: the socket sends at once
        await context.close()
        assert socket.swallowed == (1 if cancelled else 2)


async def test_a_second_side_bet_is_refused_at_the_tap(browser: Browser, tmp_path: Path) -> None:
    async with at_table(browser, tmp_path, DEMO_TABLES[2].opening) as (server, visitor):
        await visitor.put_down("10", trips_plus="5", pocket_bonus="5")
        note = visitor.page.locator(".note")
        await expect(note).to_have_text("This table allows one side bet per round.")
        await expect(visitor.page.locator(".spot.pocket_bonus .stack")).to_have_count(0)
        assert await visitor.width() <= SIZES[0][0]
        await visitor.press("Place bets")
        await visitor.button("Play 3×").wait_for()
        assert {wager.value for wager in round_of(server).seats[1].stakes} == {
            *("ante", "odds", "trips_plus")
        }


async def test_the_round_stays_on_the_felt_of_a_player_out_of_chips(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(BEATEN), UNHURRIED)
        async with visit(browser, server.address) as visitor:
            await visitor.page.locator("#who .wallet").wait_for()
            await run_command(server, PlayerAt(1), Sit(1, "Guest 1"))
            await run_command(server, PlayerAt(1), BuyIn(1, 5_000))
            await visitor.page.goto(f"{server.address}/#/table/T1")
            await visitor.put_down("10")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await visitor.page.locator("#bets button[name='buy in']").wait_for()
            await visitor.sees("You are out of chips.", ".banner")
            assert round_of(server).number == 2
            assert len(await visitor.cards("#board-cards")) == 5 + 4  # with the four of All 6
            assert len(await visitor.cards("#dealer-cards")) == 2
            await expect(visitor.page.locator("#own-hand")).to_contain_text("Jack high")
            await expect(visitor.page.locator(".spot.ante .stack")).to_have_count(1)


# Text of the coach that is cut, hidden or outside the window.
CUT = """() => [...document.querySelectorAll("#coach :is(p, li, a, select, label)")]
  .filter((one) => one.checkVisibility() && one.textContent)
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5
      || one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
      || getComputedStyle(one).overflowY === "hidden" && one.scrollHeight > one.clientHeight + 1;
  }).map((one) => one.textContent)"""


async def test_the_coach_is_never_cut_and_the_buttons_agree_with_it(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(LONG_DRAW, PLAIN), UNHURRIED)
        async with visit(browser, server.address, SIZES[0]) as visitor:
            page = visitor.page
            await sit(visitor)
            await page.select_option("#coach-mode", "before")

            async def expect_nothing_cut() -> None:
                for size in (*SIZES, TABLET, PHONE):
                    await page.set_viewport_size({"width": size[0], "height": size[1]})
                    await page.wait_for_function("width => innerWidth === width", arg=size[0])
                    assert await page.evaluate(CUT) == [], size
                    assert await visitor.width() <= size[0], size

            advised: list[str] = []
            for number in (1, 2):
                await visitor.press("Place bets")
                for street in ("Raise 3×", "Raise 2×", "Raise 1×"):
                    other = "Fold" if street == "Raise 1×" else "Check"
                    await visitor.button(street).wait_for()
                    names = page.locator("#coach .values .name")
                    await expect(names).to_have_text([street, other], timeout=SOLVED)
                    best = await page.locator("#coach .values .best .name").inner_text()
                    await expect(page.locator(".choices .main strong")).to_have_text(best)
                    advised.append(best)
                    if number == 1:
                        await expect_nothing_cut()
                    await visitor.press(other)
                await expect(page.locator("#results")).to_be_visible()
            assert {"Raise 3×", "Check"} <= set(advised)
            await page.select_option("#coach-mode", "after")
            await expect(page.locator("#coach .so-far")).to_contain_text("best")
            await expect_nothing_cut()


async def test_the_guides_last_tip_is_shown_for_one_round(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER), UNHURRIED)
        async with visit(browser, server.address, newcomer=True) as visitor:
            await sit(visitor)
            tip = visitor.page.locator("#guide h2")
            for number in (1, 2):
                await visitor.press("Place bets")
                await visitor.press("Raise 3×")
                await expect(visitor.page.locator("#table")).to_have_attribute("data-moment", "won")
                await expect(visitor.page.locator("#results")).to_be_visible()
                if number == 1:
                    await expect(tip).to_have_text("5. The result")
                else:
                    await expect(tip).to_have_count(0)


async def test_players_read_times_as_people_say_them(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER), UNHURRIED)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await expect(visitor.page.locator("#results")).to_be_visible()
            await visitor.button("Place bets").wait_for()
            await visitor.page.goto(f"{server.address}/rounds")
            row = visitor.page.locator("tbody tr")
            closed = await row.first.inner_text()
            assert re.search(r"\d{4}, \d{1,2}:\d\d\s[AP]M", closed), closed
            assert "Z" not in closed
            await row.first.get_by_role("link").click()
            now = visitor.page.locator("#now")
            await expect(now).to_contain_text(re.compile(r"\d{4}, \d{1,2}:\d\d\s[AP]M"))
