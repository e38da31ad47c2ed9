"""Many rounds: the distribution of what a player has won or lost after them.

The result of a round is one of a few hundred sums on a grid of cents, with exact weights. The
result of N rounds is its N-fold convolution, taken as the N-th power of its Fourier transform. A
transform goes round in a circle; the circle is made so wide that what leaves it, by Chernoff's
bound, is below `TAIL_PROBABILITY`. What rounding can do is bounded too, and both are said in
`error`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, gcd, log, log2, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.joint.joint import RoundDistribution
from headsup.analysis.solver.chunks import Progress
from headsup.game.values.money import Cents

Floats = NDArray[np.float64]

TAIL_PROBABILITY = 1e-13
MAX_GRID_POINTS = 1 << 24  # places of a grid
MAX_SEARCH_POINTS = 1 << 20  # where many grids are made for one answer
UNIT_ROUNDOFF = 2.0**-53
FFT_ROUNDINGS = 5.0  # roundings that one step of a transform may cost, generously


class GridTooWide(ValueError):
    """The stakes are too fine for so many rounds: the grid would not fit."""

    def __init__(self, places: int) -> None:
        super().__init__(f"{places:,} places on the grid")
        self.places = places


@dataclass(frozen=True)
class RoundNets:
    """What one round nets in cents, by chance."""

    nets: NDArray[np.int64]  # ascending
    chances: Floats
    mean: Fraction
    variance: Fraction
    staked: Fraction

    @classmethod
    def of(cls, joint: RoundDistribution) -> "RoundNets":
        totals = joint.totals()
        weight = sum(totals.values())
        return cls(
            np.array(list(totals), np.int64),
            np.array([times / weight for times in totals.values()]),
            sum((joint.mean(wager) for wager in joint.wagers), Fraction()),
            joint.variance,
            joint.staked,
        )

    @property
    def step(self) -> Cents:
        """All differences of nets are multiples of it."""
        return reduce(gcd, (int(net - self.nets[0]) for net in self.nets), 0) or 1

    def reach(self, rounds: int, outside: float = TAIL_PROBABILITY) -> tuple[float, float]:
        """Sums of so many rounds lie between these, but for that chance on either side.

        Chernoff: P(sum ≥ x) ≤ E[e^(t·net)]^rounds · e^(-t·x) for every t > 0.
        """
        scale = sqrt(float(self.variance)) or 1.0
        least, most = rounds * float(self.nets[0]), rounds * float(self.nets[-1])
        for t in np.geomspace(1e-6, 4, 120) / scale:
            for sign in (1, -1):
                powers = sign * t * self.nets
                top = powers.max()
                growth = rounds * (top + log((self.chances * np.exp(powers - top)).sum()))
                bound = (growth - log(outside)) / t
                if sign > 0:
                    most = min(most, bound)
                else:
                    least = max(least, -bound)
        return least, most


@dataclass(frozen=True)
class SessionDistribution:
    """The result of a session on its grid: `chances[i]` of `first + i · step` cents."""

    rounds: int
    first: Cents
    step: Cents
    chances: Floats
    error: float  # no chance told of here is wrong by more

    @property
    def results(self) -> NDArray[np.int64]:
        return self.first + self.step * np.arange(len(self.chances), dtype=np.int64)

    @property
    def ahead(self) -> float:
        return float(self.chances[self.results > 0].sum())

    @property
    def even(self) -> float:
        return float(self.chances[self.results == 0].sum())

    def quantile(self, chance: float) -> Cents:
        """The least result that is reached or missed with at least this chance."""
        at = int(np.searchsorted(np.cumsum(self.chances), chance))
        return int(self.results[min(at, len(self.chances) - 1)])


def session_distribution(
    one: RoundNets, rounds: int, widest: int = MAX_GRID_POINTS
) -> SessionDistribution:
    """Too wide a grid is refused before anything is computed on it."""
    step, low = one.step, int(one.nets[0])
    least, most = one.reach(rounds)
    first = max(0, int((least - rounds * low) // step))  # places above the worst that can be
    last = ceil((most - rounds * low) / step)
    size = 1 << (last - first).bit_length()
    if size > widest:
        raise GridTooWide(size)
    grid = np.zeros(size)
    np.add.at(grid, ((one.nets - low) // step) % size, one.chances)
    transform = np.fft.rfft(grid)
    powers = transform**rounds
    chances = np.roll(np.fft.irfft(powers, size), -(first % size))
    chances = np.maximum(chances[: last - first + 1], 0.0)
    return SessionDistribution(
        rounds, rounds * low + first * step, step, chances, _error_bound(transform, rounds, size)
    )


def _error_bound(transform: NDArray[np.complex128], rounds: int, size: int) -> float:
    """By Cauchy–Schwarz: a sum of entries errs by at most the norm of the transform's error."""
    each = FFT_ROUNDINGS * log2(size) * UNIT_ROUNDOFF
    norm = sqrt(2.0 * float((np.abs(transform) ** (2 * (rounds - 1))).sum()))
    return each * (rounds * norm + 1) + 2 * TAIL_PROBABILITY


# From a bankroll.


@dataclass(frozen=True)
class SessionRuin:
    """What becomes of a bankroll within so many rounds, if play stops at ruin or at a target."""

    ruin: float  # the bankroll no longer covers a round
    target: float  # the target is reached; 0 where there is none
    rounds: float  # that are played, on average
    course: tuple[tuple[int, float, float], ...]  # (round, ruined by then, target by then)


NEGLIGIBLE_RUIN = 1e-9
MAX_COURSE_POINTS = 200  # points of a course at most


def session_ruin(
    one: RoundNets,
    rounds: int,
    bankroll: Cents,
    needed: Cents,
    target: Cents | None = None,
    progress: Progress | None = None,
) -> SessionRuin:
    """Go through the rounds one by one; `needed` is what a round may take.

    Without a target the grid ends where ruin is out of reach but for `NEGLIGIBLE_RUIN`, or where
    sums hardly come; what is above stays there.
    """
    step = reduce(gcd, (int(net) for net in one.nets), 0) or 1
    least, most = one.reach(rounds, NEGLIGIBLE_RUIN)
    safe = min(bankroll + ceil(most), max(needed - int(least), bankroll)) + step
    top = target if target is not None else safe
    # Places from the bankroll down to the last that plays, or that so many rounds can come to.
    below = min((bankroll - needed) // step, -rounds * int(one.nets[0]) // step)
    above = ceil((top - bankroll) / step)
    size = below + above
    if size > MAX_GRID_POINTS:
        raise GridTooWide(size)
    chances, (falls, rises) = _kernel(one, step, size), _exit_probabilities(one, step, size)
    width = 1 << (2 * size).bit_length()  # what goes round falls below the places that count
    transform = np.fft.rfft(chances, width)
    held = np.zeros(size)
    held[below] = 1.0
    ruin = reached = played = 0.0
    course, every = [], max(1, rounds // MAX_COURSE_POINTS)
    for done in range(1, rounds + 1):
        played += float(held.sum()) + (reached if target is None else 0.0)  # safe, and playing
        ruin += float(held @ falls)
        reached += float(held @ rises)
        held = np.fft.irfft(np.fft.rfft(held, width) * transform, width)[size : 2 * size]
        held = np.maximum(held, 0.0)
        if done % every == 0 or done == rounds:
            course.append((done, ruin, reached if target is not None else 0.0))
        if progress is not None and done % 50 == 0:
            progress(done, rounds)
    return SessionRuin(ruin, reached if target is not None else 0.0, played, tuple(course))


def _kernel(one: RoundNets, step: Cents, size: int) -> Floats:
    """Chances of moves that may stay on the grid: `size` places down to `size` places up."""
    kernel = np.zeros(2 * size + 1)
    moves = one.nets // step
    inside = np.abs(moves) <= size
    np.add.at(kernel, moves[inside] + size, one.chances[inside])
    return kernel


def _exit_probabilities(one: RoundNets, step: Cents, size: int) -> tuple[Floats, Floats]:
    """[place]: the chance to fall below the first place, and to rise above the last."""
    moves = one.nets // step
    places = np.arange(size)
    below = np.concatenate([[0.0], np.cumsum(one.chances)])
    falls = below[np.searchsorted(moves, -places)]  # moves < -place
    rises = 1.0 - below[np.searchsorted(moves, size - places)]  # moves >= size - place
    return falls, np.maximum(rises, 0.0)


# For those who run the table.

NORMAL_QUANTILES = {0.90: 1.644854, 0.95: 1.959964, 0.99: 2.575829}  # on either side of the mean


@dataclass(frozen=True)
class TableHold:
    """The house's win of one seat over a session, as shares of what is staked on average."""

    theoretical: Fraction
    staked: Fraction  # cents, over the session
    bands: Mapping[str, tuple[float, float]]  # by confidence
    volatility_index: float  # 1.645 standard deviations of a round, per unit staked
    shows: "RoundsToShow | None"  # when the house is ahead with 95 %; None where it never is

    @property
    def rounds_to_show(self) -> int | None:
        return None if self.shows is None else self.shows.rounds


@dataclass(frozen=True)
class RoundsToShow:
    """After so many rounds the house is ahead with `SHOW_CONFIDENCE`, after one fewer it is not.

    Where the grid would be too wide this is what a normal distribution says, and not exact.
    """

    rounds: int
    exact: bool


SHOW_CONFIDENCE = 0.95
MAX_NORMAL_GUESSES = 6  # by the normal distribution, before the search halves what is left


def table_hold(one: RoundNets, totals: SessionDistribution) -> TableHold:
    staked = one.staked * totals.rounds
    bands = {
        f"{level:.2f}": (
            -totals.quantile((1 + level) / 2) / float(staked),
            -totals.quantile((1 - level) / 2) / float(staked),
        )
        for level in NORMAL_QUANTILES
    }
    index = NORMAL_QUANTILES[0.90] * sqrt(float(one.variance)) / float(one.staked)
    return TableHold(-one.mean / one.staked, staked, bands, index, find_rounds_to_show(one))


def find_rounds_to_show(one: RoundNets) -> RoundsToShow | None:
    """Found by the distribution after N rounds itself: a normal one only says where to look."""
    if one.mean >= 0:
        return None
    wanted = NormalDist().inv_cdf(SHOW_CONFIDENCE)
    guess = (wanted * sqrt(float(one.variance)) / float(-one.mean)) ** 2
    known = ceil(guess) or 1
    low, high, tried = 0, None, 0
    try:
        while high is None or high - low > 1:
            rounds = max(round(guess), low + 1) if high is None else min(round(guess), high - 1)
            if tried >= MAX_NORMAL_GUESSES and high is not None:
                rounds = (low + high) // 2
            rounds = max(rounds, low + 1)
            totals = session_distribution(one, rounds, MAX_SEARCH_POINTS)
            behind = float(totals.chances[totals.results < 0].sum())
            low, high = (low, rounds) if behind >= SHOW_CONFIDENCE else (rounds, high)
            seen = NormalDist().inv_cdf(min(max(behind, 0.5 + 1e-3), 1 - 1e-9))
            guess = rounds * (wanted / seen) ** 2
            tried += 1
    except GridTooWide:
        return RoundsToShow(known, exact=False)
    return RoundsToShow(high, exact=True)
