"""Categories counted over all hands of five, six or seven cards, by ranks and then by suit."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.arrays import RankBoards, SuitedBoards, Types
from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.evaluator import (
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    QUADS,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    flush_strength,
    rank_strength,
    straight_top,
)
from headsup.analysis.kernels.numbering import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_SUITED,
    PAIRS,
    RANKS,
)


@kernel
def _ways(row: Any, of_a_rank: int) -> int:
    """Suits for a row of ascending ranks, `of_a_rank` cards of each; 0 if there are too few."""
    ways = 1
    run = 0
    for i in range(len(row)):
        run = run + 1 if i > 0 and row[i] == row[i - 1] else 1
        ways = ways * (of_a_rank - run + 1) // run
    return ways


@kernel
def _category(first: Any, second: Any) -> int:
    """The category that the ranks of two rows give together."""
    counts = 0
    for i in range(len(first)):
        counts += 1 << (3 * np.int64(first[i]))
    for i in range(len(second)):
        counts += 1 << (3 * np.int64(second[i]))
    return rank_strength(counts) >> 20


@kernel
def count_by_ranks(rows: Any, categories: Any) -> None:
    """Hands of each multiset of ranks, by what the ranks give."""
    for i in range(len(rows)):
        ways = _ways(rows[i], 4)
        if ways > 0:
            categories[_category(rows[i], rows[i][:0])] += ways


@kernel
def count_by_suit(suited: Any, off: Any, categories: Any) -> None:
    """Move hands with these cards of one suit from what their ranks give to the flush."""
    for i in range(len(suited)):
        mask = 0
        for j in range(suited.shape[1]):
            mask |= 1 << np.int64(suited[i, j])
        for j in range(len(off)):
            ways = 4 * _ways(off[j], 3)
            if ways > 0:
                categories[_category(suited[i], off[j])] -= ways
                categories[flush_strength(mask) >> 20] += ways


@kernel
def five_category(a: int, b: int, c: int, d: int, e: int) -> int:
    """What the ranks of exactly five cards give."""
    ranks = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
    counts = (1 << 3 * a) + (1 << 3 * b) + (1 << 3 * c) + (1 << 3 * d) + (1 << 3 * e)
    three = counts & counts >> 1 & 0o1111111111111
    different = 0
    left = ranks
    while left:
        left &= left - 1
        different += 1
    if different == 5:
        return STRAIGHT if straight_top(ranks) >= 0 else HIGH_CARD
    if different == 4:
        return ONE_PAIR
    if different == 3:
        return TRIPS if three else TWO_PAIR
    return FULL_HOUSE if three else QUADS


@kernel
def _by_both(board: Any, a: int, b: int) -> int:
    """The best category of ranks a and b with three of the board's."""
    best = 0
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                x, y, z = np.int64(board[i]), np.int64(board[j]), np.int64(board[k])
                best = max(best, five_category(a, b, x, y, z))
    return best


@kernel
def _flush_by_both(mask: int, a: int, b: int) -> int:
    """The best flush of suited ranks a and b with three of the board's."""
    best = 0
    for i in range(RANKS):
        if mask >> i & 1:
            for j in range(i):
                if mask >> j & 1:
                    for k in range(j):
                        if mask >> k & 1:
                            five = 1 << i | 1 << j | 1 << k | 1 << a | 1 << b
                            best = max(best, flush_strength(five) >> 20)
    return best


@kernel
def count_both_hole_cards(
    boards: RankBoards, suited_boards: SuitedBoards, types: Types, pair_holes: Any, categories: Any
) -> None:
    """Hole and board, by the best hand of both hole cards and three of the board.

    `pair_holes[pair]` holes are of two ranks.
    """
    rank_boards, rank_ways, pairs = boards.ranks, boards.ways, types.ranks
    board_ranks, board_suited = suited_boards.ranks, suited_boards.suited
    ways2, ways1, kinds = types.ways2, types.ways1, types.kinds
    by_ranks = np.zeros((len(rank_boards), PAIRS), np.int64)
    for board in range(len(rank_boards)):
        for pair in range(PAIRS):
            if rank_ways[board, pair] > 0:
                a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
                category = _by_both(rank_boards[board], a, b)
                by_ranks[board, pair] = category
                categories[category] += rank_ways[board, pair] * pair_holes[pair]
    for board in range(len(board_ranks)):
        mask = np.int64(board_suited[board])
        for hole_type in range(FIRST_SUITED, len(kinds)):
            a, b = np.int64(kinds[hole_type, 0]) - RANKS, np.int64(kinds[hole_type, 1]) - RANKS
            if mask >> a & 1 or mask >> b & 1:
                continue
            ways = np.int64(4)
            if board < FIRST_FOUR:
                ways *= ways2[board % PAIRS, hole_type]
            elif board < FIRST_FIVE:
                ways *= ways1[(board - FIRST_FOUR) % RANKS, hole_type]
            before = by_ranks[board_ranks[board], a + b * (b + 1) // 2]
            categories[before] -= ways
            categories[max(before, _flush_by_both(mask, a, b))] += ways
