"""Sessions: a small game against exact fractions, the real one against its own moments."""

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest

from headsup.analysis.session.hold import (
    MAX_SEARCH_POINTS,
    RoundsToShow,
    find_rounds_to_show,
    table_hold,
)
from headsup.analysis.session.house_ahead import HouseAhead
from headsup.analysis.session.ruin import session_ruin
from headsup.analysis.session.session import (
    Floats,
    GridTooWide,
    RoundNets,
    SessionDistribution,
    session_distribution,
)
from headsup.library.session import session
from tests.oracles.sessions import Chances, fortune_after, totals_after

# Nets on a grid of 5 that is not through zero, one of them rare and large.
SMALL: Chances = {
    -13: Fraction(4, 9),
    -8: Fraction(1, 9),
    2: Fraction(3, 9),
    47: Fraction(19, 180),
    302: Fraction(1, 180),
}


def nets(chances: Chances) -> RoundNets:
    mean = sum((net * chance for net, chance in chances.items()), Fraction())
    square = sum((net * net * chance for net, chance in chances.items()), Fraction())
    return RoundNets(
        np.array(list(chances)),
        np.array([float(chance) for chance in chances.values()]),
        mean,
        square - mean**2,
        Fraction(20),
    )


@pytest.mark.parametrize("rounds", [1, 2, 7, 12])
def test_a_small_game_matches_exact_fractions(rounds: int) -> None:
    totals = session_distribution(nets(SMALL), rounds)
    expected = totals_after(SMALL, rounds)
    actual = dict(zip(totals.results.tolist(), totals.probabilities.tolist(), strict=True))
    for result in {*actual, *expected}:
        assert abs(actual.get(result, 0) - expected.get(result, 0)) <= totals.error
    ahead = sum(chance for result, chance in expected.items() if result > 0)
    assert abs(totals.ahead - ahead) <= totals.error < 1e-11


def test_a_quantile_is_the_smallest_result_that_reaches_it() -> None:
    totals = session_distribution(nets(SMALL), 6)
    expected = sorted(totals_after(SMALL, 6).items())
    for quantile in (0.01, 0.25, 0.5, 0.75, 0.99):
        passed = Fraction()
        reached = []
        for result, chance in expected:
            passed += chance
            reached += [result] if passed >= quantile else []
        assert totals.quantile(quantile) == reached[0]


@pytest.mark.parametrize("target", [None, 90, 93])
@pytest.mark.parametrize("bankroll", [60, 59, 61, 24])
def test_ruin_and_target_match_round_by_round_play(bankroll: int, target: int | None) -> None:
    """Also where the bankroll or the target is between the sums that rounds come to."""
    result = session_ruin(nets(SMALL), 10, bankroll, 20, target)
    ruin, reached, played = fortune_after(SMALL, 10, bankroll, 20, target)
    assert result.ruin == pytest.approx(float(ruin), abs=1e-9)
    assert result.target == pytest.approx(float(reached), abs=1e-12)
    assert result.rounds == pytest.approx(float(played), abs=1e-7)
    assert result.history[-1][1] == result.ruin


def test_a_bankroll_that_no_loss_reaches_is_never_ruined() -> None:
    result = session_ruin(nets(SMALL), 2, bankroll=10**12, round_cost=20)
    assert result.ruin < 1e-12
    assert result.rounds == pytest.approx(2.0)


def test_a_bankroll_that_just_covers_a_round_is_still_played() -> None:
    result = session_ruin(nets(SMALL), 1, bankroll=20, round_cost=20)
    assert result.rounds == 1.0
    assert result.ruin == pytest.approx(5 / 9)


def test_the_chance_of_leaving_the_grid_is_below_its_bound() -> None:
    """Narrow windows: mean and spread still come out, though jackpots are far away."""
    game = {-10: Fraction(999_999, 1_000_000), 1_000_000: Fraction(1, 1_000_000)}
    round_nets = nets(game)
    totals = session_distribution(round_nets, 1000)
    assert totals.probabilities.sum() == pytest.approx(1, abs=1e-12)
    mean = float((totals.results * totals.probabilities).sum())
    assert mean == pytest.approx(1000 * float(round_nets.mean), abs=1e-4)


def test_a_grid_too_fine_is_refused() -> None:
    game = {-1: Fraction(1, 3), 0: Fraction(1, 3), 10**9: Fraction(1, 3)}
    with pytest.raises(GridTooWide):
        session_distribution(nets(game), 1000)


def test_the_hold_equals_the_players_loss() -> None:
    round_nets = nets(SMALL)
    totals: SessionDistribution = session_distribution(round_nets, 100)
    hold = table_hold(round_nets, totals)
    assert hold.theoretical == -round_nets.mean / 20
    low, high = hold.bands["0.95"]
    assert low < float(hold.theoretical) < high
    assert low == -totals.quantile(0.975) / 2000
    losing = nets({-10: Fraction(1, 2), 12: Fraction(1, 2)})
    assert table_hold(losing, session_distribution(losing, 10)).rounds_to_show is None


@pytest.mark.parametrize("edge", [Fraction(1, 30), Fraction(1, 4), Fraction(2, 3)])
def test_the_number_of_rounds_to_show_is_minimal(edge: Fraction) -> None:
    """One round fewer, and the house is not yet ahead with 95 % confidence."""
    game = {-3: Fraction(1, 2) + edge / 2, 2: Fraction(1, 2) - edge / 2}
    shows = find_rounds_to_show(nets(game))
    assert shows is not None
    assert shows.exact
    for rounds in (shows.rounds, shows.rounds - 1):
        lost = sum(chance for result, chance in totals_after(game, rounds).items() if result < 0)
        assert (lost >= Fraction(95, 100)) is (rounds == shows.rounds)


def test_a_grid_too_wide_falls_back_to_the_normal_distribution() -> None:
    wide = nets(
        {-20_001: Fraction(499, 500), -20_000: Fraction(1, 1000), 9_999_983: Fraction(1, 1000)}
    )
    shows = find_rounds_to_show(wide)
    assert shows is not None
    assert not shows.exact
    expected = float(NormalDist().inv_cdf(0.95) ** 2 * float(wide.variance / wide.mean**2))
    assert shows.rounds == pytest.approx(expected, rel=1e-3)


@pytest.fixture
def grids(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all grids that are transformed."""
    seen: list[int] = []
    transform = np.fft.rfft

    def noted(grid: Floats) -> object:
        seen.append(len(grid))
        return transform(grid)

    monkeypatch.setattr(np.fft, "rfft", noted)
    return seen


def played(bets: dict[str, object]) -> RoundNets:
    return session(1, bets).sitting.round_nets


@pytest.mark.parametrize("bets", [{"ante": "10.01"}, {"ante": 5, "trips_plus": "1.01"}])
def test_stakes_of_a_fine_unit_get_exact_rounds_to_show(
    bets: dict[str, object], grids: list[int]
) -> None:
    round_nets = played(bets)
    grids.clear()
    shows = find_rounds_to_show(round_nets)
    assert shows is not None
    assert shows.exact
    assert max(grids, default=0) <= MAX_SEARCH_POINTS
    house = HouseAhead(round_nets, shows.rounds - 1, shows.rounds)
    assert house.after(shows.rounds - 1) < 0.95 <= house.after(shows.rounds)


def test_sampled_distributions_equal_whole_ones() -> None:
    for game, rounds in (
        ({-3: Fraction(6, 10), 2: Fraction(4, 10)}, 400),
        ({-3: Fraction(6, 10), 2: Fraction(3, 10), 4: Fraction(1, 10)}, 900),
        ({-1001: Fraction(54, 100), 1001: Fraction(45, 100), 1502: Fraction(1, 100)}, 2000),
        (SMALL, 700),
    ):
        round_nets = nets(game)
        house = HouseAhead(round_nets, rounds // 2, 2 * rounds)
        for number in (rounds // 2, rounds - 1, rounds, 2 * rounds):
            totals = session_distribution(round_nets, number)
            expected = float(totals.probabilities[totals.results < 0].sum())
            assert house.after(number) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("bets", "rounds"),
    [
        ({"ante": 10}, 105_747),
        ({"ante": 5, "trips_plus": 5, "pocket_bonus": 5}, 27_902),
        ({"ante": 5, "trips_plus": 5, "pocket_bonus": 5, "all_6": 5, "progressive": 1}, 6113),
        ({"ante": 25, "trips_plus": 5}, 106_397),
    ],
)
def test_usual_stakes_get_exact_rounds_to_show(
    bets: dict[str, object], rounds: int, grids: list[int]
) -> None:
    assert find_rounds_to_show(played(bets)) == RoundsToShow(rounds, exact=True)
    assert max(grids) <= MAX_SEARCH_POINTS


@pytest.mark.slow
def test_ten_million_random_sessions() -> None:
    round_nets = nets(SMALL)
    chance = np.random.default_rng(11)
    totals = session_distribution(round_nets, 20)
    sums = np.zeros(10_000_000, np.int32)
    for _ in range(20):
        sums += chance.choice(round_nets.nets, len(sums), p=round_nets.probabilities).astype(
            np.int32
        )
    for result in np.unique(sums[:1000]).tolist():
        expected = float(totals.probabilities[totals.results == result][0])
        deviation = (expected * (1 - expected) / len(sums)) ** 0.5
        assert abs(float((sums == result).mean()) - expected) < 5 * deviation
