"""The risk of ruin: a bankroll played for some rounds, or until it is gone or reaches a target.

Without a limit on rounds, the probability h of reaching the target from each grid point follows
from the points one round away: h = K·h + r, where K moves within the grid and r leaves it at the
top. K is constant along diagonals, so Levinson's recursion solves this in quadratic time, exactly
but for rounding. Without a target, `first_passage` has the answer.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.session.first_passage import (
    MAX_TRANSFORM_POINTS,
    RootsNotSeparated,
    Survival,
    TransformTooLarge,
    grid_step,
    ruin_without_end,
)
from headsup.analysis.session.session import MAX_GRID_POINTS, Floats, GridTooWide, RoundNets
from headsup.analysis.workers.executor import Progress
from headsup.game.values.money import Cents

MAX_RUIN_POINTS = 12_000
NEGLIGIBLE_RUIN = 1e-10
NEGLIGIBLE_REST = 1e-15
MAX_COURSE_POINTS = 200
MIN_SKIPPED_ROUNDS = 1000  # fewer are followed one by one
COMPARED_ROUNDS = 16
MAX_SKIP_ERROR = 1e-9


@dataclass(frozen=True)
class SessionRuin:
    """What happens to a bankroll within so many rounds, if play stops at ruin or at a target."""

    ruin: float  # probability that the bankroll no longer covers a round
    target: float  # probability of reaching the target; 0 without one
    rounds: float  # mean number of rounds played
    history: tuple[
        tuple[int, float, float], ...
    ]  # (round, probability of ruin by then, of the target)


@dataclass(frozen=True)
class _Bankroll:
    """Where a bankroll starts, and between which bounds it is played."""

    nets: RoundNets
    amount: Cents
    round_cost: Cents  # the most that a round can cost
    target: Cents | None


def session_ruin(
    round_nets: RoundNets,
    rounds: int,
    bankroll: Cents,
    round_cost: Cents,
    target: Cents | None = None,
    progress: Progress | None = None,
) -> SessionRuin:
    """What happens to a bankroll. `round_cost` is the most that a round can cost.

    The first rounds are followed one by one, and with a target all of them. Without one, later
    rounds are skipped with `Survival`, once it agrees with the rounds that were followed.
    """
    start = _Bankroll(round_nets, bankroll, round_cost, target)
    followed = MIN_SKIPPED_ROUNDS
    while target is None and followed < rounds:
        begun, alive = _follow(start, followed, rounds, progress)
        try:
            survival = Survival(round_nets, (bankroll - round_cost) // grid_step(round_nets))
            if _agrees(survival, followed, begun, alive):
                return _skip(survival, begun, followed, rounds, progress)
        except (TransformTooLarge, RootsNotSeparated):
            break
        followed *= 4
    return _follow(start, rounds, rounds, progress)[0]


def _agrees(survival: Survival, followed: int, begun: SessionRuin, alive: list[float]) -> bool:
    last = np.arange(followed - COMPARED_ROUNDS + 1, followed + 1)
    [(_, chances, played)] = survival.windows(last)
    error = np.abs(chances - alive[-COMPARED_ROUNDS:]).max()
    return bool(error <= MAX_SKIP_ERROR and abs(played[-1] / begun.rounds - 1) <= MAX_SKIP_ERROR)


def _skip(
    survival: Survival, begun: SessionRuin, followed: int, rounds: int, progress: Progress | None
) -> SessionRuin:
    """Complete the history without following each round."""
    interval = max(1, rounds // MAX_COURSE_POINTS)
    first = (followed // interval + 1) * interval
    shown = np.unique(np.append(np.arange(first, rounds + 1, interval), rounds))
    history, mean_rounds = list(begun.history), begun.rounds
    for window, chances, played in survival.windows(shown):
        ruins = np.clip(1 - chances, 0.0, 1.0)
        history += [(int(n), float(ruin), 0.0) for n, ruin in zip(window, ruins, strict=True)]
        mean_rounds = float(played[-1])
        if progress is not None:
            progress(int(window[-1]), rounds)
    return SessionRuin(history[-1][1], 0.0, mean_rounds, tuple(history))


def _follow(
    start: _Bankroll, rounds: int, all_rounds: int, progress: Progress | None
) -> tuple[SessionRuin, list[float]]:
    """Follow the bankroll round by round. Also returns the chance to be still playing after each.

    Without a target the grid ends where later ruin, or getting that high at all, has a probability
    below `NEGLIGIBLE_RUIN`. Probability that leaves at the top then counts as safe. Nothing is left
    to follow once the probability of still playing is negligible.
    """
    grid = _Grid.of(start, rounds)
    probabilities = np.zeros(grid.size)
    probabilities[(start.amount - grid.floor(0)) // grid.step] = 1.0
    ruin = reached = played = 0.0
    playing = 1.0
    history, interval, alive = [], max(1, all_rounds // MAX_COURSE_POINTS), []
    for round_number in range(1, rounds + 1):
        if playing > NEGLIGIBLE_REST:
            played += playing
            probabilities, falls, rises = grid.play(probabilities, round_number)
            ruin += falls
            reached += rises
            # What left at the top without a target is safe, but still playing.
            playing = float(probabilities.sum()) + (reached if start.target is None else 0.0)
        alive.append(playing)
        if round_number % interval == 0 or round_number == all_rounds:
            history.append((round_number, ruin, reached if start.target is not None else 0.0))
        if progress is not None and round_number % 50 == 0:
            progress(round_number, all_rounds)
    reached = reached if start.target is not None else 0.0
    return SessionRuin(ruin, reached, played, tuple(history)), alive


class _Grid:
    """All balances that can still play after a round, from the floor of that round up to the top.

    All nets are equal modulo `step`, so balances after the same number of rounds are `step` apart.
    """

    def __init__(self, start: _Bankroll, bottom: Cents, top: Cents) -> None:
        nets = start.nets
        self.step, self._lowest_net = nets.step, int(nets.nets[0])
        self._start, self._bottom, self._top = start.amount, bottom, top
        self.size = ceil((top - bottom) / self.step)
        if self.size > MAX_GRID_POINTS:
            raise GridTooWide(self.size)
        jumps = (nets.nets - self._lowest_net) // self.step
        self._jumps, self._cumulative = jumps, np.append(0.0, np.cumsum(nets.probabilities))
        self._deepest = -self._lowest_net // self.step + 1
        kernel = np.zeros(self.size + self._deepest + 1)
        inside = jumps < len(kernel)
        kernel[jumps[inside]] = nets.probabilities[inside]
        # Wide enough that what wraps around stays out of the grid.
        self._width = 1 << (2 * self.size + self._deepest).bit_length()
        self._transform = np.fft.rfft(kernel, self._width)
        self._exits: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    @classmethod
    def of(cls, start: _Bankroll, rounds: int) -> "_Grid":
        nets = start.nets
        lower, upper = nets.range_bounds(rounds, NEGLIGIBLE_RUIN, whole_path=True)
        safe = min(start.amount + ceil(upper), max(start.round_cost - int(lower), start.amount))
        top = start.target if start.target is not None else safe + nets.step
        return cls(start, max(start.round_cost, start.amount + rounds * int(nets.nets[0])), top)

    def floor(self, rounds: int) -> Cents:
        """The lowest balance that can still play after so many rounds."""
        balance = self._start + rounds * self._lowest_net
        return self._bottom + (balance - self._bottom) % self.step

    def play(self, probabilities: Floats, round_number: int) -> tuple[Floats, float, float]:
        """The balances after the round, and the probabilities of falling and rising out of it."""
        floor = self.floor(round_number)
        drop = (floor - self.floor(round_number - 1) - self._lowest_net) // self.step
        count = ceil((self._top - floor) / self.step)
        falls, rises = self._exit_probabilities(drop, count)
        following = np.fft.irfft(
            np.fft.rfft(probabilities, self._width) * self._transform, self._width
        )[drop : drop + self.size]
        following[count:] = 0.0
        return (
            np.maximum(following, 0.0),
            float(probabilities @ falls),
            float(probabilities @ rises),
        )

    def _exit_probabilities(self, drop: int, count: int) -> tuple[Floats, Floats]:
        """[grid point]: the probability of falling below the next floor, and of passing the top."""
        if (drop, count) not in self._exits:
            points = np.arange(self.size)
            falls = self._cumulative[np.searchsorted(self._jumps, drop - points)]
            rises = 1.0 - self._cumulative[np.searchsorted(self._jumps, count + drop - points)]
            self._exits[drop, count] = falls, np.maximum(rises, 0.0)
        return self._exits[drop, count]


@dataclass(frozen=True)
class UltimateRuin:
    """What happens to a bankroll if play only stops at ruin or at the target."""

    ruin: float
    target: float  # probability of reaching it before ruin; 0 without one
    rounds: float | None  # mean number of rounds played; None without a target


@dataclass(frozen=True)
class UnknownRuin:
    """Unlimited play is too large to compute: there are more amounts than `limit`."""

    grid_points: int
    limit: int

    @property
    def reason(self) -> str:
        return (
            f"there are {self.grid_points:,} possible amounts to follow; "
            f"at most {self.limit:,} can be computed"
        )


def ultimate_ruin(
    round_nets: RoundNets, bankroll: Cents, round_cost: Cents, target: Cents | None = None
) -> UltimateRuin | UnknownRuin:
    """Play without a limit on rounds. `round_cost` is the most that a round can cost.

    Without a target, a game that favours the house ends in ruin.
    """
    step = grid_step(round_nets)
    below = (bankroll - round_cost) // step  # grid points below the bankroll that can still play
    if target is None:
        if round_nets.mean <= 0:
            return UltimateRuin(1.0, 0.0, None)
        try:
            return UltimateRuin(ruin_without_end(round_nets, below), 0.0, None)
        except TransformTooLarge as error:
            return UnknownRuin(error.points, MAX_TRANSFORM_POINTS)
    points = below + ceil((target - bankroll) / step)
    if points > MAX_RUIN_POINTS:
        return UnknownRuin(points, MAX_RUIN_POINTS)
    moves = round_nets.nets // step
    rises = np.array(
        [round_nets.probabilities[moves >= points - point].sum() for point in range(points)]
    )
    above, rounds = _solve_toeplitz(round_nets, moves, points, rises)
    reached = float(min(max(above[below], 0.0), 1.0))
    return UltimateRuin(1.0 - reached, reached, float(rounds[below]))


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
