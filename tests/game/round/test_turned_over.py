"""Rounds whose cards are turned over one place at a time."""

import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from headsup.game.bank.meter import Meter
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line
from tests.support.tables import BOOKS, Play, opened
from tests.support.turned_over import SEATS, play_twins, real_table


def lines_of(play: Play) -> dict[int, dict[Wager, Line]]:
    assert play.round.settlement is not None
    return {
        seat.seat: {line.wager: line for line in seat.lines} for seat in play.round.settlement.seats
    }


def meters_of(play: Play) -> dict[str, Meter]:
    """All but how often the meters have paid: here once for each hand, there once for the round."""
    return {name: replace(meter, awards=0) for name, meter in play.floor.meters.items()}


def same_rounds(book: str, seed: int, rounds: int, **choices: Any) -> None:
    shoe, felt = opened(book, SEATS, 10_000_000, **choices), real_table(book, **choices)
    for number in range(rounds):
        play_twins(shoe, felt, Random(f"{book} {seed} {number}"))
        assert lines_of(felt) == lines_of(shoe), (seed, number)
        assert meters_of(felt) == meters_of(shoe), (seed, number)
        assert dict(felt.floor.ledger) == dict(shoe.floor.ledger), (seed, number)


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_turned_over_settles_as_the_shoe_would(book: str) -> None:
    """The same lines, money and meter."""
    same_rounds(book, 1, 60)


CHOICES: tuple[tuple[str, dict[str, Any]], ...] = (
    *((book, {}) for book in BOOKS),
    ("galaxy", {"paytables": {"progressive": "9"}}),
    ("galaxy", {"percentage_awards": "sequential"}),
    ("new-york", {"trips_plus_after_fold": "forfeits", "progressive_after_fold": "forfeits"}),
    *(
        ("galaxy", {"cap": {"amount": amount, "scope": scope, "wagers": ["ante", "raise", "odds"]}})
        for amount, scope in (("300.00", "table"), ("60.00", "player"))
    ),
)


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize(("book", "choices"), CHOICES)
def test_many_decks_turned_over_settle_as_the_shoe_would(
    book: str, choices: dict[str, Any]
) -> None:
    """With every option that changes the order, the pool or a cap. TWIN_ROUNDS=10000 plays more."""
    same_rounds(book, 2, int(os.environ.get("TWIN_ROUNDS", "300")), **choices)


def test_the_round_ends_when_the_last_hand_is_paid() -> None:
    felt = real_table()
    play_twins(opened("galaxy", SEATS, 10_000_000), felt, Random(4))
    assert felt.phase is Phase.CLOSED
