"""Another qualifier for boards that are counted already: who wins or ties does not depend on it.

Qualifiers up to a flush: with a flush everybody qualifies, so only what ranks alone make can fall
short. On a board with three suited cards the dealer's suited hands qualify by their flush, on one
with four whoever holds a card of the suit, and with five everybody.
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
    FIRST_OFF_SUITED_TYPE,
    FIRST_SUITED_TYPE,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.solve.showdowns import CountScratch, fill_remaining
from headsup.analysis.kernels.solve.sweep import SweepScratch
from headsup.analysis.kernels.solve.three_suited import fill_weak


class RequalifiedBoards(NamedTuple):
    """Boards as ranks alone."""

    changed: Uint8s  # [rank board]: 0 where no hand lies between the two qualifiers
    weak_places: Uint8s  # [rank board]: the first place that qualifies now
    counts: DealerCounts

    @classmethod
    def of(cls, counts: DealerCounts) -> "RequalifiedBoards":
        changed, weak_places = (np.zeros(RANK_BOARDS, np.uint8) for _ in range(2))
        return cls(changed, weak_places, counts)


@bare_kernel
def _weak_places(strengths: Any, qualifier: int) -> int:
    places = 0
    while places < PAIRS and strengths[places] < qualifier:
        places += 1
    return places


@entry_kernel
def requalify_rank_boards(
    first: int, last: int, deck_terms: DeckTerms, rank_boards: RankBoards, types: HoleTypes,
    orders: StrengthOrders, before: int, used: SweepScratch, ranks: RequalifiedBoards,
) -> None:  # fmt: skip
    """Boards as ranks alone, which tell the suited ones where anything changes at all."""
    left, counts, verdict = used.left, ranks.counts, ranks.counts.verdict
    for board in range(first, last):
        order, strengths = orders.pairs[board], orders.strengths[board]
        places = _weak_places(strengths, deck_terms.qualifier)
        ranks.changed[board] = places != _weak_places(strengths, before)
        ranks.weak_places[board] = places
        if not ranks.changed[board]:
            continue
        for rank in range(RANKS):
            left[rank] = deck_terms.off[rank] + deck_terms.suited[rank]
        for i in range(5):
            left[rank_boards.ranks[board, i]] -= 1
        for at in range(PAIRS):
            pair = order[at]
            if verdict[board, pair] != IMPOSSIBLE:
                verdict[board, pair] = (strengths[at] >> 20) + (QUALIFIES if at >= places else 0)
        total = _weak_hands(places, order, left, types, used.below)
        _weak_beside(board, total, used.below, types, counts)


@entry_kernel
def requalify_suited_boards(
    first: int, last: int, deck_terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: HoleTypes, orders: StrengthOrders, used: CountScratch, ranks: RequalifiedBoards,
    counts: DealerCounts,
) -> None:  # fmt: skip
    """Write verdicts and weak dealer hands over those of the qualifier before."""
    left = used.sweep.left
    for board in range(first, last):
        rank_board, mask = boards.ranks[board], np.int64(boards.suited[board])
        if board >= FIRST_FIVE_SUITED or not ranks.changed[rank_board]:
            continue
        if not fill_remaining(rank_board, mask, deck_terms, rank_boards, used.sweep):
            continue
        verdict, rank_verdict = counts.verdict[board], ranks.counts.verdict[rank_board]
        first_suited = FIRST_SUITED_TYPE if board < FIRST_FOUR_SUITED else FIRST_OFF_SUITED_TYPE
        for member in range(first_suited):
            now = rank_verdict[types.pair[member]]
            verdict[member] = IMPOSSIBLE if verdict[member] == IMPOSSIBLE else now
        places = np.int64(ranks.weak_places[rank_board])
        order = orders.pairs[rank_board]
        if board < FIRST_FOUR_SUITED:
            by_flush = _weak_flushes(places, order, left, types, used.suited.raised)
            fill_weak(board, rank_board, by_flush, types, used.suited, ranks.counts, counts)
        else:
            total = _weak_hands(places, order, left, types, used.sweep.below)
            _weak_beside(board, total, used.sweep.below, types, counts)
            _weak_beside_suited(board, total, used.sweep.below, counts)


@bare_kernel
def _weak_flushes(weak_places: int, order: Any, left: Any, types: HoleTypes, raised: Any) -> int:
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
def _weak_hands(places: int, order: Any, left: Any, types: HoleTypes, below: Any) -> int:
    """Dealer hands of off cards that fall short: all, and in `below` those that hold one card."""
    pairs, total = types.ranks, np.int64(0)
    below[:] = 0
    for at in range(places):
        a, b = np.int64(pairs[order[at], 0]), np.int64(pairs[order[at], 1])
        if left[a] <= 0 or left[b] <= 0:
            continue
        if a == b:
            total += left[a] * (left[a] - 1) // 2
            below[a] += left[a] - 1
        else:
            total += left[a] * left[b]
            below[a] += left[b]
            below[b] += left[a]
    return total


@bare_kernel
def _weak_beside(
    board: int, total: int, below: Any, types: HoleTypes, counts: DealerCounts
) -> None:
    """Beside a hole of two off cards; one that falls short itself is no dealer hand."""
    pairs, verdict, weak = types.ranks, counts.verdict[board], counts.weak[board]
    for pair in range(PAIRS):
        itself = 0 if verdict[pair] >= QUALIFIES else 1
        weak[pair] = total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + itself


@bare_kernel
def _weak_beside_suited(board: int, total: int, below: Any, counts: DealerCounts) -> None:
    """Beside a hole with suited cards, on a board with four: only hands without one fall short."""
    weak = counts.weak[board]
    member = FIRST_OFF_SUITED_TYPE
    for off in range(RANKS):
        for _ in range(RANKS):
            weak[member] = total - below[off]
            member += 1
    for member in range(FIRST_SUITED_TYPE, TYPES):
        weak[member] = total
