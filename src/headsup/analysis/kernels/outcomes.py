"""How often each result comes up once decisions are fixed: exact counts of deals.

The transpose of `flops`: there values on boards were added to flops; here a decision on a flop is
handed down to every board that holds it. A flop's share is divided by the ways to deal the flop,
so all counts are multiplied by `SCALE`, which every such number divides.
"""

from typing import Any

import numpy as np

from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.flops import _add
from headsup.analysis.kernels.lattice import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_THREE_FLOP,
    FIRST_TWO_FLOP,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
    multiset3,
    set2,
    set3,
)
from headsup.analysis.kernels.sweep import IMPOSSIBLE

SCALE = 576


@kernel
def flop_shares(
    wanted: int, flops: Any, weights: Any, flop_ranks: Any, views: Any,
    pair_of_hole: Any, type_of_hole: Any, rank_ways: Any, view_ways: Any,
    checked: Any, action: Any, rank_shares: Any, shares: Any,
) -> None:  # fmt: skip
    """Deals in which a hole checked before the flop then takes the wanted action on it."""
    for flop in range(flops.shape[0]):
        for hole in range(HOLES):
            if action[flop, hole] != wanted or not checked[hole]:
                continue
            ranks, pair = flop_ranks[flop], pair_of_hole[hole]
            rank_shares[ranks, pair] += weights[flop] * (SCALE // rank_ways[ranks, pair])
            for suit in range(3):
                view = views[flop, suit]
                if view >= 0:
                    hole_type = type_of_hole[suit, hole]
                    share = SCALE // view_ways[view, hole_type]
                    shares[view, hole_type] += weights[flop] * share


@kernel
def _note(counts: Any, action: int, known: int, deals: int, won: int, tied: int, weak: int) -> None:
    counts[action, known, 0] += deals
    counts[action, known, 1] += deals * won
    counts[action, known, 2] += deals * tied
    counts[action, known, 3] += deals * weak


@kernel
def _gather_one_off(suited: Any, shares: Any, one_off: Any) -> None:
    one_off[:] = 0
    for off in range(RANKS):
        for skipped in range(3):
            a = suited[1] if skipped == 0 else suited[0]
            b = suited[1] if skipped == 2 else suited[2]
            _add(one_off[off], shares[FIRST_TWO_FLOP + set2(a, b) * RANKS + off])


@kernel
def spread_suited_boards(
    first: int, last: int, threes: Any, fours: Any, fives: Any, pairs: Any, board_ranks: Any,
    pair_of_type: Any, ways2: Any, ways1: Any,
    win: Any, tie: Any, weak: Any, verdict: Any, action: Any,
    constant: Any, shares: Any, counts: Any, rank_deals: Any,
) -> None:  # fmt: skip
    """Count results on suited boards, and the deals on them by rank board.

    A hole of a type is dealt with each real board `constant` times plus its flops' shares.
    """
    one_off = np.zeros((RANKS, TYPES), np.int64)
    total = np.zeros(TYPES, np.int64)
    for board in range(first, last):
        total[:] = constant
        if board < FIRST_FOUR:
            off = board % PAIRS
            suited = threes[board // PAIRS]
            if off == 0:
                _gather_one_off(suited, shares, one_off)
            for i in range(3):
                _add(total, shares[suited[i] * PAIRS + off])
            _add(total, one_off[pairs[off, 0]])
            _add(total, one_off[pairs[off, 1]])
            _add(total, shares[FIRST_THREE_FLOP + set3(suited[0], suited[1], suited[2])])
            total *= ways2[off]
        elif board < FIRST_FIVE:
            off = (board - FIRST_FOUR) % RANKS
            suited = fours[(board - FIRST_FOUR) // RANKS]
            for i in range(4):
                for j in range(i + 1, 4):
                    view = FIRST_TWO_FLOP + set2(suited[i], suited[j]) * RANKS + off
                    _add(total, shares[view])
                    for k in range(j + 1, 4):
                        view = FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])
                        _add(total, shares[view])
            total *= ways1[off]
        else:
            suited = fives[board - FIRST_FIVE]
            for i in range(5):
                for j in range(i + 1, 5):
                    for k in range(j + 1, 5):
                        view = FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])
                        _add(total, shares[view])
        ranks = board_ranks[board]
        for i in range(TYPES):
            known = verdict[board, i]
            if known != IMPOSSIBLE and total[i] != 0:
                rank_deals[ranks, pair_of_type[i]] += total[i]
                _note(
                    counts, action[board, i], known, total[i],
                    np.int64(win[board, i]), np.int64(tie[board, i]), np.int64(weak[board, i]),
                )  # fmt: skip


@kernel
def spread_rank_boards(
    boards: Any, ways: Any, win: Any, tie: Any, weak: Any, verdict: Any, action: Any,
    constant: Any, shares: Any, suited_deals: Any, counts: Any,
) -> None:  # fmt: skip
    """Count results on the boards that allow no flush: all, less those that do."""
    total = np.zeros(PAIRS, np.int64)
    for board in range(boards.shape[0]):
        total[:] = constant
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    flop = multiset3(boards[board, i], boards[board, j], boards[board, k])
                    for pair in range(PAIRS):
                        total[pair] += shares[flop, pair]
        for pair in range(PAIRS):
            known = verdict[board, pair]
            if known != IMPOSSIBLE:
                deals = ways[board, pair] * total[pair] - suited_deals[board, pair]
                _note(
                    counts, action[board, pair], known, deals, np.int64(win[board, pair]),
                    np.int64(tie[board, pair]), np.int64(weak[board, pair]),
                )  # fmt: skip
