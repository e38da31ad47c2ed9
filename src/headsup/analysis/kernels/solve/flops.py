"""Sums the values of boards into values of flops, and decides the flops.

A Raise pays even money, so raising m times the Ante is worth base + m × edge, where base is the
value of Ante and Odds and edge is wins less losses. On a flop, all that checking and raising share
cancels out. The **gain** of checking over the smallest raise is the sum, over all turns and rivers,
of

    the gain of the best river action over the smallest river raise + later stake × edge.

The later stake is what the smallest river raise stakes beyond the smallest flop raise. Of several
multiples, either the smallest or the largest is best. So this layer is enough, together with that
of the edge if the flop has several multiples. Base and edge alone matter only before the flop,
summed over whole boards (`river_tally`).

A layer is summed in two parts: over rank boards as if no flush were possible, then the difference
that a flush makes, over suited boards, for each suit that can still make one. A board's value
stands for every real board that looks like it, so it is multiplied by the **ways** to deal the
board's off cards with the hole. Each of the board's ten flops receives it once, whatever the type.
Divided by the ways to deal the flop, that gives the sum.
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
    allocate_padded,
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

set2_number, set3_number = bare_kernel(numbering.set2_number), bare_kernel(numbering.set3_number)
multiset3_number = bare_kernel(numbering.multiset3_number)


class LayerScratch(NamedTuple):
    """Scratch memory of one thread, which handles one board at a time."""

    looked_up: Int64s  # [2, type]: values looked up for each type before computing
    values: Int64s  # [type]: values of one board
    # [off rank, type]: sums for flops with one off card, over boards with the same suited cards
    one_off: Int64s

    @classmethod
    def empty(cls) -> "LayerScratch":
        shapes = ((2, TYPES), (TYPES,), (RANKS, TYPES))
        return cls(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@bare_kernel
def choose_river_actions(
    board: int, counts: DealerCounts, choice: RiverChoice, looked_up: Any, values: Any, action: Any
) -> None:
    """Choose the river actions of one board. Ties go to the smaller wager.

    There are two loops because lookups go one by one, while the arithmetic is vectorised.
    """
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    margin, extra_stake = choice.margin, choice.extra_stake
    later_stake, dealers = choice.later_stake, choice.dealers
    for i in range(win.shape[0]):
        hand_verdict = verdict[i]
        looked_up[0, i] = margin[hand_verdict, 0]
        looked_up[1, i] = margin[hand_verdict, 1]
    for i in range(win.shape[0]):
        wins, ties, weak_hands = np.int64(win[i]), np.int64(tie[i]), np.int64(weak[i])
        edge = 2 * wins + ties - dealers
        dealers_wins, ties_weak = looked_up[0, i], looked_up[1, i]
        raise_margin = np.int64(np.int32(dealers_wins)) * dealers + (dealers_wins >> 32) * wins
        fold_gain = -(
            raise_margin + np.int64(np.int32(ties_weak)) * ties + (ties_weak >> 32) * weak_hands
        )
        best = max(0, fold_gain, extra_stake * edge)
        values[i] = best + later_stake * edge
        action[i] = PASSIVE if best == fold_gain else (MIN_RAISE if best == 0 else MAX_RAISE)


@entry_kernel
def count_folds(first: int, last: int, counts: DealerCounts, verdicts: Any, margin: Any) -> int:
    """Count hands with these verdicts that fold on the river rather than raise the minimum."""
    folds = 0
    for board in range(first, last):
        win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
        verdict = counts.verdict[board]
        for i in range(win.shape[0]):
            hand_verdict = verdict[i]
            if verdicts[hand_verdict]:
                raise_margin = margin[hand_verdict, 0] + margin[hand_verdict, 1] * np.int64(win[i])
                raise_margin += margin[hand_verdict, 2] * np.int64(tie[i])
                folds += raise_margin + margin[hand_verdict, 3] * np.int64(weak[i]) <= 0
    return folds


@entry_kernel
def choose_rank_boards(
    first: int, last: int, counts: DealerCounts, choice: RiverChoice, scratch: LayerScratch,
    out: Any, action: Any,
) -> None:  # fmt: skip
    """The best actions on rank boards, and their gains."""
    for board in range(first, last):
        choose_river_actions(board, counts, choice, scratch.looked_up, out[board], action[board])


@entry_kernel
def collect_rank_boards(
    rank_boards: RankBoards, verdict: Any, values: Any, weighted: Any, flops: Any
) -> None:
    """Add each rank board's values to its ten rank flops."""
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
    values: Any, rank_values: Any, pair_of_type: Any, verdict: Any, looked_up: Any
) -> None:
    for i in range(TYPES):
        looked_up[0, i] = rank_values[pair_of_type[i]]
    for i in range(TYPES):
        difference = values[i] - looked_up[0, i]
        values[i] = 0 if verdict[i] == IMPOSSIBLE else difference


@bare_kernel
def add_row(row: Any, values: Any) -> None:
    for i in range(TYPES):
        row[i] += values[i]


@bare_kernel
def _push_three(suited: Any, off: int, pairs: Any, values: Any, flops: Any, one_off: Any) -> None:
    """Add a board with three suited cards to its flops; flops with one off card go to `one_off`."""
    a, b, c = suited[0], suited[1], suited[2]
    add_row(flops[a * PAIRS + off], values)
    add_row(flops[b * PAIRS + off], values)
    add_row(flops[c * PAIRS + off], values)
    add_row(one_off[pairs[off, 0]], values)
    add_row(one_off[pairs[off, 1]], values)
    add_row(flops[FIRST_THREE_SUITED_FLOP + set3_number(a, b, c)], values)


@bare_kernel
def _push_one_off(suited: Any, flops: Any, one_off: Any) -> None:
    """Add `one_off` to flops with two of the suited cards, after all boards with these three."""
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
    choice: RiverChoice, rank_values: Any, scratch: LayerScratch, flops: Any, action: Any,
) -> None:  # fmt: skip
    """Add the difference that a flush makes on suited boards to their flops.

    A chunk must not split the boards that share a set of three suited cards.
    """
    looked_up, values, one_off = scratch.looked_up, scratch.values, scratch.one_off
    threes, fours, fives, board_ranks = boards.threes, boards.fours, boards.fives, boards.ranks
    pairs, pair_of_type, ways2, ways1 = types.ranks, types.pair, types.ways2, types.ways1
    one_off[:] = 0
    for board in range(first, last):
        choose_river_actions(board, counts, choice, looked_up, values, action[board])
        subtract_rank_values(
            values, rank_values[board_ranks[board]], pair_of_type, counts.verdict[board], looked_up
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
    """Add up two workers' sums and divide by the ways to deal the flop, which is always exact."""
    for flop in range(first, last):
        for i in range(ways.shape[1]):
            flops[flop, i] = (flops[flop, i] + other[flop, i]) // max(ways[flop, i], 1)


@entry_kernel
def decide_flops(
    first: int, last: int, extra_stake: int, live: Any, canonical: Flops, dealt_holes: Holes,
    by_ranks: FlopGains, by_suits: FlopGains, action: Any, totals: Any,
) -> None:  # fmt: skip
    """Choose the best action of every hole on each flop, and sum its gain by pocket class.

    `extra_stake` is what the largest raise stakes beyond the smallest.
    """
    flops, weights, flop_ranks = canonical.cards, canonical.weight, canonical.ranks
    suited_flops = canonical.suited_flops
    holes, pair_of_hole, class_of_hole = dealt_holes.cards, dealt_holes.pair, dealt_holes.pocket
    type_of_hole = dealt_holes.type
    for flop in range(first, last):
        flop_mask = np.int64(0)
        possible = True
        for i in range(3):
            flop_mask |= 1 << np.int64(flops[flop, i])
            possible &= live[flops[flop, i] >> 2] > 0
        if not possible:
            continue
        ranks = flop_ranks[flop]
        for hole in range(HOLES):
            a, b = np.int64(holes[hole, 0]), np.int64(holes[hole, 1])
            if (flop_mask >> a | flop_mask >> b) & 1 or live[a >> 2] == 0 or live[b >> 2] == 0:
                continue
            pair = pair_of_hole[hole]
            check_gain = by_ranks.check[ranks, pair]
            edge = np.int64(0)
            for suit in range(3):
                suited_flop = suited_flops[flop, suit]
                if suited_flop >= 0:
                    check_gain += by_suits.check[suited_flop, type_of_hole[suit, hole]]
            if extra_stake > 0:
                edge = by_ranks.edge[ranks, pair]
                for suit in range(3):
                    suited_flop = suited_flops[flop, suit]
                    if suited_flop >= 0:
                        edge += by_suits.edge[suited_flop, type_of_hole[suit, hole]]
            best = max(0, check_gain, extra_stake * edge)
            action[flop, hole] = (
                PASSIVE if best == check_gain else (MIN_RAISE if best == 0 else MAX_RAISE)
            )
            totals[class_of_hole[hole]] += weights[flop] * best


@entry_kernel
def cost_flops(
    first: int, last: int, extra_stake: int, flops: Flops, holes: Holes, by_ranks: FlopGains,
    by_suits: FlopGains, checked: Any, action: Any, category: Any, sums: Any,
) -> None:  # fmt: skip
    """Add the cost of a strategy's flop decisions to `sums[taken, best, category]`.

    Only holes that checked before the flop count. Play is perfect after the flop.
    """
    for flop in range(first, last):
        ranks = flops.ranks[flop]
        for hole in range(HOLES):
            if category[flop, hole] < 0 or not checked[hole]:
                continue
            pair = holes.pair[hole]
            check_gain, largest_gain = by_ranks.check[ranks, pair], np.int64(0)
            for suit in range(3):
                suited_flop = flops.suited_flops[flop, suit]
                if suited_flop >= 0:
                    check_gain += by_suits.check[suited_flop, holes.type[suit, hole]]
            if extra_stake > 0:
                largest_gain = extra_stake * by_ranks.edge[ranks, pair]
                for suit in range(3):
                    suited_flop = flops.suited_flops[flop, suit]
                    if suited_flop >= 0:
                        largest_gain += (
                            extra_stake * by_suits.edge[suited_flop, holes.type[suit, hole]]
                        )
            best = max(0, check_gain, largest_gain)
            taken = action[flop, hole]
            value = check_gain if taken == PASSIVE else (0 if taken == MIN_RAISE else largest_gain)
            if value < best:
                best_action = (
                    PASSIVE if best == check_gain else (MIN_RAISE if best == 0 else MAX_RAISE)
                )
                loss = flops.weight[flop] * (best - value)
                sums[taken, best_action, category[flop, hole]] += loss
