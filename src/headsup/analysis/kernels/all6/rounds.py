"""Counts all rounds of a strategy from one deck: by decisions, and for each hand of the player by
four sets of dealer hands, which `headsup.analysis.joint.counting` turns into results.

Each is counted together with the category of the All 6 packet or of the hand that uses both hole
cards. Of boards that differ only by a permutation of suits, one is counted with its weight.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.board_layout import WEAK_LEVELS, BoardLayout, lay_out
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
from headsup.analysis.kernels.all6.packets import (
    LAST_LANE,
    SECOND_LANE,
    THIRD_LANE,
    PacketScratch,
    PacketTables,
    count_packets_by_ranks,
)
from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, StrengthTables, allocate_padded
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import STRAIGHT_FLUSH, SUIT_SHIFT
from headsup.analysis.kernels.base.numbering import RANKS
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

# Kinds of packets: the category below a royal, then a royal of five cards, then one of six.
PACKET_KINDS = 11
FIVE_CARD_ROYAL, SIX_CARD_ROYAL = 9, 10
PACKETS_PER_DEAL = 123_410  # of four cards, once hole, board and dealer are dealt
DECISION_PATHS = 7


class CountOptions(NamedTuple):
    """What rounds are counted by besides their results."""

    packets: int  # 1 to count by the category of the All 6 packet
    both_hole_cards: int  # 1 to count by the hand that uses both hole cards


class RoundScratch(NamedTuple):
    permutations: Int64s  # [24, suit]: of suits
    orders: Int64s  # [flop, 5]: board positions, those of the flop first
    cards: Int64s  # [5]
    dealt: Int64s  # [5]: the flop first
    suits: Int64s  # [5]
    hand: Int64s  # [6]
    flops: Int64s  # [way]: how many of the ten flops
    ends: Int64s  # [set, kind of packet]: dealer hands, or with packets their number


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
    scratch = RoundScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))
    scratch.permutations[:] = list(permutations(range(4)))
    scratch.orders[:] = [[*flop, *({*range(5)} - {*flop})] for flop in combinations(range(5), 3)]
    return scratch


@entry_kernel
def count_rounds(
    first: int, last: int, options: CountOptions, qualifier: int, boards: Any,
    packets: PacketTables, index: DecisionIndex, books: Playbooks, tables: StrengthTables,
    packet_counts: PacketScratch, layout: BoardLayout, scratch: RoundScratch, sums: Any,
) -> None:  # fmt: skip
    """Count all boards of these ranks.

    Adds to `sums[pocket class, decision path, case and hand, qualifies, set, kind of packet]`.
    """
    cards, suits = scratch.cards, scratch.suits
    for number in range(first, last):
        ranks = boards[number]
        if ranks[0] == ranks[4]:
            continue
        if options.packets:
            count_packets_by_ranks(ranks, packets.by_ranks, packet_counts)
        for code in range(1024):
            possible = True
            for i in range(5):
                suits[i] = code >> (2 * i) & 3
                cards[i] = 4 * ranks[i] + suits[i]
                if i > 0 and cards[i] <= cards[i - 1]:
                    possible = False
            if not possible:
                continue
            weight = _weight(cards, scratch.permutations)
            if weight > 0:
                _count_board(
                    *(weight, options, qualifier, packets, index, books, tables),
                    *(packet_counts.by_dealer_pair, layout, scratch, sums),
                )


@bare_kernel
def _weight(cards: Any, suit_permutations: Any) -> int:
    """How many boards this one represents; 0 if another one represents it."""
    mask = np.int64(0)
    for i in range(5):
        mask |= np.int64(1) << cards[i]
    same = 0
    for p in range(24):
        permuted = np.int64(0)
        for i in range(5):
            permuted |= np.int64(1) << ((cards[i] & ~3) | suit_permutations[p, cards[i] & 3])
        if permuted < mask:
            return 0
        same += permuted == mask
    return 24 // same


@bare_kernel
def _count_board(
    weight: int, options: CountOptions, qualifier: int, packets: PacketTables, index: DecisionIndex,
    books: Playbooks, tables: StrengthTables, rank_packets: Any, layout: BoardLayout,
    scratch: RoundScratch, sums: Any,
) -> None:  # fmt: skip
    cards = scratch.cards
    code = np.int64(0x3333) << SUIT_SHIFT
    for i in range(5):
        code += tables.card_codes[cards[i]]
    suit = flush_suit(code >> SUIT_SHIFT)
    lay_out(cards, suit, qualifier, tables, layout)
    row = (
        rank_board_number(cards)
        if suit < 0
        else suited_board_number(cards, suit, layout.masks[suit], index.sets)
    )
    if options.packets:
        sum_packets(cards, packets, rank_packets, layout)
    ends = scratch.ends
    for a in range(52):
        if layout.on_board[a]:
            continue
        for b in range(a):
            if layout.on_board[b]:
                continue
            level = layout.levels[layout.kind[a], layout.kind[b]]
            if options.packets:
                gather_packets(a, b, level, layout, ends)
            else:
                for hand_set in range(HAND_SETS):
                    ends[hand_set, 0] = count_hands_below(
                        threshold(hand_set, level, layout), a, b, layout
                    )
            category = layout.category[level]
            if suit < 0:
                river = unpack_action(books.river_ranks, 0, river_index(a, b, suit, row))
            else:
                river = unpack_action(books.river_suited, 0, river_index(a, b, suit, row))
            hand = (
                both_hole_cards_category(a, b, cards, scratch.hand)
                if options.both_hole_cards
                else 0
            )
            qualifies = 1 if level >= layout.sizes[WEAK_LEVELS] else 0
            _add_ways(a, b, category, hand, qualifies, river, weight, index, books, scratch, sums)


@bare_kernel
def sum_packets(cards: Any, packets: PacketTables, rank_packets: Any, layout: BoardLayout) -> None:
    """Count the packets for all holes, by the kinds of their cards."""
    sum_non_flush_holes(rank_packets, layout)
    for x in range(26):
        if _find_card(x, -1, layout) < 0:
            continue
        for y in range(x + 1):
            if _find_card(y, _find_card(x, -1, layout), layout) >= 0:
                add_by_ranks(x, y, rank_packets, layout)
    for s in range(4):
        for high in range(RANKS):
            if layout.on_board[4 * high + s]:
                continue
            for low in range(high):
                if not layout.on_board[4 * low + s]:
                    add_two_suited(low, high, s, cards, packets, layout)
            for kind in range(26):
                example = _find_off_suit_card(kind, s, layout)
                if example >= 0:
                    add_one_suited(high, kind, s, example, packets.one_suited, layout)


@bare_kernel
def _find_card(kind: int, excluded: int, layout: BoardLayout) -> int:
    """A card of this kind in the deck other than `excluded`; -1 if there is none."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if card != excluded and not layout.on_board[card] and layout.kind[card] == kind:
            return card
    return -1


@bare_kernel
def _find_off_suit_card(kind: int, s: int, layout: BoardLayout) -> int:
    """A card of this kind in the deck that is not of suit s; -1 if there is none."""
    rank = kind % RANKS
    for t in range(4):
        card = 4 * rank + t
        if t != s and not layout.on_board[card] and layout.kind[card] == kind:
            return card
    return -1


@bare_kernel
def gather_packets(a: int, b: int, level: int, layout: BoardLayout, ends: Any) -> None:
    """Fill `ends` with the packets of each kind for this hole, by set of the dealer's hands."""
    x, y = layout.kind[a], layout.kind[b]
    by_ranks = layout.by_ranks[max(x, y), min(x, y)]
    suited = a & 3 == b & 3
    mask = (np.int64(1) << SECOND_LANE) - 1
    for hand_set in range(HAND_SETS):
        if suited:
            flush = layout.two_suited[a & 3, set2_number(b >> 2, a >> 2), hand_set]
            first, second = flush[0], flush[1]
        else:
            first_card = layout.one_suited[a & 3, a >> 2, y, hand_set]
            second_card = layout.one_suited[b & 3, b >> 2, x, hand_set]
            first, second = first_card[0] + second_card[0], first_card[1] + second_card[1]
        flush_count = first & mask
        straight_flushes = first >> SECOND_LANE & ((1 << (THIRD_LANE - SECOND_LANE)) - 1)
        royals, six_royals = first >> THIRD_LANE, second >> LAST_LANE
        pairs, straights = second & mask, second >> SECOND_LANE & mask
        hands = count_hands_below(threshold(hand_set, level, layout), a, b, layout)
        row, ranks = ends[hand_set], by_ranks[hand_set]
        row[1] = (ranks[0] & 0xFFFFFFFF) - pairs
        row[2] = ranks[0] >> 32
        row[3] = ranks[1] & 0xFFFFFFFF
        row[4] = (ranks[1] >> 32) - straights
        row[5] = flush_count - straight_flushes - royals - six_royals
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
    a: int, b: int, category: int, hand: int, qualifies: int, river: int, weight: int,
    index: DecisionIndex, books: Playbooks, scratch: RoundScratch, sums: Any,
) -> None:  # fmt: skip
    pocket = pocket_class(a, b)
    action = np.int64(books.pocket[0, pocket])
    flops, dealt, ends = scratch.flops, scratch.dealt, scratch.ends
    rare = category >= STRAIGHT_FLUSH
    flops[:] = 0
    if action != PASSIVE and not rare:
        flops[action - 1] = 10
    else:
        for order in range(10):
            for k in range(5):
                dealt[k] = scratch.cards[scratch.orders[order, k]]
            way = action - 1
            if action == PASSIVE:
                flop_action = unpack_action(books.flop, 0, flop_index(a, b, dealt, index))
                way = 4 + river if flop_action == PASSIVE else 1 + flop_action
            if rare:
                case = progressive_case(a, b, dealt, category, scratch.hand)
                _add(weight, ends, sums[pocket, way, case + 18 * hand, qualifies])
            else:
                flops[way] += 1
    if not rare:
        for way in range(DECISION_PATHS):
            if flops[way] > 0:
                _add(weight * flops[way], ends, sums[pocket, way, category + 18 * hand, qualifies])


@bare_kernel
def _add(weight: int, ends: Any, row: Any) -> None:
    for hand_set in range(HAND_SETS):
        for kind in range(row.shape[1]):
            row[hand_set, kind] += weight * ends[hand_set, kind]
