"""Kinds of hand for learners: two cards by rank, more cards by what they make."""

from collections.abc import Sequence

from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import ACE, JACK
from headsup.game.values.draws import draws
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.str_enum import TextEnum

STREET_BY_BOARD_SIZE = {0: Street.POCKET, 3: Street.FLOP, 5: Street.RIVER}  # [cards on the board]


class Kind(TextEnum):
    """A kind of hand, on the street or streets where it can occur."""

    POCKET_PAIR = "pocket_pair"
    ACE = "ace"
    FACE = "face"
    SMALL = "small"
    NOTHING = "nothing"
    DRAW = "draw"
    BOARD = "board"
    PAIR = "pair"
    STRONG = "strong"

    @property
    def words(self) -> str:
        """The name of the kind, for people."""
        return _WORDS[self]

    @property
    def streets(self) -> tuple[Street, ...]:
        """The streets on which this kind occurs."""
        if self in _POCKET:
            return (Street.POCKET,)
        return (Street.FLOP,) if self is Kind.DRAW else (Street.FLOP, Street.RIVER)


_POCKET = (Kind.POCKET_PAIR, Kind.ACE, Kind.FACE, Kind.SMALL)
_WORDS = {
    Kind.POCKET_PAIR: "pocket pair",
    Kind.ACE: "ace high",
    Kind.FACE: "king, queen or jack high",
    Kind.SMALL: "ten high or lower",
    Kind.NOTHING: "nothing yet",
    Kind.DRAW: "a straight or flush draw",
    Kind.BOARD: "only what the board makes",
    Kind.PAIR: "a pair of your own",
    Kind.STRONG: "two pair or better",
}


def kind_of(hole: Sequence[int], board: Sequence[int]) -> Kind:
    """The kind of hand, on the street given by the number of cards on the board."""
    if not board:
        return _pocket_kind(hole)
    best = strength((*hole, *board))
    made = category_of(best)
    if made > Category.HIGH_CARD and _is_the_boards(best, board):
        return Kind.DRAW if draws(hole, board) else Kind.BOARD
    if made > Category.ONE_PAIR:
        return Kind.STRONG
    if made == Category.ONE_PAIR:
        return Kind.PAIR
    return Kind.DRAW if draws(hole, board) else Kind.NOTHING


def kind_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """The kind in words, with the names of its draws."""
    kind, hand_draws = kind_of(hole, board), draws(hole, board)
    if kind is Kind.DRAW:
        return " and ".join(hand_draws)
    return " and ".join((kind.words, *hand_draws))


def _pocket_kind(hole: Sequence[int]) -> Kind:
    low, high = sorted(card >> 2 for card in hole)
    if low == high:
        return Kind.POCKET_PAIR
    return Kind.ACE if high == ACE else Kind.FACE if high >= JACK else Kind.SMALL


def _is_the_boards(best: int, board: Sequence[int]) -> bool:
    """Whether the board alone makes this hand, apart from kickers: a kicker makes no pair."""
    if len(board) == 5:
        return _without_kickers(best) == _without_kickers(strength(board))
    # Of a flop, only a pair or three of a kind counts. A hand with no more has the same ranks.
    ranks = len({card >> 2 for card in board})
    flop = (Category.THREE_OF_A_KIND, Category.ONE_PAIR, Category.HIGH_CARD)[ranks - 1]
    return category_of(best) is flop


# How many of a strength's ranks name the hand; the others are kickers.
_NAMING_RANKS = {
    Category.HIGH_CARD: 1,
    Category.ONE_PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 1,
    Category.STRAIGHT: 1,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 2,
    Category.FOUR_OF_A_KIND: 1,
    Category.STRAIGHT_FLUSH: 1,
    Category.ROYAL_FLUSH: 1,
}


def _without_kickers(strength: int) -> int:
    return strength >> 4 * (5 - _NAMING_RANKS[category_of(strength)])
