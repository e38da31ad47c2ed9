"""What All 6's packets make by ranks alone, beside a hole, the ranks of a board and a dealer's two.

As if no flush were possible. Packets that hold neither of the dealer's cards are all packets, less
those with one, less those with the other, and those with both again.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.packets import RANK_BITS
from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import PAIRS, RANKS
from headsup.analysis.kernels.base.thread_memory import allocate_padded

pair_number = bare_kernel(numbering.pair_number)

RANK_LANES = 3  # numbers, of two counts each
LANE_MASK = (1 << RANK_BITS) - 1


class PacketScratch(NamedTuple):
    """Of one rank board: packets beside hole and dealer's ranks."""

    left: Int64s  # [rank]: cards that are in the deck
    ways: Int64s  # [pair]: ways to deal two more cards
    with_two: Int64s  # [pair]: packets that hold the dealer's two cards, in lanes of ten bits
    with_one: Int64s  # [rank, lane]
    beside: Int64s  # [pair held, dealer's pair, lane]: packets that hold none of the dealer's cards


def packet_scratch() -> PacketScratch:
    shapes = ((RANKS,), (PAIRS,), (PAIRS,), (RANKS, RANK_LANES), (PAIRS, PAIRS, RANK_LANES))
    return PacketScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@bare_kernel
def count_packets_by_ranks(board: Any, packets: Any, used: PacketScratch) -> None:
    """Fill `used.beside` for the ranks of a board."""
    left, ways, with_two, with_one = used.left, used.ways, used.with_two, used.with_one
    for a in range(RANKS):
        for b in range(a, RANKS):
            left[:] = 4
            for i in range(5):
                left[board[i]] -= 1
            left[a] -= 1
            left[b] -= 1
            if left[a] < 0 or left[b] < 0:
                continue
            held = pair_number(a, b)
            _count_with_two(packets[held], left, ways, with_two)
            all_0, all_1, all_2 = np.int64(0), np.int64(0), np.int64(0)
            for u in range(RANKS):
                one_0, one_1, one_2 = np.int64(0), np.int64(0), np.int64(0)
                if left[u] > 0:
                    for v in range(RANKS):
                        cards = left[v] - (u == v)
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
                all_0 += left[u] * one_0
                all_1 += left[u] * one_1
                all_2 += left[u] * one_2
            all_0, all_1, all_2 = (
                _divide_lanes(all_0, 4),
                _divide_lanes(all_1, 4),
                _divide_lanes(all_2, 4),
            )
            for v in range(RANKS):
                for u in range(v + 1):
                    number = pair_number(u, v)
                    nobody = used.beside[held, number]
                    two = with_two[number]
                    nobody[0] = all_0 - with_one[u, 0] - with_one[v, 0] + _widen_two_lanes(two, 0)
                    nobody[1] = all_1 - with_one[u, 1] - with_one[v, 1] + _widen_two_lanes(two, 2)
                    nobody[2] = all_2 - with_one[u, 2] - with_one[v, 2] + _widen_two_lanes(two, 4)


@bare_kernel
def _widen_two_lanes(lanes: int, first: int) -> int:
    """Two lanes of ten bits as halves of a number."""
    low = lanes >> (RANK_BITS * first) & LANE_MASK
    return low | (lanes >> (RANK_BITS * (first + 1)) & LANE_MASK) << 32


@bare_kernel
def _divide_lanes(lanes: int, parts: int) -> int:
    """Both halves divided: each packet was met once for each of its cards that was left free."""
    return (lanes & 0xFFFFFFFF) // parts | (lanes >> 32) // parts << 32


@bare_kernel
def _count_with_two(lanes: Any, left: Any, ways: Any, with_two: Any) -> None:
    for v in range(RANKS):
        for u in range(v + 1):
            number = pair_number(u, v)
            with_two[number] = 0
            if left[u] < 1 or left[v] < (2 if u == v else 1):
                continue
            left[u] -= 1
            left[v] -= 1
            at = 0
            for z in range(RANKS):
                for y in range(z):
                    ways[at] = left[y] * left[z]
                    at += 1
                ways[at] = left[z] * (left[z] - 1) // 2
                at += 1
            row, total = lanes[number], np.int64(0)
            for i in range(PAIRS):
                total += ways[i] * row[i]
            with_two[number] = total
            left[u] += 1
            left[v] += 1
