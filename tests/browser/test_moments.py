"""Every state that a player can meet has its own look: each is reached at a real table."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.round.commands import Raise
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.table.commands import PlayerAt, Sit, Staff
from headsup.game.values.cards import DECK, parse_cards
from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.integrity.restore_guard import PAUSE_REASON
from headsup.web.demo.tables import DEMO_TABLES, DemoTable
from headsup.web.live.protocol import CloseReason
from tests.browser.floor import bet, does, seat
from tests.browser.test_play import GALAXY, TO_READ, TO_THINK, results, sit
from tests.browser.visitor import PHONE, TABLET, Visitor, visit
from tests.tables import void
from tests.web.live_server import QUICK, Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAIN = ("9c5d", "KhQd", "2c7dJh3s8h")  # loses to the dealer's king high, who does not qualify
BEATEN = ("9c5d", "KhKd", "2c7dJh3s8h")
COPY = ("2c3d", "4h5d", "AhKdQcJsTh")
BAD_BEAT = ("4h3h", "2h2s", "AhKh9h2c2d")
JACKPOT = ("AsKs", "4h5d", "QsJsTs2c3d")
WINNER = ("AhAd", "KhKd", "2c7dJh3s8h")


def dealing(*rounds: tuple[str, str, str]) -> Callable[[int], tuple[int, ...]]:
    """The decks of rounds with one player at seat 1: own cards, the dealer's, the board."""
    where = deal_order("hand", (1,), True)

    def deck(number: int) -> tuple[int, ...]:
        hole, dealer, board = rounds[min(number, len(rounds)) - 1]
        texts = {seat_place(1): hole, DEALER: dealer, BOARD: board}
        cards = {place: parse_cards(text) for place, text in texts.items()}
        used = {card for held in cards.values() for card in held}
        rest = [card for card in DECK if card not in used]
        return build_deck(where, {**cards, ALL_6: rest[:4]})

    return deck


async def meets(visitor: Visitor, moment: str, words: str = "") -> None:
    """The page looks as that moment does, and says so."""
    await expect(visitor.page.locator("#table")).to_have_attribute("data-moment", moment)
    if words:
        await expect(visitor.page.locator(".said")).to_contain_text(words)


async def asks(server: Live, id: str, by: Staff | PlayerAt, command: object) -> None:
    reply = await server.house.ask(CommandRequest(id, "T1", by, command))  # type: ignore[arg-type]
    assert isinstance(reply, Acceptance), reply


async def test_every_way_that_a_round_ends(browser: Browser, tmp_path: Path) -> None:
    """Results stay on the felt while bets for the next round are taken."""
    rounds = (PLAIN, COPY, BAD_BEAT, WINNER, BEATEN, BEATEN, JACKPOT)
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(*rounds))
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await meets(visitor, "betting", "Place your bets")
            await visitor.bet("10", progressive="1")
            await meets(visitor, "my-turn")
            await visitor.press("Raise 3×")
            await meets(visitor, "unqualified", "The dealer does not qualify")
            assert (await results(visitor))["Ante"][2] == "push"
            await visitor.press("Place bets")  # the same again
            await visitor.press("Raise 3×")
            await meets(visitor, "push", "A copy")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await meets(visitor, "bad-beat", "Bad Beat pays")
            await visitor.sees("A Bad Beat is paid!", "#told")
            lit = visitor.page.locator(".inscribed.bad_beat .lit")
            await expect(lit).to_have_text("Flush8 to 1, just paid")
            await expect(visitor.page.locator(".spot.odds .outcome")).to_have_text("+$80")
            await expect(visitor.page.locator(".spot.ante .outcome")).to_have_text("−$10")
            # The five that won lift, and the rest are dimmed: here they are the dealer's.
            await expect(visitor.page.locator("#dealer-cards .card.used")).to_have_count(2)
            await expect(visitor.page.locator("#own-hand .card.unused")).to_have_count(2)
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await meets(visitor, "won", "You win: +$")
            await expect(visitor.page.locator("#own-hand .card.used")).to_have_count(2)
            # Every spot that tells a result has the chips it tells of, and the next cards clear it.
            await expect(visitor.button("Place bets")).to_be_visible()
            raised = visitor.page.locator(".spot.raise .stack")
            await expect(raised).to_have_attribute("data-worth", "$30.00")
            await visitor.press("Place bets")
            await visitor.button("Raise 3×").wait_for()
            await expect(raised).to_have_count(0)
            await visitor.press("Raise 3×")
            await meets(visitor, "lost", "The dealer wins")
            await visitor.press("Place bets")
            await visitor.check_until("Raise 2×")
            await visitor.check_until("Raise 1×")
            await visitor.press("Fold")
            await meets(visitor, "folded", "You folded")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await meets(visitor, "jackpot", "Jackpot!")
            await visitor.sees("The jackpot pays!", "#told")
            await expect(visitor.page.locator(".inscribed.progressive .lit")).to_be_visible()


async def test_a_round_that_is_void_says_why_and_by_which_clause(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("10")
            await visitor.button("Check").wait_for()
            await asks(server, "foul-deck", Staff("Dee"), void("foul_deck"))
            await meets(visitor, "void", "foul deck")
            await visitor.sees("stakes are returned", ".said")
            await visitor.sees("The round is void: foul deck", "#told")


async def test_who_has_lost_all_is_offered_more(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(BEATEN))
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("100")
            await visitor.press("Raise 3×: $300.00")
            await visitor.press("Buy chips")
            await visitor.page.locator("#panel [name=buy]").click()  # what is suggested
            await visitor.bet("100")
            await visitor.press("Raise 3×: $300.00")
            await visitor.press("More play money")
            await expect(visitor.button("Place bets")).to_be_visible()


async def test_company_is_waited_for_and_seen_to_wait(browser: Browser, tmp_path: Path) -> None:
    """Two at a table with decisions at once, and one who looks on."""
    pace = replace(QUICK, betting=600, close=600)
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=pace)
        async with (
            visit(browser, server.address) as ann,
            visit(browser, server.address, TABLET) as bob,
            visit(browser, server.address, PHONE) as eve,
        ):
            await sit(ann)
            await bob.button("Sit here: T1, seat 2").wait_for()
            await sit(bob)
            await eve.page.get_by_role("link", name="Watch T1").click()
            await meets(eve, "spectator", "You are looking on")
            await ann.bet("10")
            await meets(ann, "waiting", "Waiting for Guest 2")
            await expect(ann.page.locator(".waiting .ring")).to_be_attached()  # time runs
            await bob.bet("15")
            await ann.press("Raise 3×")
            await meets(ann, "raised", "Waiting for Guest 2")
            # Bob's own clock runs, Ann's view does not tell whether he has decided.
            await expect(bob.page.locator("#own-title .ring")).to_be_attached()
            await expect(ann.page.locator(".seat .ring")).to_have_count(0)
            assert await ann.cards("#seats") == ["a card face down"] * 2
            await bob.press("Check")
            await bob.press("Raise 2×")
            await results(ann)
            await expect(eve.page.locator("#seats .net")).to_have_count(2)


async def test_at_a_full_table_one_can_look_on(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_THINK)
        for seat in range(1, 7):
            await asks(server, f"sit-number-{seat}", PlayerAt(seat), Sit(seat, f"P{seat}"))
        async with visit(browser, server.address) as visitor:
            await visitor.sees("The table is full.")
            await visitor.page.get_by_role("link", name="Watch T1").click()
            await meets(visitor, "full", "The table is full")


async def test_a_table_that_is_paused_says_why(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            server.house.attendances.put("T1", DealingMode("fire drill"))
            server.sockets.show_again("T1")
            await meets(visitor, "paused", "fire drill")
            server.house.attendances.put("T1", DealingMode(""))
            server.sockets.show_again("T1")
            await meets(visitor, "betting")


async def test_on_a_phone_the_reason_of_a_pause_is_read_whole_also_by_a_newcomer(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=replace(QUICK, betting=600))
        async with visit(browser, server.address, PHONE, newcomer=True) as visitor:
            await visitor.press("Show me a round")
            await guided(visitor, "1. Your bets")
            server.house.attendances.put("T1", DealingMode(PAUSE_REASON))
            server.sockets.show_again("T1")
            await meets(visitor, "paused", PAUSE_REASON)
            said = visitor.page.locator("#table .said")
            await expect(said).to_be_in_viewport(ratio=1)
            inner = await said.evaluate("(one) => one.scrollWidth - one.clientWidth")
            assert inner <= 1, "no word is cut off"


async def test_a_lost_connection_is_seen_on_the_felt(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.page.route("**/api/ticket", lambda route: route.abort())
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await meets(visitor, "reconnecting", "Your bets and your cards are kept")
            await visitor.page.unroute("**/api/ticket")
            await meets(visitor, "betting")
            visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


# The seats, cards, circles, printed pays and buttons that the guide's tip lies on.
COVERED = """() => {
  const tip = document.querySelector(".tip").getBoundingClientRect();
  const names = `.seat .plate, #board-cards li, #own .spot, #own-hand .card, #own-hand .named,
    .inscribed, .meter, .dock button`;
  const all = [...document.querySelectorAll(names)];
  return all.filter((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    return top < tip.bottom && bottom > tip.top && left < tip.right && right > tip.left;
  }).length;
}"""


@pytest.mark.parametrize("table", [DEMO_TABLES[0], DEMO_TABLES[2]], ids=lambda one: one.id)
async def test_on_a_phone_the_guide_leaves_the_own_cards_in_sight(
    browser: Browser, tmp_path: Path, table: DemoTable
) -> None:
    """Also the last tip, while bets for the next round are taken and the chips take their room."""
    async with live(tmp_path) as server:
        await server.open_table("T1", table.opening, pace=replace(QUICK, betting=600))
        others = {seat: f"Player {seat}" for seat in range(2, 7)}
        await seat(server, others)
        async with visit(browser, server.address, PHONE, newcomer=True) as visitor:
            await visitor.press("Show me a round")
            await guided(visitor, "1. Your bets")
            await visitor.press("Place bets")
            for number in others:
                await bet(server, number)
            await guided(visitor, "2. Your two cards")
            for number in others:
                await does(server, PlayerAt(number), Raise(number, 3))
            await visitor.press("Check")
            await guided(visitor, "3. The flop")
            await visitor.press("Check")
            await guided(visitor, "4. The last decision")
            await visitor.press("1×")
            await visitor.button("Place bets").wait_for()
            await guided(visitor, "5. How it came out")


async def guided(visitor: Visitor, title: str) -> None:
    """By a tip that lies on nothing."""
    tip = visitor.page.get_by_role("complementary", name="Guide")
    await expect(tip).to_contain_text(title)
    assert await visitor.page.evaluate(COVERED) == 0, title


async def test_a_newcomer_is_guided_through_a_round(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER), pace=TO_READ)
        async with visit(browser, server.address, newcomer=True) as visitor:
            await visitor.page.keyboard.press("Escape")  # ends no guide that was not shown
            await visitor.press("Show me a round")
            tip = visitor.page.get_by_role("complementary", name="Guide")
            await expect(tip).to_contain_text("1. Your bets")
            for width, height in (PHONE, TABLET, (1024, 768), (1280, 720), (1280, 850)):
                await visitor.page.set_viewport_size({"width": width, "height": height})
                assert await visitor.page.evaluate(COVERED) == 0, (width, height)
            await visitor.press("Place bets")
            await expect(tip).to_contain_text("2. Your two cards")
            await expect(tip).to_contain_text("3× for $15")  # the table's own figures
            await visitor.press("Got it")
            await expect(tip).to_have_count(0)
            await visitor.press("Check")
            await expect(tip).to_contain_text("You have a pair of aces")
            await visitor.press("Check")
            await expect(tip).to_contain_text("4. The last decision")
            await visitor.press("Raise 1×")
            await expect(tip).to_contain_text("5. How it came out")
            await visitor.press("Got it")
            await visitor.page.reload()
            await expect(visitor.page.locator("#results")).to_be_visible()
            await expect(tip).to_have_count(0)  # once
            await visitor.press("Guide")
            await expect(tip).to_be_visible()
            await visitor.page.keyboard.press("Escape")
            await expect(tip).to_have_count(0)
