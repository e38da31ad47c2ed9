"""Every pair and type on every board, tallied by what it does on the river and by its verdict.

A **tally** counts boards, and sums up over them wins, ties and weak dealer hands; any result of
any choice of holes follows from these four.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.arrays import (
    IMPOSSIBLE,
    VERDICTS,
    DealerCounts,
    SuitedBoards,
    Types,
)
from headsup.analysis.kernels.compiled import entry
from headsup.analysis.kernels.numbering import FIRST_FIVE, FIRST_FOUR, PAIRS, RANKS, TYPES

ACTIONS = 4  # places for them, a power of two


@entry
def tally_suited_boards(
    first: int, last: int, suited_boards: SuitedBoards, types: Types, counts: DealerCounts,
    action: Any, ones: Any, boards: Any, packed: Any,
) -> None:  # fmt: skip
    """Tally each type on suited boards; `boards[rank board, type]` counts them.

    `packed[type, action and verdict, 2]` has two sums in each number, boards above weak hands and
    wins above ties: a type meets at most 2,118,760 boards with 990 hands each, below 2³².
    `ones` are the ways to deal no off card.
    """
    ways2, ways1 = types.ways2, types.ways1
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    for board in range(first, last):
        ways = ones
        if board < FIRST_FOUR:
            ways = ways2[board % PAIRS]
        elif board < FIRST_FIVE:
            ways = ways1[(board - FIRST_FOUR) % RANKS]
        row = boards[suited_boards.ranks[board]]
        for i in range(TYPES):
            row[i] += 0 if verdict[board, i] == IMPOSSIBLE else ways[i]
        for i in range(TYPES):
            known = np.int64(verdict[board, i])
            tally = packed[i, np.int64(action[board, i] & 3) * VERDICTS + known]
            tally[0] += ways[i] * (np.int64(1) << 32 | np.int64(weak[board, i]))
            tally[1] += ways[i] * (np.int64(win[board, i]) << 32 | np.int64(tie[board, i]))


@entry
def tally_rank_boards(
    ways: Any, types: Types, counts: DealerCounts, action: Any, boards: Any, pairs: Any, suited: Any
) -> None:
    """Tally each pair of ranks on all boards, as if no flush were possible.

    From each type's tally goes what its ranks were so given on suited boards.
    """
    win, tie, weak, verdict = counts.win, counts.tie, counts.weak, counts.verdict
    pair_of_type = types.pair
    for board in range(verdict.shape[0]):
        for pair in range(PAIRS):
            if verdict[board, pair] != IMPOSSIBLE:
                deals = ways[board, pair]
                tally = pairs[pair, action[board, pair], verdict[board, pair]]
                tally[0] += deals
                tally[1] += deals * np.int64(win[board, pair])
                tally[2] += deals * np.int64(tie[board, pair])
                tally[3] += deals * np.int64(weak[board, pair])
        for i in range(TYPES):
            deals = np.int64(boards[board, i])
            if deals != 0:
                pair = pair_of_type[i]
                tally = suited[i, action[board, pair], verdict[board, pair]]
                tally[0] -= deals
                tally[1] -= deals * np.int64(win[board, pair])
                tally[2] -= deals * np.int64(tie[board, pair])
                tally[3] -= deals * np.int64(weak[board, pair])
