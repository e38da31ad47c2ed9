"""Every board with every hole, decided by a strategy: rounds by how they end and by what lies
beside them, All 6's packet or the hand of both hole cards.

Boards that differ by names of suits alone are the same: of each such set one is dealt.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.board_layout import LaidBoard, lay_out
from headsup.analysis.kernels.all6.board_packets import (
    SETS,
    add_by_ranks,
    add_one_suited,
    add_two_suited,
    hands_below,
    set2,
    sum_alike,
    threshold,
)
from headsup.analysis.kernels.all6.packets import LAST, SECOND, THIRD, Packets
from headsup.analysis.kernels.all6.ranks import SixScratch, count_beside
from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, Lookup
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import STRAIGHT_FLUSH, SUIT_SHIFT
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.base.thread_memory import apart
from headsup.analysis.kernels.simulate.decisions import (
    Places,
    Playbooks,
    flop_place,
    flush_suit,
    pocket_class,
    rank_row,
    river_place,
    suited_row,
    unpacked,
)
from headsup.analysis.kernels.simulate.side_cases import own_category, pool_case

# What a packet makes: below a royal its category, then a royal of five cards, then one of six.
SIX_KINDS = 11
FIVE_ROYAL, SIX_ROYAL = 9, 10
PACKETS_LEFT = 123_410  # of four cards, beside hole, board and dealer
WAYS = 7


class CountedBy(NamedTuple):
    """What rounds are counted by beside their ends."""

    packets: int  # 1 for what All 6's packet makes
    own_hand: int  # 1 for the hand of both hole cards


class DealtScratch(NamedTuple):
    perms: Int64s  # [24, suit]
    orders: Int64s  # [flop, 5]: places of the board, the flop's three first
    cards: Int64s  # [5]
    dealt: Int64s  # [5]: the flop first
    suits: Int64s  # [5]
    hand: Int64s  # [6]
    flops: Int64s  # [way]: flops of ten
    ends: Int64s  # [set, kind of packet]


def dealt_scratch() -> DealtScratch:
    shapes = ((24, 4), (10, 5), (5,), (5,), (5,), (6,), (WAYS,), (SETS, SIX_KINDS))
    used = DealtScratch(*apart(*((shape, np.int64) for shape in shapes)))
    used.perms[:] = list(permutations(range(4)))
    used.orders[:] = [[*flop, *({*range(5)} - {*flop})] for flop in combinations(range(5), 3)]
    return used


@bare_kernel
def count_dealt(
    first: int, last: int, asked: CountedBy, qualifier: int, boards: Any, packets: Packets,
    places: Places, books: Playbooks, look: Lookup, six: SixScratch, used: LaidBoard,
    room: DealtScratch, sums: Any,
) -> None:  # fmt: skip
    """Add the boards of these ranks to
    `sums[class, way to decide, case and own hand, qualifies, set, kind of packet]`."""
    cards, suits = room.cards, room.suits
    for number in range(first, last):
        ranks = boards[number]
        if ranks[0] == ranks[4]:
            continue
        if asked.packets:
            count_beside(ranks, packets.by_ranks, six)
        for code in range(1024):
            possible = True
            for i in range(5):
                suits[i] = code >> (2 * i) & 3
                cards[i] = 4 * ranks[i] + suits[i]
                if i > 0 and cards[i] <= cards[i - 1]:
                    possible = False
            if not possible:
                continue
            weight = _weight(cards, room.perms)
            if weight > 0:
                _count_board(
                    *(weight, asked, qualifier, packets, places, books, look, six.beside),
                    *(used, room, sums),
                )


@bare_kernel
def _weight(cards: Any, perms: Any) -> int:
    """How many boards it stands for; 0 where another does."""
    own = np.int64(0)
    for i in range(5):
        own |= np.int64(1) << cards[i]
    same = 0
    for p in range(24):
        other = np.int64(0)
        for i in range(5):
            other |= np.int64(1) << ((cards[i] & ~3) | perms[p, cards[i] & 3])
        if other < own:
            return 0
        same += other == own
    return 24 // same


@bare_kernel
def _count_board(
    weight: int, asked: CountedBy, qualifier: int, packets: Packets, places: Places,
    books: Playbooks, look: Lookup, beside: Any, used: LaidBoard, room: DealtScratch, sums: Any,
) -> None:  # fmt: skip
    cards = room.cards
    code = np.int64(0x3333) << SUIT_SHIFT
    for i in range(5):
        code += look.cards[cards[i]]
    suit = flush_suit(code >> SUIT_SHIFT)
    lay_out(cards, suit, qualifier, look, used)
    row = rank_row(cards) if suit < 0 else suited_row(cards, suit, used.masks[suit], places.sets)
    if asked.packets:
        sum_packets(cards, packets, beside, used)
    ends = room.ends
    for a in range(52):
        if used.out[a]:
            continue
        for b in range(a):
            if used.out[b]:
                continue
            own = used.levels[used.kind[a], used.kind[b]]
            if asked.packets:
                gather(a, b, own, used, ends)
            else:
                for which in range(SETS):
                    ends[which, 0] = hands_below(threshold(which, own, used), a, b, used)
            made = used.made[own]
            if suit < 0:
                river = unpacked(books.river_ranks, 0, river_place(a, b, suit, row))
            else:
                river = unpacked(books.river_suited, 0, river_place(a, b, suit, row))
            hand = own_category(a, b, cards, room.hand) if asked.own_hand else 0
            qualifies = 1 if own >= used.sizes[3] else 0
            _add_ways(a, b, made, hand, qualifies, river, weight, places, books, room, sums)


@bare_kernel
def sum_packets(cards: Any, packets: Packets, beside: Any, used: LaidBoard) -> None:
    """Every hole's packets, by kinds of its cards."""
    sum_alike(beside, used)
    for x in range(26):
        if _card_of(x, -1, used) < 0:
            continue
        for y in range(x + 1):
            if _card_of(y, _card_of(x, -1, used), used) >= 0:
                add_by_ranks(x, y, beside, used)
    for s in range(4):
        for own in range(RANKS):
            if used.out[4 * own + s]:
                continue
            for low in range(own):
                if not used.out[4 * low + s]:
                    add_two_suited(low, own, s, cards, packets, used)
            for kind in range(26):
                example = _other_of(kind, s, used)
                if example >= 0:
                    add_one_suited(own, kind, s, example, packets.one_suited, used)


@bare_kernel
def _card_of(kind: int, but: int, used: LaidBoard) -> int:
    """A card of this kind in the deck, other than one; -1 where there is none."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if card != but and not used.out[card] and used.kind[card] == kind:
            return card
    return -1


@bare_kernel
def _other_of(kind: int, s: int, used: LaidBoard) -> int:
    """A card of this kind in the deck that is not of suit s."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if t != s and not used.out[card] and used.kind[card] == kind:
            return card
    return -1


@bare_kernel
def gather(a: int, b: int, own: int, used: LaidBoard, ends: Any) -> None:
    """All kinds of packets beside this hole, in each set of the dealer's hands."""
    x, y = used.kind[a], used.kind[b]
    by_ranks = used.by_ranks[max(x, y), min(x, y)]
    suited = a & 3 == b & 3
    mask = (np.int64(1) << SECOND) - 1
    for which in range(SETS):
        if suited:
            flush = used.two_suited[a & 3, set2(b >> 2, a >> 2), which]
            first, second = flush[0], flush[1]
        else:
            one = used.one_suited[a & 3, a >> 2, y, which]
            two = used.one_suited[b & 3, b >> 2, x, which]
            first, second = one[0] + two[0], one[1] + two[1]
        every, straight_flushes = first & mask, first >> SECOND & ((1 << (THIRD - SECOND)) - 1)
        royals, six_royals = first >> THIRD, second >> LAST
        pairs, straights = second & mask, second >> SECOND & mask
        hands = hands_below(threshold(which, own, used), a, b, used)
        row, ranks = ends[which], by_ranks[which]
        row[1] = (ranks[0] & 0xFFFFFFFF) - pairs
        row[2] = ranks[0] >> 32
        row[3] = ranks[1] & 0xFFFFFFFF
        row[4] = (ranks[1] >> 32) - straights
        row[5] = every - straight_flushes - royals - six_royals
        row[6] = ranks[2] & 0xFFFFFFFF
        row[7] = ranks[2] >> 32
        row[8] = straight_flushes
        row[FIVE_ROYAL] = royals
        row[SIX_ROYAL] = six_royals
        rest = hands * PACKETS_LEFT
        for kind in range(1, SIX_KINDS):
            rest -= row[kind]
        row[0] = rest


@bare_kernel
def _add_ways(
    a: int, b: int, made: int, hand: int, qualifies: int, river: int, weight: int, places: Places,
    books: Playbooks, room: DealtScratch, sums: Any,
) -> None:  # fmt: skip
    pocket = pocket_class(a, b)
    action = np.int64(books.pocket[0, pocket])
    flops, dealt, ends = room.flops, room.dealt, room.ends
    rare = made >= STRAIGHT_FLUSH
    flops[:] = 0
    if action != PASSIVE and not rare:
        flops[action - 1] = 10
    else:
        for order in range(10):
            for k in range(5):
                dealt[k] = room.cards[room.orders[order, k]]
            way = action - 1
            if action == PASSIVE:
                on_flop = unpacked(books.flop, 0, flop_place(a, b, dealt, places))
                way = 4 + river if on_flop == PASSIVE else 1 + on_flop
            if rare:
                case = pool_case(a, b, dealt, made, room.hand)
                _add(weight, ends, sums[pocket, way, case + 18 * hand, qualifies])
            else:
                flops[way] += 1
    if not rare:
        for way in range(WAYS):
            if flops[way] > 0:
                _add(weight * flops[way], ends, sums[pocket, way, made + 18 * hand, qualifies])


@bare_kernel
def _add(weight: int, ends: Any, row: Any) -> None:
    for which in range(SETS):
        for kind in range(row.shape[1]):
            row[which, kind] += weight * ends[which, kind]
