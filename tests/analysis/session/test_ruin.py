"""Ruin and target without end, against long finite play and coin tossing, which has a formula."""

from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.session.ruin import MAX_RUIN_POINTS, UltimateRuin, UnknownRuin, ultimate_ruin
from headsup.analysis.session.session import RoundNets, session_ruin


def rounds_of(nets: dict[int, Fraction]) -> RoundNets:
    mean = sum((net * chance for net, chance in nets.items()), Fraction())
    square = sum((net**2 * chance for net, chance in nets.items()), Fraction())
    return RoundNets(
        np.array(list(nets), np.int64),
        np.array([float(chance) for chance in nets.values()]),
        mean,
        square - mean**2,
        Fraction(1),
    )


def test_coin_tossing_has_the_known_answer() -> None:
    win = Fraction(49, 100)
    one = rounds_of({-1: 1 - win, 1: win})
    found = ultimate_ruin(one, bankroll=10, needed=1, target=25)
    ratio = float((1 - win) / win)
    assert isinstance(found, UltimateRuin)
    assert found.target == pytest.approx((ratio**10 - 1) / (ratio**25 - 1))
    rounds = (10 - 25 * found.target) / float(1 - 2 * win)
    assert found.rounds == pytest.approx(rounds)


def test_no_end_is_the_limit_of_many_rounds() -> None:
    one = rounds_of({-15: Fraction(1, 10), -5: Fraction(45, 100), 5: Fraction(35, 100),
                     10: Fraction(1, 10)})  # fmt: skip
    for bankroll in (100, 98, 101):
        found, long = (
            ultimate_ruin(one, bankroll, 15, 200),
            session_ruin(one, 4000, bankroll, 15, 200),
        )
        assert isinstance(found, UltimateRuin)
        assert (found.ruin, found.target) == pytest.approx((long.ruin, long.target))
        assert found.rounds == pytest.approx(long.rounds)


def test_a_game_for_the_house_ends_in_ruin_and_one_for_the_player_may_not() -> None:
    lost = ultimate_ruin(rounds_of({-1: Fraction(51, 100), 1: Fraction(49, 100)}), 10, 1)
    assert isinstance(lost, UltimateRuin)
    assert lost.ruin == 1.0
    won = ultimate_ruin(rounds_of({-1: Fraction(45, 100), 1: Fraction(55, 100)}), 10, 1)
    assert isinstance(won, UltimateRuin)
    assert won.ruin == pytest.approx((45 / 55) ** 10, rel=1e-6)


def test_what_would_take_too_long_is_not_told() -> None:
    one = rounds_of({-1: Fraction(1, 2), 1: Fraction(1, 2)})
    told = ultimate_ruin(one, 10, 1, 12 + MAX_RUIN_POINTS)
    assert told == UnknownRuin(places=MAX_RUIN_POINTS + 11)
    assert f"{MAX_RUIN_POINTS + 11:,} sums of money" in told.reason
