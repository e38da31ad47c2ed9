"""The risk of ruin: a bankroll played for some rounds, or until it is gone or reaches a target.

Without a limit on rounds, the probability h of reaching the target from each grid point follows
from the points one round away: h = K·h + r, where K moves within the grid and r leaves it at the
top. K is constant along diagonals, so Levinson's recursion solves this in quadratic time, exactly
but for rounding.
"""

from dataclasses import dataclass
from functools import reduce
from math import ceil, exp, gcd, log

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.session.session import MAX_GRID_POINTS, Floats, GridTooWide, RoundNets
from headsup.analysis.workers.executor import Progress
from headsup.game.values.money import Cents

MAX_RUIN_POINTS = 12_000
NEGLIGIBLE_PROBABILITY = 1e-12
NEGLIGIBLE_RUIN = 1e-9
MAX_COURSE_POINTS = 200


@dataclass(frozen=True)
class SessionRuin:
    """What happens to a bankroll within so many rounds, if play stops at ruin or at a target."""

    ruin: float  # probability that the bankroll no longer covers a round
    target: float  # probability of reaching the target; 0 without one
    rounds: float  # mean number of rounds played
    history: tuple[
        tuple[int, float, float], ...
    ]  # (round, probability of ruin by then, of the target)


def session_ruin(
    round_nets: RoundNets,
    rounds: int,
    bankroll: Cents,
    round_cost: Cents,
    target: Cents | None = None,
    progress: Progress | None = None,
) -> SessionRuin:
    """Follow the bankroll round by round. `round_cost` is the most that a round can cost.

    Without a target the grid ends where later ruin, or getting that high at all, has a probability
    below `NEGLIGIBLE_RUIN`. Probability that leaves at the top then counts as safe.
    """
    step = reduce(gcd, (int(net) for net in round_nets.nets), 0) or 1
    lower, upper = round_nets.range_bounds(rounds, NEGLIGIBLE_RUIN)
    safe = min(bankroll + ceil(upper), max(round_cost - int(lower), bankroll)) + step
    top = target if target is not None else safe
    # Grid points below the bankroll that can still play, as far as so many rounds can fall.
    below = min((bankroll - round_cost) // step, -rounds * int(round_nets.nets[0]) // step)
    above = ceil((top - bankroll) / step)
    size = below + above
    if size > MAX_GRID_POINTS:
        raise GridTooWide(size)
    kernel = _kernel(round_nets, step, size)
    falls, rises = _exit_probabilities(round_nets, step, size)
    width = 1 << (2 * size).bit_length()  # wide enough that what wraps around stays out of the grid
    transform = np.fft.rfft(kernel, width)
    probabilities = np.zeros(size)
    probabilities[below] = 1.0
    ruin = reached = played = 0.0
    history, interval = [], max(1, rounds // MAX_COURSE_POINTS)
    for round_number in range(1, rounds + 1):
        above_grid = reached if target is None else 0.0  # safe, but still playing
        played += float(probabilities.sum()) + above_grid
        ruin += float(probabilities @ falls)
        reached += float(probabilities @ rises)
        probabilities = np.fft.irfft(np.fft.rfft(probabilities, width) * transform, width)[
            size : 2 * size
        ]
        probabilities = np.maximum(probabilities, 0.0)
        if round_number % interval == 0 or round_number == rounds:
            history.append((round_number, ruin, reached if target is not None else 0.0))
        if progress is not None and round_number % 50 == 0:
            progress(round_number, rounds)
    return SessionRuin(ruin, reached if target is not None else 0.0, played, tuple(history))


def _kernel(round_nets: RoundNets, step: Cents, size: int) -> Floats:
    """The probability of each move within the grid: from `size` points down to `size` points up."""
    kernel = np.zeros(2 * size + 1)
    moves = round_nets.nets // step
    inside = np.abs(moves) <= size
    np.add.at(kernel, moves[inside] + size, round_nets.probabilities[inside])
    return kernel


def _exit_probabilities(round_nets: RoundNets, step: Cents, size: int) -> tuple[Floats, Floats]:
    """[grid point]: the probability of falling below the first point, and of passing the last."""
    moves = round_nets.nets // step
    points = np.arange(size)
    below = np.concatenate([[0.0], np.cumsum(round_nets.probabilities)])
    falls = below[np.searchsorted(moves, -points)]  # moves < -point
    rises = 1.0 - below[np.searchsorted(moves, size - points)]  # moves >= size - point
    return falls, np.maximum(rises, 0.0)


@dataclass(frozen=True)
class UltimateRuin:
    """What happens to a bankroll if play only stops at ruin or at the target."""

    ruin: float
    target: float  # probability of reaching it before ruin; 0 without one
    rounds: float | None  # mean number of rounds played; None without a target


@dataclass(frozen=True)
class UnknownRuin:
    """Unlimited play is too large to compute: the grid would exceed `MAX_RUIN_POINTS`."""

    grid_points: int

    @property
    def reason(self) -> str:
        return (
            f"there are {self.grid_points:,} possible amounts between ruin and safety; "
            f"at most {MAX_RUIN_POINTS:,} can be computed"
        )


def ultimate_ruin(
    round_nets: RoundNets, bankroll: Cents, round_cost: Cents, target: Cents | None = None
) -> UltimateRuin | UnknownRuin:
    """Play without a limit on rounds. `round_cost` is the most that a round can cost.

    Without a target, a game that favours the house ends in ruin. One that favours the player is
    computed up to where ruin has a negligible probability.
    """
    step = reduce(gcd, (int(net) for net in round_nets.nets), 0) or 1
    below = (bankroll - round_cost) // step  # grid points below the bankroll that can still play
    if target is None and round_nets.mean <= 0:
        return UltimateRuin(1.0, 0.0, None)
    top = target if target is not None else bankroll + _safe_distance(round_nets)
    points = below + ceil((top - bankroll) / step)
    if points > MAX_RUIN_POINTS:
        return UnknownRuin(points)
    moves = round_nets.nets // step
    rises = np.array(
        [round_nets.probabilities[moves >= points - point].sum() for point in range(points)]
    )
    above, rounds = _solve_toeplitz(round_nets, moves, points, rises)
    reached = float(min(max(above[below], 0.0), 1.0))
    if target is None:
        return UltimateRuin(1.0 - reached, 0.0, None)
    return UltimateRuin(1.0 - reached, reached, float(rounds[below]))


def _safe_distance(round_nets: RoundNets) -> Cents:
    """How far above the bankroll later ruin is less likely than `NEGLIGIBLE_PROBABILITY`.

    By Lundberg's bound e^(-t·x), where t > 0 makes the mean of e^(-t·net) equal to 1.
    """
    low, high = 0.0, 1.0 / max(1.0, float(-round_nets.nets[0]))
    while _moment_generating(round_nets, high) < 1.0:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _moment_generating(round_nets, middle) < 1.0 else (low, middle)
        )
    return ceil(-log(NEGLIGIBLE_PROBABILITY) / low)


def _moment_generating(round_nets: RoundNets, t: float) -> float:
    return float(
        sum(
            chance * exp(-t * net)
            for net, chance in zip(round_nets.nets, round_nets.probabilities, strict=True)
        )
    )


def _solve_toeplitz(
    round_nets: RoundNets, moves: NDArray[np.int64], points: int, rises: Floats
) -> tuple[Floats, Floats]:
    """Solve `h = K·h + rises` for h, and `m = K·m + 1` for m."""
    # I - K as toeplitz[i - j], shifted by points - 1; K moves from i to j = i + move.
    toeplitz = np.zeros(2 * points - 1)
    inside = np.abs(moves) < points
    np.subtract.at(toeplitz, points - 1 - moves[inside], round_nets.probabilities[inside])
    middle = points - 1
    toeplitz[middle] += 1.0
    forward = np.array([1.0 / toeplitz[middle]])
    backward = forward.copy()
    right_sides = np.stack([rises, np.ones(points)])
    solution = right_sides[:, :1] / toeplitz[middle]
    for size in range(1, points):
        column = toeplitz[middle + 1 : middle + size + 1][::-1]  # t[size], …, t[1]
        row = toeplitz[middle - size : middle][::-1]  # t[-1], …, t[-size]
        ahead, behind = float(column @ forward), float(row @ backward)
        scale = 1.0 / (1.0 - ahead * behind)
        longer = np.append(forward, 0.0), np.insert(backward, 0, 0.0)
        forward = scale * (longer[0] - ahead * longer[1])
        backward = scale * (longer[1] - behind * longer[0])
        residual = right_sides[:, size] - solution @ column
        solution = np.column_stack([solution, np.zeros(2)]) + residual[:, None] * backward
    return solution[0], solution[1]
