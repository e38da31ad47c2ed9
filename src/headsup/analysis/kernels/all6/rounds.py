"""Every board with every hole, decided by a strategy: rounds by how they end and by what lies
beside them, All 6's packet or the hand of both hole cards.

Boards that differ by names of suits alone are the same: of each such set one is dealt.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.board_layout import BoardLayout, lay_out
from headsup.analysis.kernels.all6.board_packets import (
    HAND_SETS,
    add_by_ranks,
    add_one_suited,
    add_two_suited,
    count_hands_below,
    set2_number,
    sum_non_flush_holes,
    threshold,
)
from headsup.analysis.kernels.all6.packets import LAST_LANE, SECOND_LANE, THIRD_LANE, PacketTables
from headsup.analysis.kernels.all6.ranks import PacketScratch, count_packets_by_ranks
from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, StrengthTables
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import STRAIGHT_FLUSH, SUIT_SHIFT
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.base.thread_memory import allocate_padded
from headsup.analysis.kernels.simulate.decisions import (
    DecisionIndex,
    Playbooks,
    flop_index,
    flush_suit,
    pocket_class,
    rank_board_number,
    river_index,
    suited_board_number,
    unpack_action,
)
from headsup.analysis.kernels.simulate.side_cases import both_hole_cards_category, progressive_case

# What a packet makes: below a royal its category, then a royal of five cards, then one of six.
PACKET_KINDS = 11
FIVE_CARD_ROYAL, SIX_CARD_ROYAL = 9, 10
PACKETS_PER_DEAL = 123_410  # of four cards, beside hole, board and dealer
DECISION_PATHS = 7


class CountOptions(NamedTuple):
    """What rounds are counted by beside their ends."""

    packets: int  # 1 for what All 6's packet makes
    own_hand: int  # 1 for the hand of both hole cards


class RoundScratch(NamedTuple):
    perms: Int64s  # [24, suit]
    orders: Int64s  # [flop, 5]: places of the board, the flop's three first
    cards: Int64s  # [5]
    dealt: Int64s  # [5]: the flop first
    suits: Int64s  # [5]
    hand: Int64s  # [6]
    flops: Int64s  # [way]: flops of ten
    ends: Int64s  # [set, kind of packet]


def round_scratch() -> RoundScratch:
    shapes = (
        (24, 4),
        (10, 5),
        (5,),
        (5,),
        (5,),
        (6,),
        (DECISION_PATHS,),
        (HAND_SETS, PACKET_KINDS),
    )
    used = RoundScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))
    used.perms[:] = list(permutations(range(4)))
    used.orders[:] = [[*flop, *({*range(5)} - {*flop})] for flop in combinations(range(5), 3)]
    return used


@bare_kernel
def count_rounds(
    first: int, last: int, asked: CountOptions, qualifier: int, boards: Any, packets: PacketTables,
    places: DecisionIndex, books: Playbooks, look: StrengthTables, six: PacketScratch,
    used: BoardLayout, room: RoundScratch, sums: Any,
) -> None:  # fmt: skip
    """Add the boards of these ranks to
    `sums[class, way to decide, case and own hand, qualifies, set, kind of packet]`."""
    cards, suits = room.cards, room.suits
    for number in range(first, last):
        ranks = boards[number]
        if ranks[0] == ranks[4]:
            continue
        if asked.packets:
            count_packets_by_ranks(ranks, packets.by_ranks, six)
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
    weight: int, asked: CountOptions, qualifier: int, packets: PacketTables, places: DecisionIndex,
    books: Playbooks, look: StrengthTables, beside: Any, used: BoardLayout, room: RoundScratch,
    sums: Any,
) -> None:  # fmt: skip
    cards = room.cards
    code = np.int64(0x3333) << SUIT_SHIFT
    for i in range(5):
        code += look.cards[cards[i]]
    suit = flush_suit(code >> SUIT_SHIFT)
    lay_out(cards, suit, qualifier, look, used)
    row = (
        rank_board_number(cards)
        if suit < 0
        else suited_board_number(cards, suit, used.masks[suit], places.sets)
    )
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
                gather_packets(a, b, own, used, ends)
            else:
                for which in range(HAND_SETS):
                    ends[which, 0] = count_hands_below(threshold(which, own, used), a, b, used)
            made = used.made[own]
            if suit < 0:
                river = unpack_action(books.river_ranks, 0, river_index(a, b, suit, row))
            else:
                river = unpack_action(books.river_suited, 0, river_index(a, b, suit, row))
            hand = both_hole_cards_category(a, b, cards, room.hand) if asked.own_hand else 0
            qualifies = 1 if own >= used.sizes[3] else 0
            _add_ways(a, b, made, hand, qualifies, river, weight, places, books, room, sums)


@bare_kernel
def sum_packets(cards: Any, packets: PacketTables, beside: Any, used: BoardLayout) -> None:
    """Every hole's packets, by kinds of its cards."""
    sum_non_flush_holes(beside, used)
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
def _card_of(kind: int, but: int, used: BoardLayout) -> int:
    """A card of this kind in the deck, other than one; -1 where there is none."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if card != but and not used.out[card] and used.kind[card] == kind:
            return card
    return -1


@bare_kernel
def _other_of(kind: int, s: int, used: BoardLayout) -> int:
    """A card of this kind in the deck that is not of suit s."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if t != s and not used.out[card] and used.kind[card] == kind:
            return card
    return -1


@bare_kernel
def gather_packets(a: int, b: int, own: int, used: BoardLayout, ends: Any) -> None:
    """All kinds of packets beside this hole, in each set of the dealer's hands."""
    x, y = used.kind[a], used.kind[b]
    by_ranks = used.by_ranks[max(x, y), min(x, y)]
    suited = a & 3 == b & 3
    mask = (np.int64(1) << SECOND_LANE) - 1
    for which in range(HAND_SETS):
        if suited:
            flush = used.two_suited[a & 3, set2_number(b >> 2, a >> 2), which]
            first, second = flush[0], flush[1]
        else:
            one = used.one_suited[a & 3, a >> 2, y, which]
            two = used.one_suited[b & 3, b >> 2, x, which]
            first, second = one[0] + two[0], one[1] + two[1]
        every, straight_flushes = (
            first & mask,
            first >> SECOND_LANE & ((1 << (THIRD_LANE - SECOND_LANE)) - 1),
        )
        royals, six_royals = first >> THIRD_LANE, second >> LAST_LANE
        pairs, straights = second & mask, second >> SECOND_LANE & mask
        hands = count_hands_below(threshold(which, own, used), a, b, used)
        row, ranks = ends[which], by_ranks[which]
        row[1] = (ranks[0] & 0xFFFFFFFF) - pairs
        row[2] = ranks[0] >> 32
        row[3] = ranks[1] & 0xFFFFFFFF
        row[4] = (ranks[1] >> 32) - straights
        row[5] = every - straight_flushes - royals - six_royals
        row[6] = ranks[2] & 0xFFFFFFFF
        row[7] = ranks[2] >> 32
        row[8] = straight_flushes
        row[FIVE_CARD_ROYAL] = royals
        row[SIX_CARD_ROYAL] = six_royals
        rest = hands * PACKETS_PER_DEAL
        for kind in range(1, PACKET_KINDS):
            rest -= row[kind]
        row[0] = rest


@bare_kernel
def _add_ways(
    a: int, b: int, made: int, hand: int, qualifies: int, river: int, weight: int,
    places: DecisionIndex, books: Playbooks, room: RoundScratch, sums: Any,
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
                on_flop = unpack_action(books.flop, 0, flop_index(a, b, dealt, places))
                way = 4 + river if on_flop == PASSIVE else 1 + on_flop
            if rare:
                case = progressive_case(a, b, dealt, made, room.hand)
                _add(weight, ends, sums[pocket, way, case + 18 * hand, qualifies])
            else:
                flops[way] += 1
    if not rare:
        for way in range(DECISION_PATHS):
            if flops[way] > 0:
                _add(weight * flops[way], ends, sums[pocket, way, made + 18 * hand, qualifies])


@bare_kernel
def _add(weight: int, ends: Any, row: Any) -> None:
    for which in range(HAND_SETS):
        for kind in range(row.shape[1]):
            row[which, kind] += weight * ends[which, kind]
