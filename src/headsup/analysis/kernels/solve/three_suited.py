"""Boards with three cards of the flush suit: the counts of their ranks, corrected.

Only two hole cards of the suit make a flush there. So of what the board's ranks alone give nothing
changes but the dealer's **suited hands**, at most 45: each is stronger than its ranks say, and
never a full house or better by them. A hand that makes no flush loses what it had won or tied
against suited hands apart from its own cards. A flush beats every hand below a full house that is
not suited, and the suited hands below itself; no two of them are equal.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    END_OF_ROW,
    IMPOSSIBLE,
    QUALIFIES,
    DealerCounts,
    HoleTypes,
    Int16s,
    StrengthOrders,
    Uint8s,
)
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_OFF_SUITED_TYPE,
    FIRST_SUITED_TYPE,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.base.thread_memory import allocate_padded

FLUSH_STRENGTH, FULL_HOUSE_STRENGTH, STRAIGHT_FLUSH_STRENGTH = 5 << 20, 6 << 20, 8 << 20


HIGH, ROWS = PAIRS + 1, PAIRS + 2  # a full house or better by ranks has a row of its own
ALL, COLUMNS = RANKS, 16  # the column after the last rank's; rows are added up whole


class RankPlaces(NamedTuple):
    """Where pairs of ranks stand among the strengths of each rank board, as if no flush were."""

    starts: Uint8s  # [rank board, pair]: the first place of its strength, or HIGH
    ends: Uint8s  # [rank board, pair]: the place after the last of its strength, or HIGH
    weak: Uint8s  # [rank board]: the first place that qualifies
    low: Int16s  # [rank board, pair]: dealer hands below a full house, beside different ranks

    @classmethod
    def empty(cls) -> "RankPlaces":
        shape = (RANK_BOARDS, PAIRS)
        starts, ends = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        return cls(starts, ends, np.zeros(RANK_BOARDS, np.uint8), np.zeros(shape, np.int16))


class SuitedScratch(NamedTuple):
    """The dealer's suited hands on one board."""

    # [row, rank]: passed before a place and without this rank, or ALL of them; in row HIGH those
    # that make a straight flush
    passed: Int16s
    below: Int16s  # [rank]: weaker flushes that hold it
    raised: Int16s  # [rank]: those that hold it and qualify only by their flush


def suited_scratch() -> SuitedScratch:
    return SuitedScratch(
        *allocate_padded(
            *((shape, np.int16) for shape in ((ROWS, COLUMNS), (COLUMNS,), (COLUMNS,)))
        )
    )


@bare_kernel
def fill_places(
    board: int, qualifier: int, left: Any, below: Any, types: HoleTypes, orders: StrengthOrders,
    places: RankPlaces,
) -> None:  # fmt: skip
    """Of one board; `below` is for counting in."""
    pairs, order, strengths = types.ranks, orders.pairs[board], orders.strengths[board]
    below[:] = 0
    total = np.int64(0)
    at = 0
    while at < PAIRS:
        end = at
        while end < PAIRS and strengths[end] == strengths[at]:
            end += 1
        high = strengths[at] >= FULL_HOUSE_STRENGTH
        for i in range(at, end):
            pair = order[i]
            places.starts[board, pair] = HIGH if high else at
            places.ends[board, pair] = HIGH if high else end
            a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
            if high:
                continue
            if a == b:
                total += left[a] * (left[a] - 1) // 2
                below[a] += max(left[a] - 1, 0)
            else:
                total += left[a] * left[b]
                below[a] += left[b]
                below[b] += left[a]
        at = end
    for pair in range(PAIRS):
        places.low[board, pair] = total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + 1
    weak = 0
    while weak < PAIRS and strengths[weak] < qualifier:
        weak += 1
    places.weak[board] = weak


@bare_kernel
def count_three_suited(
    board: int, rank_board: int, mask: int, qualifier: int, left: Any, types: HoleTypes,
    orders: StrengthOrders, places: RankPlaces, used: SuitedScratch, by_ranks: DealerCounts,
    counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill the rows of one board, from those of its rank board. `left` is filled already."""
    by_flush = _count_flushes(
        board, rank_board, mask, qualifier, left, orders, places, used, counts
    )
    _pass_suited(left, types, orders.pairs[rank_board], used)
    if qualifier <= FLUSH_STRENGTH:
        passed = used.passed[places.weak[rank_board]]
        by_flush = passed[ALL]
        for rank in range(COLUMNS):
            used.raised[rank] = passed[ALL] - passed[rank]
    _count_others(board, rank_board, left, types, places, used, by_ranks, counts)
    fill_weak(board, rank_board, by_flush, types, used, by_ranks, counts)


@bare_kernel
def _count_flushes(
    board: int, rank_board: int, mask: int, qualifier: int, left: Any, orders: StrengthOrders,
    places: RankPlaces, used: SuitedScratch, counts: DealerCounts,
) -> int:  # fmt: skip
    """Types of two suited cards, weakest first; returns how many qualify by their flush."""
    flushes, strengths = orders.flushes[mask], orders.flush_strengths[mask]
    low, below, raised = places.low[rank_board], used.below, used.raised
    straights = used.passed[HIGH]
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    suited, cards = 0, 0
    for rank in range(RANKS):
        suited += left[RANKS + rank]
        cards += left[rank] + left[RANKS + rank]
    apart = (suited - 2) * (suited - 3) // 2
    others = (cards - 2) * (cards - 3) // 2 - apart
    for member in range(FIRST_SUITED_TYPE, TYPES):
        verdict[member] = IMPOSSIBLE
    for rank in range(COLUMNS):
        below[rank] = 0
        raised[rank] = 0
        straights[rank] = 0
    total, by_flush = 0, 0
    at = 0
    while strengths[at] != END_OF_ROW:
        strength = np.int64(strengths[at])
        a, b = np.int64(flushes[at, 0]), np.int64(flushes[at, 1])
        at += 1
        if left[RANKS + a] == 0 or left[RANKS + b] == 0:
            continue
        member = FIRST_SUITED_TYPE + a + b * (b - 1) // 2
        high = strength >= STRAIGHT_FLUSH_STRENGTH
        beaten = others if high else low[a + b * (b + 1) // 2] - apart
        win[member] = beaten + total - below[a] - below[b]
        tie[member] = 0
        total += 1
        below[a] += 1
        below[b] += 1
        if high:
            for rank in range(COLUMNS):
                straights[rank] += 1
            straights[a] -= 1
            straights[b] -= 1
        if strength >= qualifier:
            by_flush += 1
            raised[a] += 1
            raised[b] += 1
            verdict[member] = (strength >> 20) + QUALIFIES
        else:
            verdict[member] = strength >> 20
    return by_flush


@bare_kernel
def _pass_suited(left: Any, types: HoleTypes, order: Any, used: SuitedScratch) -> None:
    """Suited hands by their ranks, weakest first: how many were passed before each place."""
    pairs, passed = types.ranks, used.passed
    for rank in range(COLUMNS):
        passed[0, rank] = 0
    for at in range(PAIRS):
        a, b = pairs[order[at], 0], pairs[order[at], 1]
        one = left[RANKS + a] & left[RANKS + b] & (a != b)
        for rank in range(COLUMNS):
            passed[at + 1, rank] = passed[at, rank] + one
        passed[at + 1, a] -= one
        passed[at + 1, b] -= one


@bare_kernel
def _count_others(
    board: int, rank_board: int, left: Any, types: HoleTypes, places: RankPlaces,
    used: SuitedScratch, by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Types with at most one suited card."""
    pairs, pair_of_type, passed = types.ranks, types.pair, used.passed
    starts, ends = places.starts[rank_board], places.ends[rank_board]
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    rank_win, rank_tie = by_ranks.win[rank_board], by_ranks.tie[rank_board]
    rank_verdict = by_ranks.verdict[rank_board]
    for pair in range(PAIRS):
        a, b = pairs[pair, 0], pairs[pair, 1]
        there = (left[a] > (a == b)) & (left[b] > 0)
        before, after = passed[starts[pair], ALL], passed[ends[pair], ALL]
        win[pair] = rank_win[pair] - before if there else 0
        tie[pair] = rank_tie[pair] - after + before if there else 0
        verdict[pair] = rank_verdict[pair] if there else IMPOSSIBLE
    member = FIRST_OFF_SUITED_TYPE
    for off in range(RANKS):
        for rank in range(RANKS):
            pair = pair_of_type[member]
            there = (left[off] > 0) & (left[RANKS + rank] > 0)
            before, after = passed[starts[pair], rank], passed[ends[pair], rank]
            win[member] = rank_win[pair] - before if there else 0
            tie[member] = rank_tie[pair] - after + before if there else 0
            verdict[member] = rank_verdict[pair] if there else IMPOSSIBLE
            member += 1


@bare_kernel
def fill_weak(
    board: int, rank_board: int, by_flush: int, types: HoleTypes, used: SuitedScratch,
    by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Dealer hands that do not qualify: those by ranks, less suited ones that do by their flush."""
    pairs, raised = types.pair, used.raised
    weak, rank_weak = counts.weak[board], by_ranks.weak[rank_board]
    verdict, rank_verdict = counts.verdict[board], by_ranks.verdict[rank_board]
    for pair in range(PAIRS):
        weak[pair] = rank_weak[pair] - by_flush
    member = FIRST_OFF_SUITED_TYPE
    for _ in range(RANKS):
        for rank in range(RANKS):
            weak[member] = rank_weak[pairs[member]] - by_flush + raised[rank]
            member += 1
    for b in range(RANKS):
        for a in range(b):
            pair = pairs[member]
            own = (rank_verdict[pair] < QUALIFIES) & (verdict[member] >= QUALIFIES)
            weak[member] = rank_weak[pair] - by_flush + raised[a] + raised[b] - own
            member += 1
