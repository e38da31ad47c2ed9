"""What a table holds from one seat, and how long until the house is ahead for certain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, sqrt
from statistics import NormalDist

from headsup.analysis.session.house_ahead import HouseAhead, TooManyPeaks
from headsup.analysis.session.session import (
    GridTooWide,
    RoundNets,
    SessionDistribution,
    session_distribution,
)

MAX_SEARCH_POINTS = 1 << 20  # per grid, when a search computes many
NORMAL_QUANTILES = {0.90: 1.644854, 0.95: 1.959964, 0.99: 2.575829}  # two-sided


@dataclass(frozen=True)
class TableHold:
    """The house's hold on one seat over a session, as a share of the mean amount staked."""

    theoretical: Fraction
    staked: Fraction  # cents, over the session
    bands: Mapping[str, tuple[float, float]]  # by confidence
    volatility_index: float  # 1.645 standard deviations of one round, per unit staked
    shows: "RoundsToShow | None"  # for 95 % confidence that the house is ahead; None if never

    @property
    def rounds_to_show(self) -> int | None:
        return None if self.shows is None else self.shows.rounds


@dataclass(frozen=True)
class RoundsToShow:
    """The number of rounds at which the house's probability of being ahead reaches SHOW_CONFIDENCE.

    One round fewer is not enough. If the grid would be too wide even for `HouseAhead`, the number
    comes from the normal distribution and `exact` is false.
    """

    rounds: int
    exact: bool


SHOW_CONFIDENCE = 0.95
MAX_NORMAL_GUESSES = 6  # before the search falls back to bisection


def table_hold(round_nets: RoundNets, totals: SessionDistribution) -> TableHold:
    staked = round_nets.mean_stake * totals.rounds
    bands = {
        f"{level:.2f}": (
            -totals.quantile((1 + level) / 2) / float(staked),
            -totals.quantile((1 - level) / 2) / float(staked),
        )
        for level in NORMAL_QUANTILES
    }
    index = NORMAL_QUANTILES[0.90] * sqrt(float(round_nets.variance)) / float(round_nets.mean_stake)
    return TableHold(
        -round_nets.mean / round_nets.mean_stake,
        staked,
        bands,
        index,
        find_rounds_to_show(round_nets),
    )


def find_rounds_to_show(round_nets: RoundNets) -> RoundsToShow | None:
    """How many rounds the house needs to be ahead with SHOW_CONFIDENCE; None if it never is.

    The search uses exact distributions; the normal distribution only suggests where to look. Grids
    that are too wide to search are sampled where it matters (`HouseAhead`).
    """
    if round_nets.mean >= 0:
        return None
    quantile = NormalDist().inv_cdf(SHOW_CONFIDENCE)
    normal = ceil(quantile**2 * float(round_nets.variance / round_nets.mean**2)) or 1
    for chance in (_whole_distribution, _sampled_distribution):
        try:
            return RoundsToShow(_search(partial(chance, round_nets, normal), normal), exact=True)
        except (GridTooWide, TooManyPeaks):
            continue
    return RoundsToShow(normal, exact=False)


def _whole_distribution(round_nets: RoundNets, _: int, rounds: int) -> float:
    totals = session_distribution(round_nets, rounds, MAX_SEARCH_POINTS)
    return float(totals.probabilities[totals.results < 0].sum())


def _sampled_distribution(round_nets: RoundNets, normal: int, rounds: int) -> float:
    """The points for up to twice the usual estimate serve most of the search."""
    low, high = (3 * normal // 5, 2 * normal)
    if not low <= rounds <= high:
        low, high = rounds, rounds
    return HouseAhead(round_nets, low, high).after(rounds)


def _search(house_ahead: Callable[[int], float], normal: int) -> int:
    """The first number of rounds that reaches SHOW_CONFIDENCE."""
    quantile = NormalDist().inv_cdf(SHOW_CONFIDENCE)
    guess, low, high, guesses = float(normal), 0, None, 0
    while high is None or high - low > 1:
        rounds = max(round(guess), low + 1) if high is None else min(round(guess), high - 1)
        if guesses >= MAX_NORMAL_GUESSES and high is not None:
            rounds = (low + high) // 2
        rounds = max(rounds, low + 1)
        chance = house_ahead(rounds)
        low, high = (low, rounds) if chance >= SHOW_CONFIDENCE else (rounds, high)
        deviations = NormalDist().inv_cdf(min(max(chance, 0.5 + 1e-3), 1 - 1e-9))
        guess = rounds * (quantile / deviations) ** 2
        guesses += 1
    return high
