"""The probability that the house is ahead after many rounds, for stakes with a small unit.

The probability that a sum of n rounds is negative is a mean over M points of the unit circle, where
M is the number of likely sums on their grid. At all but a few points, the n-th power of one round's
transform φ is negligible. A coarse grid finds these points: √(1 - |φ|²) changes by at most the
round's standard deviation per unit of angle, which rules out whole intervals. So M may be hundreds
of millions, as for stakes with odd cents.
"""

from math import ceil, exp, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.session.session import RoundNets

MAX_COARSE_POINTS = 1 << 22
MAX_PEAK_POINTS = 1 << 20
NEGLIGIBLE_EXPONENT = 36.0  # powers below e^-36 are left out
COARSE_STEP = 0.05  # at most so many standard deviations between coarse points
BLOCK = 1 << 12


class TooManyPeaks(ValueError):
    """The powers are not negligible at enough points."""


class HouseAhead:
    """The probability for any number of rounds from `fewest` to `most`, within about 1e-10."""

    def __init__(self, nets: RoundNets, fewest: int, most: int) -> None:
        self._nets, self.fewest, self.most = nets, fewest, most
        self._moves = (nets.nets - nets.nets[0]) // nets.step
        lower, upper = nets.range_bounds(most)
        self._points = ceil((upper - lower) / nets.step) + 2
        places = self._find_peaks()
        self._places, self._logs = self._transform(places)

    def _find_peaks(self) -> NDArray[np.int64]:
        """The points of one half of the circle where the power may count."""
        deviation = sqrt(float(self._nets.variance)) / self._nets.step
        coarse = 1 << ceil(2 * pi * deviation / COARSE_STEP).bit_length()
        if coarse > MAX_COARSE_POINTS:
            raise TooManyPeaks
        grid = np.zeros(coarse)
        np.add.at(grid, self._moves % coarse, self._nets.probabilities)
        complement = np.sqrt(np.maximum(1 - np.abs(np.fft.rfft(grid)) ** 2, 0.0))
        margin = deviation * pi / coarse + sqrt(1 - exp(-2 * NEGLIGIBLE_EXPONENT / self.fewest))
        cells = np.flatnonzero(complement <= margin)
        share = self._points / coarse
        starts = np.maximum(np.ceil((cells - 0.5) * share), 0).astype(np.int64)
        ends = np.minimum(np.ceil((cells + 0.5) * share), self._points // 2 + 1).astype(np.int64)
        counts = np.maximum(ends - starts, 0)
        if counts.sum() > MAX_PEAK_POINTS:
            raise TooManyPeaks
        firsts = np.repeat(starts - np.cumsum(counts) + counts, counts)
        return np.asarray(firsts + np.arange(len(firsts)))

    def _transform(self, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The places that count, and log φ there. Angles are reduced as whole numbers."""
        kept, logs = [], []
        for start in range(0, len(places), BLOCK):
            block = places[start : start + BLOCK]
            turns = block[:, None] * self._moves % self._points / self._points
            values = np.exp(2j * pi * turns) @ self._nets.probabilities
            counts = np.log(np.abs(values) + 1e-300) * self.fewest > -NEGLIGIBLE_EXPONENT
            kept.append(block[counts])
            logs.append(np.log(values[counts]))
        return np.concatenate(kept), np.concatenate(logs)

    def after(self, rounds: int) -> float:
        nets, places = self._nets, self._places
        worst = rounds * int(nets.nets[0])
        lower, _ = nets.range_bounds(rounds)
        first = max(0, int((lower - worst) // nets.step))
        last = (-worst - 1) // nets.step  # the highest sum below zero
        last = min(last, first + self._points - 1)  # higher ones are unlikely, or counted twice
        inside = places[places > 0]
        unit = np.exp(-2j * pi * inside / self._points)
        start, end = (
            np.exp(-2j * pi * (inside * (number % self._points) % self._points) / self._points)
            for number in (first, last + 1)
        )
        terms = np.exp(rounds * self._logs[places > 0]) * (start - end) / (1 - unit)
        weights = np.where(2 * inside == self._points, 1.0, 2.0)
        total = float((terms.real * weights).sum()) + (last - first + 1)
        return total / self._points
