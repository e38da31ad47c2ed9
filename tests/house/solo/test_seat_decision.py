"""Seats' decisions, with only what the seat could know."""

from fractions import Fraction
from typing import Any

import pytest

from headsup.game.round.commands import Check, Fold, Proceed, Raise, TimeOut
from headsup.game.rulebook.wagers import Street
from headsup.game.table.commands import Command, Staff
from headsup.game.values.cards import format_cards
from headsup.house.training.seat_decision import SeatDecision, decision_from_event, pending_decision
from tests.support.tables import BOOKS, Play, opened, stakes


def deal_round(book: str = "galaxy", chips: int = 100_000, sides: int = 0, **options: Any) -> Play:
    play = opened(book, (1, 2), chips, **options)
    placed = stakes(trips_plus=sides) if sides else stakes()
    play.bets({1: placed, 2: stakes()})
    play.deals()
    return play


def find_decisions(play: Play, command: Command, by: Staff | None = None) -> SeatDecision | None:
    (event,) = play.does(command, by=by)
    return decision_from_event(play.floor, play.id, event)


def test_each_street_has_its_own_cards_and_options() -> None:
    play = deal_round()
    pocket = find_decisions(play, Check(1))
    assert pocket is not None
    assert (pocket.player, pocket.chosen) == ("P1", ("check", 0))
    assert (format_cards(pocket.hand.hole), pocket.hand.board) == ("AsTh", ())
    assert pocket.hand.options == (("raise", 3), ("check", 0))
    play.does(Check(2), Proceed())
    flop = find_decisions(play, Check(1))
    assert flop is not None
    assert (flop.hand.street, format_cards(flop.hand.board)) == (Street.FLOP, "Kd9c7h")
    play.does(Check(2), Proceed())
    river = find_decisions(play, Fold(1))
    assert river is not None
    assert (river.hand.street, format_cards(river.hand.board)) == (Street.RIVER, "Kd9c7h5s2d")
    assert river.hand.options == (("raise", 1), ("fold", 0))
    assert river.chosen == ("fold", 0)


@pytest.mark.parametrize("book", BOOKS)
def test_a_made_decision_matches_the_open_one(book: str) -> None:
    play = deal_round(book)
    before = pending_decision(play.floor, play.id, 1)
    assert before is not None
    multiple = max(value for _, value in before.options)
    after = find_decisions(play, Raise(1, multiple))
    assert after is not None
    assert after.hand == before
    assert after.chosen == ("raise", multiple)
    assert pending_decision(play.floor, play.id, 1) is None


def test_a_raise_beyond_the_chips_is_not_an_option() -> None:
    play = deal_round("new-york", chips=2_000 + 2_500)
    before = pending_decision(play.floor, play.id, 1)
    assert before is not None
    assert before.options == (("raise", 1), ("raise", 2), ("check", 0))
    after = find_decisions(play, Raise(1, 2))
    assert after is not None
    assert after.hand.options == before.options


def test_a_forced_action_is_not_a_decision() -> None:
    play = deal_round(chips=2_000)
    assert find_decisions(play, Check(1)) is None


def test_a_timed_out_action_is_not_a_decision() -> None:
    play = deal_round()
    assert find_decisions(play, TimeOut(1, None)) is None


def test_hidden_cards_are_unknown() -> None:
    play = deal_round()
    hand = pending_decision(play.floor, play.id, 1)
    assert hand is not None
    assert hand.seen == ()


def test_hands_dealt_face_up_are_known() -> None:
    play = deal_round("washington", face_up=True)
    hand = pending_decision(play.floor, play.id, 1)
    assert hand is not None
    assert format_cards(hand.seen) == "8c4s"


def test_trips_plus_is_included_if_a_fold_forfeits_it() -> None:
    stays = pending_decision(deal_round(sides=500).floor, "T1", 1)
    forfeits = pending_decision(
        deal_round("new-york", sides=500, trips_plus_after_fold="forfeits").floor, "T1", 1
    )
    assert stays is not None
    assert forfeits is not None
    assert (stays.riding, forfeits.riding) == (Fraction(0), Fraction(1, 2))
