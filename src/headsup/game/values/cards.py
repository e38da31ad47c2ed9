"""Cards as ints 0–51: four to a rank, deuce to ace; clubs, diamonds, hearts, spades.

`card >> 2` is the rank (0 = deuce … 12 = ace), `card & 3` the suit. Sorting ints sorts by rank.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, TypeAlias

# Cards in order. Records write them as text such as AsKd.
Cards: TypeAlias = Annotated[tuple[int, ...], "cards"]

RANKS = "23456789TJQKA"
SUITS = "cdhs"

JACK, QUEEN, KING, ACE = 9, 10, 11, 12
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

DECK: tuple[int, ...] = tuple(range(52))

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: card for card, name in enumerate(_NAMES)}


class UnreadableCards(ValueError):
    """The text holds an unknown card, or half a card is left over."""


def card_name(card: int) -> str:
    return _NAMES[card]


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards in the given order: `AsKd`, and other common spellings such as `10h`, `Q♥`, `aS`.

    Spaces or commas may separate cards.
    """
    return tuple(card for piece in text.replace(",", " ").split() for card in _parse_piece(piece))


# Accepts 10 for T, either case, and suit symbols, filled or outlined.
_SPELLING = re.compile(r"(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤])\ufe0f?", re.IGNORECASE | re.ASCII)
_SUIT_SIGNS = {
    sign: suit for signs in ("♣♦♥♠", "♧♢♡♤") for sign, suit in zip(signs, SUITS, strict=True)
}


def _parse_piece(piece: str) -> Iterator[int]:
    position = 0
    while position < len(piece):
        name = piece[position : position + 2]
        card = _CARDS.get(name)  # fast path: nearly every text is in this spelling
        if card is not None:
            position += 2
        else:
            match = _SPELLING.match(piece, position)
            if match is None:
                raise _unreadable_card(name)
            rank, suit = match[1].upper().replace("10", "T"), match[2].lower()
            card, position = _CARDS[rank + _SUIT_SIGNS.get(suit, suit)], match.end()
        yield card


def _unreadable_card(name: str) -> UnreadableCards:
    return UnreadableCards(
        f"'{name}' is not a card: a rank of {RANKS} or 10, then a suit of {SUITS} or ♣♦♥♠, like As"
    )


def format_cards(cards: Iterable[int]) -> str:
    return "".join(_NAMES[card] for card in cards)
