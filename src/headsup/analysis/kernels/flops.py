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

from headsup.analysis.kernels import numbering
from headsup.analysis.kernels.arrays import (
    IMPOSSIBLE,
    LEAST,
    MOST,
    PASSIVE,
    DealerCounts,
    Flops,
    FlopStakes,
    FlopValues,
    Holes,
    Layers,
    RankBoards,
    SuitedBoards,
    Terms,
    Types,
)
from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.numbering import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_THREE_FLOP,
    FIRST_TWO_FLOP,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
)

EDGE, BASE, SAVED = 0, 1, 2

set2, set3 = kernel(numbering.set2), kernel(numbering.set3)
multiset3 = kernel(numbering.multiset3)


@kernel
def edges(board: int, counts: DealerCounts, dealers: int, out: Any) -> None:
    win, tie = counts.win[board], counts.tie[board]
    for i in range(win.shape[0]):
        out[i] = 2 * np.int64(win[i]) + np.int64(tie[i]) - dealers


@kernel
def bases(board: int, counts: DealerCounts, pays: Any, out: Any) -> None:
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    for i in range(win.shape[0]):
        known = verdict[i]
        value = pays[known, 0] + pays[known, 1] * np.int64(win[i])
        out[i] = value + pays[known, 2] * np.int64(tie[i]) + pays[known, 3] * np.int64(weak[i])


@kernel
def choose(verdict: Any, base: Any, edge: Any, terms: Terms, saved: Any, action: Any) -> None:
    """The river's actions; equal values are decided for the smaller wager."""
    fold, least, most = terms.fold, terms.least, terms.most
    for i in range(verdict.shape[0]):
        folding = fold[verdict[i]]
        small = base[i] + least * edge[i]
        large = base[i] + most * edge[i]
        best = max(folding, small, large)
        saved[i] = best - small
        action[i] = PASSIVE if best == folding else (LEAST if best == small else MOST)


@kernel
def vary(verdict: Any, action: Any, varies: Any) -> None:
    """Mark the verdicts with which some hand does other than raise the least on the river."""
    for board in range(verdict.shape[0]):
        for i in range(verdict.shape[1]):
            if action[board, i] != LEAST:
                varies[verdict[board, i]] = True


@kernel
def folds(board: int, counts: DealerCounts, base: Any, terms: Terms) -> int:
    """How many types fold on the river rather than raise the least."""
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    fold, least, dealers = terms.fold, terms.least, terms.dealers
    count = 0
    for i in range(verdict.shape[0]):
        edge = 2 * np.int64(win[i]) + np.int64(tie[i]) - dealers
        count += fold[verdict[i]] >= base[i] + least * edge
    return count


@kernel
def fill_rank_boards(layer: int, counts: DealerCounts, terms: Terms, out: Any, action: Any) -> int:
    """One layer's values on all rank boards; returns `folds` for BASE."""
    base, edge = np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.int64)
    folded = 0
    for board in range(out.shape[0]):
        if layer == EDGE:
            edges(board, counts, terms.dealers, out[board])
            continue
        bases(board, counts, terms.pays, base)
        if layer == BASE:
            out[board] = base
            folded += folds(board, counts, base, terms)
        else:
            edges(board, counts, terms.dealers, edge)
            choose(counts.verdict[board], base, edge, terms, out[board], action[board])
    return folded


@kernel
def collect_rank_boards(rank_boards: RankBoards, verdict: Any, values: Any, flops: Any) -> None:
    """Add every rank board's values to the ten rank flops in it, and to row -1 the pocket's."""
    boards, ways = rank_boards.ranks, rank_boards.ways
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
    layer: int, first: int, last: int, boards: SuitedBoards, types: Types,
    counts: DealerCounts, terms: Terms, rank_values: Any, flops: Any, action: Any,
) -> int:  # fmt: skip
    """Add the difference that a flush makes on suited boards to their flops (row -1: pocket).

    A chunk is a run of boards that splits no set of three suited cards. Returns `folds` for BASE.
    """
    threes, fours, fives, board_ranks = boards.threes, boards.fours, boards.fives, boards.ranks
    pairs, pair_of_type, ways2, ways1 = types.ranks, types.pair, types.ways2, types.ways1
    base, edge = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    values = np.zeros(TYPES, np.int64)
    one_off = np.zeros((RANKS, TYPES), np.int64)
    folded = 0
    for board in range(first, last):
        if layer == EDGE:
            edges(board, counts, terms.dealers, values)
        elif layer == BASE:
            bases(board, counts, terms.pays, values)
            folded += folds(board, counts, values, terms)
        else:
            bases(board, counts, terms.pays, base)
            edges(board, counts, terms.dealers, edge)
            choose(counts.verdict[board], base, edge, terms, values, action[board])
        less(values, rank_values[board_ranks[board]], pair_of_type, counts.verdict[board])
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
def price(first: int, last: int, layers: Layers, stakes: FlopStakes, values: FlopValues) -> None:
    """The three actions on each flop, from the layers."""
    base, edge, saved = layers.base, layers.edge, layers.saved
    least, most, check = values.least, values.most, values.check
    small_raise, large_raise, river_raise = stakes.least, stakes.most, stakes.river
    for flop in range(first, last):
        for i in range(base.shape[1]):
            ante, net = base[flop, i], edge[flop, i]
            least[flop, i] = ante + small_raise * net
            most[flop, i] = ante + large_raise * net
            check[flop, i] = ante + river_raise * net + saved[flop, i]


@kernel
def decide_flops(
    first: int, last: int, several: bool, live: Any, canonical: Flops, dealt_holes: Holes,
    by_ranks: FlopValues, by_suits: FlopValues, action: Any, totals: Any,
) -> None:  # fmt: skip
    """Best value of every hole on each flop, summed by pocket class."""
    flops, weights, flop_ranks = canonical.cards, canonical.weight, canonical.ranks
    views = canonical.views
    holes, pair_of_hole, class_of_hole = dealt_holes.cards, dealt_holes.pair, dealt_holes.pocket
    type_of_hole = dealt_holes.type
    rank_small, rank_large, rank_check = by_ranks.least, by_ranks.most, by_ranks.check
    small, large, check = by_suits.least, by_suits.most, by_suits.check
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
