"""Ruin and target without a limit on rounds, against long finite play and coin tossing."""

from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.session.ruin import (
    MAX_RUIN_POINTS,
    UltimateRuin,
    UnknownRuin,
    _Bankroll,
    _follow,
    session_ruin,
    ultimate_ruin,
)
from headsup.analysis.session.session import RoundNets
from headsup.library.session import session
from tests.oracles.sessions import ruin_by_roots


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
    assert result == UnknownRuin(MAX_RUIN_POINTS + 11, MAX_RUIN_POINTS)
    assert f"{MAX_RUIN_POINTS + 11:,} possible amounts" in result.reason


def test_endless_ruin_equals_the_sum_over_the_roots() -> None:
    """Also for a bankroll below every loss, and with a rare large win."""
    game = {-7: Fraction(1, 10), -3: Fraction(4, 10), 0: Fraction(5, 100), 2: Fraction(4, 10),
            31: Fraction(5, 100)}  # fmt: skip
    for points in (0, 1, 6, 7, 40, 200):
        result = ultimate_ruin(rounds_of(game), points + 5, 5)
        assert isinstance(result, UltimateRuin)
        assert result.ruin == pytest.approx(ruin_by_roots(game, points), abs=1e-12)


@pytest.mark.parametrize(
    ("bankroll", "ruin"), [(1000, "0.86177"), (5000, "0.46713"), (20_000, "0.04700")]
)
def test_the_game_that_favours_the_player_has_a_final_risk_of_ruin(
    bankroll: int, ruin: str
) -> None:
    result = session(1, rules="washington-no-qualifier", bankroll=bankroll).forever
    assert result is not None
    assert f"{result.ruin:.5f}" == ruin


PARITY = {-3: Fraction(30, 100), -1: Fraction(27, 100), 1: Fraction(28, 100), 5: Fraction(15, 100)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        {-13: Fraction(45, 100), -8: Fraction(1, 9), 2: Fraction(3, 9), 47: Fraction(19, 180)},
        PARITY,  # every net is odd: balances alternate
        {**PARITY, 5: Fraction(149, 1000), 40: Fraction(1, 1000)},  # … nearly always
        {-4: Fraction(52, 100), 3: Fraction(38, 100), 6: Fraction(10, 100)},
    ],
)
@pytest.mark.parametrize("bankroll", [9, 150])
def test_rounds_that_are_skipped_come_out_as_if_they_were_followed(
    game: dict[int, Fraction], bankroll: int
) -> None:
    rest = 1 - sum(game.values())
    round_nets = rounds_of({**game, min(game): game[min(game)] + rest})
    rounds = 1800
    skipped = session_ruin(round_nets, rounds, bankroll, 5)
    followed, _ = _follow(_Bankroll(round_nets, bankroll, 5, None), rounds, rounds, None)
    assert skipped.ruin == pytest.approx(followed.ruin, abs=2e-9)
    assert skipped.rounds == pytest.approx(followed.rounds, rel=1e-8)
    assert len(skipped.history) == len(followed.history)
    for skip, follow in zip(skipped.history, followed.history, strict=True):
        assert skip == pytest.approx(follow, abs=2e-9)


@pytest.mark.slow
def test_a_million_rounds_are_not_followed_one_by_one() -> None:
    calls: list[int] = []
    round_nets = rounds_of({-2: Fraction(501, 1000), 2: Fraction(499, 1000)})
    result = session_ruin(round_nets, 10**6, 400, 2, progress=lambda n, _: calls.append(n))
    assert len(calls) < 50  # one for every fifty rounds followed, one for every window skipped
    assert calls[-1] == 10**6
    assert 0.99 < result.ruin < 1
    shown = [round_number for round_number, _, _ in result.history]
    assert shown == list(range(5000, 10**6 + 1, 5000))


def test_play_that_has_ended_is_not_followed_further() -> None:
    round_nets = rounds_of({-1: Fraction(1, 2), 1: Fraction(1, 2)})
    result = session_ruin(round_nets, 10**6, 20, 1, 40)
    assert result.target == pytest.approx(20 / 40)
    assert result.rounds == pytest.approx(20 * 20)
    assert result.history[-1] == (10**6, result.ruin, result.target)


def test_a_lucky_run_on_the_way_down_is_within_the_grid() -> None:
    """The sum of many rounds is far below zero, but a balance far above was likely on the way."""
    round_nets = rounds_of({-10: Fraction(6, 10), 10: Fraction(4, 10)})
    low, high = round_nets.range_bounds(10_000, 1e-9, whole_path=True)
    assert low < -20_000 < 0 < high
    assert round_nets.range_bounds(10_000, 1e-9)[1] < 0
