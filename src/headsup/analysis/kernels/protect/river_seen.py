"""Kernels for a player who sees the turn or river card before the flop.

On the flop such a player has one unknown card to come, so layers are summed over that card alone.
Each board's value is added to the flop that remains without the seen card and the last card, once
for each card of the last one's kind.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    DealerCounts,
    HoleTypes,
    Int64s,
    RankBoards,
    RiverChoice,
    SuitedBoards,
    Uint8s,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_THREE_SUITED_FLOP,
    FIRST_TWO_SUITED_FLOP,
    PAIRS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.solve.flops import (
    add_row,
    choose_river_actions,
    multiset3_number,
    set2_number,
    set3_number,
    subtract_rank_values,
)

pair_number = bare_kernel(numbering.pair_number)


class SeenScratch(NamedTuple):
    """Scratch memory for one board."""

    looked_up: Int64s  # [2, type]
    values: Int64s  # [type]
    action: Uint8s  # [type]
    suited: Int64s  # [5] each: ranks of the board, and parts of them
    off: Int64s
    rest: Int64s
    flop_ranks: Int64s

    @classmethod
    def empty(cls) -> "SeenScratch":
        suited, off, rest, flop_ranks = (np.zeros(5, np.int64) for _ in range(4))
        looked_up, values = np.zeros((2, TYPES), np.int64), np.zeros(TYPES, np.int64)
        return cls(looked_up, values, np.zeros(TYPES, np.uint8), suited, off, rest, flop_ranks)


@entry_kernel
def collect_seen_ranks(
    seen: int, remaining: Any, boards: RankBoards, types: HoleTypes, verdict: Any, values: Any,
    scratch: SeenScratch, flops: Any,
) -> None:  # fmt: skip
    """Collect rank boards with the seen rank. `remaining` has the deck's cards of each rank."""
    ranks, pairs, rest = boards.ranks, types.ranks, scratch.rest
    for board in range(ranks.shape[0]):
        if not _remove_seen(ranks[board], 5, seen, rest):
            continue
        for last in range(4):
            if last > 0 and rest[last] == rest[last - 1]:
                continue
            a, b, c = _other_three(rest, last)
            flop, rank = multiset3_number(a, b, c), rest[last]
            dealt = remaining[rank] - (a == rank) - (b == rank) - (c == rank) - (seen == rank)
            for pair in range(PAIRS):
                if verdict[board, pair] != IMPOSSIBLE:
                    ways = dealt - (pairs[pair, 0] == rank) - (pairs[pair, 1] == rank)
                    flops[flop, pair] += ways * values[board, pair]


@entry_kernel
def collect_seen_suits(
    seen: int, boards: SuitedBoards, rank_boards: RankBoards, types: HoleTypes,
    counts: DealerCounts, choice: RiverChoice, rank_values: Any, scratch: SeenScratch,
    suited_flops: Any, off_flops: Any,
) -> None:  # fmt: skip
    """Collect the difference that a flush makes.

    `suited_flops` is for a seen card of the flush suit, `off_flops` for one of another suit.
    `types.ways1` are the ways to deal one off card with the hole.
    """
    looked_up, values, action = scratch.looked_up, scratch.values, scratch.action
    suited, off, rest, flop_ranks = scratch.suited, scratch.off, scratch.rest, scratch.flop_ranks
    for board in range(counts.win.shape[0]):
        in_suit, others = _split(board, boards, rank_boards, suited, off)
        seen_in_suit, seen_off = False, False
        for i in range(in_suit):
            seen_in_suit |= suited[i] == seen
        for i in range(others):
            seen_off |= off[i] == seen
        if not (seen_in_suit or seen_off):
            continue
        choose_river_actions(board, counts, choice, looked_up, values, action)
        subtract_rank_values(
            values, rank_values[boards.ranks[board]], types.pair, counts.verdict[board], looked_up
        )
        if seen_in_suit:
            _remove_seen(suited, in_suit, seen, rest)
            _push(rest, in_suit - 1, off, others, RANKS, types, values, flop_ranks, suited_flops)
        if seen_off:
            _remove_seen(off, others, seen, rest)
            _push(suited, in_suit, rest, others - 1, seen, types, values, flop_ranks, off_flops)


@bare_kernel
def _push(
    suited: Any, in_suit: int, off: Any, others: int, seen: int, types: HoleTypes, values: Any,
    flop_ranks: Any, flops: Any,
) -> None:  # fmt: skip
    """Add a board's values to its flops, with each kind of the other four cards as the last card.

    `seen` is the seen off rank, or RANKS if the seen card is of the flush suit.
    """
    for last in range(in_suit):
        _copy_without(suited, in_suit, last, flop_ranks)
        add_row(flops[_flop(flop_ranks, in_suit - 1, off)], values)
    for last in range(others):
        if last > 0 and off[last] == off[last - 1]:
            continue
        _copy_without(off, others, last, flop_ranks)
        row, rank = flops[_flop(suited, in_suit, flop_ranks)], off[last]
        missing = 1 if seen == rank else 0
        for i in range(others - 1):
            missing += flop_ranks[i] == rank
        for i in range(TYPES):
            row[i] += (types.ways1[rank, i] - missing) * values[i]


@bare_kernel
def _flop(suited: Any, in_suit: int, off: Any) -> int:
    """The number of a flop with at least one card of the flush suit."""
    if in_suit == 1:
        return suited[0] * PAIRS + pair_number(off[0], off[1])
    if in_suit == 2:
        return FIRST_TWO_SUITED_FLOP + set2_number(suited[0], suited[1]) * RANKS + off[0]
    return FIRST_THREE_SUITED_FLOP + set3_number(suited[0], suited[1], suited[2])


@bare_kernel
def _split(board: int, boards: SuitedBoards, rank_boards: RankBoards, suited: Any, off: Any) -> Any:
    """Fill the board's suited and off ranks, ascending. Returns how many there are of each."""
    ranks, mask = rank_boards.ranks[boards.ranks[board]], np.int64(boards.suited[board])
    in_suit, others = 0, 0
    for i in range(5):
        rank = np.int64(ranks[i])
        if mask >> rank & 1:
            suited[in_suit] = rank
            in_suit += 1
            mask ^= np.int64(1) << rank
        else:
            off[others] = rank
            others += 1
    return in_suit, others


@bare_kernel
def _remove_seen(ranks: Any, count: int, seen: int, rest: Any) -> bool:
    """Copy all ranks but one of the seen rank to `rest`. Returns whether there is one."""
    size, found = 0, False
    for i in range(count):
        if not found and ranks[i] == seen:
            found = True
        elif size < count - 1:
            rest[size] = ranks[i]
            size += 1
    return found


@bare_kernel
def _copy_without(ranks: Any, count: int, skipped: int, out: Any) -> None:
    size = 0
    for i in range(count):
        if i != skipped:
            out[size] = ranks[i]
            size += 1


@bare_kernel
def _other_three(rest: Any, skipped: int) -> Any:
    """The three of four ranks that are not skipped."""
    return (
        rest[1] if skipped == 0 else rest[0],
        rest[2] if skipped <= 1 else rest[1],
        rest[3] if skipped <= 2 else rest[2],
    )
