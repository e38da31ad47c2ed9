"""Finds the paytable row that the cards make, for each wager with a paytable.

The most specific row that fits is chosen, whatever its prize (R66).
"""

from collections.abc import Container, Sequence
from itertools import combinations

from headsup.game.values.cards import ACE, DIAMONDS, JACK, SPADES
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.str_enum import TextEnum


class Outcome(TextEnum):
    """The possible outcomes of a wager: rows of paytables, and results of the main wagers."""

    HIGH_CARD = "high_card"
    ONE_PAIR = "one_pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"

    PAIR = "pair"
    UNSUITED_ACE_FACE = "unsuited_ace_face"
    SUITED_ACE_FACE = "suited_ace_face"
    PAIR_OF_ACES = "pair_of_aces"

    FIVE_CARD_ROYAL = "five_card_royal"
    SIX_CARD_ROYAL = "six_card_royal"
    SIX_CARD_ROYAL_DIAMONDS = "six_card_royal_diamonds"

    COMMUNITY_ROYAL_FLUSH = "community_royal_flush"
    FLOPPED_STRAIGHT_FLUSH = "flopped_straight_flush"
    FLOPPED_ROYAL_FLUSH = "flopped_royal_flush"
    FLOPPED_ROYAL_FLUSH_IN_SPADES = "flopped_royal_flush_in_spades"

    OTHER = "other"  # "All Other" of the Odds and the Bad Beat
    NOTHING = "nothing"  # none of the rows

    WIN = "win"
    TIE = "tie"
    LOSE = "lose"
    NOT_QUALIFIED = "not_qualified"
    FOLD = "fold"
    VOID = "void"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


NOTHING = Outcome.NOTHING

_HANDS = tuple(Outcome(category.key) for category in Category)


def hand_outcome(category: Category) -> Outcome:
    return _HANDS[category]


_SIX_CARD_ROYAL = frozenset(range(7, 13))  # 9 to ace (R62)


def pocket_outcome(hole: Sequence[int]) -> Outcome:
    """Pocket Bonus: a pair, or an ace with a king, queen or jack. Tens are not faces (R59)."""
    low, high = hole[0] >> 2, hole[1] >> 2
    if low > high:
        low, high = high, low
    if low == high:
        return Outcome.PAIR_OF_ACES if high == ACE else Outcome.PAIR
    if high == ACE and low >= JACK:
        suited = hole[0] & 3 == hole[1] & 3
        return Outcome.SUITED_ACE_FACE if suited else Outcome.UNSUITED_ACE_FACE
    return Outcome.NOTHING


def both_hole_cards_outcome(hole: Sequence[int], board: Sequence[int]) -> Outcome:
    """Trips Plus by the letter of New York: both hole cards and three of the board (R53)."""
    best = max(strength((*hole, *three)) for three in combinations(board, 3))
    return hand_outcome(category_of(best))


def all_6_outcome(hole: Sequence[int], packet: Sequence[int]) -> Outcome:
    """All 6: the two hole cards and the four cards dealt to the dealer's right (R62)."""
    six = (*hole, *packet)
    category = category_of(strength(six))
    if category is not Category.ROYAL_FLUSH:
        return hand_outcome(category)
    if {card >> 2 for card in six} == _SIX_CARD_ROYAL and len({card & 3 for card in six}) == 1:
        diamonds = six[0] & 3 == DIAMONDS
        return Outcome.SIX_CARD_ROYAL_DIAMONDS if diamonds else Outcome.SIX_CARD_ROYAL
    return Outcome.FIVE_CARD_ROYAL


def progressive_outcome(
    hole: Sequence[int], board: Sequence[int], best: Category, rows: Container[str]
) -> Outcome:
    """Progressive: flopped in spades > flopped > royal > community, then the hand (R66–R68).

    `best` is the category of all seven cards, `rows` the outcomes that the paytable lists. If it
    has no row for a special case, the plainer row that the hand also makes is chosen.
    """
    if best < Category.STRAIGHT_FLUSH:
        return hand_outcome(best)
    flopped = category_of(strength((*hole, *board[:3])))
    if flopped is Category.ROYAL_FLUSH:
        if hole[0] & 3 == SPADES and Outcome.FLOPPED_ROYAL_FLUSH_IN_SPADES in rows:
            return Outcome.FLOPPED_ROYAL_FLUSH_IN_SPADES
        if Outcome.FLOPPED_ROYAL_FLUSH in rows:
            return Outcome.FLOPPED_ROYAL_FLUSH
    if flopped >= Category.STRAIGHT_FLUSH and Outcome.FLOPPED_STRAIGHT_FLUSH in rows:
        return Outcome.FLOPPED_STRAIGHT_FLUSH
    if best is not Category.ROYAL_FLUSH or flopped is Category.ROYAL_FLUSH:
        return hand_outcome(best)
    if (
        category_of(strength(board)) is Category.ROYAL_FLUSH
        and Outcome.COMMUNITY_ROYAL_FLUSH in rows
    ):
        return Outcome.COMMUNITY_ROYAL_FLUSH
    return hand_outcome(best)
