"""Connection failures and server restarts, from which a player recovers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from headsup.game.table.commands import PlayerAt
from headsup.game.table.seating import Leave
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live.protocol import CloseReason
from tests.support.browser.floor import PASSWORD, count_events, hire
from tests.support.browser.play import GALAXY, TO_READ, TO_THINK, results, round_of, sit
from tests.support.browser.visitor import GUIDED, spoken, visit
from tests.support.web.live_server import QUICK, live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_socket_lost_in_mid_round_is_reopened(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet()
            await visitor.press("Check")
            await expect(visitor.button("Raise 2×")).to_be_visible()
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await visitor.sees("reconnecting", "header")
            await visitor.sees("Connected", "header")
            await visitor.press("Raise 2×")
            assert "Raise" in await results(visitor)


@pytest.mark.parametrize("lost", ["reply", "ask"])
async def test_an_unanswered_command_is_sent_again_and_done_once(
    browser: Browser, tmp_path: Path, lost: str
) -> None:
    """The connection breaks while bets are sent, or while the answer comes back."""
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_THINK)
        ids: list[str] = []

        def unreliable(page: WebSocketRoute) -> None:
            there = page.connect_to_server()

            async def to_server(text: str | bytes) -> None:
                message = json.loads(text)
                if message["type"] == "ask" and message["command"]["command"] == "PlaceBets":
                    ids.append(message["id"])
                    if lost == "ask" and len(ids) == 1:
                        await page.close(code=1001)
                        return
                there.send(text)

            async def to_page(text: str | bytes) -> None:
                message = json.loads(text)
                if message["type"] == "reply" and message["id"] in ids and len(ids) == 1:
                    await page.close(code=1001)
                    return
                page.send(text)

            page.on_message(to_server)
            there.on_message(to_page)

        context = await browser.new_context()
        await context.add_init_script(GUIDED)
        page = await context.new_page()
        await page.route_web_socket("**/ws", unreliable)
        await page.goto(server.address)
        await page.get_by_role("button", name="Sit here: T1").click()
        await page.get_by_role("button", name="Place bets").click()
        await expect(page.locator("#own-chips")).to_contain_text("on the felt $10.00")
        await page.get_by_role("button", name="Take bets back").click()
        await expect(page.locator("#own-chips")).to_contain_text("to bet $10.00")
        await context.close()
        assert len(ids) == 2
        assert ids[0] == ids[1]
        assert count_events(server.house, "T1", "BetsPlaced") == 1


async def test_a_restarted_server_continues_the_round(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        address = server.address
        context = visit(browser, address)
        visitor = await context.__aenter__()
        await sit(visitor)
        await visitor.bet("20")
        await visitor.press("Check")
        await expect(visitor.button("Raise 2×: $40.00")).to_be_visible()
        hole = [spoken(card) for card in round_of(server).seats[1].hole]
    await visitor.sees("reconnecting", "header")
    async with live(tmp_path, port=int(address.rpartition(":")[2])) as server:
        await server.deal("T1", pace=TO_READ)
        await visitor.sees("Connected", "header")
        assert await visitor.cards("#own-hand") == hole
        await visitor.press("Raise 2×: $40.00")
        assert (await results(visitor))["Raise"][1] == "$40.00"
        # The browser itself logs that the server could not be reached.
        visitor.complaints = [one for one in visitor.complaints if "ERR_CONNECTION" not in one]
        await context.__aexit__(None, None, None)


async def test_a_reloaded_page_shows_the_same_table_and_hand(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("New York", DEMO_TABLES[1].opening, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor, "New York")
            await visitor.bet()
            await visitor.press("Check")
            await expect(visitor.button("Raise 2×")).to_be_visible()
            before = await visitor.cards("#own-hand")
            await visitor.page.reload()
            await expect(visitor.button("Raise 2×")).to_be_visible()
            assert await visitor.cards("#own-hand") == before


async def test_a_player_whose_seat_was_taken_gets_the_next_free_one(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=replace(QUICK, open=600))
        async with (
            visit(browser, server.address) as ann,
            visit(browser, server.address) as bob,
        ):
            await expect(bob.button("Sit here: T1, seat 1")).to_be_visible()
            await sit(ann)
            await bob.page.evaluate("document.querySelector('[name=\"sit T1\"]').click()")
            await bob.sees("You, seat 2")
            await expect(bob.page.get_by_role("alert")).to_be_empty()


async def test_a_second_window_takes_the_seat_over(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet()
            await visitor.button("Check").wait_for()
            window = await visitor.page.context.new_page()
            await window.goto(visitor.page.url)
            await window.get_by_role("button", name="Check").click()
            await window.get_by_role("button", name="Raise 2×").wait_for()
            await visitor.sees("You are playing in another window", "header")
            await expect(visitor.page.locator("#phase")).to_have_text(
                "You are playing in another window"
            )
            await expect(visitor.button("Check")).to_have_count(0)
            assert await visitor.page.locator("#table").evaluate("table => table.inert")
            await visitor.press("Play here")
            await visitor.press("Raise 2×")
            assert "Raise" in await results(visitor)
            await expect(window.get_by_role("button", name="Play here")).to_be_visible()


async def test_a_player_who_left_elsewhere_is_a_spectator_after_reconnecting(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.page.route("**/api/ticket", lambda route: route.abort())
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await visitor.sees("reconnecting", "header")
            left = CommandRequest("left-elsewhere", "T1", PlayerAt(1), Leave(1))
            assert isinstance(await server.house.submit(left), Acceptance)
            await visitor.page.unroute("**/api/ticket")
            await visitor.sees("You’re watching")
            await expect(visitor.button("Sit here: seat 1")).to_be_visible()
            # The requests aborted here are not errors of the page.
            visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


async def test_pages_report_an_unreachable_server_and_retry(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Ada")
        async with visit(browser, f"{server.address}/welcome") as visitor:
            page = visitor.page
            for path in ("/", "/rounds", "/train", "/console", "/display#T1", "/office#/tables"):
                await page.route("**/api/**", lambda route: route.abort())
                await page.goto(f"{server.address}{path}")
                await visitor.sees("The server is not responding", "body")
            # A proxy in front of the server answers with its own pages.
            await page.unroute("**/api/**")
            await page.get_by_label("Name").fill("Ada")
            await page.get_by_label("Password").fill(PASSWORD)
            await visitor.press("Log in")
            await visitor.sees("Tables", "#page h1")
            busy = "<h1>Bad gateway</h1>"
            await page.route("**/api/**", lambda route: route.fulfill(status=502, body=busy))
            await page.get_by_role("link", name="Rounds").click()
            await visitor.sees("The server is not responding")
            await page.unroute("**/api/**")
            await visitor.press("Try again")
            await visitor.sees("Rounds", "#page h1")
            await page.context.clear_cookies()
            await page.get_by_role("link", name="Tables").click()
            await visitor.sees("You have been logged out")
            await expect(page.get_by_label("Password")).to_be_visible()
            visitor.complaints = [one for one in visitor.complaints if "Failed to load" not in one]
