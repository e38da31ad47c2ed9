"""Wins, ties and weak dealer hands on every board: what all paytables have in common."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.lattice import FIRST_FIVE, FIRST_FOUR, RANKS, TYPES
from headsup.analysis.kernels.sweep import sweep


@kernel
def count_rank_boards(
    first: int, last: int, live: Any, qualifier: int, boards: Any, kinds: Any, pairs: Any,
    orders: Any, strengths: Any, flushes: Any, flush_strengths: Any,
    win: Any, tie: Any, weak: Any, verdict: Any,
) -> None:  # fmt: skip
    """Boards as ranks alone, as if no flush were possible."""
    left = np.zeros(2 * RANKS, np.int64)
    members = np.zeros(TYPES, np.int64)
    below = np.zeros(2 * RANKS, np.int64)
    weak_below = np.zeros(2 * RANKS, np.int64)
    for board in range(first, last):
        for rank in range(RANKS):
            left[rank] = 4 * live[rank]
        for i in range(5):
            left[boards[board, i]] -= 1
        if left.min() < 0:
            continue
        sweep(
            0, left, qualifier, kinds, pairs, orders[board], strengths[board],
            flushes[0], flush_strengths[0], members, below, weak_below,
            win[board], tie[board], weak[board], verdict[board],
        )  # fmt: skip


@kernel
def count_suited_boards(
    first: int, last: int, live: Any, qualifier: int, board_ranks: Any, board_suited: Any,
    boards: Any, kinds: Any, pairs: Any,
    orders: Any, strengths: Any, flushes: Any, flush_strengths: Any,
    win: Any, tie: Any, weak: Any, verdict: Any,
) -> None:  # fmt: skip
    """Boards on which the flush suit may make a flush."""
    left = np.zeros(2 * RANKS, np.int64)
    members = np.zeros(TYPES, np.int64)
    below = np.zeros(2 * RANKS, np.int64)
    weak_below = np.zeros(2 * RANKS, np.int64)
    for board in range(first, last):
        ranks = board_ranks[board]
        mask = np.int64(board_suited[board])
        for rank in range(RANKS):
            left[rank] = 3 * live[rank] + (mask >> rank & 1)
            left[RANKS + rank] = live[rank] - (mask >> rank & 1)
        for i in range(5):
            left[boards[ranks, i]] -= 1
        if left.min() < 0:
            continue
        suited = 3 if board < FIRST_FOUR else 4 if board < FIRST_FIVE else 5
        sweep(
            suited, left, qualifier, kinds, pairs, orders[ranks], strengths[ranks],
            flushes[mask], flush_strengths[mask], members, below, weak_below,
            win[board], tie[board], weak[board], verdict[board],
        )  # fmt: skip
