"""Applies another qualifier to boards that are already counted; wins and ties do not change.

This works for qualifiers up to a flush. Every flush qualifies, so only hands made by ranks can fall
short. On boards with three suited cards, the dealer's suited hands qualify by their flush; with
four, all hands with a card of the suit do; with five, all hands.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    QUALIFIES,
    DealerCounts,
    DeckTerms,
    HoleTypes,
    RankBoards,
    StrengthOrders,
    SuitedBoards,
    Uint8s,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_ONE_SUITED_TYPE,
    FIRST_TWO_SUITED_TYPE,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.solve.showdowns import CountScratch, fill_remaining
from headsup.analysis.kernels.solve.sweep import SweepScratch
from headsup.analysis.kernels.solve.three_suited import fill_weak


class RequalifiedBoards(NamedTuple):
    """Rank boards with their new counts."""

    changed: Uint8s  # [rank board]: 0 if no hand lies between the two qualifiers
    first_qualifying: Uint8s  # [rank board]: the first place that qualifies
    counts: DealerCounts

    @classmethod
    def of(cls, counts: DealerCounts) -> "RequalifiedBoards":
        changed, first_qualifying = (np.zeros(RANK_BOARDS, np.uint8) for _ in range(2))
        return cls(changed, first_qualifying, counts)


@bare_kernel
def _count_weak_places(strengths: Any, qualifier: int) -> int:
    places = 0
    while places < PAIRS and strengths[places] < qualifier:
        places += 1
    return places


@entry_kernel
def requalify_rank_boards(
    first: int, last: int, deck_terms: DeckTerms, rank_boards: RankBoards, types: HoleTypes,
    orders: StrengthOrders, old_qualifier: int, scratch: SweepScratch,
    requalified: RequalifiedBoards,
) -> None:  # fmt: skip
    """Update rank boards, and mark those on which anything changes."""
    remaining, counts, verdict = scratch.remaining, requalified.counts, requalified.counts.verdict
    for board in range(first, last):
        order, strengths = orders.pairs[board], orders.strengths[board]
        first_qualifying = _count_weak_places(strengths, deck_terms.qualifier)
        requalified.changed[board] = first_qualifying != _count_weak_places(
            strengths, old_qualifier
        )
        requalified.first_qualifying[board] = first_qualifying
        if not requalified.changed[board]:
            continue
        for rank in range(RANKS):
            remaining[rank] = deck_terms.off[rank] + deck_terms.suited[rank]
        for i in range(5):
            remaining[rank_boards.ranks[board, i]] -= 1
        for place in range(PAIRS):
            pair = order[place]
            if verdict[board, pair] != IMPOSSIBLE:
                verdict[board, pair] = (strengths[place] >> 20) + (
                    QUALIFIES if place >= first_qualifying else 0
                )
        total = _count_weak_hands(first_qualifying, order, remaining, types, scratch.below)
        _fill_weak_off(board, total, scratch.below, types, counts)


@entry_kernel
def requalify_suited_boards(
    first: int, last: int, deck_terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: HoleTypes, orders: StrengthOrders, scratch: CountScratch, requalified: RequalifiedBoards,
    counts: DealerCounts,
) -> None:  # fmt: skip
    """Update the verdicts and weak dealer hands of suited boards."""
    remaining = scratch.sweep.remaining
    for board in range(first, last):
        rank_board, mask = boards.ranks[board], np.int64(boards.suited[board])
        if board >= FIRST_FIVE_SUITED or not requalified.changed[rank_board]:
            continue
        if not fill_remaining(rank_board, mask, deck_terms, rank_boards, scratch.sweep):
            continue
        verdict, rank_verdict = counts.verdict[board], requalified.counts.verdict[rank_board]
        first_suited = FIRST_TWO_SUITED_TYPE if board < FIRST_FOUR_SUITED else FIRST_ONE_SUITED_TYPE
        for hole_type in range(first_suited):
            new_verdict = rank_verdict[types.pair[hole_type]]
            verdict[hole_type] = IMPOSSIBLE if verdict[hole_type] == IMPOSSIBLE else new_verdict
        first_qualifying = np.int64(requalified.first_qualifying[rank_board])
        order = orders.pairs[rank_board]
        if board < FIRST_FOUR_SUITED:
            by_flush = _count_flush_qualifiers(
                first_qualifying, order, remaining, types, scratch.suited.qualified_by_flush
            )
            fill_weak(
                board, rank_board, by_flush, types, scratch.suited, requalified.counts, counts
            )
        else:
            total = _count_weak_hands(
                first_qualifying, order, remaining, types, scratch.sweep.below
            )
            _fill_weak_off(board, total, scratch.sweep.below, types, counts)
            _fill_weak_suited(board, total, scratch.sweep.below, counts)


@bare_kernel
def _count_flush_qualifiers(
    first_qualifying: int, order: Any, remaining: Any, types: HoleTypes, qualified_by_flush: Any
) -> int:
    """Suited hands that qualify only by their flush: the total, and the number with each rank."""
    pairs, total = types.ranks, 0
    for rank in range(16):
        qualified_by_flush[rank] = 0
    for place in range(first_qualifying):
        a, b = pairs[order[place], 0], pairs[order[place], 1]
        is_hand = remaining[RANKS + a] & remaining[RANKS + b] & (a != b)
        total += is_hand
        qualified_by_flush[a] += is_hand
        qualified_by_flush[b] += is_hand
    return total


@bare_kernel
def _count_weak_hands(
    first_qualifying: int, order: Any, remaining: Any, types: HoleTypes, below: Any
) -> int:
    """Dealer hands of off cards that fall short: the total, and in `below` those with one card."""
    pairs, total = types.ranks, np.int64(0)
    below[:] = 0
    for place in range(first_qualifying):
        a, b = np.int64(pairs[order[place], 0]), np.int64(pairs[order[place], 1])
        if remaining[a] <= 0 or remaining[b] <= 0:
            continue
        if a == b:
            total += remaining[a] * (remaining[a] - 1) // 2
            below[a] += remaining[a] - 1
        else:
            total += remaining[a] * remaining[b]
            below[a] += remaining[b]
            below[b] += remaining[a]
    return total


@bare_kernel
def _fill_weak_off(
    board: int, total: int, below: Any, types: HoleTypes, counts: DealerCounts
) -> None:
    """Weak dealer hands against a hole of two off cards; the hole itself is not one of them."""
    pairs, verdict, weak = types.ranks, counts.verdict[board], counts.weak[board]
    for pair in range(PAIRS):
        subtracted_twice = 0 if verdict[pair] >= QUALIFIES else 1
        weak[pair] = total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + subtracted_twice


@bare_kernel
def _fill_weak_suited(board: int, total: int, below: Any, counts: DealerCounts) -> None:
    """Weak dealer hands against suited holes, on boards with four suited cards.

    Only hands without a suited card fall short there.
    """
    weak = counts.weak[board]
    hole_type = FIRST_ONE_SUITED_TYPE
    for off in range(RANKS):
        for _ in range(RANKS):
            weak[hole_type] = total - below[off]
            hole_type += 1
    for hole_type in range(FIRST_TWO_SUITED_TYPE, TYPES):
        weak[hole_type] = total
