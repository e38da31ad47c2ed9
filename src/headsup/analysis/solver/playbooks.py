"""Packs strategies into arrays in which kernels look up decisions."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.numbering import RANKS, set3_number
from headsup.analysis.kernels.simulate.decisions import DecisionIndex, Playbooks
from headsup.analysis.solver.strategy import Strategy, canonical_flop


def playbooks(strategies: Sequence[Strategy]) -> Playbooks:
    """The decisions of each strategy, in the order given."""
    pockets = [strategy.solution.pocket_values.actions for strategy in strategies]
    packed = zip(*(strategy.packed for strategy in strategies), strict=True)
    return Playbooks(np.array(pockets, np.uint8), *(np.array(section) for section in packed))


@cache
def decision_index() -> DecisionIndex:
    """The lookup tables for decisions, which all strategies share."""
    rows, suits = np.zeros(22_100, np.int16), np.zeros((22_100, 4), np.uint8)
    for flop in combinations(range(52), 3):
        number = set3_number(*flop)
        rows[number], suits[number] = canonical_flop(flop)
    return DecisionIndex(rows, suits, set_numbers())


@cache
def set_numbers() -> NDArray[np.int16]:
    """[mask of ranks]: the number of this set among the sets of its size (three to five ranks)."""
    numbers = np.zeros(1 << RANKS, np.int16)
    for size in (3, 4, 5):
        sets = sorted(combinations(range(RANKS), size), key=lambda ranks: ranks[::-1])
        for number, ranks in enumerate(sets):
            numbers[sum(1 << rank for rank in ranks)] = number
    return numbers
