"""The first time a bankroll no longer covers a round, without an upper limit.

φ is the generating function of one round's net. The roots of 1 - s·φ inside the unit circle
describe how the balance falls below its lowest point so far; the roots outside describe how it
rises. Splitting the Fourier series of log(1 - s·φ) into negative and other powers separates the
two (Wiener and Hopf), so that no root has to be found.

- At s = 1 this gives the probability of ruin in a game that favours the player, played for ever.
- The probability of surviving n rounds is the coefficient of sⁿ in a product of the two parts
  (Spitzer). It is an integral over s along a parabola around the singularities. A few dozen values
  of s serve all n from n₁ to 4·n₁, where playing round by round takes a transform per round.

All results are exact but for rounding, which `session_ruin` checks against round-by-round play.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from math import ceil, exp, gcd, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.session.session import Floats, RoundNets
from headsup.game.values.money import Cents

Complexes = NDArray[np.complex128]

MAX_TRANSFORM_POINTS = 1 << 22
NEGLIGIBLE_COEFFICIENT = 1e-14
MAX_PERIOD = 64
USUAL_SHARE = 0.98

# The path p = apex · (1 + i·v)², where s = e^-p. With these values, every error is below e^-36.
PATH_STEP = 0.174  # between values of v
APEX_ROUNDS = 4.5  # the apex, times the last round of the window
TRUNCATION = 36.0
MAX_EXPONENT = 10.0  # of rounding errors that a tilt multiplies
# Where rare large wins bend the roots' paths, a smaller tilt may still separate them.
TILT_SHARES = (1.0, 0.85, 0.7, 0.5, 1.15)
WINDOW = 4  # rounds from n to WINDOW · n share one path


class TransformTooLarge(ValueError):
    """The unit of the stakes is too small for the bankroll and the number of rounds."""

    def __init__(self, points: int) -> None:
        super().__init__(f"the transform would have {points:,} points")
        self.points = points


class RootsNotSeparated(ValueError):
    """A root crossed the circle, so falls and rises are mixed."""


def grid_step(round_nets: RoundNets) -> Cents:
    """The unit of all balances: the greatest common divisor of all nets."""
    return reduce(gcd, (int(net) for net in round_nets.nets), 0) or 1


@dataclass(frozen=True)
class Walk:
    """The balance as a walk on a grid of `grid_step`."""

    moves: NDArray[np.int64]  # ascending
    probabilities: Floats

    @classmethod
    def of(cls, round_nets: RoundNets) -> "Walk":
        return cls(round_nets.nets // grid_step(round_nets), round_nets.probabilities)

    @property
    def mean(self) -> float:
        return float(self.moves @ self.probabilities)

    @property
    def deviation(self) -> float:
        return sqrt(float(self.moves.astype(np.float64) ** 2 @ self.probabilities) - self.mean**2)

    def period(self, share: float = 1.0) -> tuple[int, int]:
        """A modulus for which the most likely moves, at least this share, leave one remainder."""
        order = np.argsort(-self.probabilities, kind="stable")
        passed = np.cumsum(self.probabilities[order])
        count = (
            min(int(np.searchsorted(passed, share)) + 1, len(order)) if share < 1 else len(order)
        )
        usual = self.moves[order[:count]]
        modulus = reduce(gcd, (int(move - usual[0]) for move in usual), 0) or 1
        return modulus, int(usual[0]) % modulus

    def log_moment(self, tilt: float) -> float:
        """log E[e^(tilt · move)]"""
        powers = tilt * self.moves
        top = float(powers.max())
        return top + log(float(self.probabilities @ np.exp(powers - top)))

    def balancing_tilt(self) -> float:
        """Where `log_moment` is lowest: weighted so, rounds come out even on average."""
        sign = 1.0 if self.mean < 0 else -1.0
        low, high = 0.0, 1.0 / self.deviation
        while self._tilted_mean(sign * high) * sign < 0:
            low, high = high, 2 * high
        for _ in range(80):
            middle = (low + high) / 2
            below = self._tilted_mean(sign * middle) * sign < 0
            low, high = (middle, high) if below else (low, middle)
        return sign * low

    def _tilted_mean(self, tilt: float) -> float:
        powers = tilt * self.moves
        return float(self.moves @ (self.probabilities * np.exp(powers - powers.max())))

    def symbol(self, power: complex) -> complex:
        """φ at z = e^power."""
        return complex(self.probabilities @ np.exp(power * self.moves))

    def slopes(self, tilt: float, size: int) -> Complexes:
        """(1 - φ(z)) / (1 - z) at `size` points z of the circle of radius e^tilt.

        Divided as polynomials, so that nothing cancels near z = 1. The coefficient of z^j is
        P(move > j) for j ≥ 0, and -P(move ≤ j) for j < 0.
        """
        below = np.concatenate([[0.0], np.cumsum(self.probabilities)])
        above = np.concatenate([[0.0], np.cumsum(self.probabilities[::-1])])[::-1]
        rises = np.arange(max(int(self.moves[-1]), 0))
        falls = np.arange(min(int(self.moves[0]), 0), 0)
        higher = above[np.searchsorted(self.moves, rises, "right")]
        lower = below[np.searchsorted(self.moves, falls, "right")]
        grid = np.zeros(size)
        np.add.at(grid, rises % size, higher * np.exp(tilt * rises))
        np.add.at(grid, falls % size, -lower * np.exp(tilt * falls))
        return np.fft.ifft(grid) * size


def ruin_without_end(round_nets: RoundNets, points: int) -> float:
    """The probability of ever falling by more than `points` grid points, with a positive mean."""
    walk = Walk.of(round_nets)
    size = 1 << max(10, (4 * points + 4 * int(np.abs(walk.moves).max())).bit_length())
    while size <= MAX_TRANSFORM_POINTS:
        # Arguments lie between -π and π: neither 1 - φ nor 1 - z has a negative real part.
        series = np.fft.fft(np.log(walk.slopes(0.0, size))) / size
        if _has_converged(series):
            falling = _negative_powers(series)
            falls = _inverse_factor(falling)[points + 1 : size // 2]
            ruin = float((np.exp(falling.sum()) * falls.sum()).real)
            return min(max(ruin, 0.0), 1.0)
        size *= 4
    raise TransformTooLarge(size)


def _has_converged(series: Complexes) -> bool:
    """Whether the series ends well before its middle, so that nothing wraps around."""
    middle, width = len(series) // 2, max(1, len(series) // 64)
    return bool(np.abs(series[middle - width : middle + width]).max() < NEGLIGIBLE_COEFFICIENT)


def _negative_powers(series: Complexes) -> Complexes:
    """The coefficients of the negative powers, by how far they fall."""
    size = len(series)
    falling = np.zeros(size, np.complex128)
    falling[1 : size // 2] = series[: size // 2 : -1]
    return falling


def _inverse_factor(falling: Complexes) -> Complexes:
    """The power series of exp(-Σ falling[n]·wⁿ)."""
    size = len(falling)
    return np.fft.fft(np.exp(-np.fft.ifft(falling) * size)) / size


class Survival:
    """The probability that the balance has not yet fallen by more than `points` grid points.

    If all moves leave the same remainder modulo a period, the generating function has a singularity
    on the unit circle for each turn of the period. If nearly all moves do, it has them nearby. Each
    needs a path of its own: the same path, turned.
    """

    def __init__(self, round_nets: RoundNets, points: int) -> None:
        self._walk = Walk.of(round_nets)
        self._points = points
        self._balance = self._walk.balancing_tilt()
        self._lowest = self._walk.log_moment(self._balance)
        self._period, _ = self._walk.period()
        self._long_period, self._remainder = self._walk.period(USUAL_SHARE)
        if self._long_period > MAX_PERIOD:
            raise TransformTooLarge(self._long_period * (points + 1))

    def windows(
        self, rounds: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Floats, Floats]]:
        """Ascending numbers of rounds, window by window.

        With each go the probability and the mean number of rounds played.
        """
        start = 0
        while start < len(rounds):
            end = int(np.searchsorted(rounds, WINDOW * rounds[start], "right"))
            yield rounds[start:end], *self._window(rounds[start:end])
            start = end

    def _window(self, rounds: NDArray[np.int64]) -> tuple[Floats, Floats]:
        for share in TILT_SHARES[:-1]:
            try:
                return self._integrate(rounds, share)
            except RootsNotSeparated:
                continue
        return self._integrate(rounds, TILT_SHARES[-1])

    def _integrate(self, rounds: NDArray[np.int64], share: float) -> tuple[Floats, Floats]:
        """Integrate over half of the path; the other half is its conjugate."""
        apex = APEX_ROUNDS / float(rounds[-1])
        reach = sqrt(1 + TRUNCATION / (apex * float(rounds[0])))
        circle = self._circle(apex, share)
        turns = self._long_period // self._period
        chances, played = np.zeros(len(rounds)), np.zeros(len(rounds))
        for turn in range(turns):
            angle = 2j * pi * turn / self._long_period
            decay = abs(self._walk.symbol(angle)) ** (rounds[0] / 2)
            if decay < exp(-TRUNCATION):
                continue
            for position in np.arange(PATH_STEP / 2, reach + PATH_STEP, PATH_STEP):
                exponent = apex * (1 + 1j * position) ** 2
                weight = 2 * PATH_STEP * apex * (1 + 1j * position) / pi
                for turned, value in circle.generating_functions(exponent, angle * self._remainder):
                    terms = weight * value * np.exp(turned * rounds)
                    chances += terms.real
                    played += (terms / np.expm1(turned)).real
        return chances, played

    def _circle(self, apex: float, share: float) -> "_Circle":
        """A circle with enough points, also where rare large wins bring other roots close."""
        tilt, size = self._tilt_and_size(apex)
        tilt *= share
        while size <= MAX_TRANSFORM_POINTS:
            circle = _Circle(self._walk, self._points, self._period, tilt, size)
            if _has_converged(circle.log_series(complex(apex))):
                return circle
            size *= 2
        raise TransformTooLarge(size)

    def _tilt_and_size(self, apex: float) -> tuple[float, int]:
        """A circle on which 1 - s·φ has no root for any s of the path, and points to resolve it.

        The balancing tilt is furthest from all roots. But the tilt multiplies rounding errors, by
        e^(tilt · points), so a large bankroll needs a smaller one.
        """
        tilt, clearance = self._balance, 1.0
        if abs(tilt) * self._points > MAX_EXPONENT:
            goal, clearance = min(self._lowest + 0.2 * apex, 0.0), 0.55  # 1 - √0.2
            low, high = 0.0, 1.0  # as shares of the balancing tilt
            for _ in range(60):
                middle = (low + high) / 2
                too_high = self._walk.log_moment(middle * self._balance) > goal
                low, high = (middle, high) if too_high else (low, middle)
            tilt = high * self._balance if goal < 0 else 0.0
        distance = clearance * sqrt(2 * apex) / self._walk.deviation  # of the nearest root
        points = ceil(max(2 * TRUNCATION / distance, 2.0 * self._points + 2, 1024.0))
        return tilt, 1 << (points - 1).bit_length()


class _Circle:
    """The circle of radius e^tilt on which 1 - s·φ is split, for the values of s of one path."""

    def __init__(self, walk: Walk, points: int, period: int, tilt: float, size: int) -> None:
        circle = tilt + 2j * pi * np.arange(size) / size
        self._complement = -np.expm1(circle) * walk.slopes(tilt, size)  # 1 - φ
        self._falls_faster = walk.mean < 0
        self._angles = 2j * pi * np.arange(period) / period
        self._remainder = int(walk.moves[0]) % period
        sign = -1 if self._falls_faster else 1
        powers = np.arange(size // 2)
        self._at_one = [np.exp(sign * (tilt + angle) * powers) for angle in self._angles]
        # The sum over the points reached is taken where the series is transformed already.
        reached = np.arange(points + 1)
        self._within = [
            np.fft.fft(np.exp((tilt + angle) * reached), size) / size for angle in self._angles
        ]

    def log_series(self, exponent: complex) -> Complexes:
        """The Fourier series of log(1 - s·φ)."""
        logs = np.log(np.exp(-exponent) * self._complement - np.expm1(-exponent))
        if np.abs(np.diff(logs.imag, append=logs.imag[:1])).max() > pi:
            # The curve passes behind zero. If it also goes around it, a root is on the wrong side.
            angles = np.unwrap(np.append(logs.imag, logs.imag[0]))
            if abs(angles[-1] - angles[0]) > pi:
                raise RootsNotSeparated
            logs = logs.real + 1j * angles[:-1]
        return np.fft.fft(logs) / len(logs)

    def generating_functions(
        self, exponent: complex, turn: complex
    ) -> Iterator[tuple[complex, complex]]:
        """Σ P(not ruined after n rounds) · sⁿ at s = e^-(exponent + turn), and at s turned further.

        Yields -log(s) and the value for each turn of the period.
        """
        exponent += turn
        series = self.log_series(exponent)
        falling = _negative_powers(series)
        size = len(falling)
        inverse = np.exp(-np.fft.ifft(falling) * size)
        for angle, at_one, within in zip(self._angles, self._at_one, self._within, strict=True):
            turned = exponent + angle * self._remainder
            if self._falls_faster:
                factor = np.exp(-(series[: size // 2] @ at_one))
            else:
                factor = np.exp(falling[: size // 2] @ at_one) / -np.expm1(-turned)
            yield turned, complex(factor * (inverse @ within))
