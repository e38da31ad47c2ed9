"""The text of a round with a real deck has only the cards that were turned over."""

import tomllib
from random import Random

import pytest

from headsup.game.notation.reader import read_round, read_written_round
from headsup.game.notation.transcript import play_at_table, play_written_round
from headsup.game.notation.writer import write_round
from headsup.game.refusal import Refused
from headsup.game.round.commands import DealFaceDown, Fold, Proceed, TurnOver
from headsup.game.round.state import Phase
from headsup.game.settlement import settle
from headsup.game.values.cards import parse_cards
from tests.support.tables import BOOKS, irregularity_report, opened, stakes
from tests.support.turned_over import SEATS, play_twins, real_table


@pytest.mark.parametrize("book", BOOKS)
def test_a_written_round_settles_again(book: str) -> None:
    """Without irregularities, which the text lists apart."""
    shoe, felt = opened(book, SEATS, 10_000_000), real_table(book)
    played = 0
    for number in range(25):
        pool = felt.floor.meters[felt.table.meter].pool if felt.table.meter else None
        play_twins(shoe, felt, Random(f"{book} {number}"), with_reports=False)
        text = write_round(felt.round, players=felt.table.players)
        assert "deck" not in text
        assert "seed" not in text or pool is not None
        finished = read_round(tomllib.loads(text))
        again = settle(finished.rules, finished.deal, finished.plays, finished.meter)
        assert felt.round.settlement is not None
        assert {seat.seat: seat.lines for seat in again.seats} == {
            seat.seat: seat.lines for seat in felt.round.settlement.seats
        }
        *_, last = play_at_table(read_written_round(tomllib.loads(text)))
        replayed = next(iter(last.floor.tables.values())).round
        assert replayed is not None
        assert replayed.phase is Phase.CLOSED
        played += 1
    assert played == 25


def test_a_hand_that_was_never_turned_over_has_no_cards_in_the_text() -> None:
    felt = real_table(seats=(1,))
    felt.bets({1: stakes()})
    felt.does(DealFaceDown())
    felt.decide_all()
    felt.does(TurnOver("board", parse_cards("Kd9c5h")))
    felt.decide_all()
    felt.does(TurnOver("board", parse_cards("5s2d")), Fold(1))
    felt.does(TurnOver("dealer", parse_cards("AcQd")))
    assert felt.phase is Phase.SETTLED
    felt.does(Proceed())
    text = write_round(felt.round)
    assert "hole" not in text
    assert play_written_round(read_written_round(tomllib.loads(text))).round.resolved == (1,)


def test_a_void_round_is_written_with_the_cards_that_were_open() -> None:
    felt = real_table("new-york", seats=(1,))
    felt.bets({1: stakes()})
    felt.does(DealFaceDown())
    felt.decide_all()
    felt.does(TurnOver("board", parse_cards("Kd9c5h")), irregularity_report("foul_deck"))
    assert felt.phase is Phase.SETTLED
    felt.does(Proceed())
    text = write_round(felt.round)
    assert 'board = "Kd9c5h"' in text
    assert "dealer =" not in text


def test_cards_may_only_be_turned_over() -> None:
    with pytest.raises(Refused, match="turned_over"):
        read_round({"cards": "face up", "seats": [{"ante": 5, "odds": 5}]})
