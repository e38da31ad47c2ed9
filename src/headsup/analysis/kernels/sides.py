"""Categories counted over all hands of five, six or seven cards, by ranks and then by suit."""

from typing import Any

import numpy as np

from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.evaluator import flush_strength, rank_strength
from headsup.analysis.kernels.lattice import (
    FIRST_FIVE,
    FIRST_FOUR,
    PAIRS,
    RANKS,
    multiset5,
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
def _best_of_three(board: Any, a: int, b: int, of_five: Any) -> int:
    """The best category of ranks a <= b with three of the board's."""
    best = 0
    five = np.zeros(5, np.int64)
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                five[0], five[1], five[2] = board[i], board[j], board[k]
                five[3], five[4] = a, b
                five.sort()
                best = max(best, of_five[multiset5(five[0], five[1], five[2], five[3], five[4])])
    return best


@kernel
def count_both_hole_cards(
    rank_boards: Any, rank_ways: Any, pairs: Any, pair_holes: Any, board_ranks: Any,
    board_suited: Any, ways2: Any, ways1: Any, kinds: Any, first_suited: int, categories: Any,
) -> None:  # fmt: skip
    """Hole and board, by the best hand of both hole cards and three of the board."""
    of_five = np.zeros(len(rank_boards), np.int64)
    for board in range(len(rank_boards)):
        if _ways(rank_boards[board], 4) > 0:
            of_five[board] = _category(rank_boards[board], rank_boards[board][:0])
    by_ranks = np.zeros((len(rank_boards), PAIRS), np.int64)
    for board in range(len(rank_boards)):
        for pair in range(PAIRS):
            if rank_ways[board, pair] > 0:
                category = _best_of_three(
                    rank_boards[board], pairs[pair, 0], pairs[pair, 1], of_five
                )
                by_ranks[board, pair] = category
                categories[category] += rank_ways[board, pair] * pair_holes[pair]
    for board in range(len(board_ranks)):
        mask = np.int64(board_suited[board])
        for hole_type in range(first_suited, len(kinds)):
            a, b = np.int64(kinds[hole_type, 0]) - RANKS, np.int64(kinds[hole_type, 1]) - RANKS
            if mask >> a & 1 or mask >> b & 1:
                continue
            ways = np.int64(4)
            if board < FIRST_FOUR:
                ways *= ways2[board % PAIRS, hole_type]
            elif board < FIRST_FIVE:
                ways *= ways1[(board - FIRST_FOUR) % RANKS, hole_type]
            flush = 0
            for i in range(RANKS):
                for j in range(i):
                    for k in range(j):
                        three = 1 << i | 1 << j | 1 << k
                        if mask & three == three:
                            held = flush_strength(three | 1 << a | 1 << b) >> 20
                            flush = max(flush, held)
            before = by_ranks[board_ranks[board], a + b * (b + 1) // 2]
            categories[before] -= ways
            categories[max(before, flush)] += ways
