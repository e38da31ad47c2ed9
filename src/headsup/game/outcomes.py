"""Which paytable row the cards make, for each wager that has a paytable.

A row is chosen by the hand, the most specific one first, never by the size of its prize (R66).
"""

from collections.abc import Container, Sequence
from itertools import combinations

from headsup.game.cards import ACE, DIAMONDS, JACK, SPADES
from headsup.game.hands import Category, category_of, strength

NOTHING = "nothing"

_SIX_CARD_ROYAL = frozenset(range(7, 13))  # 9 to ace (R62)


def pocket_outcome(hole: Sequence[int]) -> str:
    """Pocket Bonus: a pair, or an ace with a king, queen or jack; a ten is no face (R59)."""
    low, high = hole[0] >> 2, hole[1] >> 2
    if low > high:
        low, high = high, low
    if low == high:
        return "pair_of_aces" if high == ACE else "pair"
    if high == ACE and low >= JACK:
        suited = hole[0] & 3 == hole[1] & 3
        return "suited_ace_face" if suited else "unsuited_ace_face"
    return NOTHING


def both_hole_cards_outcome(hole: Sequence[int], board: Sequence[int]) -> str:
    """Trips Plus by New York's letter: both hole cards and three of the board (R53)."""
    return category_of(max(strength((*hole, *three)) for three in combinations(board, 3))).key


def all_6_outcome(hole: Sequence[int], packet: Sequence[int]) -> str:
    """All 6: the two hole cards with the four cards dealt to the dealer's right (R62)."""
    six = (*hole, *packet)
    category = category_of(strength(six))
    if category is not Category.ROYAL_FLUSH:
        return category.key
    if {card >> 2 for card in six} == _SIX_CARD_ROYAL and len({card & 3 for card in six}) == 1:
        diamonds = six[0] & 3 == DIAMONDS
        return "six_card_royal_diamonds" if diamonds else "six_card_royal"
    return "five_card_royal"


def progressive_outcome(
    hole: Sequence[int], board: Sequence[int], best: Category, rows: Container[str]
) -> str:
    """Progressive: flopped in spades > flopped > royal > community, then the hand (R66–R68).

    `rows` are the outcomes the paytable lists; a table without a row for the special case pays
    the plainer row that the hand, `best` of seven, also makes.
    """
    if best < Category.STRAIGHT_FLUSH:
        return best.key
    flopped = category_of(strength((*hole, *board[:3])))
    if flopped is Category.ROYAL_FLUSH:
        if hole[0] & 3 == SPADES and "flopped_royal_flush_in_spades" in rows:
            return "flopped_royal_flush_in_spades"
        if "flopped_royal_flush" in rows:
            return "flopped_royal_flush"
    if flopped >= Category.STRAIGHT_FLUSH and "flopped_straight_flush" in rows:
        return "flopped_straight_flush"
    if best is not Category.ROYAL_FLUSH or flopped is Category.ROYAL_FLUSH:
        return best.key
    if category_of(strength(board)) is Category.ROYAL_FLUSH and "community_royal_flush" in rows:
        return "community_royal_flush"
    return best.key
