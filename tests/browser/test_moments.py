"""Every moment that a player can meet has its own look. Each is reached at a real table."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.round.commands import Raise
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.seating import Sit
from headsup.game.table.state import DealingMode
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.integrity.restore_guard import PAUSE_REASON
from headsup.web.demo.tables import DEMO_TABLES, DemoTable
from headsup.web.live.protocol import CloseReason
from tests.support.browser.decks import BAD_BEAT, BEATEN, PLAIN, WINNER, dealing
from tests.support.browser.floor import bet, run_command, seat
from tests.support.browser.play import GALAXY, TO_READ, TO_THINK, results, sit
from tests.support.browser.visitor import PHONE, TABLET, Visitor, visit
from tests.support.tables import irregularity_report
from tests.support.web.live_server import QUICK, Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACE_HIGH = ("Ac5d", "KhQd", "2c7dJh3s8h")  # beats the same dealer
TRIPS = ("7c7h", "JcJs", "2c7dJh3s8h")  # three sevens against three jacks
COPY = ("2c3d", "4h5d", "AhKdQcJsTh")
JACKPOT = ("AsKs", "4h5d", "QsJsTs2c3d")


async def expect_moment(visitor: Visitor, moment: str, words: str = "") -> None:
    """Expect the page to show that moment."""
    await expect(visitor.page.locator("#table")).to_have_attribute("data-moment", moment)
    if words:
        await expect(visitor.page.locator(".said")).to_contain_text(words)


async def send_request(server: Live, id: str, by: Staff | PlayerAt, command: object) -> None:
    reply = await server.house.submit(CommandRequest(id, "T1", by, command))  # type: ignore[arg-type]
    assert isinstance(reply, Acceptance), reply


async def test_every_way_that_a_round_ends(browser: Browser, tmp_path: Path) -> None:
    """Results stay on the felt while bets for the next round are taken."""
    rounds = (PLAIN, COPY, BAD_BEAT, WINNER, BEATEN, BEATEN, JACKPOT)
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(*rounds))
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await expect_moment(visitor, "betting", "Place your bets")
            await visitor.bet("10", progressive="1")
            await expect_moment(visitor, "my-turn")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "lost", "The dealer wins")
            await expect_moment(visitor, "lost", "The dealer does not qualify: the Ante pushes.")
            assert (await results(visitor))["Ante"][2] == "push"
            await visitor.press("Place bets")  # the same again
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "push", "Copy hands")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "bad-beat", "Bad Beat pays")
            await visitor.sees("Bad Beat pays!", "#log")
            lit = visitor.page.locator(".inscribed.bad_beat .lit")
            await expect(lit).to_have_text("Flush8 to 1, just paid")
            await expect(visitor.page.locator(".spot.odds .outcome")).to_have_text("+$80")
            await expect(visitor.page.locator(".spot.ante .outcome")).to_have_text("−$10")
            # The winning five cards are raised and the rest dimmed: here they are the dealer's.
            await expect(visitor.page.locator("#dealer-cards .card.used")).to_have_count(2)
            await expect(visitor.page.locator("#own-hand .card.unused")).to_have_count(2)
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "won", "You win")
            await expect(visitor.page.locator("#own-hand .card.used")).to_have_count(2)
            # A spot with a result still has its chips, until the next cards clear it.
            await expect(visitor.button("Place bets")).to_be_visible()
            raised = visitor.page.locator(".spot.raise .stack")
            await expect(raised).to_have_attribute("data-worth", "$30.00")
            await visitor.press("Place bets")
            await visitor.button("Raise 3×").wait_for()
            await expect(raised).to_have_count(0)
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "lost", "The dealer wins")
            await visitor.press("Place bets")
            await visitor.check_until("Raise 2×")
            await visitor.check_until("Raise 1×")
            await visitor.press("Fold")
            await expect_moment(visitor, "folded", "You folded")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "jackpot", "Jackpot! You win")
            await visitor.sees("The jackpot pays!", "#log")
            await expect(visitor.page.locator(".inscribed.progressive .lit")).to_be_visible()


async def test_the_headline_names_the_hands_result_and_the_net_stands_beside_it(
    browser: Browser, tmp_path: Path
) -> None:
    """Side wagers may lose more than the hand wins, and win more than it loses."""
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER, TRIPS, ACE_HIGH, BEATEN))
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            net = visitor.page.locator("#phase .round-net")
            await visitor.bet("10", trips_plus="50")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "won", "You win")
            await expect(net).to_contain_text("Net −$10")
            await visitor.sees("You win with a pair of aces, jack kicker.", "#log")
            await visitor.sees("Round 1: you win. Pair of aces", "#results")
            await visitor.press("Place bets")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "lost", "The dealer wins")
            await expect(net).to_contain_text("Net +$100")
            await visitor.sees("You lose with three of a kind, sevens", "#log")
            await visitor.sees("Round 2: the dealer wins. Three of a kind", "#results")
            await visitor.bet("10")
            await visitor.press("Raise 3×")
            await expect_moment(visitor, "won", "You win")
            await expect_moment(visitor, "won", "The dealer does not qualify: the Ante pushes.")
            await expect(net).to_contain_text("Net +$30")
            await visitor.press("Place bets")
            await visitor.check_until("Raise 2×")
            await visitor.check_until("Raise 1×")
            await visitor.press("Fold")
            await expect_moment(visitor, "folded", "You folded")
            await expect(net).to_contain_text("Net −$20")
            await visitor.sees("You folded. Net", "#log")
            await visitor.page.goto(f"{server.address}/rounds")
            rows = visitor.page.locator("tbody tr")
            await expect(rows).to_have_count(4)
            for number, words in enumerate(("folded", "won", "lost", "won")):
                await expect(rows.nth(number)).to_contain_text(words)


async def test_a_void_round_shows_its_cause_and_clause(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("10")
            await visitor.button("Check").wait_for()
            await send_request(server, "foul-deck", Staff("Dee"), irregularity_report("foul_deck"))
            await expect_moment(visitor, "void", "foul deck")
            await visitor.sees("Returned: Ante, Odds.", ".said")
            await visitor.sees("The round is void: foul deck", "#log")


@pytest.mark.clause("NY (j)(2)(i)")
@pytest.mark.parametrize(
    ("cards", "trips"),
    [(PLAIN, "Trips Plus loses $5.00."), (TRIPS, "Trips Plus wins $15.00.")],
    ids=["lost", "won"],
)
async def test_a_void_hand_says_what_is_returned_and_what_was_settled(
    browser: Browser, tmp_path: Path, cards: tuple[str, str, str], trips: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(cards), pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("10", trips_plus="5", pocket_bonus="5")
            await visitor.button("Check").wait_for()
            exposed = irregularity_report("dealer_card_exposed")
            await send_request(server, "exposed", Staff("Dee"), exposed)
            said = f"Returned: Ante, Odds, Pocket Bonus. {trips}"
            await expect_moment(visitor, "void", said)
            await visitor.sees(said, "#results .sentence")


async def test_a_guest_without_chips_is_offered_more_play_money(
    browser: Browser, tmp_path: Path
) -> None:
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


async def test_players_wait_for_each_other_and_see_it(browser: Browser, tmp_path: Path) -> None:
    """Two players who decide at the same time, and a spectator."""
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
            await expect_moment(eve, "spectator", "You’re watching")
            await ann.bet("10")
            await expect_moment(ann, "waiting", "Waiting for Guest 2")
            await expect(ann.page.locator(".waiting .ring")).to_be_attached()  # time runs
            await bob.bet("15")
            await ann.press("Raise 3×")
            await expect_moment(ann, "raised", "Waiting for Guest 2")
            # Bob's clock runs for Bob; Ann cannot see whether he has decided.
            await expect(bob.page.locator("#own-title .ring")).to_be_attached()
            await expect(ann.page.locator(".seat .ring")).to_have_count(0)
            assert await ann.cards("#seats") == ["a card face down"] * 2
            await bob.press("Check")
            await bob.press("Raise 2×")
            await results(ann)
            await expect(eve.page.locator("#seats .net")).to_have_count(2)


async def test_a_full_table_can_be_watched(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_THINK)
        for seat in range(1, 7):
            await send_request(server, f"sit-number-{seat}", PlayerAt(seat), Sit(seat, f"P{seat}"))
        async with visit(browser, server.address) as visitor:
            await visitor.sees("The table is full.")
            await visitor.page.get_by_role("link", name="Watch T1").click()
            await expect_moment(visitor, "full", "The table is full")


async def test_a_paused_table_shows_the_reason(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await server.house.set_dealing_mode("T1", DealingMode("fire drill"))
            await expect_moment(visitor, "paused", "fire drill")
            await server.house.set_dealing_mode("T1", DealingMode(""))
            await expect_moment(visitor, "betting")


async def test_on_a_phone_the_reason_for_a_pause_is_fully_visible_with_the_guide_open(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=replace(QUICK, betting=600))
        async with visit(browser, server.address, PHONE, newcomer=True) as visitor:
            await visitor.press("Show me a round")
            await expect_tip(visitor, "1. Your bets")
            await server.house.set_dealing_mode("T1", DealingMode(PAUSE_REASON))
            await expect_moment(visitor, "paused", PAUSE_REASON)
            said = visitor.page.locator("#table .said")
            await expect(said).to_be_in_viewport(ratio=1)
            inner = await said.evaluate("(one) => one.scrollWidth - one.clientWidth")
            assert inner <= 1, "no word is cut off"


async def test_the_felt_shows_a_lost_connection(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.page.route("**/api/ticket", lambda route: route.abort())
            server.sockets.close_all(CloseReason.SERVER_STOPS)
            await expect_moment(visitor, "reconnecting", "Your bets and cards are safe")
            await visitor.page.unroute("**/api/ticket")
            await expect_moment(visitor, "betting")
            visitor.complaints = [one for one in visitor.complaints if "ERR_FAILED" not in one]


# Counts the seats, cards, circles, printed pays and buttons that the guide's tip covers.
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


# What the felt prints on a phone, as far as it is out of sight.
HIDDEN_PRINT = """() => {
  const floor = document.querySelector(".stage").getBoundingClientRect().bottom;
  const printed = [...document.querySelectorAll("#print p, #inscriptions p")];
  const hidden = printed.filter((one) => one.getBoundingClientRect().bottom > floor);
  return hidden.map((one) => one.textContent);
}"""


@pytest.mark.parametrize("table", [DEMO_TABLES[0], DEMO_TABLES[2]], ids=lambda one: one.id)
async def test_on_a_phone_the_guide_does_not_cover_the_players_cards(
    browser: Browser, tmp_path: Path, table: DemoTable
) -> None:
    """Includes the last tip, when betting has begun again and the chip tray is open."""
    async with live(tmp_path) as server:
        await server.open_table("T1", table.opening, pace=replace(QUICK, betting=600))
        others = {seat: f"Player {seat}" for seat in range(2, 7)}
        await seat(server, others)
        async with visit(browser, server.address, PHONE, newcomer=True) as visitor:
            await visitor.press("Show me a round")
            await expect_tip(visitor, "1. Your bets")
            assert await visitor.page.evaluate(HIDDEN_PRINT) == []
            await visitor.press("Place bets")
            for number in others:
                await bet(server, number)
            await expect_tip(visitor, "2. Your two cards")
            for number in others:
                await run_command(server, PlayerAt(number), Raise(number, 3))
            await visitor.press("Check")
            await expect_tip(visitor, "3. The flop")
            await visitor.press("Check")
            await expect_tip(visitor, "4. The last decision")
            await visitor.press("1×")
            await visitor.button("Place bets").wait_for()
            await expect_tip(visitor, "5. The result")


async def expect_tip(visitor: Visitor, title: str) -> None:
    """Expect a tip that covers nothing."""
    tip = visitor.page.get_by_role("complementary", name="Guide")
    await expect(tip).to_contain_text(title)
    assert await visitor.page.evaluate(COVERED) == 0, title


async def test_a_newcomer_is_guided_through_a_round(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(WINNER), pace=TO_READ)
        async with visit(browser, server.address, newcomer=True) as visitor:
            await visitor.page.keyboard.press(
                "Escape"
            )  # must not end a guide that is not shown yet
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
            await expect(tip).to_contain_text("5. The result")
            await visitor.press("Got it")
            await visitor.page.reload()
            await expect(visitor.page.locator("#results")).to_be_visible()
            await expect(tip).to_have_count(0)  # once
            await visitor.press("Guide")
            await expect(tip).to_be_visible()
            await visitor.page.keyboard.press("Escape")
            await expect(tip).to_have_count(0)
