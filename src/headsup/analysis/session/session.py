"""The distribution of a player's result after many rounds.

The result of one round is one of a few hundred sums on a grid of cents, with exact weights. The
result of N rounds is its N-fold convolution, computed as the N-th power of its Fourier transform.
A transform is circular; the grid is wide enough that, by Chernoff's bound, the probability of
wrapping around is below `TAIL_PROBABILITY`. `error` bounds this and the rounding errors together.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, gcd, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.joint.joint import RoundDistribution
from headsup.game.values.money import Cents

Floats = NDArray[np.float64]

TAIL_PROBABILITY = 1e-13
MAX_GRID_POINTS = 1 << 24
UNIT_ROUNDOFF = 2.0**-53
FFT_ROUNDINGS = 5.0  # rounding errors per step of a transform, a generous bound


class GridTooWide(ValueError):
    """The stakes are too uneven for so many rounds: the grid would be too large."""

    def __init__(self, points: int) -> None:
        super().__init__(f"the grid would have {points:,} points")
        self.points = points


@dataclass(frozen=True)
class RoundNets:
    """The distribution of one round's net result, in cents."""

    nets: NDArray[np.int64]  # ascending
    probabilities: Floats
    mean: Fraction
    variance: Fraction
    mean_stake: Fraction

    @classmethod
    def of(cls, joint: RoundDistribution) -> "RoundNets":
        net_weights = joint.net_weights()
        total = sum(net_weights.values())
        return cls(
            np.array(list(net_weights), np.int64),
            np.array([weight / total for weight in net_weights.values()]),
            sum((joint.mean(wager) for wager in joint.wagers), Fraction()),
            joint.variance,
            joint.mean_stake,
        )

    @property
    def step(self) -> Cents:
        """The grid spacing: every difference of two nets is a multiple of it."""
        return reduce(gcd, (int(net - self.nets[0]) for net in self.nets), 0) or 1

    def range_bounds(
        self, rounds: int, tail_probability: float = TAIL_PROBABILITY, *, whole_path: bool = False
    ) -> tuple[float, float]:
        """Bounds for the sum of so many rounds; it exceeds each with at most this probability.

        Chernoff: P(sum ≥ x) ≤ E[e^(t·net)]^rounds · e^(-t·x) for every t > 0. With `whole_path`,
        no sum on the way exceeds them either (Doob: the same, with the mean raised to at least 1).
        """
        scale = sqrt(float(self.variance)) or 1.0
        low, high = rounds * float(self.nets[0]), rounds * float(self.nets[-1])
        if whole_path:
            low, high = min(low, 0.0), max(high, 0.0)
        for t in np.geomspace(1e-6, 4, 120) / scale:
            for sign in (1, -1):
                powers = sign * t * self.nets
                top = powers.max()
                growth = rounds * (top + log((self.probabilities * np.exp(powers - top)).sum()))
                if whole_path:
                    growth = max(growth, 0.0)
                bound = (growth - log(tail_probability)) / t
                if sign > 0:
                    high = min(high, bound)
                else:
                    low = max(low, -bound)
        return low, high


@dataclass(frozen=True)
class SessionDistribution:
    """The result of a session: `chances[i]` is the probability of `first + i · step` cents."""

    rounds: int
    first: Cents
    step: Cents
    probabilities: Floats
    error: float  # every probability is within this of the truth

    @property
    def results(self) -> NDArray[np.int64]:
        """The results in cents, one for each probability."""
        return self.first + self.step * np.arange(len(self.probabilities), dtype=np.int64)

    @property
    def ahead(self) -> float:
        """The probability of winning money."""
        return float(self.probabilities[self.results > 0].sum())

    @property
    def even(self) -> float:
        """The probability of breaking even."""
        return float(self.probabilities[self.results == 0].sum())

    def quantile(self, probability: float) -> Cents:
        """The smallest result whose cumulative probability is at least `probability`."""
        index = int(np.searchsorted(np.cumsum(self.probabilities), probability))
        return int(self.results[min(index, len(self.probabilities) - 1)])


def session_distribution(
    round_nets: RoundNets, rounds: int, max_points: int = MAX_GRID_POINTS
) -> SessionDistribution:
    """The distribution after so many rounds. Raises GridTooWide before computing anything."""
    step, low = round_nets.step, int(round_nets.nets[0])
    lower, upper = round_nets.range_bounds(rounds)
    first = max(
        0, int((lower - rounds * low) // step)
    )  # grid points above the worst possible result
    last = ceil((upper - rounds * low) / step)
    size = 1 << (last - first).bit_length()
    if size > max_points:
        raise GridTooWide(size)
    grid = np.zeros(size)
    np.add.at(grid, ((round_nets.nets - low) // step) % size, round_nets.probabilities)
    transform = np.fft.rfft(grid)
    powers = transform**rounds
    chances = np.roll(np.fft.irfft(powers, size), -(first % size))
    chances = np.maximum(chances[: last - first + 1], 0.0)
    return SessionDistribution(
        rounds, rounds * low + first * step, step, chances, _error_bound(transform, rounds, size)
    )


def _error_bound(transform: NDArray[np.complex128], rounds: int, size: int) -> float:
    """By Cauchy–Schwarz, a sum of entries is off by at most the norm of the transform's error."""
    error_per_round = FFT_ROUNDINGS * log2(size) * UNIT_ROUNDOFF
    norm = sqrt(2.0 * float((np.abs(transform) ** (2 * (rounds - 1))).sum()))
    return error_per_round * (rounds * norm + 1) + 2 * TAIL_PROBABILITY
