"""Settlement hand by hand, in the dealer's order around the table (New York (e)(8)–(11))."""

import pytest

from headsup.game.bank.ledger import AccountKind, prize_account
from headsup.game.round.commands import Check, Fold, Proceed, Raise
from headsup.game.round.events import HandResolved, RoundClosed, RoundSettled
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import rail_view
from tests.support.tables import (
    BOOKS,
    PROGRESSIVE,
    Play,
    irregularity_report,
    on_felt,
    opened,
    stakes,
)

SEATS = (1, 2, 3, 4)
PAIR, NO_PAIR = "9hJh", "QcJh"  # the dealer's hands, with the 9c on the board
FOLDERS_FIRST, RAISERS_FIRST = (4, 2, 3, 1), (3, 1, 4, 2)


def round_at_settlement(book: str = "new-york", dealer: str = PAIR) -> Play:
    """Seats 1 and 3 have raised, 2 and 4 have folded with a Pocket Bonus on the felt."""
    play = opened(book, seats=SEATS)
    play.bets({seat: stakes(pocket_bonus=500) for seat in SEATS})
    play.deals({1: "AsTh", 2: "4c4s", 3: "KcKs", 4: "Jd8d"}, dealer=dealer)
    play.does(*(Check(seat) for seat in SEATS), Proceed())
    play.does(*(Check(seat) for seat in SEATS), Proceed())
    play.does(Raise(1, 1), Fold(2), Raise(3, 1), Fold(4))
    play.reaches(Phase.SETTLEMENT_DUE)
    return play


def order_of(play: Play) -> tuple[int, ...]:
    """The order in which the round is settled, hand by hand."""
    events = play.settles()
    assert isinstance(events[0], RoundSettled)
    order = tuple(seat.seat for seat in events[0].settlement.seats)
    assert events[1:] == tuple(HandResolved(seat) for seat in order)
    return order


@pytest.mark.clause("NY (e)(9) order", "NY (e)(10) order")
@pytest.mark.parametrize("book", BOOKS)
def test_folders_are_settled_before_raisers_from_the_dealers_right(book: str) -> None:
    assert order_of(round_at_settlement(book)) == FOLDERS_FIRST


@pytest.mark.clause("NY (e)(8) order", "NY (e)(8) antes", "NY (e)(8) other wagers")
@pytest.mark.parametrize("book", BOOKS)
def test_r97_in_new_york_raisers_come_first_when_the_dealer_is_below_a_pair(book: str) -> None:
    play = round_at_settlement(book, NO_PAIR)
    before = {seat: play.chips(seat) for seat in SEATS}
    assert order_of(play) == (RAISERS_FIRST if book == "new-york" else FOLDERS_FIRST)
    if book == "new-york":
        # Seat 3 has kings and wins, seat 1 has ace high and wins; each Ante comes back.
        assert [play.lines(seat)[Wager.ANTE].net for seat in RAISERS_FIRST] == [
            0,
            0,
            -1_000,
            -1_000,
        ]
        assert play.chips(3) - before[3] == 3_000 + 1_000 + 6 * 500
        assert play.does(Proceed())[0] == RoundClosed(
            ("seat 3", "seat 1", "seat 4", "seat 2", "dealer", "board")
        )


@pytest.mark.clause("NY (e)(8) order")
def test_ny_e8_each_ante_comes_back_at_its_own_turn() -> None:
    play = round_at_settlement(dealer=NO_PAIR)
    play.does(Proceed())
    for done, seat in enumerate(RAISERS_FIRST[:2], 1):
        before = {other: play.chips(other) for other in SEATS}
        play.does(Proceed())
        changed = [other for other in SEATS if play.chips(other) != before[other]]
        assert (changed, play.round.resolved) == ([seat], RAISERS_FIRST[:done])


def test_a_round_whose_hands_are_all_void_begins_with_the_folders() -> None:
    """The dealer's hand is not turned up, so it cannot set the order."""
    play = opened("new-york", seats=SEATS)
    play.bets({seat: stakes(trips_plus=500) for seat in SEATS})
    play.deals(dealer=NO_PAIR)
    play.reaches(Phase.RIVER)
    play.does(Raise(1, 1), Fold(2), irregularity_report("dealer_card_exposed"))
    assert order_of(play) == (2, 4, 3, 1)


def test_a_void_hand_comes_with_the_raisers() -> None:
    play = opened("new-york", seats=SEATS)
    play.bets({seat: stakes() for seat in SEATS})
    play.deals(dealer=NO_PAIR)
    play.does(irregularity_report("player_card_exposed", seat=2))
    play.reaches(Phase.SETTLEMENT_DUE, fold=(4,))
    assert order_of(play) == (3, 2, 1, 4)


@pytest.mark.clause(
    "NY (e)(9) collected",
    "NY (e)(10) resolved",
    "NY (e)(10) collected",
    "NY (e)(9) resolved",
)
def test_each_hand_is_paid_and_taken_before_the_next() -> None:
    play = round_at_settlement()
    before = {seat: play.chips(seat) for seat in SEATS}
    play.does(Proceed())
    assert {seat: play.chips(seat) for seat in SEATS} == before, "nothing is paid at once"
    lying = on_felt(play.floor)
    for done, seat in enumerate((4, 2, 3, 1), 1):
        assert play.phase is Phase.RESOLVING
        play.does(Proceed())
        lines = play.lines(seat).values()
        lying -= sum(line.stake for line in lines) * MICROS_PER_CENT
        assert on_felt(play.floor) == lying
        assert play.chips(seat) == before[seat] + sum(line.stake + line.net for line in lines)
        assert play.round.resolved == (4, 2, 3, 1)[:done]
    assert play.phase is Phase.SETTLED
    assert on_felt(play.floor) == 0


@pytest.mark.clause(
    "NY (e)(9) turned up",
    "NY (e)(9) resolved",
    "NY (e)(10) turned up",
    "NY (e)(10) announced",
)
def test_a_hand_and_its_result_are_shown_at_its_turn() -> None:
    play = round_at_settlement()
    play.does(Proceed())
    for done in ([], [4], [4, 2], [4, 2, 3], [4, 2, 3, 1]):
        view = rail_view(play.floor, "T1").round
        assert view is not None
        assert view.dealer_hand is not None, "announced before the first hand"
        assert list(view.results or ()) == done
        assert [seat for seat in (4, 2, 3, 1) if view.seats[seat].hole] == done
        assert [seat for seat in (4, 2, 3, 1) if view.seats[seat].hand] == done
        play.does(Proceed())


@pytest.mark.clause("NY (e)(11)")
@pytest.mark.parametrize("book", ["galaxy", "new-york"])
def test_the_record_shows_the_order_in_which_cards_were_picked_up(book: str) -> None:
    play = round_at_settlement(book)
    play.settles()
    packet = ("all_6",) if book == "galaxy" else ()
    hands = ("seat 4", "seat 2", "seat 3", "seat 1")
    assert play.does(Proceed()) == (RoundClosed((*hands, "dealer", "board", *packet)),)


def test_a_prize_leaves_the_meter_at_once_and_waits_for_its_winners_turn() -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(progressive=100), 2: stakes()})
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(Raise(1, 3), Raise(2, 3))
    play.reaches(Phase.SETTLEMENT_DUE)
    pool = play.meter.pool
    play.does(Proceed())
    won = play.lines(1)[PROGRESSIVE].award * MICROS_PER_CENT
    assert won > 0
    assert play.meter.pool == pool - won
    assert play.floor.ledger.balance(prize_account("T1", 1)) == won
    play.does(Proceed())
    assert play.round.resolved == (2,)
    assert play.floor.ledger.balance(prize_account("T1", 1)) == won
    play.does(Proceed())
    assert not any(account.kind is AccountKind.PRIZE for account, _ in play.floor.ledger)
    net = sum(line.net for line in play.lines(1).values())
    assert play.chips(1) == 100_000 + net


def test_a_void_round_returns_its_stakes_hand_by_hand() -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.does(irregularity_report("foul_deck"), Proceed())
    assert (play.chips(1), play.chips(2)) == (98_000, 98_000)
    play.does(Proceed())
    assert (play.chips(1), play.chips(2)) == (98_000, 100_000)
    play.does(Proceed())
    assert (play.chips(1), play.chips(2)) == (100_000, 100_000)
    assert play.does(Proceed()) == (RoundClosed(()),), "no card was dealt, none is picked up"


def test_no_other_commands_are_accepted_while_hands_are_resolved() -> None:
    play = round_at_settlement()
    play.does(Proceed())
    assert play.refuses(irregularity_report("foul_deck")) == "wrong_phase"
    assert play.refuses(Raise(1, 1)) == "wrong_phase"
    assert play.refuses(CorrectPayout(4, 100, "short", "Dee", "Sue")) == "no_round"
    assert play.lines(4)[Wager.ANTE].net == -1_000
