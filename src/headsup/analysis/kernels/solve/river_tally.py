"""Tallies every pair and type over all boards, by its river action and verdict.

A **tally** holds the number of boards and the sums of wins, ties and weak dealer hands over them.
Any result for any set of holes follows from these four numbers. The tallies of types are
**packed**, two sums to a word: boards above weak hands, and wins above ties. A type meets at most
2,118,760 boards with 990 dealer hands each, below 2³¹, so even the difference of two sums fits in
half a word.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    VERDICTS,
    DealerCounts,
    HoleTypes,
    Int32s,
    Int64s,
    SuitedBoards,
    Uint8s,
    allocate_padded,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)

ACTIONS = 4  # rounded up to a power of two


class RiverTallies(NamedTuple):
    """The tallies of one thread."""

    packed: Int64s  # [(action, verdict, type), 2]: types with equal verdicts lie together
    pairs: Int64s  # [pair, action, verdict, 4]

    @classmethod
    def empty(cls) -> "RiverTallies":
        pairs = np.zeros((PAIRS, ACTIONS, VERDICTS, 4), np.int64)
        return cls(np.zeros((ACTIONS * VERDICTS * TYPES, 2), np.int64), pairs)


class TallyScratch(NamedTuple):
    """Scratch memory for one board: what each type or pair adds, and to which tally."""

    place: Int32s
    boards_weak: Int64s
    wins_ties: Int64s
    ones: Int64s  # ways to deal a board without off cards

    @classmethod
    def empty(cls) -> "TallyScratch":
        place, *others = allocate_padded(
            *(((TYPES,), dtype) for dtype in (np.int32, np.int64, np.int64, np.int64))
        )
        others[-1][:] = 1
        return cls(place, *others)


@bare_kernel
def _prepare(
    board: int, ways: Any, counts: DealerCounts, action: Any, scratch: TallyScratch
) -> None:
    """Compute what a board adds. This loop is vectorised; the additions afterwards are not."""
    place, boards_weak, wins_ties = scratch.place, scratch.boards_weak, scratch.wins_ties
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    for i in range(win.shape[0]):
        place[i] = (np.int32(action[i] & 3) * VERDICTS + np.int32(verdict[i])) * TYPES + i
        boards_weak[i] = ways[i] * (np.int64(1) << 32 | np.int64(weak[i]))
        wins_ties[i] = ways[i] * (np.int64(win[i]) << 32 | np.int64(tie[i]))


@entry_kernel
def tally_suited_boards(
    first: int, last: int, types: HoleTypes, counts: DealerCounts, action: Any,
    scratch: TallyScratch, tallies: RiverTallies,
) -> None:  # fmt: skip
    """Tally each type on suited boards. Impossible ones go to a tally that nobody reads."""
    place, boards_weak, wins_ties = scratch.place, scratch.boards_weak, scratch.wins_ties
    ways2, ways1, packed = types.ways2, types.ways1, tallies.packed
    for board in range(first, last):
        ways = scratch.ones
        if board < FIRST_FOUR_SUITED:
            ways = ways2[board % PAIRS]
        elif board < FIRST_FIVE_SUITED:
            ways = ways1[(board - FIRST_FOUR_SUITED) % RANKS]
        _prepare(board, ways, counts, action[board], scratch)
        for i in range(TYPES):
            tally = packed[place[i]]
            tally[0] += boards_weak[i]
            tally[1] += wins_ties[i]


@entry_kernel
def count_deals(
    first: int,
    last: int,
    boards: SuitedBoards,
    types: HoleTypes,
    verdict: Any,
    ones: Any,
    deals: Any,
) -> None:
    """Add the real boards that suited boards represent to `deals[rank board, type]`."""
    ways2, ways1 = types.ways2, types.ways1
    for board in range(first, last):
        ways, row = ones, deals[boards.ranks[board]]
        if board < FIRST_FOUR_SUITED:
            ways = ways2[board % PAIRS]
        elif board < FIRST_FIVE_SUITED:
            ways = ways1[(board - FIRST_FOUR_SUITED) % RANKS]
        for i in range(TYPES):
            row[i] += 0 if verdict[board, i] == IMPOSSIBLE else ways[i]


def empty_deals() -> Uint8s:
    return np.zeros((RANK_BOARDS, TYPES), np.uint8)


@entry_kernel
def tally_rank_boards(
    first: int, last: int, ways: Any, types: HoleTypes, counts: DealerCounts, action: Any,
    deals: Any, scratch: TallyScratch, tallies: RiverTallies,
) -> None:  # fmt: skip
    """Tally each pair of ranks on all boards, as if no flush were possible.

    What this counts for a type on suited boards, `deals` of them, is subtracted from its tally.
    """
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    place, boards_weak, wins_ties = scratch.place, scratch.boards_weak, scratch.wins_ties
    pair_of_type, packed, pairs = types.pair, tallies.packed, tallies.pairs
    for board in range(first, last):
        for pair in range(PAIRS):
            if verdict[board, pair] != IMPOSSIBLE:
                dealt = ways[board, pair]
                tally = pairs[pair, action[board, pair], verdict[board, pair]]
                tally[0] += dealt
                tally[1] += dealt * np.int64(win[board, pair])
                tally[2] += dealt * np.int64(tie[board, pair])
                tally[3] += dealt * np.int64(weak[board, pair])
        _prepare(board, scratch.ones, counts, action[board], scratch)
        for i in range(TYPES):
            dealt = np.int64(deals[board, i])
            if dealt != 0:
                pair = pair_of_type[i]
                corrected = packed[place[pair] - pair + i]
                corrected[0] -= dealt * boards_weak[pair]
                corrected[1] -= dealt * wins_ties[pair]
