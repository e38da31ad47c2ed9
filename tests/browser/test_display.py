"""TableVision in a real browser: it follows the table, fits its screen and never shows a card."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, WebSocket, expect

from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.values.cards import card_name
from headsup.game.values.money import show_micro_dollars
from headsup.house.store.settings import put_display_pages
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live import sockets
from tests.support.browser.floor import bet, hire, logged_in, run_command, seat
from tests.support.browser.play import round_of
from tests.support.browser.visitor import Visitor
from tests.support.web.live_server import QUICK, Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")
SCREEN = (1920, 1080)
GALAXY = DEMO_TABLES[0].opening
A_SECOND = 1_000
CARD = re.compile(r'"(?:[2-9TJQKA][cdhs])+"')

# Records the milliseconds from each socket frame to the change on the page.
LATE = """(() => {
  window.late = [];
  let arrived = 0;
  const Wire = window.WebSocket;
  window.WebSocket = class extends Wire {
    constructor(...to) {
      super(...to);
      this.addEventListener("message", () => { arrived = performance.now(); });
    }
  };
  const seen = () => { if (arrived) window.late.push(performance.now() - arrived); arrived = 0; };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(seen).observe(document.body, { subtree: true, childList: true }));
})()"""


@asynccontextmanager
async def display(
    browser: Browser, address: str, size: tuple[int, int] = SCREEN
) -> AsyncIterator[tuple[Page, list[str]]]:
    """A screen on the wall, and every frame it receives."""
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = await context.new_page()
    page.set_default_timeout(30_000)
    visitor, frames = Visitor(page), list[str]()

    def listen(wire: WebSocket) -> None:
        wire.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    await page.add_init_script(LATE)
    await page.goto(address)
    yield page, frames
    await context.close()
    assert visitor.complaints == []


def meter(server: Live) -> str:
    host = server.house.host_of("T1")
    assert host is not None
    found = host.journal.floor.meter_of("T1")
    assert found is not None
    return show_micro_dollars(found.displayed)


async def texts_off_screen(page: Page) -> list[str]:
    """Texts outside the screen."""
    outside: list[str] = await page.evaluate(
        """() => [...document.querySelectorAll("#screen h1, #screen h2, #screen p, #screen td, \
        #screen th, #screen li, #figure")].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1
                || box.bottom > innerHeight + 1);
        }).map((one) => one.textContent)"""
    )
    return outside


@pytest.mark.clause("WA App. E Andromeda-3 monitor", "WA App. E TableVision", "NY (k)(2) display")
async def test_a_display_follows_the_table_within_a_second_and_leaks_no_card(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee")
        await server.open_table("T1", GALAXY, pace=replace(QUICK, betting=600, all_in=0.2))
        await seat(server, {1: "Ann", 2: "Bob"})
        staff = await logged_in(browser, server, "Dee", SCREEN)
        put_display_pages(
            server.house.database.engine, ["Welcome to the house.", "Stud on Friday"], "S", ""
        )
        made = await staff.request.post(f"{server.address}/api/displays", data={"table": "T1"})
        key = (await made.json())["key"]
        async with display(browser, f"{server.address}/display#T1/{key}") as (page, frames):
            figure = page.locator("#figure")
            before = meter(server)
            await expect(figure).to_have_attribute("aria-label", before)
            # R89: the house's own messages, one at a time, beside all that must be shown.
            await expect(page.locator("#pages p.now")).to_have_count(1)
            await expect(page.locator("#pages")).to_contain_text("Stud on Friday")
            assert await texts_off_screen(page) == []
            await expect(page.locator("#paytables table").first).to_be_visible()
            await bet(server, 1, progressive=100)
            await bet(server, 2, progressive=100)
            await expect(page.locator("#phase")).to_contain_text("Hole cards")
            await expect(figure).to_have_attribute("aria-label", meter(server))
            # It shows updates at once: measured on the page's clock, from frame to figure.
            late = await page.evaluate("window.late")
            assert late
            assert max(late) < A_SECOND
            assert meter(server) != before
            table = server.house.table("T1")
            assert table is not None
            assert table.round is not None
            deck = {card_name(card) for card in table.round.deck}
            assert len(deck) == 52
            await run_command(server, PlayerAt(1), Raise(1, 3))
            await run_command(server, PlayerAt(2), Raise(2, 3))
            await expect(page.locator("#results li")).to_contain_text("Round 1: dealer")
            await staff.request.post(
                f"{server.address}/api/tables/T1/attendance",
                data={"paused": "a short break", "by_hand": False},
            )
            await expect(page.locator("#phase")).to_contain_text("Paused: a short break")
            await page.reload()  # the next round may have begun: results come from the log
            await expect(page.locator("#results li").last).to_contain_text("Round 1: dealer")
            await run_command(server, Staff("Dee"), FreezeMeter("the reader is dark"))
            await expect(page.locator("#hero")).to_contain_text("the reader is dark")
            # No card of the round is in anything the screen was sent.
            visible = [frame.replace('"Table"', "") for frame in frames if '"deck"' not in frame]
            assert any('"last"' in frame for frame in visible)
            assert not [frame for frame in visible if CARD.search(frame)]
            for refused in ("rail", "dealer", "seat 1"):
                assert await _watched(page, key, refused) == "not_your_view"
            monkeypatch.setattr(sockets, "MAX_SOCKETS_PER_DISPLAY", 1)
            await _watched(page, key, "rail")
            await expect(page.locator("#connection")).to_contain_text("Another display is using")
        await staff.close()


async def _watched(page: Page, key: str, viewer: str) -> str:
    """The refusal code when a socket with the display's key tries to watch as that viewer."""
    code: str = await page.evaluate(
        """async ([key, viewer]) => {
            const {post} = await import("/lib/http.js");
            const {ticket} = await post("/api/displays/ticket", {key});
            const wire = new WebSocket(`ws://${location.host}/ws`);
            return new Promise((resolve) => {
                wire.onopen = () => wire.send(JSON.stringify({type: "hello", protocol: 2, ticket}));
                wire.onmessage = ({data}) => {
                    const message = JSON.parse(data);
                    if (message.type === "welcome")
                        wire.send(JSON.stringify({type: "watch", table: "T1", viewer}));
                    else resolve(message.code ?? message.type);
                };
            });
        }""",
        [key, viewer],
    )
    return code


@pytest.mark.parametrize("book", DEMO_TABLES, ids=lambda table: table.id)
async def test_everything_posted_is_on_the_screen(
    browser: Browser, tmp_path: Path, book: object
) -> None:
    opening = next(table.opening for table in DEMO_TABLES if table is book)
    async with live(tmp_path) as server:
        await server.open_table("T1", opening)
        async with display(browser, f"{server.address}/display#T1") as (page, _):
            await page.locator("#paytables table").first.wait_for()
            for size in (SCREEN, (3840, 2160), (1440, 900)):
                await page.set_viewport_size({"width": size[0], "height": size[1]})
                await expect(page.locator("#limits")).to_be_visible()
                assert await texts_off_screen(page) == []
            table = server.house.table("T1")
            assert table is not None
            posted = await page.locator("#paytables").inner_text()
            for paytable in table.rules.paytables.values():
                for row in paytable.rows:
                    assert paytable.is_unreachable(row.outcome) or row.label in posted
            screen = await page.locator("#screen").inner_text()
            for notice in table.rules.book.notices:
                if notice.when == "always":
                    assert notice.text in screen
            found = await Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


async def test_a_folded_hand_is_shown_as_folded(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=replace(QUICK, betting=600, close=600))
        await seat(server, {1: "Ann", 2: "Bob"})
        async with display(browser, f"{server.address}/display#T1") as (page, _):
            await expect(page.locator("#phase")).to_contain_text("Place your bets")
            for number in (1, 2):  # because of the side wager the folded hand is turned up
                await bet(server, number, trips_plus=500, pocket_bonus=500)
            for phase in ("pocket", "flop"):
                while round_of(server).phase.value != phase:
                    await server.happens("T1")
                if phase == "pocket":
                    await run_command(server, PlayerAt(1), Raise(1, 3))
                await run_command(server, PlayerAt(2), Check(2))
            while round_of(server).phase.value != "river":
                await server.happens("T1")
            await run_command(server, PlayerAt(2), Fold(2))
            results = page.locator("#results li")
            await expect(results).to_contain_text("seat 2 folded")
            await expect(results.get_by_text("seat 2")).to_have_text("seat 2 folded")


async def test_a_display_with_an_expired_link_says_so(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server:
        await server.open_table("T1", GALAXY)
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(f"{server.address}/display#T1/an-old-key")
        await expect(page.locator("#said")).to_contain_text("link has expired")
        await page.goto(f"{server.address}/display")
        await expect(page.locator("#said")).to_contain_text("needs a link")
        await context.close()
