"""The felt on laptop screens: everything printed on it is readable."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.round.commands import Raise, ReportIrregularity
from headsup.game.rulebook.model import Cause
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.state import DealingMode
from headsup.house.integrity.restore_guard import PAUSE_REASON
from headsup.web.demo.tables import DEMO_TABLES, DemoTable
from headsup.web.live.protocol import CloseReason
from tests.support.browser.console import SHOE, expect_step, press_space_for
from tests.support.browser.console import dealing as at_the_console
from tests.support.browser.decks import BAD_BEAT, dealing
from tests.support.browser.floor import bet, hire, open_by_hand, run_command, seat
from tests.support.browser.play import sit
from tests.support.browser.visitor import PHONE, Visitor, visit
from tests.support.web.live_server import QUICK, live

pytestmark = pytest.mark.asyncio(loop_scope="session")

PORTRAIT, LOW = (768, 1024), 650  # below about 690 the bar is lower
LAPTOPS = [
    *((1280, 720), (1280, 800), (1366, 650), (1366, 768), (1440, 900), (1024, 768)),
    PORTRAIT,
]
SLOW = replace(QUICK, betting=600, close=600)
LONGEST = ("QhJh", "KhKd", "Th9c2d3s8h")  # a straight against a pair with a kicker
UNQUALIFIED = ("Ah9d", "3d8h", "4d2cAdKdJh")

# Printed text must not overlap other text, cards, or the spots of a seat.
OVERLAPS = """() => {
  const felt = document.querySelector(".felt");
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen");
  const aside = "svg, .cards, .spot, .results, .log-panel";
  const texts = [];
  const walker = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const held = node.parentElement;
    if (!node.data.trim() || held.closest(aside) || !seen(held)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) texts.push({ box, held, text: node.data });
  }
  const solid = ".card, .spot, .plate, .seat .place, .meter .figure";
  const things = [...felt.querySelectorAll(solid)].filter(seen)
    .map((one) => ({ box: one.getBoundingClientRect(), text: one.getAttribute("class") }));
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const found = [];
  const line = felt.querySelector(".betting-line").getBoundingClientRect();
  texts.forEach((one, at) => {
    const others = texts.slice(at + 1);
    if (one.held.closest(".inscribed, #qualifier, #raises, .dealer")) others.push(...things);
    const met = others.filter((other) => meet(one.box, other.box));
    found.push(...met.map((other) => [one.text, other.text]));
    const outside = one.box.left < line.left || one.box.right > line.right;
    if (outside && one.held.closest(".inscribed")) found.push([one.text, "the edge"]);
  });
  return { printed: [...felt.querySelectorAll(".inscribed")].filter(seen).length, found };
}"""

# No line of a name may be wider than its circle at that height.
LEAVING = """() => [...document.querySelectorAll(".spot .word:not(.rim)")].filter((word) => {
  const circle = word.closest(".spot").querySelector("circle");
  const { left, right, top, bottom } = circle.getBoundingClientRect();
  const [x, y, radius] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 2];
  const range = document.createRange();
  range.selectNodeContents(word);
  return [...range.getClientRects()].some((line) => {
    const half = Math.sqrt(Math.max(radius ** 2 - ((line.top + line.bottom) / 2 - y) ** 2, 0));
    return line.left < x - half || line.right > x + half;
  });
}).map((word) => word.textContent)"""


async def expect_readable(visitor: Visitor, moment: str) -> None:
    for width, height in LAPTOPS:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        shown = await visitor.page.evaluate(OVERLAPS)
        if (width, height) != PORTRAIT:
            assert shown["printed"] >= 4, (moment, width, height)
        assert shown["found"] == [], (moment, width, height)
        assert await visitor.page.evaluate(LEAVING) == [], (moment, width, height)


@pytest.mark.parametrize("table", DEMO_TABLES, ids=lambda table: str(table.book))
async def test_nothing_on_the_felt_overlaps(
    browser: Browser, tmp_path: Path, table: DemoTable
) -> None:
    async with live(tmp_path) as server:
        galaxy = table.book == "galaxy"  # the fullest table, also with the cards of All 6
        decks = dealing(UNQUALIFIED) if galaxy else None
        await server.open_table("T1", table.opening, decks, pace=SLOW)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            await expect_readable(visitor, "betting")
            await visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            await visitor.page.locator("button[name=clear]").click()
            assert await visitor.page.evaluate(LEAVING) == []
            if galaxy:
                await visitor.bet("10", progressive="1")
                await visitor.press("Raise 3×")
                await expect(visitor.page.locator(".dealer .named")).to_contain_text("not qualify")
                await expect(visitor.page.locator("#results")).to_be_visible()
                await expect_readable(visitor, "settled")


# Finds overlaps with the frozen meter's note, the clause switch, wager names over chips, and the
# reason for a stop.
COVERED = """(covering) => {
  const boxes = (name) => [...document.querySelectorAll(name)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => ({ one, box: one.getBoundingClientRect() }));
  const others = boxes(`.inscribed h2, .inscribed dl div, .card, .why tbody tr, .spot .rim.word,
    #raises, #qualifier, .plate, .meter .figure, .seat .place, .dock button`);
  return boxes(covering).flatMap(({ one, box }) => others
    .filter((other) => other.one !== one
      && Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1
      && Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 1)
    .map((other) => [one.textContent, other.one.textContent]));
}"""


async def expect_no_overlap(
    visitor: Visitor, what: str, sizes: Sequence[tuple[int, int]] = LAPTOPS[:-1]
) -> None:
    for width, height in sizes:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await expect(visitor.page.locator(what).first).to_be_visible()
        assert await visitor.page.evaluate(COVERED, what) == [], (what, width, height)


async def test_a_frozen_meter_says_so_beside_its_name(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=SLOW)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            await visitor.bet("10")
            await visitor.button("Check").wait_for()
            await run_command(
                server, Staff("Dee"), FreezeMeter("the light at seat 4 does not come on")
            )
            await expect_no_overlap(visitor, ".meter .frozen")


async def test_the_clauses_of_a_void_round_cover_no_row(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=SLOW)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            await visitor.bet("10", progressive="1")
            await visitor.button("Check").wait_for()
            report = ReportIrregularity(Cause.FOUL_DECK, "Dee", "Sue")
            await run_command(server, Staff("Dee"), report)
            await expect_no_overlap(visitor, ".why .pill")


async def test_the_reason_for_a_stop_covers_nothing(browser: Browser, tmp_path: Path) -> None:
    longest = "fire alarm, " * 8 + "wait"  # the longest reason allowed
    sizes = [*LAPTOPS, (1920, 1080), PHONE]
    async with live(tmp_path) as server:
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=SLOW)
        await seat(server, {number: f"Player {number}" for number in range(2, 7)})
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            table = visitor.page.locator("#table")
            await sit(visitor)
            await visitor.put_down("10", progressive="1")
            for why in (PAUSE_REASON, longest):
                await server.house.set_dealing_mode("T1", DealingMode(why))
                await expect(visitor.page.locator(".said")).to_contain_text(why)
                await expect_no_overlap(visitor, ".said", sizes)
            await server.house.set_dealing_mode("T1", DealingMode())
            await visitor.page.route("**/api/ticket", lambda route: route.abort())
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await expect(table).to_have_attribute("data-moment", "reconnecting")
            await expect_no_overlap(visitor, ".said", sizes)
            visitor.complaints = []
            await visitor.page.unroute("**/api/ticket")
            await expect(table).to_have_attribute("data-moment", "betting")
            await visitor.press("Place bets")
            for number in range(2, 7):
                await bet(server, number)
            await visitor.button("Check").wait_for()
            await run_command(
                server, Staff("Dee"), ReportIrregularity(Cause.FOUL_DECK, "Dee", "Sue")
            )
            await expect(table).to_have_attribute("data-moment", "void")
            await expect_no_overlap(visitor, ".said", sizes)
            visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


async def felt_at(visitor: Visitor, size: tuple[int, int]) -> tuple[float, float]:
    """The top of the felt, and by how much the bar above it is wider than the screen."""
    await visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    top: float = await visitor.page.locator(".stage").evaluate(
        "(one) => one.getBoundingClientRect().top"
    )
    wider: float = await visitor.page.locator("#tools, #menu").evaluate_all(
        "(ones) => Math.max(...ones.map((one) => one.getBoundingClientRect().right)) - innerWidth"
    )
    return top, max(wider, 0)


async def test_the_felt_does_not_move_while_the_connection_is_lost(
    browser: Browser, tmp_path: Path
) -> None:
    sizes = [*LAPTOPS, (1920, 1080), PHONE]
    async with live(tmp_path) as server:
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=SLOW)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            before = {size: await felt_at(visitor, size) for size in sizes}
            bars = {
                top for (width, height), (top, _) in before.items() if width >= 960 and height > LOW
            }
            assert bars == {before[LAPTOPS[0]][0]}, "one line wherever the whole felt is seen"
            await visitor.page.route("**/api/ticket", lambda route: route.abort())
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await expect(visitor.page.locator("#connection")).to_contain_text("Connection lost")
            assert {size: await felt_at(visitor, size) for size in sizes} == before
            assert {wider for _, wider in before.values()} == {0}
            visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


async def test_names_over_chips_do_not_overlap(browser: Browser, tmp_path: Path) -> None:
    washington = next(table for table in DEMO_TABLES if table.book == "washington")
    async with live(tmp_path) as server:
        await server.open_table("T1", washington.opening, pace=SLOW)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            await visitor.put_down("10", trips_plus="5", pocket_bonus="5", progressive="1")
            await expect_no_overlap(visitor, ".spot .rim.word")


WHOLE = """() => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const shown = [...document.querySelectorAll(".spot.raise, #own-hand .card, #own-hand .named")];
  return shown.map((one) => one.getBoundingClientRect())
    .every(({ top, bottom }) => top >= stage.top && bottom <= stage.bottom + 1);
}"""


@pytest.mark.parametrize("size", [(390, 844), (412, 915)])
async def test_a_phone_shows_the_whole_result_of_a_round_with_all_6(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path) as server:
        decks = dealing(UNQUALIFIED)
        pace = replace(QUICK, betting=600, close=1)
        await server.open_table("T1", DEMO_TABLES[0].opening, decks, pace=pace)
        await seat(server, {6: "Ann"})
        async with visit(browser, server.address, size) as visitor:
            await sit(visitor)
            await bet(server, 6)
            await visitor.bet("10", all_6="5", progressive="1")
            await visitor.button("Check").wait_for()
            await run_command(server, PlayerAt(6), Raise(6, 3))
            await visitor.press("Raise 3×")
            await expect(visitor.page.locator("#results")).to_be_visible()
            await expect(visitor.page.locator("button[name='chip 100']")).to_be_visible()
            assert await visitor.page.evaluate(WHOLE)


# The longest text of each kind of hand, up to the comma.
KINDS = (
    *("queen high", "pair of queens", "pair of sevens", "three of a kind", "four of a kind"),
    *("queen-high flush", "seven-high flush", "straight flush", "royal flush", "full house"),
)
TOO_LONG = """(kinds) => [...document.querySelectorAll(".plate .made")].flatMap((line) => {
  const [kind] = line.children;
  const was = kind.textContent;
  const within = line.closest(".plate").getBoundingClientRect();
  const found = kinds.filter((text) => {
    kind.textContent = text;
    const range = document.createRange();
    range.selectNodeContents(kind);
    const lines = line.getBoundingClientRect();
    return [...range.getClientRects()].some((box) =>
      box.right > within.right || box.bottom > Math.min(within.bottom, lines.bottom) + 1);
  });
  kind.textContent = was;
  return found;
})"""


async def test_other_players_hands_are_named_on_every_screen(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=SLOW)
        others = {number: f"Player {number}" for number in range(2, 7)}
        await seat(server, others)
        async with visit(browser, server.address, LAPTOPS[0]) as visitor:
            await sit(visitor)
            await visitor.bet("10")
            for number in others:
                await bet(server, number)
            await visitor.button("Check").wait_for()
            for number in others:
                await run_command(server, PlayerAt(number), Raise(number, 3))
            await visitor.press("Raise 3×")
            names = visitor.page.locator(".plate .made")
            await expect(names).to_have_count(len(others))
            for name in await names.all():  # in full as a tooltip and for screen readers
                assert await name.get_attribute("title") == await name.text_content()
            for width, height in (*LAPTOPS, PHONE):
                await visitor.page.set_viewport_size({"width": width, "height": height})
                await visitor.page.wait_for_function("width => innerWidth === width", arg=width)
                found = await visitor.page.evaluate(TOO_LONG, list(KINDS))
                assert found == [], (width, height)


CUT = """() => [...document.querySelectorAll(".position .who")]
  .filter((one) => one.scrollWidth > one.clientWidth || one.clientHeight > 40)
  .map((one) => one.textContent)"""


async def test_console_keys_do_not_scroll_the_page(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        hire(server, "Dee")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Sasha (automatic)", 2: "Robin (automatic)"})
        async with at_the_console(browser, server, size=(1280, 800)) as visitor:
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            for number in (1, 2):
                await bet(server, number, trips_plus=500, pocket_bonus=500)
            await press_space_for(visitor, "No more bets")
            await press_space_for(visitor, "Deal from the shoe")
            await expect_step(visitor, "seat 1 (Sasha, automatic)")
            for number in (1, 2):
                await run_command(server, PlayerAt(number), Raise(number, 3))
            for said in ("flop", "turn and river", "dealer’s cards", "Read the hands"):
                await press_space_for(visitor, said)
            await expect_step(visitor, "Pay and take: seat 2 (Robin, automatic)")
            for key in "pit":
                await visitor.page.keyboard.press(key)
                await expect(visitor.page.locator("#panel")).to_be_focused()
                assert await visitor.page.evaluate("scrollY") == 0
                await visitor.page.keyboard.press("Escape")
                await expect(visitor.page.locator("#due")).to_be_focused()
                await expect(visitor.page.locator("#due")).to_be_in_viewport(ratio=1)
            assert await visitor.page.evaluate(CUT) == []


# The wagers of the result that are not wholly seen.
HIDDEN_WAGERS = """() => {
  const slip = document.getElementById("results").getBoundingClientRect();
  const rows = [...document.querySelectorAll("#results tbody tr")];
  const hidden = rows.filter((row) => {
    const { top, bottom, left, right } = row.getBoundingClientRect();
    return top < slip.top || bottom > Math.min(slip.bottom, innerHeight) + 0.5
      || left < slip.left || right > Math.min(slip.right, innerWidth);
  });
  return { rows: rows.length, hidden: hidden.map((row) => row.textContent) };
}"""
# Names, amounts and sentences that cover each other or are cut.
COLLIDING = """(names) => {
  const ones = [...document.querySelectorAll(names)].filter((one) => one.checkVisibility());
  const boxes = ones.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const found = ones.flatMap((one, at) => ones.slice(at + 1)
    .filter((_, next) => meet(boxes[at], boxes[at + 1 + next]))
    .map((other) => [one.textContent, other.textContent]));
  const cut = ones.filter((one) => one.scrollHeight > one.clientHeight + 1
    && getComputedStyle(one).overflowY !== "visible");
  return [...found, ...cut.map((one) => [one.textContent, "cut"])];
}"""
ON_THE_SPOTS = ".spot .word.rim, .spot .outcome, .banner p, .why .sentence, .own-hand .named"


async def test_the_result_of_a_full_round_is_readable_everywhere(
    browser: Browser, tmp_path: Path
) -> None:
    sizes = [*LAPTOPS[:-1], (1920, 1080)]
    async with live(tmp_path) as server:
        decks = dealing(BAD_BEAT)
        await server.open_table("T1", DEMO_TABLES[0].opening, decks, replace(SLOW, close=1))
        async with visit(browser, server.address, sizes[0]) as visitor:
            page = visitor.page
            await sit(visitor)
            await expect(page.locator(".spot.progressive .word")).to_have_text("Progressive")
            await visitor.bet("10", trips_plus="5", pocket_bonus="5", all_6="5", progressive="1")
            await visitor.press("Raise 3×")
            await expect(page.locator("#table")).to_have_attribute("data-moment", "bad-beat")
            await page.locator("#results").wait_for()
            for width, height in sizes:
                await page.set_viewport_size({"width": width, "height": height})
                await page.wait_for_function("width => innerWidth === width", arg=width)
                hidden = await page.evaluate(HIDDEN_WAGERS)
                assert hidden == {"rows": 7, "hidden": []}, (width, height)
                assert await page.evaluate(COLLIDING, ON_THE_SPOTS) == [], (width, height)
            await page.locator("button[name=clauses]").click()
            fold = page.locator("#results tr", has_text="Odds").locator(".clause")
            await expect(fold).to_have_text(
                "(G 11(i)): A losing hand is paid by the Bad Beat paytable."
            )


@pytest.mark.parametrize("size", [PHONE, (390, 844)])
async def test_a_phone_shows_a_full_round_without_collisions(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path) as server:
        decks = dealing(LONGEST)
        await server.open_table("T1", DEMO_TABLES[0].opening, decks, replace(SLOW, close=1))
        async with visit(browser, server.address, size) as visitor:
            page = visitor.page
            await sit(visitor)
            await visitor.bet("10", trips_plus="5", pocket_bonus="5", all_6="5", progressive="1")
            assert await page.evaluate(COLLIDING, ON_THE_SPOTS) == []
            await visitor.press("Raise 3×")
            await page.locator("#results").wait_for()
            assert await page.evaluate(COLLIDING, ON_THE_SPOTS) == []
            await page.locator("button[name='chip 100']").wait_for()  # bets for the next round
            assert await page.evaluate(COLLIDING, ON_THE_SPOTS) == []
            assert await visitor.width() <= size[0]
