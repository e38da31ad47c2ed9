"""Reads cards and hands from text, as values that print as cards."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS, SUITS, UnreadableCards, card_name, parse_cards
from headsup.game.values.hands import best_five, category_of, hand_name, strength

# A text such as "AsKd", several texts, or cards.
CardsLike = str | Iterable[int | str]


class Card(int):
    """A card: a number from 0 to 51 that prints as `As`. Sorting cards sorts by rank."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """One of `23456789TJQKA`."""
        return RANKS[self >> 2]

    @property
    def suit(self) -> str:
        """One of `cdhs`."""
        return SUITS[self & 3]

    def __repr__(self) -> str:
        return card_name(self)

    __str__ = __repr__


def cards(text: CardsLike, where: str = "cards") -> tuple[Card, ...]:
    """Read cards: `cards("As Kd")`, also `10h`, `Q♥` or lower case; each card at most once."""
    try:
        parsed = tuple(map(Card, _numbers(text)))
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    except (TypeError, ValueError):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=where, value=text) from None
    for index, card in enumerate(parsed):
        if not 0 <= card < 52:
            raise Refused(Code.UNKNOWN_CARD, "number", where=where, card=int(card))
        if card in parsed[:index]:
            raise Refused(Code.DUPLICATE_CARD, "in_one_place", card=str(card), place=where)
    return parsed


def _numbers(text: CardsLike) -> Iterable[int]:
    """The numbers of the cards in a text, in several texts, or in a list of cards."""
    if isinstance(text, str):
        return parse_cards(text)
    return [
        card for item in text for card in (parse_cards(item) if isinstance(item, str) else [item])
    ]


@dataclass(frozen=True, order=True)
class BestHand:
    """The best five of five to seven cards. Stronger hands compare greater; ties are equal."""

    strength: int
    name: str = field(compare=False)  # as a dealer calls it
    category: str = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)  # the five, most important first

    def __repr__(self) -> str:
        return f"<{self.name}: {' '.join(map(str, self.cards))}>"


def hand(*held: CardsLike) -> BestHand:
    """The best five of these cards: `hand("AsKd", "QsJhTc2d2c")`."""
    dealt = cards([card for text in held for card in cards(text)])
    if not 5 <= len(dealt) <= 7:
        raise Refused(Code.WRONG_CARD_COUNT, "five_to_seven", count=len(dealt))
    hand_strength = strength(dealt)
    best = tuple(map(Card, best_five(dealt)))
    return BestHand(hand_strength, hand_name(hand_strength), category_of(hand_strength).key, best)


def read_decision_cards(
    hole: CardsLike, board: CardsLike, seen: CardsLike
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """Read two hole cards, a board of zero, three or five, and other known cards; none twice."""
    held, shown, others = cards(hole, "hole"), cards(board, "board"), cards(seen, "seen")
    if len(held) != 2:
        raise Refused(Code.WRONG_CARD_COUNT, "two", where="hole", count=len(held))
    if len(shown) not in (0, 3, 5):
        raise Refused(Code.WRONG_CARD_COUNT, "board_so_far", where="board", count=len(shown))
    if len(others) > 52 - 2 - 5 - 2:
        raise Refused(Code.WRONG_CARD_COUNT, "none_left", where="seen")
    sources: dict[int, str] = {}
    for where, group in (("hole", held), ("board", shown), ("seen", others)):
        for card in group:
            first = sources.setdefault(card, where)
            if first != where:
                raise Refused(
                    Code.DUPLICATE_CARD, "named_twice", card=str(card), first=first, second=where
                )
    return held, shown, others
