"""Counts the All 6 packets (four cards) that make each category with a hole.

Packets are first counted by ranks, as if no flush were possible. The changes that flushes make are
counted separately, by a mask of the flush suit's ranks that are already dealt, since other packets
cannot be dealt.

Several counts share one integer, each in a **lane** of bits that no sum here overflows.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Int32s, Int64s, allocate_padded
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import straight_top
from headsup.analysis.kernels.base.numbering import PAIRS, RANKS
from headsup.analysis.kernels.simulate.side_cases import hand_category

pair_number, set2_number = bare_kernel(numbering.pair_number), bare_kernel(numbering.set2_number)

MASKS = 1 << RANKS
SUITED_HOLES = 78
SIX_ROYAL_MASK = 0x1F80  # nine to ace
CARDS_OUT = 7  # cards dealt besides the hole: board and dealer
OFF_CARDS = 39  # cards outside the flush suit
# Lanes by ranks, ten bits each: pair, two pair, trips, straight, full house, quads.
RANK_BITS = 10
# Lanes of flushes. First number: all, straight flushes, royals. Second: flushes that are a pair or
# a straight by ranks, and royals of six cards.
SECOND_LANE, THIRD_LANE = 26, 46
LAST_LANE = 52
# The second lane of `PacketTables.ranks_moved`, whose counts are small.
MOVED_LANE = 16


class PacketTables(NamedTuple):
    by_ranks: Int64s  # [hole pair, pair, pair]: 1 in the lane of the six cards' category
    one_suited: Int64s  # [mask, suited rank, other rank, 2]: holes with one card of the suit
    two_suited: Int64s  # [mask, suited hole, 2]: holes with two, as if all 39 off cards were left
    # [mask, suited hole, rank]: pairs and straights with an off card of that rank
    ranks_moved: Int32s


@cache
def packet_tables() -> PacketTables:
    tables = PacketTables(
        np.zeros((PAIRS, PAIRS, PAIRS), np.int64),
        np.zeros((MASKS, RANKS, RANKS, 2), np.int64),
        np.zeros((MASKS, SUITED_HOLES, 2), np.int64),
        np.zeros((MASKS, SUITED_HOLES, RANKS), np.int32),
    )
    _fill_ranks(np.zeros(6, np.int64), tables.by_ranks)
    scratch = np.zeros((RANKS + 4, MASKS), np.int64)
    _fill_one_suited(scratch, tables.one_suited)
    _fill_two_suited(scratch, tables.two_suited, tables.ranks_moved)
    return tables


@bare_kernel
def rank_lane(category: int) -> int:
    """The shift of a category's lane, or -1 if it has none."""
    if category == 0 or category == 5:
        return -1
    return RANK_BITS * (category - 1 if category < 5 else category - 2)


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
    """The lanes of one hand with these ranks of the suit."""
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
    """Replace each set's value by the sum over all its subsets."""
    for rank in range(RANKS):
        bit = 1 << rank
        for mask in range(MASKS):
            if mask & bit:
                sums[mask] += sums[mask ^ bit]


@bare_kernel
def _fill_one_suited(scratch: Any, out: Any) -> None:
    first, second = scratch[0], scratch[1]
    for suited_rank in range(RANKS):
        hole_mask = 1 << suited_rank
        for other in range(RANKS):
            first[:] = 0
            second[:] = 0
            for mask in range(MASKS):
                if mask & hole_mask or _size(mask) != 4:
                    continue
                suited = mask | hole_mask
                first[mask] = _flush_lanes(suited)
                if straight_top(suited | 1 << other) >= 0:
                    second[mask] = np.int64(1) << SECOND_LANE
                elif suited >> other & 1:
                    second[mask] = 1
            _sum_subsets(first)
            _sum_subsets(second)
            for mask in range(MASKS):
                if not mask & hole_mask:
                    complement = MASKS - 1 - mask
                    out[mask, suited_rank, other, 0] = first[complement]
                    out[mask, suited_rank, other, 1] = second[complement] + (
                        np.int64(1) << LAST_LANE
                    )


@bare_kernel
def _fill_two_suited(scratch: Any, out: Any, ranks_moved: Any) -> None:
    for high in range(RANKS):
        for low in range(high):
            hole_mask = 1 << low | 1 << high
            scratch[:] = 0
            for mask in range(MASKS):
                size = _size(mask)
                if mask & hole_mask or size < 3 or size > 4:
                    continue
                suited = mask | hole_mask
                if size == 4:
                    scratch[RANKS, mask] = _flush_lanes(suited)
                    scratch[RANKS + 1, mask] = np.int64(straight_top(suited) >= 0) << SECOND_LANE
                    if suited == SIX_ROYAL_MASK:
                        scratch[RANKS + 1, mask] |= np.int64(1) << LAST_LANE
                    continue
                scratch[RANKS + 2, mask] = _flush_lanes(suited)
                for rank in range(RANKS):
                    if straight_top(suited | 1 << rank) >= 0:
                        scratch[rank, mask] = 1 << MOVED_LANE
                    elif suited >> rank & 1:
                        scratch[rank, mask] = 1
            for row in range(RANKS + 3):
                _sum_subsets(scratch[row])
            hole = set2_number(low, high)
            for mask in range(MASKS):
                off_cards_dealt = CARDS_OUT - _size(mask)
                if mask & hole_mask or off_cards_dealt < 0:
                    continue
                complement = MASKS - 1 - mask
                out[mask, hole, 0] = scratch[RANKS, complement]
                out[mask, hole, 0] += (OFF_CARDS - off_cards_dealt) * scratch[RANKS + 2, complement]
                out[mask, hole, 1] = scratch[RANKS + 1, complement]
                for rank in range(RANKS):
                    ways = scratch[rank, complement]
                    ranks_moved[mask, hole, rank] = ways
                    out[mask, hole, 1] += 3 * widen_lanes(ways)


@bare_kernel
def widen_lanes(ways: int) -> int:
    """Convert lanes of `PacketTables.ranks_moved` to lanes of flushes."""
    ways = np.int64(ways)
    return (ways & ((1 << MOVED_LANE) - 1)) | (ways >> MOVED_LANE) << SECOND_LANE


RANK_LANES = 3  # numbers with two counts each
LANE_MASK = (1 << RANK_BITS) - 1


class PacketScratch(NamedTuple):
    """Scratch memory for one rank board: packets by the ranks of hole and dealer."""

    remaining: Int64s  # [rank]: cards in the deck
    ways: Int64s  # [pair]: ways to deal two more cards
    with_two: Int64s  # [pair]: packets with these two cards, in lanes of ten bits
    with_one: Int64s  # [rank, lane]: packets with one given card of the rank
    by_dealer_pair: Int64s  # [hole pair, dealer's pair, lane]: packets without the dealer's cards


def packet_scratch() -> PacketScratch:
    shapes = ((RANKS,), (PAIRS,), (PAIRS,), (RANKS, RANK_LANES), (PAIRS, PAIRS, RANK_LANES))
    return PacketScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@bare_kernel
def count_packets_by_ranks(board: Any, packets: Any, scratch: PacketScratch) -> None:
    """Count the packets by the ranks of hole and dealer, for the ranks of a board."""
    remaining, ways = scratch.remaining, scratch.ways
    with_two, with_one = scratch.with_two, scratch.with_one
    for a in range(RANKS):
        for b in range(a, RANKS):
            remaining[:] = 4
            for i in range(5):
                remaining[board[i]] -= 1
            remaining[a] -= 1
            remaining[b] -= 1
            if remaining[a] < 0 or remaining[b] < 0:
                continue
            hole_pair = pair_number(a, b)
            _count_with_two(packets[hole_pair], remaining, ways, with_two)
            all_0, all_1, all_2 = np.int64(0), np.int64(0), np.int64(0)
            for u in range(RANKS):
                one_0, one_1, one_2 = np.int64(0), np.int64(0), np.int64(0)
                if remaining[u] > 0:
                    for v in range(RANKS):
                        cards = remaining[v] - (u == v)
                        if cards > 0:
                            two = with_two[pair_number(min(u, v), max(u, v))]
                            one_0 += cards * _widen_two_lanes(two, 0)
                            one_1 += cards * _widen_two_lanes(two, 2)
                            one_2 += cards * _widen_two_lanes(two, 4)
                one_0, one_1, one_2 = (
                    _divide_lanes(one_0, 3),
                    _divide_lanes(one_1, 3),
                    _divide_lanes(one_2, 3),
                )
                with_one[u, 0], with_one[u, 1], with_one[u, 2] = one_0, one_1, one_2
                all_0 += remaining[u] * one_0
                all_1 += remaining[u] * one_1
                all_2 += remaining[u] * one_2
            all_0, all_1, all_2 = (
                _divide_lanes(all_0, 4),
                _divide_lanes(all_1, 4),
                _divide_lanes(all_2, 4),
            )
            for v in range(RANKS):
                for u in range(v + 1):
                    number = pair_number(u, v)
                    without = scratch.by_dealer_pair[hole_pair, number]
                    two = with_two[number]
                    without[0] = all_0 - with_one[u, 0] - with_one[v, 0] + _widen_two_lanes(two, 0)
                    without[1] = all_1 - with_one[u, 1] - with_one[v, 1] + _widen_two_lanes(two, 2)
                    without[2] = all_2 - with_one[u, 2] - with_one[v, 2] + _widen_two_lanes(two, 4)


@bare_kernel
def _widen_two_lanes(lanes: int, first: int) -> int:
    """Spread two lanes of ten bits to the halves of a number."""
    low = lanes >> (RANK_BITS * first) & LANE_MASK
    return low | (lanes >> (RANK_BITS * (first + 1)) & LANE_MASK) << 32


@bare_kernel
def _divide_lanes(lanes: int, parts: int) -> int:
    """Divide both halves: each packet was counted once for each card not fixed."""
    return (lanes & 0xFFFFFFFF) // parts | (lanes >> 32) // parts << 32


@bare_kernel
def _count_with_two(lanes: Any, remaining: Any, ways: Any, with_two: Any) -> None:
    for v in range(RANKS):
        for u in range(v + 1):
            number = pair_number(u, v)
            with_two[number] = 0
            if remaining[u] < 1 or remaining[v] < (2 if u == v else 1):
                continue
            remaining[u] -= 1
            remaining[v] -= 1
            pair = 0
            for z in range(RANKS):
                for y in range(z):
                    ways[pair] = remaining[y] * remaining[z]
                    pair += 1
                ways[pair] = remaining[z] * (remaining[z] - 1) // 2
                pair += 1
            row, total = lanes[number], np.int64(0)
            for i in range(PAIRS):
                total += ways[i] * row[i]
            with_two[number] = total
            remaining[u] += 1
            remaining[v] += 1
