"""From values on boards to decisions on flops.

`check(flop, hole)` is the sum of the river's best value over every turn and river. It is taken
in two parts: over rank boards as if no flush were possible, then, for each suit that can still
make a flush, over suited boards the difference that the flush makes.

A value on a board counts for every real board that looks like it, so it is multiplied by the
**ways** to deal the board's off cards beside the hole. Then each of the board's ten flops takes
it once, whatever the type; divided by the ways to deal the flop, that is the sum wanted.
"""

from typing import Any

import numpy as np

from headsup.analysis.kernels.compiled import kernel
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


@kernel
def river_values(
    win: Any, tie: Any, weak: Any, verdict: Any, dealers: int,
    coefficients: Any, fold: Any, unit: int, least: int, most: int,
    base: Any, edge: Any, saved: Any, action: Any,
) -> None:  # fmt: skip
    """Values against all `dealers` hands of one board, for each type.

    `base` is Ante and Odds, `edge` wins less losses, and `saved` what the best river action gains
    over the least raise. Among several raises one of the two extremes is always best, for a Raise
    pays even money. Equal values are decided for the smaller wager. Actions: 0 folds, 1 raises
    the least, 2 the most.
    """
    for i in range(win.shape[0]):
        known = verdict[i]
        won, tied = np.int64(win[i]), np.int64(tie[i])
        value = coefficients[known, 0] + coefficients[known, 1] * won
        value += coefficients[known, 2] * tied + coefficients[known, 3] * np.int64(weak[i])
        net = 2 * won + tied - dealers
        small = value + least * unit * net
        large = value + most * unit * net
        best = max(max(fold[known], small), large)
        base[i] = value
        edge[i] = net
        saved[i] = best - small
        action[i] = 0 if best == fold[known] else (1 if best == small else 2)


@kernel
def rank_values(
    first: int, last: int, win: Any, tie: Any, weak: Any, verdict: Any, dealers: int,
    coefficients: Any, fold: Any, unit: int, least: int, most: int,
    base: Any, edge: Any, saved: Any, action: Any,
) -> None:  # fmt: skip
    for board in range(first, last):
        river_values(
            win[board], tie[board], weak[board], verdict[board], dealers,
            coefficients, fold, unit, least, most,
            base[board], edge[board], saved[board], action[board],
        )  # fmt: skip


@kernel
def collect_rank_boards(boards: Any, ways: Any, verdict: Any, values: Any, flops: Any) -> None:
    """Add every rank board's values to the ten rank flops in it, and to row -1 the pocket's."""
    weighted = np.zeros(PAIRS, np.int64)
    for board in range(boards.shape[0]):
        for pair in range(PAIRS):
            possible = verdict[board, pair] != IMPOSSIBLE
            weighted[pair] = ways[board, pair] * values[board, pair] if possible else 0
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    flop = multiset3(boards[board, i], boards[board, j], boards[board, k])
                    for pair in range(PAIRS):
                        flops[flop, pair] += weighted[pair]
        for pair in range(PAIRS):
            flops[-1, pair] += weighted[pair]


@kernel
def _add(row: Any, values: Any) -> None:
    for i in range(TYPES):
        row[i] += values[i]


@kernel
def _push_three(suited: Any, off: int, pairs: Any, values: Any, flops: Any, one_off: Any) -> None:
    """A board with three suited cards, to its ten flops; those with one off card in passing."""
    a, b, c = suited[0], suited[1], suited[2]
    _add(flops[a * PAIRS + off], values)
    _add(flops[b * PAIRS + off], values)
    _add(flops[c * PAIRS + off], values)
    _add(one_off[pairs[off, 0]], values)
    _add(one_off[pairs[off, 1]], values)
    _add(flops[FIRST_THREE_FLOP + set3(a, b, c)], values)


@kernel
def _push_one_off(suited: Any, flops: Any, one_off: Any) -> None:
    """Flops with two of the three suited cards, once all boards with these three are done."""
    for off in range(RANKS):
        for skipped in range(3):
            a = suited[1] if skipped == 0 else suited[0]
            b = suited[1] if skipped == 2 else suited[2]
            _add(flops[FIRST_TWO_FLOP + set2(a, b) * RANKS + off], one_off[off])


@kernel
def _push_four(suited: Any, off: int, values: Any, flops: Any) -> None:
    for i in range(4):
        for j in range(i + 1, 4):
            _add(flops[FIRST_TWO_FLOP + set2(suited[i], suited[j]) * RANKS + off], values)
            for k in range(j + 1, 4):
                _add(flops[FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])], values)


@kernel
def _push_five(suited: Any, values: Any, flops: Any) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                _add(flops[FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])], values)


@kernel
def _difference(
    verdict: Any, ways: Any, pair_of_type: Any, values: Any, rank_values: Any, out: Any
) -> None:
    for i in range(TYPES):
        possible = 0 if verdict[i] == IMPOSSIBLE else ways[i]
        out[i] = possible * (values[i] - rank_values[pair_of_type[i]])


@kernel
def collect_suited_boards(
    first: int, last: int, threes: Any, fours: Any, fives: Any, pairs: Any, board_ranks: Any,
    pair_of_type: Any, ways2: Any, ways1: Any,
    win: Any, tie: Any, weak: Any, verdict: Any, dealers: int,
    coefficients: Any, fold: Any, unit: int, least: int, most: int,
    rank_base: Any, rank_edge: Any, rank_saved: Any,
    base_flops: Any, edge_flops: Any, saved_flops: Any, action: Any,
) -> None:  # fmt: skip
    """Add the difference that a flush makes on suited boards to their flops (row -1: pocket).

    A chunk is a run of boards that splits no set of three suited cards.
    """
    base, edge, saved = (
        np.zeros(TYPES, np.int64),
        np.zeros(TYPES, np.int64),
        np.zeros(TYPES, np.int64),
    )
    gain = np.zeros((3, TYPES), np.int64)
    one_off = np.zeros((3, RANKS, TYPES), np.int64)
    none = np.ones(TYPES, np.int64)
    for board in range(first, last):
        river_values(
            win[board], tie[board], weak[board], verdict[board], dealers,
            coefficients, fold, unit, least, most, base, edge, saved, action[board],
        )  # fmt: skip
        ranks = board_ranks[board]
        if board < FIRST_FOUR:
            off = board % PAIRS
            ways = ways2[off]
        elif board < FIRST_FIVE:
            off = (board - FIRST_FOUR) % RANKS
            ways = ways1[off]
        else:
            ways = none
        _difference(verdict[board], ways, pair_of_type, base, rank_base[ranks], gain[0])
        _difference(verdict[board], ways, pair_of_type, edge, rank_edge[ranks], gain[1])
        _difference(verdict[board], ways, pair_of_type, saved, rank_saved[ranks], gain[2])
        _add(base_flops[-1], gain[0])
        _add(edge_flops[-1], gain[1])
        if board < FIRST_FOUR:
            suited = threes[board // PAIRS]
            if off == 0:
                one_off[:] = 0
            _push_three(suited, off, pairs, gain[0], base_flops, one_off[0])
            _push_three(suited, off, pairs, gain[1], edge_flops, one_off[1])
            _push_three(suited, off, pairs, gain[2], saved_flops, one_off[2])
            if off == PAIRS - 1:
                _push_one_off(suited, base_flops, one_off[0])
                _push_one_off(suited, edge_flops, one_off[1])
                _push_one_off(suited, saved_flops, one_off[2])
        elif board < FIRST_FIVE:
            suited = fours[(board - FIRST_FOUR) // RANKS]
            _push_four(suited, off, gain[0], base_flops)
            _push_four(suited, off, gain[1], edge_flops)
            _push_four(suited, off, gain[2], saved_flops)
        else:
            suited = fives[board - FIRST_FIVE]
            _push_five(suited, gain[0], base_flops)
            _push_five(suited, gain[1], edge_flops)
            _push_five(suited, gain[2], saved_flops)


@kernel
def decide_flops(
    first: int, last: int, live: Any, flops: Any, weights: Any, flop_ranks: Any, views: Any,
    holes: Any, pair_of_hole: Any, class_of_hole: Any, type_of_hole: Any,
    rank_small: Any, rank_large: Any, rank_check: Any, small: Any, large: Any, check: Any,
    action: Any, totals: Any,
) -> None:  # fmt: skip
    """Best value of every hole on each flop, summed by pocket class. Actions as on the river."""
    for flop in range(first, last):
        used = np.int64(0)
        dealt = True
        for i in range(3):
            used |= 1 << np.int64(flops[flop, i])
            dealt &= live[flops[flop, i] >> 2] > 0
        if not dealt:
            continue
        ranks = flop_ranks[flop]
        for hole in range(HOLES):
            a, b = np.int64(holes[hole, 0]), np.int64(holes[hole, 1])
            if (used >> a | used >> b) & 1 or live[a >> 2] == 0 or live[b >> 2] == 0:
                continue
            pair = pair_of_hole[hole]
            raise_small, raise_large = rank_small[ranks, pair], rank_large[ranks, pair]
            checking = rank_check[ranks, pair]
            for suit in range(3):
                view = views[flop, suit]
                if view >= 0:
                    hole_type = type_of_hole[suit, hole]
                    raise_small += small[view, hole_type]
                    raise_large += large[view, hole_type]
                    checking += check[view, hole_type]
            best = max(max(checking, raise_small), raise_large)
            action[flop, hole] = 0 if best == checking else (1 if best == raise_small else 2)
            totals[class_of_hole[hole]] += weights[flop] * best
