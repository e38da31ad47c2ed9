"""Rounds by the progressive's cases: which straight flush it is, and whether it was flopped.

There are few such hands, so they are dealt one by one, in one suit for all four.
"""

from functools import cache, partial
from itertools import combinations

import numpy as np

from headsup.analysis.joint.staked_table import case_hand
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.evaluator import straight_top, strength_tables
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.decisions import Playbooks
from headsup.analysis.kernels.simulate.progressive_cases import (
    ProgressiveScratch,
    count_progressive_cases,
)
from headsup.analysis.kernels.simulate.side_cases import (
    FLOPPED_ROYAL,
    LATE_STRAIGHT_FLUSH,
    PROGRESSIVE_CASES,
)
from headsup.analysis.simulation.seat_lookups import decision_index
from headsup.analysis.solver.actions import DECISION_PATHS
from headsup.analysis.solver.chunks import KernelPool, split_range
from headsup.analysis.solver.strategy import Strategy
from headsup.game.values.hands import Category

STRAIGHT_FLUSH_CHUNKS = 16
SUITS = 4


def split_pool_cases(strategy: Strategy, counts: Int64s, crew: KernelPool) -> Int64s:
    """Rounds as `joint` has them, with the progressive's cases in the place of categories."""
    found = count_cases(strategy, crew)
    hands = [case_hand(LATE_STRAIGHT_FLUSH + case) for case in range(found.shape[2])]
    for hand in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        own = [case for case, made in enumerate(hands) if made is hand]
        if (found[:, :, own].sum(axis=2) != counts[:, :, hand]).any():
            raise ArithmeticError(f"deals with a {hand.key} are not those counted before")
    return np.concatenate([counts[:, :, :LATE_STRAIGHT_FLUSH], found], axis=2)


def count_cases(strategy: Strategy, crew: KernelPool) -> Int64s:
    """[class, way to decide, case from a straight flush up, result, dealer qualifies]."""
    sevens, cases = straight_flush_deals(), PROGRESSIVE_CASES - LATE_STRAIGHT_FLUSH
    books = playbooks_for(strategy)
    qualifier = strategy.solution.payoffs.qualifier
    parts = split_range(0, len(sevens), STRAIGHT_FLUSH_CHUNKS)
    shape = (RANKS * RANKS, DECISION_PATHS, cases, 3, 2)
    counts = [np.zeros(shape, np.int64) for _ in parts]
    crew.run(
        partial(
            count_progressive_cases,
            *(
                *part,
                sevens,
                qualifier,
                decision_index(),
                books,
                strength_tables(),
                ProgressiveScratch.empty(),
                own,
            ),
        )
        for part, own in zip(parts, counts, strict=True)
    )
    total: Int64s = np.sum(counts, axis=0)
    suited = FLOPPED_ROYAL - LATE_STRAIGHT_FLUSH
    total[:, :, :suited] *= SUITS
    total[:, :, suited:] = total[:, :, suited : suited + 1]  # each suit's own
    return total


def playbooks_for(strategy: Strategy) -> Playbooks:
    pocket = np.array([strategy.solution.pocket_values.actions], np.uint8)
    return Playbooks(pocket, *(section[None] for section in strategy.packed))


@cache
def straight_flush_deals() -> Int64s:
    """[number, 7]: all seven cards with a straight flush in the first suit."""
    own, others = range(0, 52, SUITS), [card for card in range(52) if card % SUITS]
    rows = []
    for count in (5, 6, 7):
        for suited in combinations(own, count):
            if straight_top(sum(1 << (card // SUITS) for card in suited)) >= 0:
                rows += [(*suited, *rest) for rest in combinations(others, 7 - count)]
    return np.array(rows, np.int64)
