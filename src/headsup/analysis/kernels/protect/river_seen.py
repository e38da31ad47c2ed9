"""One of the board's last two cards is seen from the start, with the flop still to come.

Whoever knows it waits on the flop for one card alone. A layer is then summed over that card: the
value of each board goes to the flop that is left when the seen card and the last one are taken out
of it, as often as there are cards of the last one's kind.
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
from headsup.analysis.kernels.base.compiled import bare_kernel
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
    """Where one board is taken apart."""

    looked: Int64s  # [2, type]
    values: Int64s  # [type]
    action: Uint8s  # [type]
    suited: Int64s  # ranks of the board, and what is left of them
    off: Int64s
    rest: Int64s
    kept: Int64s

    @classmethod
    def empty(cls) -> "SeenScratch":
        suited, off, rest, kept = (np.zeros(5, np.int64) for _ in range(4))
        looked, values = np.zeros((2, TYPES), np.int64), np.zeros(TYPES, np.int64)
        return cls(looked, values, np.zeros(TYPES, np.uint8), suited, off, rest, kept)


@bare_kernel
def collect_seen_ranks(
    seen: int, left: Any, boards: RankBoards, types: HoleTypes, verdict: Any, values: Any,
    used: SeenScratch, flops: Any,
) -> None:  # fmt: skip
    """Boards as ranks alone that hold the rank seen; `left` has the deck's cards of each rank."""
    ranks, pairs, rest = boards.ranks, types.ranks, used.rest
    for board in range(ranks.shape[0]):
        if not _remove_seen(ranks[board], 5, seen, rest):
            continue
        for last in range(4):
            if last > 0 and rest[last] == rest[last - 1]:
                continue
            a, b, c = _other_three(rest, last)
            flop, rank = multiset3_number(a, b, c), rest[last]
            dealt = left[rank] - (a == rank) - (b == rank) - (c == rank) - (seen == rank)
            for pair in range(PAIRS):
                if verdict[board, pair] != IMPOSSIBLE:
                    ways = dealt - (pairs[pair, 0] == rank) - (pairs[pair, 1] == rank)
                    flops[flop, pair] += ways * values[board, pair]


@bare_kernel
def collect_seen_suits(
    seen: int, boards: SuitedBoards, rank_boards: RankBoards, types: HoleTypes,
    counts: DealerCounts, choice: RiverChoice, rank_values: Any, used: SeenScratch,
    suited_flops: Any, off_flops: Any,
) -> None:  # fmt: skip
    """The difference that a flush makes, once for a seen card of the flush suit, once for another.

    `types.ways1` are the ways to deal one off card beside the hole.
    """
    looked, values, action = used.looked, used.values, used.action
    suited, off, rest, kept = used.suited, used.off, used.rest, used.kept
    for board in range(counts.win.shape[0]):
        in_suit, others = _split(board, boards, rank_boards, suited, off)
        of_suit, of_others = False, False
        for i in range(in_suit):
            of_suit |= suited[i] == seen
        for i in range(others):
            of_others |= off[i] == seen
        if not (of_suit or of_others):
            continue
        choose_river_actions(board, counts, choice, looked, values, action)
        subtract_rank_values(
            values, rank_values[boards.ranks[board]], types.pair, counts.verdict[board], looked
        )
        if of_suit:
            _remove_seen(suited, in_suit, seen, rest)
            _push(rest, in_suit - 1, off, others, RANKS, types, values, kept, suited_flops)
        if of_others:
            _remove_seen(off, others, seen, rest)
            _push(suited, in_suit, rest, others - 1, seen, types, values, kept, off_flops)


@bare_kernel
def _push(
    suited: Any, in_suit: int, off: Any, others: int, seen: int, types: HoleTypes, values: Any,
    kept: Any, flops: Any,
) -> None:  # fmt: skip
    """Of the four cards left each kind is the last one once. `seen` is an off rank, if any."""
    for last in range(in_suit):
        _copy_without(suited, in_suit, last, kept)
        add_row(flops[_flop(kept, in_suit - 1, off)], values)
    for last in range(others):
        if last > 0 and off[last] == off[last - 1]:
            continue
        _copy_without(off, others, last, kept)
        row, rank = flops[_flop(suited, in_suit, kept)], off[last]
        gone = 1 if seen == rank else 0
        for i in range(others - 1):
            gone += kept[i] == rank
        for i in range(TYPES):
            row[i] += (types.ways1[rank, i] - gone) * values[i]


@bare_kernel
def _flop(suited: Any, in_suit: int, off: Any) -> int:
    """Its number as the flush suit sees it; at least one card is of that suit."""
    if in_suit == 1:
        return suited[0] * PAIRS + pair_number(off[0], off[1])
    if in_suit == 2:
        return FIRST_TWO_SUITED_FLOP + set2_number(suited[0], suited[1]) * RANKS + off[0]
    return FIRST_THREE_SUITED_FLOP + set3_number(suited[0], suited[1], suited[2])


@bare_kernel
def _split(board: int, boards: SuitedBoards, rank_boards: RankBoards, suited: Any, off: Any) -> Any:
    """The board's ranks of the flush suit and its others, ascending, and how many of each."""
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
    """All but one of the rank seen; whether there is one."""
    at, found = 0, False
    for i in range(count):
        if not found and ranks[i] == seen:
            found = True
        elif at < count - 1:
            rest[at] = ranks[i]
            at += 1
    return found


@bare_kernel
def _copy_without(ranks: Any, count: int, skipped: int, kept: Any) -> None:
    at = 0
    for i in range(count):
        if i != skipped:
            kept[at] = ranks[i]
            at += 1


@bare_kernel
def _other_three(rest: Any, skipped: int) -> Any:
    """The other three of four."""
    return (
        rest[1] if skipped == 0 else rest[0],
        rest[2] if skipped <= 1 else rest[1],
        rest[3] if skipped <= 2 else rest[2],
    )
