"""Cards and hands as values that read like cards."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS, SUITS, UnreadableCards, card_name, parse_cards
from headsup.game.values.hands import best_five, category_of, hand_name, strength

# Cards in a text such as "AsKd", in several, or cards already.
CardsLike = str | Iterable[int | str]


class Card(int):
    """A card: a number from 0 to 51 that is written `As`. Sorting cards sorts by rank."""

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
    """`cards("As Kd")`, also `10h`, `Q♥` or lower case; each card at most once."""
    try:
        read = tuple(map(Card, _numbers(text)))
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    except (TypeError, ValueError):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=where, value=text) from None
    for place, card in enumerate(read):
        if not 0 <= card < 52:
            raise Refused(Code.UNKNOWN_CARD, "number", where=where, card=int(card))
        if card in read[:place]:
            raise Refused(Code.DUPLICATE_CARD, "in_one_place", card=str(card), place=where)
    return read


def _numbers(text: CardsLike) -> Iterable[int]:
    """Of a text, of several, or of cards already."""
    if isinstance(text, str):
        return parse_cards(text)
    return [card for one in text for card in (parse_cards(one) if isinstance(one, str) else [one])]


@dataclass(frozen=True, order=True)
class BestHand:
    """The best five of five to seven cards. The stronger hand is the greater; equal hands tie."""

    strength: int
    name: str = field(compare=False)  # as a dealer says it
    category: str = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)  # the five, most important first

    def __repr__(self) -> str:
        return f"<{self.name}: {' '.join(map(str, self.cards))}>"


def hand(*held: CardsLike) -> BestHand:
    """`hand("AsKd", "QsJhTc2d2c")`: the best five of the cards named, in one text or several."""
    named = cards([card for text in held for card in cards(text)])
    if not 5 <= len(named) <= 7:
        raise Refused(Code.WRONG_CARD_COUNT, "five_to_seven", count=len(named))
    made = strength(named)
    best = tuple(map(Card, best_five(named)))
    return BestHand(made, hand_name(made), category_of(made).key, best)


def read_decision_cards(
    hole: CardsLike, board: CardsLike, seen: CardsLike
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """The cards of a question: two, then none, three or five, and others; each named once."""
    held, shown, out = cards(hole, "hole"), cards(board, "board"), cards(seen, "seen")
    if len(held) != 2:
        raise Refused(Code.WRONG_CARD_COUNT, "two", where="hole", count=len(held))
    if len(shown) not in (0, 3, 5):
        raise Refused(Code.WRONG_CARD_COUNT, "board_so_far", where="board", count=len(shown))
    if len(out) > 52 - 2 - 5 - 2:
        raise Refused(Code.WRONG_CARD_COUNT, "none_left", where="seen")
    places: dict[int, str] = {}
    for where, named in (("hole", held), ("board", shown), ("seen", out)):
        for card in named:
            first = places.setdefault(card, where)
            if first != where:
                raise Refused(
                    Code.DUPLICATE_CARD, "named_twice", card=str(card), first=first, second=where
                )
    return held, shown, out
