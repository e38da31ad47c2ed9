"""Cards and hands in German."""

from functools import lru_cache
from typing import assert_never

from headsup.game.values.hands import Category, category_of
from headsup.game.words.catalogue import Hands

_RANKS = (
    *("Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht"),
    *("Neun", "Zehn", "Bube", "Dame", "König", "Ass"),
)
_PLURAL = (
    *("Zweien", "Dreien", "Vieren", "Fünfen", "Sechsen", "Siebenen", "Achten"),
    *("Neunen", "Zehnen", "Buben", "Damen", "Könige", "Asse"),
)
_DATIVES = {"ein Paar": "einem Paar", "zwei Paare": "zwei Paaren", "höchste": "höchster"}
_SUITS = ("Kreuz", "Karo", "Herz", "Pik")


def _card(card: int) -> str:
    return f"{_SUITS[card & 3]} {_RANKS[card >> 2]}"


@lru_cache(maxsize=8192)
def _hand(strength: int) -> str:
    """The hand as a dealer says it: `zwei Paare, Achten und Siebenen, Kicker Bube`."""
    first, second, third = (strength >> shift & 15 for shift in (16, 12, 8))
    category = category_of(strength)
    match category:
        case Category.HIGH_CARD:
            return f"höchste Karte {_RANKS[first]}"
        case Category.ONE_PAIR:
            return f"ein Paar {_PLURAL[first]}, Kicker {_RANKS[second]}"
        case Category.TWO_PAIR:
            pairs = f"{_PLURAL[first]} und {_PLURAL[second]}"
            return f"zwei Paare, {pairs}, Kicker {_RANKS[third]}"
        case Category.THREE_OF_A_KIND:
            return f"Drilling {_PLURAL[first]}, Kicker {_RANKS[second]}"
        case Category.FOUR_OF_A_KIND:
            return f"Vierling {_PLURAL[first]}, Kicker {_RANKS[second]}"
        case Category.STRAIGHT:
            return f"Straße bis {_RANKS[first]}"
        case Category.STRAIGHT_FLUSH:
            return f"Straight Flush bis {_RANKS[first]}"
        case Category.FLUSH:
            return f"Flush bis {_RANKS[first]}"
        case Category.FULL_HOUSE:
            return f"Full House, {_PLURAL[first]} mit {_PLURAL[second]}"
        case Category.ROYAL_FLUSH:
            return "Royal Flush"
        case _:
            assert_never(category)


def _with_hand(strength: int) -> str:
    hand = _hand(strength)
    for nominative, dative in _DATIVES.items():
        hand = hand.replace(nominative, dative)
    return f" mit {hand}"


GERMAN_HANDS = Hands(_card, _hand, _with_hand, lambda _, strength: _hand(strength))
