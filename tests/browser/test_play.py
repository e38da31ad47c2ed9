"""Whole rounds in a real browser, each way a hand can go."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.opening import OpenTable
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import show_dollars
from headsup.game.views.posted import posted_view
from headsup.house.people.person import Person, Role
from headsup.web.demo.tables import DemoTable
from tests.support.browser.play import GALAXY, TO_READ, TO_THINK, UNHURRIED, results, round_of, sit
from tests.support.browser.visitor import DESKTOP, PHONE, spoken, visit
from tests.support.web.live_server import Live, demonstration, live

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_hand_raised_on_its_pocket_cards(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address, size) as visitor:
            await sit(visitor)
            await visitor.bet("10", trips_plus="5", pocket_bonus="5", all_6="1", progressive="1")
            await visitor.press("Raise 3×: $30.00")
            lines = await results(visitor)
            settled = round_of(server).settlement
            assert settled is not None
            table = server.house.table("T1")
            assert table is not None
            posted = posted_view(table.rules, jackpot_open=True)
            says = {one.clause: one.text for one in posted.clauses}
            due = {
                line.wager.value.replace("_", " ").title(): [
                    f"{line.why}\n({line.clause}): {says[line.clause]}",
                    show_dollars(line.stake),
                    line.result.value,
                    _signed(line.net),
                ]
                for line in settled.seat(1).lines
            }
            assert list(lines.items()) == list(due.items())  # in the order of the game
            assert await visitor.width() <= size[0]


def _signed(cents: int) -> str:
    return f"+{show_dollars(cents)}" if cents > 0 else show_dollars(cents).replace("-", "−")


async def test_a_hand_checked_twice_and_raised_on_the_river(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet()
            await visitor.press("Check")
            await expect(visitor.button("Raise 2×: $20.00")).to_be_visible()
            round = round_of(server)
            assert await visitor.cards("#own-hand") == [
                spoken(card) for card in round.seats[1].hole
            ]
            board = [spoken(card) for card in round.deal.board]
            assert await visitor.cards("#board-cards >") == [
                *board[:3],
                "no card yet",
                "no card yet",
            ]
            assert await visitor.cards("#dealer") == ["a card face down"] * 2
            await visitor.press("Check")
            await visitor.press("Raise 1×: $10.00")
            assert {*await results(visitor)} == {"Ante", "Odds", "Raise"}
            assert await visitor.cards("#board-cards >") == board
            assert await visitor.cards("#dealer") == [spoken(card) for card in round.deal.dealer]


async def test_a_hand_that_is_folded(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("25")
            await visitor.check_until("Raise 2×")
            await visitor.check_until("Raise 1×")
            await visitor.press("Fold")
            lines = await results(visitor)
            assert lines["Ante"][1:] == ["$25.00", "lose", "−$25.00"]
            assert lines["Odds"][1:] == ["$25.00", "lose", "−$25.00"]
            await visitor.sees("You folded")
            await visitor.sees("Your chips: $450.00")


async def test_a_round_with_the_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            keyboard = visitor.page.keyboard
            await visitor.button("Sit here: T1").focus()
            await keyboard.press("Enter")
            await visitor.button("Place bets").wait_for()
            # Cleared, $5 and two of $1 on the Ante, one taken back, a chip on Trips Plus, doubled.
            for key in ("x", "2", "a", "1", "a", "a", "z", "t", "d"):
                await keyboard.press(key)
            await expect(visitor.button("Place bets")).to_contain_text("$26.00")
            await visitor.page.locator("#table-title").focus()
            await keyboard.press("Enter")
            for key in ("c", "c", "f"):
                await expect(visitor.page.locator(f"[aria-keyshortcuts={key}]")).to_be_visible()
                phase = await visitor.page.locator("#phase").inner_text()
                await keyboard.press(key)
                await expect(visitor.page.locator("#phase")).not_to_have_text(phase)
            assert (await results(visitor))["Ante"][3] == "−$12.00"


def in_steps_of_five() -> OpenTable:
    options = dict(GALAXY.options.to_dict())
    limits = {"ante": {"min": "5.00", "max": "100.00", "step": "5.00"}}
    return replace(GALAXY, options=FrozenJson({**options, "limits": limits}))


async def test_refusals_are_shown_until_dismissed_or_resolved(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", in_steps_of_five())
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet("11")
            await expect(visitor.page.get_by_role("alert")).not_to_be_empty()
            assert not round_of(server).seats
            await visitor.press("Dismiss this message")
            await expect(visitor.page.get_by_role("alert")).to_be_empty()
            await visitor.press("Place bets")
            await expect(visitor.page.get_by_role("alert")).not_to_be_empty()
            await visitor.bet("10")
            await expect(visitor.page.get_by_role("alert")).to_be_empty()
            await visitor.press("Raise 3×: $30.00")


async def test_bets_can_be_taken_back_and_a_player_can_leave(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_THINK)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.put_down("10", trips_plus="5")
            await visitor.sees("to bet $25.00")
            await visitor.page.locator("#spots [name=trips_plus]").click(button="right")
            await visitor.sees("to bet $20.00")
            spot = visitor.page.locator("#spots [name=trips_plus]")
            await spot.click()
            await visitor.sees("to bet $25.00")
            await spot.dispatch_event(
                "pointerdown", {"pointerType": "touch"}
            )  # a finger that stays
            await visitor.sees("to bet $20.00")
            await spot.dispatch_event("pointerup", {"pointerType": "touch"})
            await visitor.button("Place bets").focus()
            await visitor.page.keyboard.press("Enter")
            await visitor.button("Take bets back").wait_for()
            await visitor.page.keyboard.press("Enter")  # once too often does no harm
            await visitor.sees("on the felt $20.00")
            await visitor.press("Take bets back")
            await visitor.sees("to bet $20.00")  # they lie ready, and are placed no more
            assert not round_of(server).seats
            await visitor.press("Stand up")
            await visitor.sees("You’re watching")
            await visitor.sees("wallet $1,000.00", "header")
            await expect(visitor.button("Sit here: seat 4")).to_be_visible()


async def test_everything_posted_is_on_the_page(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", OpenTable("sugarhouse"))
        async with visit(browser, server.address) as visitor:
            await visitor.page.get_by_role("link", name="Watch T1").click()
            await visitor.sees("GAMBLING PROBLEM? CALL 1.800.GAMBLER.")
            await visitor.press("Rules & pays")
            table = server.house.table("T1")
            assert table is not None
            for paytable in table.rules.paytables.values():
                for row in paytable.rows:
                    if not paytable.is_unreachable(row.outcome):
                        await visitor.sees(row.label, "#panel")
            await visitor.sees(
                "at most $50,000.00 in winnings on Ante, Odds and Raise per player", "#panel"
            )


async def test_a_round_with_every_rule_book_uses_its_own_terms(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        for book in SHIPPED_BOOKS:
            await server.open_table(book, DemoTable(book, book, ()).opening, pace=UNHURRIED)
        async with visit(browser, server.address) as visitor:
            for book in SHIPPED_BOOKS:
                await visitor.press(f"Sit here: {book}, seat 1")
                await visitor.bet("5")
                table = server.house.table(book)
                assert table is not None
                await visitor.press(f"{table.rules.book.label(Wager.RAISE)} 3×: $15.00")
                await expect(visitor.page.locator("#results")).to_be_visible()
                inscribed = await visitor.page.locator("#felt").inner_text()
                for row in table.rules.paytables["odds"].rows:
                    if not table.rules.paytables["odds"].is_unreachable(row.outcome):
                        assert row.label in inscribed
                await visitor.press("Stand up")
                await visitor.page.get_by_role("link", name="All tables").click()


async def test_a_player_with_an_account_logs_in_and_buys_chips(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        person = server.accounts.create("Ann", Role.PLAYER, "correct horse", "")
        assert isinstance(person, Person)
        server.accounts.deposit(person, 20_000, "deposit", "")
        async with visit(browser, server.address) as visitor:
            await visitor.page.get_by_label("Name").fill("Ann")
            await visitor.page.get_by_label("Password").fill("correct horse")
            await visitor.press("Log in")
            await visitor.press("Sit here: T1")
            await visitor.sees("You have $200.00 in your wallet", "#panel")
            assert person.name not in player_names(server)  # nothing is taken unasked
            await visitor.press("$100")
            await visitor.press("Sit down with these chips")
            await visitor.sees("Your chips: $90.00")  # but for bets laid ready
            await visitor.press("Buy in")
            amount = visitor.page.get_by_label("Dollars")
            await expect(amount).to_have_value("100")  # no more than there is
            await amount.fill("100.50")
            await visitor.press("Buy chips")
            await visitor.sees("more than you have in your wallet", "#panel")
            await amount.fill("40")
            await visitor.press("Buy chips")
            await visitor.sees("Your chips: $130.00")
            await visitor.sees("Ann, wallet $60.00", "header")


def player_names(server: Live, table: str = "T1") -> set[str]:
    found = server.house.table(table)
    assert found is not None
    return set(found.players.values())


async def test_the_lobby_links_to_the_players_seat_and_shows_whose_turn_it_is(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        await server.open_table("T2", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await visitor.sees("You sit down with $500 in play money")
            await sit(visitor)
            await visitor.bet()
            await visitor.button("Check").wait_for()
            await visitor.page.get_by_role("link", name="All tables").click()
            back = visitor.page.get_by_role("link", name="Back to your seat: T1, seat 1")
            await expect(back).to_be_visible()
            await visitor.sees("It is your turn.")
            await visitor.page.get_by_role("link", name="Watch T2").click()
            await visitor.page.get_by_role("link", name="Your turn at T1").click()
            await visitor.press("Check")
            await expect(visitor.page.get_by_role("alert")).to_be_empty()
            assert await visitor.page.locator("#turn").inner_text() == ""


async def test_a_round_with_automatic_players(browser: Browser, tmp_path: Path) -> None:
    pace = replace(TO_READ, betting=600)
    async with (
        demonstration(tmp_path, pace) as server,
        visit(browser, server.address) as visitor,
    ):
        await sit(visitor, "Galaxy")
        await visitor.sees("Robin (automatic)", "#seats")
        await visitor.sees("Kim (automatic)", "#seats")
        await visitor.bet()
        await visitor.press("Raise 3×")
        assert "Raise" in await results(visitor)
        assert len(round_of(server, "Galaxy").seats) > 1
