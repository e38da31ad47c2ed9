"""Numbers the cases that decide side wagers beyond the seven-card hand.

`headsup.analysis.counts.side_cases` asks the game's own rules which outcome each case is.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, StrengthTables
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUIT_SHIFT,
    TRIPS,
    TWO_PAIR,
    straight_top,
    strength_on_board,
)
from headsup.analysis.kernels.simulate.decisions import (
    DecisionIndex,
    Playbooks,
    flop_index,
    flush_suit,
    pocket_class,
    river_index,
    suited_board_number,
    unpack_action,
)

# All 6: the category below a royal, then a royal of five cards, then one of six cards by suit.
FIVE_CARD_ROYAL, SIX_CARD_ROYAL, ALL_6_CASES = 9, 10, 14
# The Progressive: the category below a straight flush, then these, then a flopped royal by suit.
# "Late" hands are completed after the flop. FLOPPED_THEN_…: a straight flush on the flop that
# becomes a royal later, with a hole card or all on the board.
LATE_STRAIGHT_FLUSH, FLOPPED_STRAIGHT_FLUSH, LATE_ROYAL, COMMUNITY_ROYAL = 8, 9, 10, 11
FLOPPED_THEN_ROYAL, FLOPPED_THEN_COMMUNITY, FLOPPED_ROYAL, PROGRESSIVE_CASES = 12, 13, 14, 18


@bare_kernel
def hand_category(cards: Any, count: int) -> int:
    """The category of the best five of five or six cards."""
    once, twice, thrice, four = 0, 0, 0, 0
    suits = np.int64(0x3333)  # a counter per suit; the fifth card carries into its top bit
    for i in range(count):
        bit = 1 << (cards[i] >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits += np.int64(1) << (4 * (cards[i] & 3))
    if suits & 0x8888:
        suit = 0
        while suits >> (4 * suit) & 8 == 0:
            suit += 1
        mask = 0
        for i in range(count):
            if cards[i] & 3 == suit:
                mask |= 1 << (cards[i] >> 2)
        top = straight_top(mask)
        if top < 0:
            return FLUSH
        return ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH
    if four:
        return QUADS
    two_of = twice & (twice - 1)  # `twice` without its lowest rank
    if thrice and two_of:
        return FULL_HOUSE
    if straight_top(once) >= 0:
        return STRAIGHT
    if thrice:
        return TRIPS
    if two_of:
        return TWO_PAIR
    return ONE_PAIR if twice else HIGH_CARD


@bare_kernel
def all_6_case(a: int, b: int, packet: Any, six: Any) -> int:
    """The All 6 case. `six` is scratch memory for the hand."""
    six[0], six[1] = a, b
    for i in range(4):
        six[2 + i] = packet[i]
    category = hand_category(six, 6)
    if category < ROYAL_FLUSH:
        return category
    for i in range(6):
        if six[i] & 3 != a & 3 or six[i] >> 2 < 7:  # six of a suit from the nine up
            return FIVE_CARD_ROYAL
    return SIX_CARD_ROYAL + (a & 3)


@bare_kernel
def progressive_case(a: int, b: int, board: Any, best: int, five: Any) -> int:
    """The Progressive's case. `five` is scratch memory for hole and flop."""
    if best < STRAIGHT_FLUSH:
        return best
    five[0], five[1], five[2], five[3], five[4] = a, b, board[0], board[1], board[2]
    flopped = hand_category(five, 5)
    if flopped == ROYAL_FLUSH:
        return FLOPPED_ROYAL + (a & 3)
    if best == STRAIGHT_FLUSH:
        return FLOPPED_STRAIGHT_FLUSH if flopped == STRAIGHT_FLUSH else LATE_STRAIGHT_FLUSH
    community = hand_category(board, 5) == ROYAL_FLUSH
    if flopped == STRAIGHT_FLUSH:
        return FLOPPED_THEN_COMMUNITY if community else FLOPPED_THEN_ROYAL
    return COMMUNITY_ROYAL if community else LATE_ROYAL


@bare_kernel
def both_hole_cards_category(a: int, b: int, board: Any, five: Any) -> int:
    """The category of both hole cards with the best three of the board (R53)."""
    best = HIGH_CARD
    five[0], five[1] = a, b
    for i in range(3):
        for j in range(i + 1, 4):
            for k in range(j + 1, 5):
                five[2], five[3], five[4] = board[i], board[j], board[k]
                best = max(best, hand_category(five, 5))
    return best


@entry_kernel
def fill_side_cases(decks: Any, best: Any, six: Any, five: Any, cases: Any) -> None:
    """Fill the All 6 and Progressive cases of rounds given as hole, board, dealer and packet."""
    for i in range(decks.shape[0]):
        a, b, board, packet = decks[i, 0], decks[i, 1], decks[i, 2:7], decks[i, 9:13]
        cases[i, 0] = all_6_case(a, b, packet, six)
        cases[i, 1] = progressive_case(a, b, board, best[i], five)


class ProgressiveScratch(NamedTuple):
    """Scratch memory for one hand."""

    orders: Int64s  # [flop, 5]: board positions, those of the flop first
    board: Int64s  # [5]: in any order
    dealt: Int64s  # [5]: the flop first
    masks: Int64s  # [suit]: the board's ranks in it
    hand: Int64s  # [6]
    ends: Int64s  # [lose | tie | win, dealer qualifies]: possible dealer hands

    @classmethod
    def empty(cls) -> "ProgressiveScratch":
        board, dealt, masks, hand = (np.zeros(size, np.int64) for size in (5, 5, 4, 6))
        flops = [[*flop, *({*range(5)} - {*flop})] for flop in combinations(range(5), 3)]
        orders = np.array(flops, np.int64)
        return cls(orders, board, dealt, masks, hand, np.zeros((3, 2), np.int64))


@entry_kernel
def count_progressive_cases(
    first: int, last: int, sevens: Any, qualifier: int, index: DecisionIndex, books: Playbooks,
    tables: StrengthTables, scratch: ProgressiveScratch, counts: Any,
) -> None:  # fmt: skip
    """Count all deals of these seven-card straight flushes.

    Adds to `counts[pocket class, decision path, case, result, dealer qualifies]`. Cases count from
    the first straight flush.
    """
    board, dealt, ends = scratch.board, scratch.dealt, scratch.ends
    for number in range(first, last):
        seven = sevens[number]
        for i in range(7):
            for j in range(i + 1, 7):
                a, b = seven[i], seven[j]
                filled = 0
                for k in range(7):
                    if k not in (i, j):
                        board[filled] = seven[k]
                        filled += 1
                category, river = _compare_with_dealers(
                    a, b, qualifier, index, books, tables, scratch
                )
                pocket = pocket_class(a, b)
                action = np.int64(books.pocket[0, pocket])
                for order in scratch.orders:
                    for k in range(5):
                        dealt[k] = board[order[k]]
                    case = (
                        progressive_case(a, b, dealt, category, scratch.hand) - LATE_STRAIGHT_FLUSH
                    )
                    way = action - 1
                    if action == PASSIVE:
                        flop_action = unpack_action(books.flop, 0, flop_index(a, b, dealt, index))
                        way = 4 + river if flop_action == PASSIVE else 1 + flop_action
                    row = counts[pocket, way, case]
                    for result in range(3):
                        row[result, 0] += ends[result, 0]
                        row[result, 1] += ends[result, 1]


@bare_kernel
def _compare_with_dealers(
    a: int, b: int, qualifier: int, index: DecisionIndex, books: Playbooks, tables: StrengthTables,
    scratch: ProgressiveScratch,
) -> Any:  # fmt: skip
    """The hand's category and river action. `scratch.ends` receives the results."""
    board, masks, ends = scratch.board, scratch.masks, scratch.ends
    masks[:] = 0
    ends[:] = 0
    code = np.int64(0x3333) << SUIT_SHIFT
    taken = np.int64(1) << a | np.int64(1) << b
    for i in range(5):
        code += tables.card_codes[board[i]]
        masks[board[i] & 3] |= 1 << (board[i] >> 2)
        taken |= np.int64(1) << board[i]
    player = strength_on_board(code, masks, a, b, tables)
    for x in range(52):
        if taken >> x & 1:
            continue
        for y in range(x):
            if not taken >> y & 1:
                dealer = strength_on_board(code, masks, x, y, tables)
                result = 1 + (player > dealer) - (player < dealer)
                ends[result, 1 if dealer >= qualifier else 0] += 1
    # At least three cards of a straight flush are on the board.
    suit = flush_suit(code >> SUIT_SHIFT)
    row = suited_board_number(board, suit, masks[suit], index.sets)
    return player >> 20, unpack_action(books.river_suited, 0, river_index(a, b, suit, row))
