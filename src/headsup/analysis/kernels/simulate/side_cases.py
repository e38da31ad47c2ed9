"""What side wagers turn on beyond the hand of seven cards, as numbers of cases.

Which row of a paytable a case makes is for the game to say:
`headsup.analysis.simulation.seat_lookups` asks it.
"""

# mypy: disable-error-code="no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    straight_top,
)

# All 6: below a royal the category, then a royal of five cards, then one of six in each suit.
FIVE_CARD_ROYAL, SIX_CARD_ROYAL, ALL_6_CASES = 9, 10, 14
# The progressive: below a straight flush the category, then these, then a flopped royal by suit.
LATE_STRAIGHT_FLUSH, FLOPPED_STRAIGHT_FLUSH, LATE_ROYAL, COMMUNITY_ROYAL = 8, 9, 10, 11
FLOPPED_THEN_ROYAL, FLOPPED_THEN_COMMUNITY, FLOPPED_ROYAL, PROGRESSIVE_CASES = 12, 13, 14, 18


@bare_kernel
def hand_category(cards: Any, count: int) -> int:
    """Of the best five of five or six cards."""
    once, twice, thrice, four = 0, 0, 0, 0
    suits = np.int64(0x3333)  # a counter of each suit, whose fifth card carries into its top bit
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
    two_of = twice & (twice - 1)  # what is left of `twice` without its lowest rank
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
    """Of All 6; `six` is room for the hand."""
    six[0], six[1] = a, b
    for i in range(4):
        six[2 + i] = packet[i]
    made = hand_category(six, 6)
    if made < ROYAL_FLUSH:
        return made
    for i in range(6):
        if six[i] & 3 != a & 3 or six[i] >> 2 < 7:  # six of a suit from the nine up
            return FIVE_CARD_ROYAL
    return SIX_CARD_ROYAL + (a & 3)


@bare_kernel
def progressive_case(a: int, b: int, board: Any, best: int, five: Any) -> int:
    """Of the progressive; `five` is room for the hand of hole and flop."""
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
    """Of both hole cards and the best three of the board (R53)."""
    best = HIGH_CARD
    five[0], five[1] = a, b
    for i in range(3):
        for j in range(i + 1, 4):
            for k in range(j + 1, 5):
                five[2], five[3], five[4] = board[i], board[j], board[k]
                best = max(best, hand_category(five, 5))
    return best


@bare_kernel
def fill_side_cases(decks: Any, best: Any, six: Any, five: Any, cases: Any) -> None:
    """All 6's case and the progressive's, of rounds of hole, board, dealer and packet."""
    for i in range(decks.shape[0]):
        a, b, board, packet = decks[i, 0], decks[i, 1], decks[i, 2:7], decks[i, 9:13]
        cases[i, 0] = all_6_case(a, b, packet, six)
        cases[i, 1] = progressive_case(a, b, board, best[i], five)
