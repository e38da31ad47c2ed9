"""Another qualifier for boards that are counted already: who wins or ties does not depend on it.

Qualifiers up to a flush: with a flush everybody qualifies, so only what ranks alone make can fall
short. On a board with three suited cards the dealer's suited hands qualify by their flush, on one
with four whoever holds a card of the suit, and with five everybody.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.arrays import (
    IMPOSSIBLE,
    QUALIFIES,
    DealerCounts,
    DeckTerms,
    Orders,
    RankBoards,
    SuitedBoards,
    Types,
)
from headsup.analysis.kernels.compiled import bare_kernel, entry
from headsup.analysis.kernels.numbering import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_OFF_SUITED,
    FIRST_SUITED,
    PAIRS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.showdowns import fill_left
from headsup.analysis.kernels.sweep import SweepScratch
from headsup.analysis.kernels.threesuited import RankPlaces, SuitedScratch, fill_weak


@entry
def requalify_suited_boards(
    first: int, last: int, deck_terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: Types, orders: Orders, places: RankPlaces, used: SweepScratch,
    used_suited: SuitedScratch, by_ranks: DealerCounts, before: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill verdicts and weak dealer hands, from those `before` and from what ranks have now."""
    for board in range(first, last):
        rank_board, mask = boards.ranks[board], np.int64(boards.suited[board])
        verdict, weak = counts.verdict[board], counts.weak[board]
        for member in range(TYPES):
            verdict[member] = before.verdict[board, member]
            weak[member] = 0
        if board >= FIRST_FIVE or not fill_left(rank_board, mask, deck_terms, rank_boards, used):
            continue
        first_suited = FIRST_SUITED if board < FIRST_FOUR else FIRST_OFF_SUITED
        rank_verdict = by_ranks.verdict[rank_board]
        for member in range(first_suited):
            now = rank_verdict[types.pair[member]]
            verdict[member] = IMPOSSIBLE if verdict[member] == IMPOSSIBLE else now
        weak_places = np.int64(places.weak[rank_board])
        order = orders.pairs[rank_board]
        if board < FIRST_FOUR:
            by_flush = _weak_flushes(weak_places, order, used.left, types, used_suited.raised)
            fill_weak(board, rank_board, by_flush, types, used_suited, by_ranks, counts)
        else:
            _four_suited(board, weak_places, order, used, types, counts)


@bare_kernel
def _weak_flushes(weak_places: int, order: Any, left: Any, types: Types, raised: Any) -> int:
    """Suited hands that qualify only by their flush: all, and those that hold one card."""
    pairs, total = types.ranks, 0
    for rank in range(16):
        raised[rank] = 0
    for at in range(weak_places):
        a, b = pairs[order[at], 0], pairs[order[at], 1]
        one = left[RANKS + a] & left[RANKS + b] & (a != b)
        total += one
        raised[a] += one
        raised[b] += one
    return total


@bare_kernel
def _four_suited(
    board: int, weak_places: int, order: Any, used: SweepScratch, types: Types, counts: DealerCounts
) -> None:
    """Only hands without a card of the suit may fall short."""
    pairs, left, below = types.ranks, used.left, used.below
    verdict, weak = counts.verdict[board], counts.weak[board]
    below[:] = 0
    total = np.int64(0)
    for at in range(weak_places):
        a, b = np.int64(pairs[order[at], 0]), np.int64(pairs[order[at], 1])
        if left[a] == 0 or left[b] == 0:
            continue
        if a == b:
            total += left[a] * (left[a] - 1) // 2
            below[a] += left[a] - 1
        else:
            total += left[a] * left[b]
            below[a] += left[b]
            below[b] += left[a]
    for pair in range(PAIRS):
        itself = 0 if verdict[pair] >= QUALIFIES else 1
        weak[pair] = total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + itself
    member = FIRST_OFF_SUITED
    for off in range(RANKS):
        for _ in range(RANKS):
            weak[member] = total - below[off]
            member += 1
    for member in range(FIRST_SUITED, TYPES):
        weak[member] = total
