"""Decides where each card of the deck goes. No document burns a card (R20).

Seats are numbered clockwise from the dealer's left. A place is `seat 1` … `seat 6`, `dealer`,
`board` or `all_6`. A round's record lists the places in deck order.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from headsup.game.rulebook.model import Dealing
from headsup.game.settlement import Deal
from headsup.game.values.cards import DECK

DEALER, BOARD, ALL_6 = "dealer", "board", "all_6"


def seat_place(seat: int) -> str:
    return f"seat {seat}"


@lru_cache(maxsize=256)
def deal_order(dealing: str, seats: tuple[int, ...], all_6: bool) -> tuple[str, ...]:
    """Where the cards go, from the top of the deck, for the seats that wagered (R21).

    By hand (New York (d)(1)): one card at a time, dealer last, twice around, then the board. From
    an automated shoe ((d)(2)): five cards to the board, then a pair to each seat and the dealer.
    By a machine (Galaxy 4, WPT 3): a pair to each seat and the dealer, then the board face down.
    Where All 6 is on the layout its four cards come first (Galaxy 3).
    """
    around = [*(seat_place(seat) for seat in sorted(seats)), DEALER]
    first = [ALL_6] * 4 if all_6 else []
    board = [BOARD] * 5
    pairs = [place for place in around for _ in range(2)]
    match Dealing(dealing):
        case Dealing.HAND:
            return (*first, *around, *around, *board)
        case Dealing.SHOE:
            return (*first, *board, *pairs)
        case Dealing.MACHINE:
            return (*first, *pairs, *board)
        case other:
            assert_never(other)


_WHOLE_DECK = frozenset(DECK)


def is_deck(deck: Sequence[int]) -> bool:
    """Whether these are the 52 cards, in any order."""
    return len(deck) == 52 and _WHOLE_DECK.issuperset(deck) and len(set(deck)) == 52


@lru_cache(maxsize=256)
def _positions(order: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """For each place, the positions of its cards in the deck."""
    return {place: tuple(i for i, here in enumerate(order) if here == place) for place in order}


def deal_cards(
    deck: Sequence[int], order: tuple[str, ...]
) -> tuple[Deal, dict[int, tuple[int, ...]]]:
    """The shared cards, and each seat's hole cards."""
    dealt = {
        place: tuple([deck[i] for i in positions]) for place, positions in _positions(order).items()
    }
    deal = Deal(dealer=dealt.pop(DEALER), board=dealt.pop(BOARD), all_6=dealt.pop(ALL_6, ()))
    return deal, {int(place[5:]): cards for place, cards in dealt.items()}


def build_deck(order: Sequence[str], cards: dict[str, Sequence[int]]) -> tuple[int, ...]:
    """A whole deck that deals these cards to these places; the other cards follow in order."""
    queues = {place: list(dealt) for place, dealt in cards.items()}
    front = [queues[place].pop(0) for place in order]
    return (*front, *(card for card in DECK if card not in set(front)))
