"""Cards as ints 0–51: four to a rank, deuce to ace; clubs, diamonds, hearts, spades.

`card >> 2` is the rank (0 = deuce … 12 = ace), `card & 3` the suit. Sorting ints sorts by rank.
"""

from collections.abc import Iterable
from typing import Annotated, TypeAlias

# Cards in order, written as text such as AsKd in a record.
Cards: TypeAlias = Annotated[tuple[int, ...], "cards"]

RANKS = "23456789TJQKA"
SUITS = "cdhs"

JACK, QUEEN, KING, ACE = 9, 10, 11, 12
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

DECK: tuple[int, ...] = tuple(range(52))

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: card for card, name in enumerate(_NAMES)}


class UnreadableCards(ValueError):
    """The text is not a row of cards: an unknown card, or half a card left over."""


def card_name(card: int) -> str:
    return _NAMES[card]


def parse_card(text: str) -> int:
    try:
        return _CARDS[text]
    except KeyError:
        raise UnreadableCards(
            f"'{text}' is not a card: a rank of {RANKS}, then a suit of {SUITS}, like As or Td"
        ) from None


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards in the order written: `AsKd`; spaces may stand between cards, not in one."""
    return tuple(
        parse_card(piece[i : i + 2]) for piece in text.split() for i in range(0, len(piece), 2)
    )


def format_cards(cards: Iterable[int]) -> str:
    return "".join(_NAMES[card] for card in cards)
