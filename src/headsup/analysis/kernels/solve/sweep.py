"""Counts the wins and ties of every type on one board in a single sweep by ascending strength.

During the sweep, `total` counts the dealer hands passed so far, and `below[kind]` those that hold a
given card of that kind. By inclusion–exclusion a hole with kinds x and y beats
`total - below[x] - below[y]` hands: no hand passed holds both its cards, since only the hole itself
does. When all hands of its own strength have been passed, the difference has grown by its ties; the
hole itself is one of the hands passed and is taken off.
Dealer hands that do not qualify are the first ones passed.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    END_OF_ROW,
    IMPOSSIBLE,
    QUALIFIES,
    DealerCounts,
    HoleTypes,
    Int64s,
    RankBoards,
    StrengthOrders,
    StrengthTables,
    allocate_padded,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import (
    HIGH_BITS,
    LOW_BITS,
    flush_strength,
    strength_tables,
)
from headsup.analysis.kernels.base.numbering import (
    FIRST_ONE_SUITED_TYPE,
    FIRST_TWO_SUITED_TYPE,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    TYPES,
)

SUITED_MASKS = 2288  # sets of three, four or five ranks


class SweepScratch(NamedTuple):
    """Scratch memory for one sweep at a time."""

    remaining: Int64s  # [kind]: cards in the deck that are not on the board
    members: Int64s  # [place]: the types of one strength
    below: Int64s  # [kind]
    weak_below: Int64s  # [kind]: `below` at the first strength that qualifies


@cache
def strength_orders() -> StrengthOrders:
    tables = board_tables()
    strengths = np.zeros((RANK_BOARDS, PAIRS), np.int32)
    _rank_strengths(
        tables.rank_boards, tables.types, strength_tables(), np.zeros(RANKS, np.int64), strengths
    )
    order = np.argsort(strengths, axis=1, kind="stable")
    masks = np.zeros(SUITED_MASKS, np.int64)
    entries = np.full((SUITED_MASKS, 46, 2), -1, np.int16)
    flush_strengths = np.full((SUITED_MASKS, 46), END_OF_ROW, np.int32)
    _flush_entries(masks, entries, flush_strengths)
    by_strength = np.argsort(flush_strengths, axis=1, kind="stable")
    flushes = np.zeros((1 << RANKS, 46, 2), np.int16)
    ascending = np.full((1 << RANKS, 46), END_OF_ROW, np.int32)
    flushes[masks] = np.take_along_axis(entries, by_strength[:, :, None], 1)
    ascending[masks] = np.take_along_axis(flush_strengths, by_strength, 1)
    return StrengthOrders(
        order.astype(np.uint8), np.take_along_axis(strengths, order, 1), flushes, ascending
    )


@entry_kernel
def _rank_strengths(
    rank_boards: RankBoards, types: HoleTypes, tables: StrengthTables, counts: Any, out: Any
) -> None:
    """The strength of each pair of ranks on each rank board; 0 if a rank would occur five times."""
    boards, pairs = rank_boards.ranks, types.ranks
    low, high, ranks = tables.low, tables.high, tables.ranks
    rank_codes = tables.rank_codes
    for board in range(boards.shape[0]):
        counts[:] = 0
        code = 0
        max_count = 0
        for i in range(5):
            counts[boards[board, i]] += 1
            max_count = max(max_count, counts[boards[board, i]])
            code += rank_codes[boards[board, i]]
        for pair in range(PAIRS):
            a, b = pairs[pair, 0], pairs[pair, 1]
            if max_count > 4 or counts[a] + (2 if a == b else 1) > 4 or counts[b] + 1 > 4:
                continue
            key = code + rank_codes[a] + rank_codes[b]
            low_code, high_code = key & ((1 << LOW_BITS) - 1), key >> LOW_BITS
            out[board, pair] = ranks[low[low_code] + high[high_code & ((1 << HIGH_BITS) - 1)]]


@entry_kernel
def _flush_entries(masks: Any, entries: Any, strengths: Any) -> None:
    """List the suited hole ranks that make a flush with each set of suited board ranks."""
    row = 0
    for mask in range(1 << RANKS):
        size = 0
        for rank in range(RANKS):
            size += mask >> rank & 1
        if size < 3 or size > 5:
            continue
        masks[row] = mask
        entry = 0
        for a in range(-1, RANKS):
            for b in range(-1, RANKS):
                both = (0 if a < 0 else 1 << a) | (0 if b < 0 else 1 << b)
                if (b >= 0 and (a < 0 or a >= b)) or both & mask:
                    continue
                if size + (a >= 0) + (b >= 0) < 5:
                    continue
                entries[row, entry, 0] = a
                entries[row, entry, 1] = b
                strengths[row, entry] = flush_strength(mask | both)
                entry += 1
        row += 1


def sweep_scratch() -> SweepScratch:
    kinds = 2 * RANKS
    return SweepScratch(
        *allocate_padded(*(((size,), np.int64) for size in (kinds, TYPES, kinds, kinds)))
    )


@bare_kernel
def sweep(
    board: int, rank_board: int, suited: int, mask: int, qualifier: int,
    types: HoleTypes, orders: StrengthOrders, scratch: SweepScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill the rows of one board with `suited` cards of the flush suit: 3 to 5, or 0 for none.

    `mask` is the set of their ranks. `scratch.remaining` must be filled. This is one long function
    because passing arrays to helpers in the loop costs more than the loop itself.
    """
    kinds, pairs = types.kinds, types.ranks
    order, strengths = orders.pairs[rank_board], orders.strengths[rank_board]
    flushes, flush_strengths = orders.flushes[mask], orders.flush_strengths[mask]
    remaining, members = scratch.remaining, scratch.members
    below, weak_below = scratch.below, scratch.weak_below
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    verdict[:] = IMPOSSIBLE
    below[:] = 0
    total = 0
    weak_total = 0
    qualified = False
    next_pair = PAIRS if suited == 5 else 0
    next_flush = 0
    while True:
        by_ranks = strengths[next_pair] if next_pair < PAIRS else END_OF_ROW
        by_suit = flush_strengths[next_flush] if suited > 0 else END_OF_ROW
        strength = min(by_ranks, by_suit)
        if not qualified and strength >= qualifier:
            qualified = True
            for kind in range(2 * RANKS):
                weak_below[kind] = below[kind]
            weak_total = total
        if strength == END_OF_ROW:
            break
        count = 0
        # Types that make no flush; with four suited cards on the board both cards must be off.
        while next_pair < PAIRS and strengths[next_pair] == strength:
            pair = np.int64(order[next_pair])
            a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
            next_pair += 1
            if remaining[a] > (1 if a == b else 0) and remaining[b] > 0:
                members[count] = pair
                count += 1
            if suited == 3:
                if remaining[a] > 0 and remaining[RANKS + b] > 0:
                    members[count] = FIRST_ONE_SUITED_TYPE + a * RANKS + b
                    count += 1
                if a != b and remaining[b] > 0 and remaining[RANKS + a] > 0:
                    members[count] = FIRST_ONE_SUITED_TYPE + b * RANKS + a
                    count += 1
        # Types whose cards of the flush suit are exactly these.
        while suited > 0 and flush_strengths[next_flush] == strength:
            a, b = np.int64(flushes[next_flush, 0]), np.int64(flushes[next_flush, 1])
            next_flush += 1
            if b >= 0:
                if remaining[RANKS + a] > 0 and remaining[RANKS + b] > 0:
                    members[count] = FIRST_TWO_SUITED_TYPE + a + b * (b - 1) // 2
                    count += 1
            elif a >= 0:
                if remaining[RANKS + a] > 0:
                    for off in range(RANKS):
                        if remaining[off] > 0:
                            members[count] = FIRST_ONE_SUITED_TYPE + off * RANKS + a
                            count += 1
            else:
                for pair in range(PAIRS):
                    a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
                    if remaining[a] > (1 if a == b else 0) and remaining[b] > 0:
                        members[count] = pair
                        count += 1
        hand_verdict = (strength >> 20) + (QUALIFIES if qualified else 0)
        for i in range(count):
            member = members[i]
            win[member] = total - below[kinds[member, 0]] - below[kinds[member, 1]]
            verdict[member] = hand_verdict
        for i in range(count):
            x, y = kinds[members[i], 0], kinds[members[i], 1]
            if x == y:
                total += remaining[x] * (remaining[x] - 1) // 2
                below[x] += remaining[x] - 1
            else:
                total += remaining[x] * remaining[y]
                below[x] += remaining[y]
                below[y] += remaining[x]
        for i in range(count):
            member = members[i]
            passed = total - below[kinds[member, 0]] - below[kinds[member, 1]]
            tie[member] = passed + 1 - win[member]
    for member in range(win.shape[0]):
        itself = 0 if verdict[member] >= QUALIFIES else 1
        weak_with_hole = weak_below[kinds[member, 0]] + weak_below[kinds[member, 1]]
        weak[member] = weak_total - weak_with_hole + itself
