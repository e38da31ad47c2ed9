"""Counts boards with three cards of the flush suit by correcting the counts of their ranks.

On such a board, only two hole cards of the suit make a flush. So compared with ranks alone, only
the dealer's **suited hands** change, at most 45 of them. Each is stronger than by its ranks, and
never a full house or better by ranks. A hand without a flush loses its wins and ties against suited
hands that share none of its cards. A flush beats every unsuited hand below a full house and all
weaker flushes; no two flushes are equal.
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
    allocate_padded,
)
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_ONE_SUITED_TYPE,
    FIRST_TWO_SUITED_TYPE,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)

FLUSH_STRENGTH, FULL_HOUSE_STRENGTH, STRAIGHT_FLUSH_STRENGTH = 5 << 20, 6 << 20, 8 << 20


FULL_HOUSE_ROW = PAIRS + 1  # hands that are a full house or better by ranks
ROWS = PAIRS + 2
ALL, COLUMNS = RANKS, 16  # column for all ranks; whole rows are added


class RankPlaces(NamedTuple):
    """The position of each pair of ranks in the order of strength on each rank board."""

    starts: Uint8s  # [rank board, pair]: the first place of its strength, or FULL_HOUSE_ROW
    ends: Uint8s  # [rank board, pair]: the place after the last of its strength, or FULL_HOUSE_ROW
    first_qualifying: Uint8s  # [rank board]: the first place that qualifies
    # [rank board, pair]: dealer hands below a full house, against a hole of two different ranks
    below_full_house: Int16s

    @classmethod
    def empty(cls) -> "RankPlaces":
        shape = (RANK_BOARDS, PAIRS)
        starts, ends = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        return cls(starts, ends, np.zeros(RANK_BOARDS, np.uint8), np.zeros(shape, np.int16))


class SuitedScratch(NamedTuple):
    """The dealer's suited hands on one board."""

    # [place, rank]: hands before this place without this rank, or ALL of them; in row
    # FULL_HOUSE_ROW those that make a straight flush
    passed: Int16s
    below: Int16s  # [rank]: weaker flushes that hold it
    qualified_by_flush: Int16s  # [rank]: hands that hold it and qualify only by their flush


def suited_scratch() -> SuitedScratch:
    return SuitedScratch(
        *allocate_padded(
            *((shape, np.int16) for shape in ((ROWS, COLUMNS), (COLUMNS,), (COLUMNS,)))
        )
    )


@bare_kernel
def fill_places(
    board: int, qualifier: int, remaining: Any, below: Any, types: HoleTypes,
    orders: StrengthOrders, places: RankPlaces,
) -> None:  # fmt: skip
    """Fill the places of one board. `below` is scratch memory."""
    pairs, order, strengths = types.ranks, orders.pairs[board], orders.strengths[board]
    below[:] = 0
    total = np.int64(0)
    start = 0
    while start < PAIRS:
        end = start
        while end < PAIRS and strengths[end] == strengths[start]:
            end += 1
        is_full_house_or_better = strengths[start] >= FULL_HOUSE_STRENGTH
        for i in range(start, end):
            pair = order[i]
            places.starts[board, pair] = FULL_HOUSE_ROW if is_full_house_or_better else start
            places.ends[board, pair] = FULL_HOUSE_ROW if is_full_house_or_better else end
            a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
            if is_full_house_or_better:
                continue
            if a == b:
                total += remaining[a] * (remaining[a] - 1) // 2
                below[a] += max(remaining[a] - 1, 0)
            else:
                total += remaining[a] * remaining[b]
                below[a] += remaining[b]
                below[b] += remaining[a]
        start = end
    for pair in range(PAIRS):
        places.below_full_house[board, pair] = (
            total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + 1
        )
    weak = 0
    while weak < PAIRS and strengths[weak] < qualifier:
        weak += 1
    places.first_qualifying[board] = weak


@bare_kernel
def count_three_suited(
    board: int, rank_board: int, mask: int, qualifier: int, remaining: Any, types: HoleTypes,
    orders: StrengthOrders, places: RankPlaces, scratch: SuitedScratch, by_ranks: DealerCounts,
    counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill the rows of one board from those of its rank board. `remaining` must be filled."""
    by_flush = _count_flushes(
        board, rank_board, mask, qualifier, remaining, orders, places, scratch, counts
    )
    _pass_suited(remaining, types, orders.pairs[rank_board], scratch)
    if qualifier <= FLUSH_STRENGTH:
        passed = scratch.passed[places.first_qualifying[rank_board]]
        by_flush = passed[ALL]
        for rank in range(COLUMNS):
            scratch.qualified_by_flush[rank] = passed[ALL] - passed[rank]
    _count_others(board, rank_board, remaining, types, places, scratch, by_ranks, counts)
    fill_weak(board, rank_board, by_flush, types, scratch, by_ranks, counts)


@bare_kernel
def _count_flushes(
    board: int, rank_board: int, mask: int, qualifier: int, remaining: Any, orders: StrengthOrders,
    places: RankPlaces, scratch: SuitedScratch, counts: DealerCounts,
) -> int:  # fmt: skip
    """Count types of two suited cards, weakest first. Returns how many qualify by their flush."""
    flushes, strengths = orders.flushes[mask], orders.flush_strengths[mask]
    below_full_house, below = places.below_full_house[rank_board], scratch.below
    qualified_by_flush = scratch.qualified_by_flush
    straight_flushes = scratch.passed[FULL_HOUSE_ROW]
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    suited, cards = 0, 0
    for rank in range(RANKS):
        suited += remaining[RANKS + rank]
        cards += remaining[rank] + remaining[RANKS + rank]
    disjoint_suited = (suited - 2) * (suited - 3) // 2
    disjoint_unsuited = (cards - 2) * (cards - 3) // 2 - disjoint_suited
    for hole_type in range(FIRST_TWO_SUITED_TYPE, TYPES):
        verdict[hole_type] = IMPOSSIBLE
    for rank in range(COLUMNS):
        below[rank] = 0
        qualified_by_flush[rank] = 0
        straight_flushes[rank] = 0
    total, by_flush = 0, 0
    place = 0
    while strengths[place] != END_OF_ROW:
        strength = np.int64(strengths[place])
        a, b = np.int64(flushes[place, 0]), np.int64(flushes[place, 1])
        place += 1
        if remaining[RANKS + a] == 0 or remaining[RANKS + b] == 0:
            continue
        hole_type = FIRST_TWO_SUITED_TYPE + a + b * (b - 1) // 2
        is_straight_flush = strength >= STRAIGHT_FLUSH_STRENGTH
        beaten = (
            disjoint_unsuited
            if is_straight_flush
            else below_full_house[a + b * (b + 1) // 2] - disjoint_suited
        )
        win[hole_type] = beaten + total - below[a] - below[b]
        tie[hole_type] = 0
        total += 1
        below[a] += 1
        below[b] += 1
        if is_straight_flush:
            for rank in range(COLUMNS):
                straight_flushes[rank] += 1
            straight_flushes[a] -= 1
            straight_flushes[b] -= 1
        if strength >= qualifier:
            by_flush += 1
            qualified_by_flush[a] += 1
            qualified_by_flush[b] += 1
            verdict[hole_type] = (strength >> 20) + QUALIFIES
        else:
            verdict[hole_type] = strength >> 20
    return by_flush


@bare_kernel
def _pass_suited(remaining: Any, types: HoleTypes, order: Any, scratch: SuitedScratch) -> None:
    """Count the suited hands before each place, in order of their strength by ranks."""
    pairs, passed = types.ranks, scratch.passed
    for rank in range(COLUMNS):
        passed[0, rank] = 0
    for place in range(PAIRS):
        a, b = pairs[order[place], 0], pairs[order[place], 1]
        is_hand = remaining[RANKS + a] & remaining[RANKS + b] & (a != b)
        for rank in range(COLUMNS):
            passed[place + 1, rank] = passed[place, rank] + is_hand
        passed[place + 1, a] -= is_hand
        passed[place + 1, b] -= is_hand


@bare_kernel
def _count_others(
    board: int, rank_board: int, remaining: Any, types: HoleTypes, places: RankPlaces,
    scratch: SuitedScratch, by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count types with at most one suited card."""
    pairs, pair_of_type, passed = types.ranks, types.pair, scratch.passed
    starts, ends = places.starts[rank_board], places.ends[rank_board]
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    rank_win, rank_tie = by_ranks.win[rank_board], by_ranks.tie[rank_board]
    rank_verdict = by_ranks.verdict[rank_board]
    for pair in range(PAIRS):
        a, b = pairs[pair, 0], pairs[pair, 1]
        possible = (remaining[a] > (a == b)) & (remaining[b] > 0)
        before, after = passed[starts[pair], ALL], passed[ends[pair], ALL]
        win[pair] = rank_win[pair] - before if possible else 0
        tie[pair] = rank_tie[pair] - after + before if possible else 0
        verdict[pair] = rank_verdict[pair] if possible else IMPOSSIBLE
    hole_type = FIRST_ONE_SUITED_TYPE
    for off in range(RANKS):
        for rank in range(RANKS):
            pair = pair_of_type[hole_type]
            possible = (remaining[off] > 0) & (remaining[RANKS + rank] > 0)
            before, after = passed[starts[pair], rank], passed[ends[pair], rank]
            win[hole_type] = rank_win[pair] - before if possible else 0
            tie[hole_type] = rank_tie[pair] - after + before if possible else 0
            verdict[hole_type] = rank_verdict[pair] if possible else IMPOSSIBLE
            hole_type += 1


@bare_kernel
def fill_weak(
    board: int, rank_board: int, by_flush: int, types: HoleTypes, scratch: SuitedScratch,
    by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count weak dealer hands: those by ranks less the suited ones that qualify by their flush."""
    pairs, qualified_by_flush = types.pair, scratch.qualified_by_flush
    weak, rank_weak = counts.weak[board], by_ranks.weak[rank_board]
    verdict, rank_verdict = counts.verdict[board], by_ranks.verdict[rank_board]
    for pair in range(PAIRS):
        weak[pair] = rank_weak[pair] - by_flush
    hole_type = FIRST_ONE_SUITED_TYPE
    for _ in range(RANKS):
        for rank in range(RANKS):
            weak[hole_type] = rank_weak[pairs[hole_type]] - by_flush + qualified_by_flush[rank]
            hole_type += 1
    for b in range(RANKS):
        for a in range(b):
            pair = pairs[hole_type]
            subtracted_twice = (rank_verdict[pair] < QUALIFIES) & (verdict[hole_type] >= QUALIFIES)
            weak[hole_type] = (
                rank_weak[pair]
                - by_flush
                + qualified_by_flush[a]
                + qualified_by_flush[b]
                - subtracted_twice
            )
            hole_type += 1
