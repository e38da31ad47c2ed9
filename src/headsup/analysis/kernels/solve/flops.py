"""From what is best on boards to decisions on flops.

A Raise pays even money, so raising m times the Ante is worth base + m × edge: the value of Ante and
Odds, and wins less losses. On a flop all that checking and raising have in common cancels, and what
checking **gains** over the least raise is the sum, over every turn and river, of

    what the best action on the river saves over the least raise + what that stakes later × edge.

Among several multiples either the least or the most is best, so no more is ever needed than this
layer and, where a flop has several, that of the edge. Base and edge themselves matter only summed
over whole boards, before the flop (`river_tally`).

A layer is summed in two parts: over rank boards as if no flush were possible, then, for each suit
that can still make a flush, over suited boards the difference that the flush makes. A value on a
board counts for every real board that looks like it, so it is multiplied by the **ways** to deal
the board's off cards beside the hole. Then each of the board's ten flops takes it once, whatever
the type; divided by the ways to deal the flop, that is the sum wanted.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    MAX_RAISE,
    MIN_RAISE,
    PASSIVE,
    DealerCounts,
    FlopGains,
    Flops,
    Holes,
    HoleTypes,
    Int64s,
    RankBoards,
    RiverChoice,
    SuitedBoards,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_THREE_SUITED_FLOP,
    FIRST_TWO_SUITED_FLOP,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.base.thread_memory import allocate_padded

set2_number, set3_number = bare_kernel(numbering.set2_number), bare_kernel(numbering.set3_number)
multiset3_number = bare_kernel(numbering.multiset3_number)


class LayerScratch(NamedTuple):
    """Of one thread, which collects one board at a time."""

    looked: Int64s  # [2, type]: what is looked up for each type, before anything is computed
    values: Int64s  # [type]: of one board
    one_off: Int64s  # [off rank, type]: of flops with one off card, until their three are done

    @classmethod
    def empty(cls) -> "LayerScratch":
        shapes = ((2, TYPES), (TYPES,), (RANKS, TYPES))
        return cls(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@bare_kernel
def choose_river_actions(
    board: int, counts: DealerCounts, choice: RiverChoice, looked: Any, values: Any, action: Any
) -> None:
    """The river's actions and what they gain; equal values are decided for the smaller wager.

    In two loops: a processor looks things up one by one, but computes many at once.
    """
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    margin, more, later, dealers = choice.margin, choice.more, choice.later, choice.dealers
    for i in range(win.shape[0]):
        known = verdict[i]
        looked[0, i] = margin[known, 0]
        looked[1, i] = margin[known, 1]
    for i in range(win.shape[0]):
        won, tied, feeble = np.int64(win[i]), np.int64(tie[i]), np.int64(weak[i])
        edge = 2 * won + tied - dealers
        one, other = looked[0, i], looked[1, i]
        raising = np.int64(np.int32(one)) * dealers + (one >> 32) * won
        folding = -(raising + np.int64(np.int32(other)) * tied + (other >> 32) * feeble)
        best = max(0, folding, more * edge)
        values[i] = best + later * edge
        action[i] = PASSIVE if best == folding else (MIN_RAISE if best == 0 else MAX_RAISE)


@entry_kernel
def count_folds(first: int, last: int, counts: DealerCounts, asked: Any, margin: Any) -> int:
    """How many hands of the verdicts asked about fold on the river rather than raise the least."""
    folds = 0
    for board in range(first, last):
        win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
        verdict = counts.verdict[board]
        for i in range(win.shape[0]):
            known = verdict[i]
            if asked[known]:
                raising = margin[known, 0] + margin[known, 1] * np.int64(win[i])
                raising += margin[known, 2] * np.int64(tie[i])
                folds += raising + margin[known, 3] * np.int64(weak[i]) <= 0
    return folds


@entry_kernel
def choose_rank_boards(
    first: int, last: int, counts: DealerCounts, choice: RiverChoice, used: LayerScratch,
    out: Any, action: Any,
) -> None:  # fmt: skip
    """What the best actions gain on rank boards."""
    for board in range(first, last):
        choose_river_actions(board, counts, choice, used.looked, out[board], action[board])


@entry_kernel
def collect_rank_boards(
    rank_boards: RankBoards, verdict: Any, values: Any, weighted: Any, flops: Any
) -> None:
    """Add every rank board's values to the ten rank flops in it."""
    boards, ways = rank_boards.ranks, rank_boards.ways
    for board in range(boards.shape[0]):
        for pair in range(PAIRS):
            possible = verdict[board, pair] != IMPOSSIBLE
            weighted[pair] = ways[board, pair] * values[board, pair] if possible else 0
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    flop = multiset3_number(boards[board, i], boards[board, j], boards[board, k])
                    for pair in range(PAIRS):
                        flops[flop, pair] += weighted[pair]


@bare_kernel
def subtract_rank_values(
    values: Any, rank_values: Any, pair_of_type: Any, verdict: Any, looked: Any
) -> None:
    for i in range(TYPES):
        looked[0, i] = rank_values[pair_of_type[i]]
    for i in range(TYPES):
        difference = values[i] - looked[0, i]
        values[i] = 0 if verdict[i] == IMPOSSIBLE else difference


@bare_kernel
def add_row(row: Any, values: Any) -> None:
    for i in range(TYPES):
        row[i] += values[i]


@bare_kernel
def _push_three(suited: Any, off: int, pairs: Any, values: Any, flops: Any, one_off: Any) -> None:
    """A board with three suited cards, to its flops; those with one off card in passing."""
    a, b, c = suited[0], suited[1], suited[2]
    add_row(flops[a * PAIRS + off], values)
    add_row(flops[b * PAIRS + off], values)
    add_row(flops[c * PAIRS + off], values)
    add_row(one_off[pairs[off, 0]], values)
    add_row(one_off[pairs[off, 1]], values)
    add_row(flops[FIRST_THREE_SUITED_FLOP + set3_number(a, b, c)], values)


@bare_kernel
def _push_one_off(suited: Any, flops: Any, one_off: Any) -> None:
    """Flops with two of the three suited cards, once all boards with these three are done."""
    for off in range(RANKS):
        for skipped in range(3):
            a = suited[1] if skipped == 0 else suited[0]
            b = suited[1] if skipped == 2 else suited[2]
            add_row(flops[FIRST_TWO_SUITED_FLOP + set2_number(a, b) * RANKS + off], one_off[off])
    one_off[:] = 0


@bare_kernel
def _push_four(suited: Any, off: int, values: Any, flops: Any) -> None:
    for i in range(4):
        for j in range(i + 1, 4):
            add_row(
                flops[FIRST_TWO_SUITED_FLOP + set2_number(suited[i], suited[j]) * RANKS + off],
                values,
            )
            for k in range(j + 1, 4):
                add_row(
                    flops[FIRST_THREE_SUITED_FLOP + set3_number(suited[i], suited[j], suited[k])],
                    values,
                )


@bare_kernel
def _push_five(suited: Any, values: Any, flops: Any) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                add_row(
                    flops[FIRST_THREE_SUITED_FLOP + set3_number(suited[i], suited[j], suited[k])],
                    values,
                )


@entry_kernel
def collect_suited_boards(
    first: int, last: int, boards: SuitedBoards, types: HoleTypes, counts: DealerCounts,
    choice: RiverChoice, rank_values: Any, used: LayerScratch, flops: Any, action: Any,
) -> None:  # fmt: skip
    """Add the difference that a flush makes on suited boards to their flops.

    A chunk is a run of boards that splits no set of three suited cards.
    """
    looked, values, one_off = used.looked, used.values, used.one_off
    threes, fours, fives, board_ranks = boards.threes, boards.fours, boards.fives, boards.ranks
    pairs, pair_of_type, ways2, ways1 = types.ranks, types.pair, types.ways2, types.ways1
    one_off[:] = 0
    for board in range(first, last):
        choose_river_actions(board, counts, choice, looked, values, action[board])
        subtract_rank_values(
            values, rank_values[board_ranks[board]], pair_of_type, counts.verdict[board], looked
        )
        if board < FIRST_FOUR_SUITED:
            off = board % PAIRS
            for i in range(TYPES):
                values[i] *= ways2[off, i]
            _push_three(threes[board // PAIRS], off, pairs, values, flops, one_off)
            if off == PAIRS - 1:
                _push_one_off(threes[board // PAIRS], flops, one_off)
        elif board < FIRST_FIVE_SUITED:
            off = (board - FIRST_FOUR_SUITED) % RANKS
            for i in range(TYPES):
                values[i] *= ways1[off, i]
            _push_four(fours[(board - FIRST_FOUR_SUITED) // RANKS], off, values, flops)
        else:
            _push_five(fives[board - FIRST_FIVE_SUITED], values, flops)


@entry_kernel
def divide_by_ways(first: int, last: int, ways: Any, flops: Any, other: Any) -> None:
    """Join two workers' sums, and divide by the ways to deal the flop: it always goes exactly."""
    for flop in range(first, last):
        for i in range(ways.shape[1]):
            flops[flop, i] = (flops[flop, i] + other[flop, i]) // max(ways[flop, i], 1)


@entry_kernel
def decide_flops(
    first: int, last: int, more: int, live: Any, canonical: Flops, dealt_holes: Holes,
    by_ranks: FlopGains, by_suits: FlopGains, action: Any, totals: Any,
) -> None:  # fmt: skip
    """The best action of every hole on each flop; what it gains is summed by pocket class.

    `more` is what the most raise stakes beyond the least.
    """
    flops, weights, flop_ranks = canonical.cards, canonical.weight, canonical.ranks
    views = canonical.views
    holes, pair_of_hole, class_of_hole = dealt_holes.cards, dealt_holes.pair, dealt_holes.pocket
    type_of_hole = dealt_holes.type
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
            checking = by_ranks.check[ranks, pair]
            larger = np.int64(0)
            for suit in range(3):
                view = views[flop, suit]
                if view >= 0:
                    checking += by_suits.check[view, type_of_hole[suit, hole]]
            if more > 0:
                larger = by_ranks.edge[ranks, pair]
                for suit in range(3):
                    view = views[flop, suit]
                    if view >= 0:
                        larger += by_suits.edge[view, type_of_hole[suit, hole]]
            best = max(0, checking, more * larger)
            action[flop, hole] = (
                PASSIVE if best == checking else (MIN_RAISE if best == 0 else MAX_RAISE)
            )
            totals[class_of_hole[hole]] += weights[flop] * best
