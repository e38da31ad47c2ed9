"""From values on boards to decisions on flops.

`check(flop, hole)` is the sum of the river's best value over every turn and river. It is taken
in two parts: over rank boards as if no flush were possible, then, for each suit that can still
make a flush, over suited boards the difference that the flush makes.

A value on a board counts for every real board that looks like it, so it is multiplied by the
**ways** to deal the board's off cards beside the hole. Then each of the board's ten flops takes
it once, whatever the type; divided by the ways to deal the flop, that is the sum wanted.

Three **layers** are summed so, each on its own, because paytables share some of them:
`EDGE`, wins less losses; `BASE`, the value of Ante and Odds; `SAVED`, what the best action on the
river gains over the least raise. A Raise pays even money, so raising m times the Ante is worth
base + m × edge, and among several multiples either the least or the most is best.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

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

EDGE, BASE, SAVED = 0, 1, 2
PASSIVE, LEAST, MOST = 0, 1, 2  # actions: fold or check, raise the least, raise the most


@kernel
def edges(win: Any, tie: Any, dealers: int, out: Any) -> None:
    for i in range(win.shape[0]):
        out[i] = 2 * np.int64(win[i]) + np.int64(tie[i]) - dealers


@kernel
def bases(win: Any, tie: Any, weak: Any, verdict: Any, pays: Any, out: Any) -> None:
    for i in range(win.shape[0]):
        known = verdict[i]
        value = pays[known, 0] + pays[known, 1] * np.int64(win[i])
        out[i] = value + pays[known, 2] * np.int64(tie[i]) + pays[known, 3] * np.int64(weak[i])


@kernel
def choose(
    verdict: Any, base: Any, edge: Any, fold: Any, least: int, most: int, saved: Any, action: Any
) -> None:
    """The river's actions; equal values are decided for the smaller wager."""
    for i in range(verdict.shape[0]):
        folding = fold[verdict[i]]
        small = base[i] + least * edge[i]
        large = base[i] + most * edge[i]
        best = max(folding, small, large)
        saved[i] = best - small
        action[i] = PASSIVE if best == folding else (LEAST if best == small else MOST)


@kernel
def vary(first: int, last: int, verdict: Any, action: Any, varies: Any) -> None:
    """Mark the verdicts with which some hand does other than raise the least on the river."""
    for board in range(first, last):
        for i in range(verdict.shape[1]):
            if action[board, i] != LEAST:
                varies[verdict[board, i]] = True


@kernel
def folds(win: Any, tie: Any, verdict: Any, dealers: int, base: Any, fold: Any, least: int) -> int:
    """How many types fold on the river rather than raise the least."""
    count = 0
    for i in range(verdict.shape[0]):
        edge = 2 * np.int64(win[i]) + np.int64(tie[i]) - dealers
        count += fold[verdict[i]] >= base[i] + least * edge
    return count


@kernel
def fill_rank_boards(
    layer: int, win: Any, tie: Any, weak: Any, verdict: Any, dealers: int,
    pays: Any, fold: Any, least: int, most: int, out: Any, action: Any,
) -> int:  # fmt: skip
    """One layer's values on all rank boards; returns `folds` for BASE."""
    base, edge = np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.int64)
    folded = 0
    for board in range(win.shape[0]):
        if layer == EDGE:
            edges(win[board], tie[board], dealers, out[board])
            continue
        bases(win[board], tie[board], weak[board], verdict[board], pays, base)
        if layer == BASE:
            out[board] = base
            folded += folds(win[board], tie[board], verdict[board], dealers, base, fold, least)
        else:
            edges(win[board], tie[board], dealers, edge)
            choose(verdict[board], base, edge, fold, least, most, out[board], action[board])
    return folded


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
def less(values: Any, rank_values: Any, pair_of_type: Any, verdict: Any) -> None:
    for i in range(TYPES):
        difference = values[i] - rank_values[pair_of_type[i]]
        values[i] = 0 if verdict[i] == IMPOSSIBLE else difference


@kernel
def add(row: Any, values: Any) -> None:
    for i in range(TYPES):
        row[i] += values[i]


@kernel
def _push_three(suited: Any, off: int, pairs: Any, values: Any, flops: Any, one_off: Any) -> None:
    """A board with three suited cards, to its flops; those with one off card in passing."""
    a, b, c = suited[0], suited[1], suited[2]
    add(flops[a * PAIRS + off], values)
    add(flops[b * PAIRS + off], values)
    add(flops[c * PAIRS + off], values)
    add(one_off[pairs[off, 0]], values)
    add(one_off[pairs[off, 1]], values)
    add(flops[FIRST_THREE_FLOP + set3(a, b, c)], values)


@kernel
def _push_one_off(suited: Any, flops: Any, one_off: Any) -> None:
    """Flops with two of the three suited cards, once all boards with these three are done."""
    for off in range(RANKS):
        for skipped in range(3):
            a = suited[1] if skipped == 0 else suited[0]
            b = suited[1] if skipped == 2 else suited[2]
            add(flops[FIRST_TWO_FLOP + set2(a, b) * RANKS + off], one_off[off])
    one_off[:] = 0


@kernel
def _push_four(suited: Any, off: int, values: Any, flops: Any) -> None:
    for i in range(4):
        for j in range(i + 1, 4):
            add(flops[FIRST_TWO_FLOP + set2(suited[i], suited[j]) * RANKS + off], values)
            for k in range(j + 1, 4):
                add(flops[FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])], values)


@kernel
def _push_five(suited: Any, values: Any, flops: Any) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                add(flops[FIRST_THREE_FLOP + set3(suited[i], suited[j], suited[k])], values)


@kernel
def collect_suited_boards(
    layer: int, first: int, last: int, threes: Any, fours: Any, fives: Any, pairs: Any,
    board_ranks: Any, pair_of_type: Any, ways2: Any, ways1: Any,
    win: Any, tie: Any, weak: Any, verdict: Any, dealers: int,
    pays: Any, fold: Any, least: int, most: int,
    rank_values: Any, flops: Any, action: Any,
) -> int:  # fmt: skip
    """Add the difference that a flush makes on suited boards to their flops (row -1: pocket).

    A chunk is a run of boards that splits no set of three suited cards. Returns `folds` for BASE.
    """
    base, edge = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    values = np.zeros(TYPES, np.int64)
    one_off = np.zeros((RANKS, TYPES), np.int64)
    folded = 0
    for board in range(first, last):
        if layer == EDGE:
            edges(win[board], tie[board], dealers, values)
        elif layer == BASE:
            bases(win[board], tie[board], weak[board], verdict[board], pays, values)
            folded += folds(win[board], tie[board], verdict[board], dealers, values, fold, least)
        else:
            bases(win[board], tie[board], weak[board], verdict[board], pays, base)
            edges(win[board], tie[board], dealers, edge)
            choose(verdict[board], base, edge, fold, least, most, values, action[board])
        less(values, rank_values[board_ranks[board]], pair_of_type, verdict[board])
        if board < FIRST_FOUR:
            off = board % PAIRS
            values *= ways2[off]
            _push_three(threes[board // PAIRS], off, pairs, values, flops, one_off)
            if off == PAIRS - 1:
                _push_one_off(threes[board // PAIRS], flops, one_off)
        elif board < FIRST_FIVE:
            off = (board - FIRST_FOUR) % RANKS
            values *= ways1[off]
            _push_four(fours[(board - FIRST_FOUR) // RANKS], off, values, flops)
        else:
            _push_five(fives[board - FIRST_FIVE], values, flops)
        add(flops[-1], values)
    return folded


@kernel
def divide(first: int, last: int, ways: Any, flops: Any, other: Any) -> None:
    """Join two workers' sums, and divide by the ways to deal the flop: it always goes exactly."""
    for flop in range(first, last):
        for i in range(ways.shape[1]):
            flops[flop, i] = (flops[flop, i] + other[flop, i]) // max(ways[flop, i], 1)


@kernel
def price(
    first: int, last: int, base: Any, edge: Any, saved: Any,
    small_raise: int, large_raise: int, river_raise: int, small: Any, large: Any, check: Any,
) -> None:  # fmt: skip
    """The three options on each flop, from the layers."""
    for flop in range(first, last):
        for i in range(base.shape[1]):
            ante, net = base[flop, i], edge[flop, i]
            small[flop, i] = ante + small_raise * net
            large[flop, i] = ante + large_raise * net
            check[flop, i] = ante + river_raise * net + saved[flop, i]


@kernel
def decide_flops(
    first: int, last: int, several: bool,
    live: Any, flops: Any, weights: Any, flop_ranks: Any, views: Any,
    holes: Any, pair_of_hole: Any, class_of_hole: Any, type_of_hole: Any,
    rank_small: Any, rank_large: Any, rank_check: Any, small: Any, large: Any, check: Any,
    action: Any, totals: Any,
) -> None:  # fmt: skip
    """Best value of every hole on each flop, summed by pocket class."""
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
            raise_small, checking = rank_small[ranks, pair], rank_check[ranks, pair]
            for suit in range(3):
                view = views[flop, suit]
                if view >= 0:
                    hole_type = type_of_hole[suit, hole]
                    raise_small += small[view, hole_type]
                    checking += check[view, hole_type]
            raise_large = raise_small
            if several:
                raise_large = rank_large[ranks, pair]
                for suit in range(3):
                    view = views[flop, suit]
                    if view >= 0:
                        raise_large += large[view, type_of_hole[suit, hole]]
            best = max(checking, raise_small, raise_large)
            action[flop, hole] = (
                PASSIVE if best == checking else (LEAST if best == raise_small else MOST)
            )
            totals[class_of_hole[hole]] += weights[flop] * best
