"""Which card of the deck goes where. No document burns a card (R20).

Seats are numbered clockwise from the dealer's left. A place is `seat 1` … `seat 6`, `dealer`,
`board` or `all_6`; the places, in deck order, are part of a round's record.
"""

from collections.abc import Sequence
from functools import lru_cache

from headsup.game.cards import DECK
from headsup.game.settlement import Deal

DEALER, BOARD, ALL_6 = "dealer", "board", "all_6"


def seat_place(seat: int) -> str:
    return f"seat {seat}"


@lru_cache(maxsize=256)
def places(dealing: str, seats: tuple[int, ...], all_6: bool) -> tuple[str, ...]:
    """The places of the first cards of the deck, in order, for the seats that wagered (R21).

    By hand (New York (d)(1)): one card at a time, dealer last, twice around, then the board. From
    an automated shoe ((d)(2)): five cards to the board, then a pair to each seat and the dealer.
    Where All 6 is on the layout its four cards come first (Galaxy 3).
    """
    around = [*(seat_place(seat) for seat in sorted(seats)), DEALER]
    first = [ALL_6] * 4 if all_6 else []
    board = [BOARD] * 5
    if dealing == "shoe":
        pairs = [place for place in around for _ in range(2)]
        return (*first, *board, *pairs)
    return (*first, *around, *around, *board)


def check_deck(deck: Sequence[int]) -> None:
    """A deck is a permutation of the 52 cards; anything else is a bug of whoever shuffled."""
    if sorted(deck) != list(DECK):
        raise ValueError("a deck is 52 different cards")


def cards_at(deck: Sequence[int], where: Sequence[str], place: str) -> tuple[int, ...]:
    return tuple(card for card, at in zip(deck, where, strict=False) if at == place)


def dealt(deck: Sequence[int], where: Sequence[str]) -> tuple[Deal, dict[int, tuple[int, ...]]]:
    """The shared cards, and each seat's hole cards."""
    by_place: dict[str, list[int]] = {}
    for card, place in zip(deck, where, strict=False):
        by_place.setdefault(place, []).append(card)
    deal = Deal(
        dealer=tuple(by_place.pop(DEALER)),
        board=tuple(by_place.pop(BOARD)),
        all_6=tuple(by_place.pop(ALL_6, ())),
    )
    return deal, {int(place[5:]): tuple(cards) for place, cards in by_place.items()}


def deck_with(where: Sequence[str], cards: dict[str, Sequence[int]]) -> tuple[int, ...]:
    """A whole deck that deals these cards to these places; the rest follow in order."""
    queues = {place: list(held) for place, held in cards.items()}
    front = [queues[place].pop(0) for place in where]
    return (*front, *(card for card in DECK if card not in set(front)))
