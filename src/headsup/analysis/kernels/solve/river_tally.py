"""Every pair and type on every board, tallied by what it does on the river and by its verdict.

A **tally** counts boards, and sums up over them wins, ties and weak dealer hands; any result of
any choice of holes follows from these four. Types have theirs **packed**, two sums in each word:
boards above weak hands, and wins above ties. A type meets at most 2,118,760 boards with 990 dealer
hands each, below 2³¹, so that even the difference of two such sums stays in its half.
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
from headsup.analysis.kernels.base.thread_memory import allocate_padded

ACTIONS = 4  # places for them, a power of two


class RiverTallies(NamedTuple):
    """Of one thread."""

    packed: Int64s  # [(action, verdict, type), 2]: neighbours on a board are often neighbours here
    pairs: Int64s  # [pair, action, verdict, 4]

    @classmethod
    def empty(cls) -> "RiverTallies":
        pairs = np.zeros((PAIRS, ACTIONS, VERDICTS, 4), np.int64)
        return cls(np.zeros((ACTIONS * VERDICTS * TYPES, 2), np.int64), pairs)


class TallyScratch(NamedTuple):
    """Of one board at a time: what is added for each type or pair, and where."""

    place: Int32s
    boards_weak: Int64s
    wins_ties: Int64s
    ones: Int64s  # the ways to deal no off card

    @classmethod
    def empty(cls) -> "TallyScratch":
        place, *others = allocate_padded(
            *(((TYPES,), of) for of in (np.int32, np.int64, np.int64, np.int64))
        )
        others[-1][:] = 1
        return cls(place, *others)


@bare_kernel
def _prepare(board: int, ways: Any, counts: DealerCounts, action: Any, used: TallyScratch) -> None:
    """A loop of its own: computed many at once, where additions go one by one."""
    place, boards_weak, wins_ties = used.place, used.boards_weak, used.wins_ties
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    for i in range(win.shape[0]):
        place[i] = (np.int32(action[i] & 3) * VERDICTS + np.int32(verdict[i])) * TYPES + i
        boards_weak[i] = ways[i] * (np.int64(1) << 32 | np.int64(weak[i]))
        wins_ties[i] = ways[i] * (np.int64(win[i]) << 32 | np.int64(tie[i]))


@entry_kernel
def tally_suited_boards(
    first: int, last: int, types: HoleTypes, counts: DealerCounts, action: Any, used: TallyScratch,
    tallies: RiverTallies,
) -> None:  # fmt: skip
    """Tally each type on suited boards. What is impossible is tallied as such, and not read."""
    place, boards_weak, wins_ties = used.place, used.boards_weak, used.wins_ties
    ways2, ways1, packed = types.ways2, types.ways1, tallies.packed
    for board in range(first, last):
        ways = used.ones
        if board < FIRST_FOUR_SUITED:
            ways = ways2[board % PAIRS]
        elif board < FIRST_FIVE_SUITED:
            ways = ways1[(board - FIRST_FOUR_SUITED) % RANKS]
        _prepare(board, ways, counts, action[board], used)
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
    """Add to `deals[rank board, type]` the real boards that suited ones stand for."""
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
    deals: Any, used: TallyScratch, tallies: RiverTallies,
) -> None:  # fmt: skip
    """Tally each pair of ranks on all boards, as if no flush were possible.

    From each type's tally goes what its ranks were so given on suited boards: on as many as
    `deals` says.
    """
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    place, boards_weak, wins_ties = used.place, used.boards_weak, used.wins_ties
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
        _prepare(board, used.ones, counts, action[board], used)
        for i in range(TYPES):
            dealt = np.int64(deals[board, i])
            if dealt != 0:
                pair = pair_of_type[i]
                less = packed[place[pair] - pair + i]
                less[0] -= dealt * boards_weak[pair]
                less[1] -= dealt * wins_ties[pair]
