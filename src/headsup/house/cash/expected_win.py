"""Compares what a table won with what was to be expected, exactly.

The expected win is the edge of each wager on the stakes placed, if every hand had been played
perfectly; mistakes are the house's gain. The band around it is by a normal distribution and as if
hands were independent; hands of one round share a board, and vary more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_CENT
from headsup.house.cash.takings import TableTakings

_BAND_SIGMAS = 1.96  # standard deviations: 95 % of a normal distribution
MIN_JUDGED_ROUNDS = 30  # with fewer, a normal distribution is too rough


@dataclass(frozen=True, slots=True)
class WagerExpectation:
    """In cents. The Ante's are for Ante, Odds and Raise, which every hand plays together."""

    house_edge: Fraction
    expected: Fraction
    deviation: float


@dataclass(frozen=True, slots=True)
class TableExpectation:
    """What a table took, with the expected win in cents and its standard deviation."""

    taken: TableTakings
    expected: Fraction
    deviation: float
    wagers: Mapping[Wager, WagerExpectation]

    @property
    def band(self) -> tuple[float, float]:
        """Where the win lies with a chance of 95 %."""
        margin = _BAND_SIGMAS * self.deviation
        return float(self.expected) - margin, float(self.expected) + margin

    @property
    def is_within(self) -> bool:
        low, high = self.band
        return low <= self.taken.win / MICROS_PER_CENT <= high

    @property
    def is_judged(self) -> bool:
        """Whether there were enough rounds for `is_within` to mean anything."""
        return self.taken.rounds >= MIN_JUDGED_ROUNDS


def expected_win(
    taken: TableTakings, edges: Mapping[Wager, tuple[Fraction, Fraction]]
) -> TableExpectation:
    """`edges` has the house's edge and the variance per dollar of each wager."""
    wagers, variance = {}, 0.0
    for wager, (edge, unit_variance) in edges.items():
        wagered = taken.wagers.get(wager)
        if wagered is not None:
            wager_variance = float(unit_variance) * wagered.squares
            expected = edge * wagered.handle
            wagers[wager] = WagerExpectation(edge, expected, sqrt(wager_variance))
            variance += wager_variance
    contributed = Fraction(-taken.contributed, MICROS_PER_CENT)
    expected_sum = sum((one.expected for one in wagers.values()), contributed)
    return TableExpectation(taken, expected_sum, sqrt(variance), wagers)
