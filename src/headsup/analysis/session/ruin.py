"""A bankroll played until it is gone or a target is reached, however many rounds that takes.

From each place on the grid of cents the chance to end above is that of the places one round away:
h = K·h + r, where K moves within the grid and r leaves it above. K has the same entries along each
diagonal, so Levinson's recursion solves it in the square of the places, exactly but for rounding.
"""

from dataclasses import dataclass
from functools import reduce
from math import ceil, exp, gcd, log

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.session.session import Floats, RoundNets
from headsup.game.values.money import Cents

MAX_RUIN_POINTS = 12_000
NEGLIGIBLE_PROBABILITY = 1e-12


@dataclass(frozen=True)
class UltimateRuin:
    """What becomes of a bankroll if nobody stops before."""

    ruin: float
    target: float  # reached first; 0 where there is none
    rounds: float | None  # that are played on average; None without a target


@dataclass(frozen=True)
class UnknownRuin:
    """Nothing is known of a bankroll without end: the grid would have more than
    `MAX_RUIN_POINTS`."""

    places: int

    @property
    def reason(self) -> str:
        return (
            f"it would take {self.places:,} sums of money between ruin and what is out of its "
            f"reach; {MAX_RUIN_POINTS:,} are followed at most"
        )


def ultimate_ruin(
    one: RoundNets, bankroll: Cents, needed: Cents, target: Cents | None = None
) -> UltimateRuin | UnknownRuin:
    """`needed` is what a round may take.

    Without a target a game that favours the house ends in ruin, and one that favours the player is
    followed up to where ruin is out of reach.
    """
    step = reduce(gcd, (int(net) for net in one.nets), 0) or 1
    below = (bankroll - needed) // step  # places down to the last that plays
    if target is None and one.mean <= 0:
        return UltimateRuin(1.0, 0.0, None)
    top = target if target is not None else bankroll + _safe_distance(one)
    places = below + ceil((top - bankroll) / step)
    if places > MAX_RUIN_POINTS:
        return UnknownRuin(places)
    moves = one.nets // step
    rises = np.array([one.chances[moves >= places - place].sum() for place in range(places)])
    above, rounds = _solve_toeplitz(one, moves, places, rises)
    reached = float(min(max(above[below], 0.0), 1.0))
    if target is None:
        return UltimateRuin(1.0 - reached, 0.0, None)
    return UltimateRuin(1.0 - reached, reached, float(rounds[below]))


def _safe_distance(one: RoundNets) -> Cents:
    """So far above the bankroll that ruin comes with less than `NEGLIGIBLE_PROBABILITY` (Lundberg):
    e^(-t·x), where t > 0 has the mean of e^(-t·net) at 1."""
    low, high = 0.0, 1.0 / max(1.0, float(-one.nets[0]))
    while _mgf(one, high) < 1.0:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _mgf(one, middle) < 1.0 else (low, middle)
    return ceil(-log(NEGLIGIBLE_PROBABILITY) / low)


def _mgf(one: RoundNets, t: float) -> float:
    return float(
        sum(chance * exp(-t * net) for net, chance in zip(one.nets, one.chances, strict=True))
    )


def _solve_toeplitz(
    one: RoundNets, moves: NDArray[np.int64], places: int, rises: Floats
) -> tuple[Floats, Floats]:
    """h of `h = K·h + rises`, and m of `m = K·m + 1`."""
    # toeplitz[i - j] of I - K, shifted by places - 1; K takes place i to j = i + move.
    toeplitz = np.zeros(2 * places - 1)
    inside = np.abs(moves) < places
    np.subtract.at(toeplitz, places - 1 - moves[inside], one.chances[inside])
    middle = places - 1
    toeplitz[middle] += 1.0
    forward = np.array([1.0 / toeplitz[middle]])
    backward = forward.copy()
    wanted = np.stack([rises, np.ones(places)])
    found = wanted[:, :1] / toeplitz[middle]
    for size in range(1, places):
        column = toeplitz[middle + 1 : middle + size + 1][::-1]  # t[size], …, t[1]
        row = toeplitz[middle - size : middle][::-1]  # t[-1], …, t[-size]
        ahead, behind = float(column @ forward), float(row @ backward)
        scale = 1.0 / (1.0 - ahead * behind)
        longer = np.append(forward, 0.0), np.insert(backward, 0, 0.0)
        forward = scale * (longer[0] - ahead * longer[1])
        backward = scale * (longer[1] - behind * longer[0])
        off = wanted[:, size] - found @ column
        found = np.column_stack([found, np.zeros(2)]) + off[:, None] * backward
    return found[0], found[1]
