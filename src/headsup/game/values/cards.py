"""Cards as ints 0–51: four to a rank, deuce to ace; clubs, diamonds, hearts, spades.

`card >> 2` is the rank (0 = deuce … 12 = ace), `card & 3` the suit. Sorting ints sorts by rank.
"""

import re
from collections.abc import Iterable, Iterator
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


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards in the order written, `AsKd`, as people write them too: `10h`, `Q♥`, `aS`.

    Spaces or commas may stand between cards, not in one.
    """
    return tuple(card for piece in text.replace(",", " ").split() for card in _parse_piece(piece))


# Ten in two digits, any case, and the signs of the suits, filled or not.
_SPELLING = re.compile(r"(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤])\ufe0f?", re.IGNORECASE | re.ASCII)
_SUIT_SIGNS = {
    sign: suit for signs in ("♣♦♥♠", "♧♢♡♤") for sign, suit in zip(signs, SUITS, strict=True)
}


def _parse_piece(piece: str) -> Iterator[int]:
    at = 0
    while at < len(piece):
        name = piece[at : at + 2]
        card = _CARDS.get(name)  # as nearly every text has it
        if card is not None:
            at += 2
        else:
            match = _SPELLING.match(piece, at)
            if match is None:
                raise _unreadable(name)
            rank, suit = match[1].upper().replace("10", "T"), match[2].lower()
            card, at = _CARDS[rank + _SUIT_SIGNS.get(suit, suit)], match.end()
        yield card


def _unreadable(name: str) -> UnreadableCards:
    return UnreadableCards(
        f"'{name}' is not a card: a rank of {RANKS} or 10, then a suit of {SUITS} or ♣♦♥♠, like As"
    )


def format_cards(cards: Iterable[int]) -> str:
    return "".join(_NAMES[card] for card in cards)
