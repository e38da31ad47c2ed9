"""Kinds of hand, as a learner sorts them: two cards by their ranks, more by what they make."""

from collections.abc import Sequence

from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import ACE, JACK
from headsup.game.values.draws import draws
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.str_enum import TextEnum

STREET_BY_BOARD_SIZE = {0: Street.POCKET, 3: Street.FLOP, 5: Street.RIVER}  # by cards on the board


class Kind(TextEnum):
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
        return _WORDS[self]

    @property
    def streets(self) -> tuple[Street, ...]:
        """Where there are such hands."""
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
    """The kind of a hand on the street that so many cards on the board mean."""
    if not board:
        return _pocket(hole)
    made = category_of(strength((*hole, *board)))
    if made > Category.HIGH_CARD and made == _board_category(board):
        return Kind.DRAW if draws(hole, board) else Kind.BOARD
    if made > Category.ONE_PAIR:
        return Kind.STRONG
    if made == Category.ONE_PAIR:
        return Kind.PAIR
    return Kind.DRAW if draws(hole, board) else Kind.NOTHING


def kind_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """The kind, with its draws by name."""
    kind, found = kind_of(hole, board), draws(hole, board)
    if kind is Kind.DRAW:
        return " and ".join(found)
    return " and ".join((kind.words, *found))


def _pocket(hole: Sequence[int]) -> Kind:
    low, high = sorted(card >> 2 for card in hole)
    if low == high:
        return Kind.POCKET_PAIR
    return Kind.ACE if high == ACE else Kind.FACE if high >= JACK else Kind.SMALL


def _board_category(board: Sequence[int]) -> Category:
    """What the board makes by itself; three cards make a pair or three of a kind at most."""
    if len(board) == 5:
        return category_of(strength(board))
    ranks = len({card >> 2 for card in board})
    return (Category.THREE_OF_A_KIND, Category.ONE_PAIR, Category.HIGH_CARD)[ranks - 1]
