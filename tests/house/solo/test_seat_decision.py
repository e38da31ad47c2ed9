"""A decision as the seat that made it knew it: own cards, what lay open, what could be paid."""

from fractions import Fraction
from typing import Any

import pytest

from headsup.game.round.commands import Check, Fold, Proceed, Raise, TimeOut
from headsup.game.rulebook.wagers import Street
from headsup.game.table.commands import Command, Staff
from headsup.game.values.cards import format_cards
from headsup.house.solo.seat_decision import SeatDecision, decision_from_event, pending_decision
from tests.tables import BOOKS, Play, opened, stakes


def dealt(book: str = "galaxy", chips: int = 100_000, sides: int = 0, **options: Any) -> Play:
    play = opened(book, (1, 2), chips, **options)
    placed = stakes(trips_plus=sides) if sides else stakes()
    play.bets({1: placed, 2: stakes()})
    play.deals()
    return play


def made(play: Play, command: Command, by: Staff | None = None) -> SeatDecision | None:
    (event,) = play.does(command, by=by)
    return decision_from_event(play.floor, play.id, event)


def test_each_street_has_its_cards_and_its_options() -> None:
    play = dealt()
    pocket = made(play, Check(1))
    assert pocket is not None
    assert (pocket.player, pocket.chosen) == ("P1", ("check", 0))
    assert (format_cards(pocket.hand.hole), pocket.hand.board) == ("AsTh", ())
    assert pocket.hand.options == (("raise", 3), ("check", 0))
    play.does(Check(2), Proceed())
    flop = made(play, Check(1))
    assert flop is not None
    assert (flop.hand.street, format_cards(flop.hand.board)) == (Street.FLOP, "Kd9c7h")
    play.does(Check(2), Proceed())
    river = made(play, Fold(1))
    assert river is not None
    assert (river.hand.street, format_cards(river.hand.board)) == (Street.RIVER, "Kd9c7h5s2d")
    assert river.hand.options == (("raise", 1), ("fold", 0))
    assert river.chosen == ("fold", 0)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_open_is_what_was_open_when_it_is_decided(book: str) -> None:
    play = dealt(book)
    before = pending_decision(play.floor, play.id, 1)
    assert before is not None
    multiple = max(one for _, one in before.options)
    after = made(play, Raise(1, multiple))
    assert after is not None
    assert after.hand == before
    assert after.chosen == ("raise", multiple)
    assert pending_decision(play.floor, play.id, 1) is None


def test_a_raise_that_the_chips_do_not_reach_for_is_no_option() -> None:
    play = dealt("new-york", chips=2_000 + 2_500)
    before = pending_decision(play.floor, play.id, 1)
    assert before is not None
    assert before.options == (("raise", 1), ("raise", 2), ("check", 0))
    after = made(play, Raise(1, 2))
    assert after is not None
    assert after.hand.options == before.options


def test_where_there_was_no_choice_there_is_no_decision() -> None:
    play = dealt(chips=2_000)
    assert made(play, Check(1)) is None


def test_what_the_clock_decided_is_nobodys_decision() -> None:
    play = dealt()
    assert made(play, TimeOut(1, None)) is None


def test_hidden_cards_are_not_known() -> None:
    play = dealt()
    hand = pending_decision(play.floor, play.id, 1)
    assert hand is not None
    assert hand.seen == ()


def test_hands_dealt_face_up_are_seen() -> None:
    play = dealt("washington", face_up=True)
    hand = pending_decision(play.floor, play.id, 1)
    assert hand is not None
    assert format_cards(hand.seen) == "8c4s"


def test_trips_plus_rides_along_where_a_fold_forfeits_it() -> None:
    stays = pending_decision(dealt(sides=500).floor, "T1", 1)
    forfeits = pending_decision(
        dealt("new-york", sides=500, trips_plus_after_fold="forfeits").floor, "T1", 1
    )
    assert stays is not None
    assert forfeits is not None
    assert (stays.riding, forfeits.riding) == (Fraction(0), Fraction(1, 2))
