"""Ruin and target without a limit on rounds, against long finite play and coin tossing."""

from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.session.ruin import (
    MAX_RUIN_POINTS,
    UltimateRuin,
    UnknownRuin,
    session_ruin,
    ultimate_ruin,
)
from headsup.analysis.session.session import RoundNets


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


def test_coin_tossing_matches_the_known_formula() -> None:
    win = Fraction(49, 100)
    round_nets = rounds_of({-1: 1 - win, 1: win})
    result = ultimate_ruin(round_nets, bankroll=10, round_cost=1, target=25)
    ratio = float((1 - win) / win)
    assert isinstance(result, UltimateRuin)
    assert result.target == pytest.approx((ratio**10 - 1) / (ratio**25 - 1))
    rounds = (10 - 25 * result.target) / float(1 - 2 * win)
    assert result.rounds == pytest.approx(rounds)


def test_unlimited_play_is_the_limit_of_many_rounds() -> None:
    round_nets = rounds_of({-15: Fraction(1, 10), -5: Fraction(45, 100), 5: Fraction(35, 100),
                     10: Fraction(1, 10)})  # fmt: skip
    for bankroll in (100, 98, 101):
        result, long = (
            ultimate_ruin(round_nets, bankroll, 15, 200),
            session_ruin(round_nets, 4000, bankroll, 15, 200),
        )
        assert isinstance(result, UltimateRuin)
        assert (result.ruin, result.target) == pytest.approx((long.ruin, long.target))
        assert result.rounds == pytest.approx(long.rounds)


def test_ruin_is_certain_only_if_the_house_has_the_edge() -> None:
    lost = ultimate_ruin(rounds_of({-1: Fraction(51, 100), 1: Fraction(49, 100)}), 10, 1)
    assert isinstance(lost, UltimateRuin)
    assert lost.ruin == 1.0
    won = ultimate_ruin(rounds_of({-1: Fraction(45, 100), 1: Fraction(55, 100)}), 10, 1)
    assert isinstance(won, UltimateRuin)
    assert won.ruin == pytest.approx((45 / 55) ** 10, rel=1e-6)


def test_a_grid_too_large_gives_no_answer() -> None:
    round_nets = rounds_of({-1: Fraction(1, 2), 1: Fraction(1, 2)})
    result = ultimate_ruin(round_nets, 10, 1, 12 + MAX_RUIN_POINTS)
    assert result == UnknownRuin(grid_points=MAX_RUIN_POINTS + 11)
    assert f"{MAX_RUIN_POINTS + 11:,} possible amounts" in result.reason
