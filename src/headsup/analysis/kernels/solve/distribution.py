"""Counts exactly how often each result occurs once all decisions are fixed.

This is the transpose of `flops`: there the values of boards are added to flops, here a decision on
a flop is passed down to all its boards. A flop's share is divided by the ways to deal the flop. All
counts are multiplied by `SCALE`, a multiple of all these numbers, so they stay integers.

A **tally** holds, for each verdict, the deals and the sums of their wins, ties and weak dealer
hands. Every result follows from these four numbers.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    DealerCounts,
    Flops,
    FlopShares,
    FlopTallies,
    Holes,
    HoleTypes,
    Int32s,
    Int64s,
    RankBoards,
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
from headsup.analysis.kernels.solve.flops import add_row, multiset3_number, set2_number, set3_number

SCALE = 576


class SpreadScratch(NamedTuple):
    """Scratch memory for one board at a time."""

    one_off: Int32s  # [off rank, type]: shares of flops with one off card
    total: Int32s  # [type]: sum over all ten flops
    ways: Int64s  # [type]

    @classmethod
    def empty(cls) -> "SpreadScratch":
        one_off, total = np.zeros((RANKS, TYPES), np.int32), np.zeros(TYPES, np.int32)
        return cls(one_off, total, np.zeros(TYPES, np.int64))


@entry_kernel
def share_flops(
    first: int, last: int, wanted: int, flops: Flops, holes: Holes, unit_shares: FlopShares,
    checked: Any, action: Any, out: FlopShares,
) -> None:  # fmt: skip
    """Collect the deals in which a hole that checked before the flop takes `wanted` on it.

    `unit_shares` has SCALE ÷ the ways to deal the flop.
    """
    weights, flop_ranks, suited_flops = flops.weight, flops.ranks, flops.suited_flops
    pair_of_hole, type_of_hole = holes.pair, holes.type
    rank_shares, shares = out.ranks, out.suits
    for flop in range(first, last):
        ranks = flop_ranks[flop]
        for hole in range(HOLES):
            if action[flop, hole] != wanted or not checked[hole]:
                continue
            pair = pair_of_hole[hole]
            rank_shares[ranks, pair] += weights[flop] * unit_shares.ranks[ranks, pair]
            for suit in range(3):
                suited_flop = suited_flops[flop, suit]
                if suited_flop >= 0:
                    hole_type = type_of_hole[suit, hole]
                    shares[suited_flop, hole_type] += (
                        weights[flop] * unit_shares.suits[suited_flop, hole_type]
                    )


@bare_kernel
def _gather_one_off(suited: Any, shares: Any, one_off: Any) -> None:
    one_off[:] = 0
    for off in range(RANKS):
        for skipped in range(3):
            a = suited[1] if skipped == 0 else suited[0]
            b = suited[1] if skipped == 2 else suited[2]
            add_row(one_off[off], shares[FIRST_TWO_SUITED_FLOP + set2_number(a, b) * RANKS + off])


@bare_kernel
def _gather_four(suited: Any, off: int, shares: Any, total: Any) -> None:
    for i in range(4):
        for j in range(i + 1, 4):
            add_row(
                total,
                shares[FIRST_TWO_SUITED_FLOP + set2_number(suited[i], suited[j]) * RANKS + off],
            )
            for k in range(j + 1, 4):
                add_row(
                    total,
                    shares[FIRST_THREE_SUITED_FLOP + set3_number(suited[i], suited[j], suited[k])],
                )


@bare_kernel
def _gather_five(suited: Any, shares: Any, total: Any) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                add_row(
                    total,
                    shares[FIRST_THREE_SUITED_FLOP + set3_number(suited[i], suited[j], suited[k])],
                )


@entry_kernel
def spread_suited_boards(
    first: int, last: int, boards: SuitedBoards, types: HoleTypes, counts: DealerCounts,
    action: Any, shares: Any, rows: Any, scratch: SpreadScratch, tallies: FlopTallies,
) -> None:  # fmt: skip
    """Tally deals decided on the flop, by the action they would have taken on the river.

    `rows[pair]` is the row in which a pair of ranks is tallied. A share is at most 576 × 4 × 81 and
    a board sums ten of them, so 32 bits suffice.
    """
    threes, fours, fives, board_ranks = boards.threes, boards.fours, boards.fives, boards.ranks
    pairs, pair_of_type, ways2, ways1 = types.ranks, types.pair, types.ways2, types.ways1
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    suited_shares, flop_tallies = tallies.suited, tallies.flop
    one_off, total, ways = scratch.one_off, scratch.total, scratch.ways
    for board in range(first, last):
        total[:] = 0
        if board < FIRST_FOUR_SUITED:
            off = board % PAIRS
            suited = threes[board // PAIRS]
            if off == 0:
                _gather_one_off(suited, shares, one_off)
            for i in range(3):
                add_row(total, shares[suited[i] * PAIRS + off])
            add_row(total, one_off[pairs[off, 0]])
            add_row(total, one_off[pairs[off, 1]])
            add_row(
                total,
                shares[FIRST_THREE_SUITED_FLOP + set3_number(suited[0], suited[1], suited[2])],
            )
            for i in range(TYPES):
                ways[i] = ways2[off, i]
        elif board < FIRST_FIVE_SUITED:
            off = (board - FIRST_FOUR_SUITED) % RANKS
            _gather_four(fours[(board - FIRST_FOUR_SUITED) // RANKS], off, shares, total)
            for i in range(TYPES):
                ways[i] = ways1[off, i]
        else:
            _gather_five(fives[board - FIRST_FIVE_SUITED], shares, total)
            ways[:] = 1
        ranks = board_ranks[board]
        for i in range(TYPES):
            hand_verdict = verdict[board, i]
            if hand_verdict == IMPOSSIBLE or total[i] == 0:
                continue
            deals = ways[i] * np.int64(total[i])
            pair = pair_of_type[i]
            suited_shares[ranks, pair] += deals
            tally = flop_tallies[rows[pair], action[board, i], hand_verdict]
            tally[0] += deals
            tally[1] += deals * np.int64(win[board, i])
            tally[2] += deals * np.int64(tie[board, i])
            tally[3] += deals * np.int64(weak[board, i])


@entry_kernel
def spread_rank_boards(
    first: int, last: int, rank_boards: RankBoards, counts: DealerCounts, action: Any, shares: Any,
    rows: Any, total: Any, tallies: FlopTallies,
) -> None:  # fmt: skip
    """Tally boards that allow no flush: all boards of these ranks less the suited ones."""
    boards, ways = rank_boards.ranks, rank_boards.ways
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    suited_shares, flop_tallies = tallies.suited, tallies.flop
    for board in range(first, last):
        total[:] = 0
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    flop = multiset3_number(boards[board, i], boards[board, j], boards[board, k])
                    for pair in range(PAIRS):
                        total[pair] += shares[flop, pair]
        for pair in range(PAIRS):
            hand_verdict = verdict[board, pair]
            if hand_verdict == IMPOSSIBLE:
                continue
            deals = ways[board, pair] * total[pair] - suited_shares[board, pair]
            tally = flop_tallies[rows[pair], action[board, pair], hand_verdict]
            tally[0] += deals
            tally[1] += deals * np.int64(win[board, pair])
            tally[2] += deals * np.int64(tie[board, pair])
            tally[3] += deals * np.int64(weak[board, pair])
