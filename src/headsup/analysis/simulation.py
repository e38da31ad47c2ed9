"""Tables dealt by chance with the solved strategy, beside the exact values.

Sums are whole numbers of cents, and the same whatever the chunks and whoever works them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Progress
from headsup.analysis.joint import RoundJoint
from headsup.analysis.kernels.arrays import LEAST, MOST, PASSIVE
from headsup.analysis.kernels.evaluator import lookup
from headsup.analysis.kernels.numbering import RANKS, set3
from headsup.analysis.kernels.tables import (
    ALONE,
    MAIN,
    POCKET,
    SQUARE,
    TOTAL,
    TRIPS,
    WAGERS,
    Playbook,
    TablePays,
    play_rounds,
)
from headsup.analysis.running import Workforce, run
from headsup.analysis.strategy import Strategy, canonical_flop
from headsup.game.hands import Category
from headsup.game.money import Cents
from headsup.game.outcomes import Outcome, hand_outcome, pocket_outcome
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.settlement import main_lines, paid_line
from headsup.game.wagers import Comparison, SideWager, Wager

CHUNK = 1 << 17  # rounds; so few that squares of their nets stay below 64 bits
PLACES: Mapping[Wager, int] = {
    Wager.ANTE: MAIN,
    Wager.TRIPS_PLUS: TRIPS,
    Wager.POCKET_BONUS: POCKET,
}


@dataclass(frozen=True)
class Simulated:
    """One wager over all seats and rounds, per unit staked."""

    wager: Wager
    mean: float
    standard_error: float
    exact: Fraction

    @property
    def z(self) -> float:
        """How many standard errors the mean is from the exact value."""
        gap = self.mean - float(self.exact)
        return gap / self.standard_error if self.standard_error else 0.0


@dataclass(frozen=True)
class Simulation:
    rounds: int
    seats: int
    seed: int
    wagers: tuple[Simulated, ...]
    seat_correlation: float | None  # of two seats' main games; None with one seat
    sums: tuple[tuple[int, ...], ...]  # [wager][TOTAL, SQUARE, ALONE], in cents


def simulate(
    rules: TableRules,
    strategy: Strategy,
    joint: RoundJoint,
    bets: Mapping[Wager, Cents],
    rounds: int,
    seats: int,
    seed: int,
    progress: Progress | None = None,
    workforce: Workforce | None = None,
) -> Simulation:
    """Every seat stakes the same and plays the strategy; `joint` has the exact values."""
    book, pays = playbook(strategy), _pays(rules, strategy, bets)
    totals = [[0, 0, 0] for _ in range(WAGERS)]
    chunks = [(first, min(first + CHUNK, rounds)) for first in range(0, rounds, CHUNK)]
    work = partial(_chunk, seats, seed, book, pays)
    for sums in run(chunks, work, workforce, progress):
        for wager, column in np.ndindex(WAGERS, 3):
            totals[wager][column] += int(sums[wager, column])
    found = tuple(
        _simulated(wager, joint, bets[wager], totals[PLACES[wager]], rounds, seats)
        for wager in PLACES
        if wager in bets
    )
    correlation = _correlation(totals[MAIN], rounds, seats) if seats > 1 else None
    return Simulation(rounds, seats, seed, found, correlation, tuple(map(tuple, totals)))


def _chunk(
    seats: int, seed: int, book: Playbook, pays: TablePays, rounds: tuple[int, int]
) -> NDArray[np.int64]:
    sums = np.zeros((WAGERS, 3), np.int64)
    play_rounds(*rounds, seats, np.uint64(seed), book, pays, lookup(), sums)
    return sums


def _simulated(
    wager: Wager, joint: RoundJoint, stake: Cents, sums: list[int], rounds: int, seats: int
) -> Simulated:
    mean = Fraction(sums[TOTAL], rounds)
    variance = Fraction(sums[SQUARE], rounds) - mean**2
    error = sqrt(float(variance) / rounds) / (seats * stake)
    return Simulated(wager, float(mean / (seats * stake)), error, joint.mean(wager) / stake)


def _correlation(sums: list[int], rounds: int, seats: int) -> float:
    """From the spread of the table's sum and that of the seats alone."""
    mean = Fraction(sums[TOTAL], rounds)
    together = Fraction(sums[SQUARE], rounds) - mean**2
    alone = Fraction(sums[ALONE], rounds * seats) - (mean / seats) ** 2
    return float((together / seats / alone - 1) / (seats - 1)) if alone else 0.0


def playbook(strategy: Strategy) -> Playbook:
    rows, suits = _flops()
    flop, ranks, suited = strategy.packed
    return Playbook(
        np.array(strategy.solution.pocket_values.actions, np.uint8),
        *(rows, suits, np.array(flop), np.array(ranks), np.array(suited), _set_numbers()),
    )


@cache
def _flops() -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    rows, suits = np.zeros(22_100, np.int16), np.zeros((22_100, 4), np.uint8)
    for flop in combinations(range(52), 3):
        at = set3(*flop)
        rows[at], suits[at] = canonical_flop(flop)
    return rows, suits


@cache
def _set_numbers() -> NDArray[np.int16]:
    numbers = np.zeros(1 << RANKS, np.int16)
    for size in (3, 4, 5):
        sets = sorted(combinations(range(RANKS), size), key=lambda ranks: ranks[::-1])
        for number, ranks in enumerate(sets):
            numbers[sum(1 << rank for rank in ranks)] = number
    return numbers


# What results pay.


def _pays(rules: TableRules, strategy: Strategy, bets: Mapping[Wager, Cents]) -> TablePays:
    streets = strategy.solution.payoffs.multiples_by_street
    multiples = sorted({0, *(m for street in streets for m in (min(street), max(street)))})
    index = np.zeros((3, 3), np.int64)
    for street, allowed in enumerate(streets):
        index[street, PASSIVE] = multiples.index(0)
        index[street, LEAST] = multiples.index(min(allowed))
        index[street, MOST] = multiples.index(max(allowed))
    ante = bets[Wager.ANTE]
    main = np.array(
        [
            [
                [[_main(rules, ante, multiple, hand, result, q) for q in (False, True)]
                 for result in Comparison]
                for hand in Category
            ]
            for multiple in multiples
        ]
    )  # fmt: skip
    trips = [_side(rules, Wager.TRIPS_PLUS, bets, hand_outcome(hand)) for hand in Category]
    pocket = [
        _side(rules, Wager.POCKET_BONUS, bets, pocket_outcome(_example(number)))
        for number in range(RANKS * RANKS)
    ]
    qualifier = strategy.solution.payoffs.qualifier
    return TablePays(main, index, np.array(trips).T, np.array(pocket).T, qualifier)


def _main(
    rules: TableRules, ante: Cents, multiple: int, hand: Category, result: Comparison, q: bool
) -> Cents:
    return sum(line.net for line in main_lines(rules, ante, multiple, hand, result, q))


def _side(
    rules: TableRules, wager: SideWager, bets: Mapping[Wager, Cents], outcome: Outcome
) -> tuple[Cents, Cents]:
    """What it nets when the hand is played, and when it is folded."""
    stake = bets.get(wager, 0)
    if not stake:
        return 0, 0
    net = paid_line(rules, wager, stake, outcome).net
    return net, net if rules.after_fold[wager] else -stake


def _example(number: int) -> tuple[int, int]:
    row, column = divmod(number, RANKS)
    return 4 * row, 4 * column + (0 if row > column else 1)
