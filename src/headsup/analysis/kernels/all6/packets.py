"""Packets of four cards beside a hole, as All 6 sees them: how many make what.

By ranks alone a packet makes a category as if no flush were possible. What a flush moves is counted
apart, by a mask of the ranks of the flush suit that are out: other packets cannot be dealt.

Several counts are added up in one number, each in a **lane** of bits that no sum here fills.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Int32s, Int64s
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import straight_top
from headsup.analysis.kernels.base.numbering import PAIRS, RANKS
from headsup.analysis.kernels.simulate.side_cases import hand_category

pair_number, set2_number = bare_kernel(numbering.pair_number), bare_kernel(numbering.set2_number)

MASKS = 1 << RANKS
SUITED_HOLES = 78
SIX_ROYAL_MASK = 0x1F80  # the nine to the ace
CARDS_OUT = 7  # cards that are out beside a hole: board and dealer
OFF_CARDS = 39  # cards of other suits
# Lanes by ranks, of ten bits: pair, two pair, trips, straight, full house, quads.
RANK_BITS = 10
# Lanes of flushes: all of them, straight flushes, royals; then those which by ranks alone are a
# pair or a straight, and royals of six cards.
SECOND_LANE, THIRD_LANE = 26, 46
LAST_LANE = 52
# In `PacketTables.ranks_moved`, whose counts are small.
MOVED_LANE = 16


class PacketTables(NamedTuple):
    by_ranks: Int64s  # [pair held, pair, pair]: one in the lane of the category of all six
    one_suited: Int64s  # [mask, own rank, other rank, 2]: a hole with one card of the suit
    two_suited: Int64s  # [mask, suited hole, 2]: with both, if all 39 off cards could be dealt
    ranks_moved: Int32s  # [mask, suited hole, rank]: pairs and straights with an off card


@cache
def packet_tables() -> PacketTables:
    found = PacketTables(
        np.zeros((PAIRS, PAIRS, PAIRS), np.int64),
        np.zeros((MASKS, RANKS, RANKS, 2), np.int64),
        np.zeros((MASKS, SUITED_HOLES, 2), np.int64),
        np.zeros((MASKS, SUITED_HOLES, RANKS), np.int32),
    )
    _fill_ranks(np.zeros(6, np.int64), found.by_ranks)
    room = np.zeros((RANKS + 4, MASKS), np.int64)
    _fill_one_suited(room, found.one_suited)
    _fill_two_suited(room, found.two_suited, found.ranks_moved)
    return found


@bare_kernel
def rank_lane(made: int) -> int:
    """Where a category is counted, as a shift; below zero for one that is not."""
    if made == 0 or made == 5:
        return -1
    return RANK_BITS * (made - 1 if made < 5 else made - 2)


@bare_kernel
def _fill_ranks(six: Any, lanes: Any) -> None:
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(RANKS):
                for d in range(c, RANKS):
                    for e in range(RANKS):
                        for f in range(e, RANKS):
                            six[0], six[1], six[2] = 4 * a, 4 * b, 4 * c + 1
                            six[3], six[4], six[5] = 4 * d + 1, 4 * e + 2, 4 * f + 3
                            lane = rank_lane(hand_category(six, 6))
                            if lane >= 0:
                                row = lanes[pair_number(a, b), pair_number(c, d)]
                                row[pair_number(e, f)] = np.int64(1) << lane


@bare_kernel
def _flush_lanes(suited: int) -> int:
    """Of one hand with these ranks of the suit."""
    top = straight_top(suited)
    lanes = np.int64(1)
    if top >= 0 and suited != SIX_ROYAL_MASK:
        lanes |= np.int64(1) << (THIRD_LANE if top == 12 else SECOND_LANE)
    return lanes


@bare_kernel
def _size(mask: int) -> int:
    size = 0
    while mask:
        mask &= mask - 1
        size += 1
    return size


@bare_kernel
def _sum_subsets(sums: Any) -> None:
    """From each set's own to the sum over all of its subsets."""
    for rank in range(RANKS):
        bit = 1 << rank
        for mask in range(MASKS):
            if mask & bit:
                sums[mask] += sums[mask ^ bit]


@bare_kernel
def _fill_one_suited(room: Any, out: Any) -> None:
    first, second = room[0], room[1]
    for own in range(RANKS):
        held = 1 << own
        for other in range(RANKS):
            first[:] = 0
            second[:] = 0
            for mask in range(MASKS):
                if mask & held or _size(mask) != 4:
                    continue
                suited = mask | held
                first[mask] = _flush_lanes(suited)
                if straight_top(suited | 1 << other) >= 0:
                    second[mask] = np.int64(1) << SECOND_LANE
                elif suited >> other & 1:
                    second[mask] = 1
            _sum_subsets(first)
            _sum_subsets(second)
            for mask in range(MASKS):
                if not mask & held:
                    left = MASKS - 1 - mask
                    out[mask, own, other, 0] = first[left]
                    out[mask, own, other, 1] = second[left] + (np.int64(1) << LAST_LANE)


@bare_kernel
def _fill_two_suited(room: Any, out: Any, moved: Any) -> None:
    for high in range(RANKS):
        for low in range(high):
            held = 1 << low | 1 << high
            room[:] = 0
            for mask in range(MASKS):
                size = _size(mask)
                if mask & held or size < 3 or size > 4:
                    continue
                suited = mask | held
                if size == 4:
                    room[RANKS, mask] = _flush_lanes(suited)
                    room[RANKS + 1, mask] = np.int64(straight_top(suited) >= 0) << SECOND_LANE
                    if suited == SIX_ROYAL_MASK:
                        room[RANKS + 1, mask] |= np.int64(1) << LAST_LANE
                    continue
                room[RANKS + 2, mask] = _flush_lanes(suited)
                for rank in range(RANKS):
                    if straight_top(suited | 1 << rank) >= 0:
                        room[rank, mask] = 1 << MOVED_LANE
                    elif suited >> rank & 1:
                        room[rank, mask] = 1
            for row in range(RANKS + 3):
                _sum_subsets(room[row])
            hole = set2_number(low, high)
            for mask in range(MASKS):
                out_of_suit = CARDS_OUT - _size(mask)
                if mask & held or out_of_suit < 0:
                    continue
                left = MASKS - 1 - mask
                out[mask, hole, 0] = room[RANKS, left]
                out[mask, hole, 0] += (OFF_CARDS - out_of_suit) * room[RANKS + 2, left]
                out[mask, hole, 1] = room[RANKS + 1, left]
                for rank in range(RANKS):
                    ways = room[rank, left]
                    moved[mask, hole, rank] = ways
                    out[mask, hole, 1] += 3 * widen_lanes(ways)


@bare_kernel
def widen_lanes(ways: int) -> int:
    """Lanes of `PacketTables.ranks_moved` as those of flushes."""
    ways = np.int64(ways)
    return (ways & ((1 << MOVED_LANE) - 1)) | (ways >> MOVED_LANE) << SECOND_LANE
