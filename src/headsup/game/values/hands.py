"""Finds and names the best five-card hand in five, six or seven cards.

A hand's **strength** is one int: the category in the high bits, then up to five ranks, most
important first, four bits each. Greater strength wins; equal strength is a copy. Suits never
break a tie, and A-2-3-4-5 is the lowest straight (New York (b)(1)–(3), R46).
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import assert_never

from headsup.game.values.cards import ACE, RANKS


class Category(IntEnum):
    """Kinds of hand, weakest first."""

    __hash__ = int.__hash__

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def key(self) -> str:
        """The name in JSON and TOML, such as `full_house`."""
        return _KEYS[self]

    @property
    def words(self) -> str:
        return _WORDS[self]


_KEYS = tuple(category.name.lower() for category in Category)
_WORDS = (
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
CATEGORIES: dict[str, Category] = {category.key: category for category in Category}

_CATEGORY_SHIFT = 20


def _straight_tops() -> tuple[int, ...]:
    """For each set of ranks (a 13-bit mask), the top rank of its best straight, or -1."""
    tops = [-1] * (1 << 13)
    straights = [(3, 0b1_0000_0000_1111)]  # the wheel: five-high, with the ace below the deuce
    straights += [(top, 0b11111 << (top - 4)) for top in range(4, 13)]
    for ranks in range(1 << 13):
        for top, needed in straights:
            if ranks & needed == needed:
                tops[ranks] = top
    return tuple(tops)


_STRAIGHT_TOP = _straight_tops()


_CATEGORIES = tuple(Category)

# One number per card. The upper part is a power of five for the rank: no rank occurs more than
# four times, so the sum identifies the ranks. The lower part counts each suit in four bits.
_CARD_KEYS = tuple(5 ** (card >> 2) << 16 | 1 << 4 * (card & 3) for card in range(52))
_key_of = _CARD_KEYS.__getitem__
# Adding three to a suit's count carries into its fourth bit if there are five or more.
_FIVE_SUITED, _THREES = 0x8888, 0x3333


def category_of(strength: int) -> Category:
    return _CATEGORIES[strength >> _CATEGORY_SHIFT]


def pack_strength(category: int, ranks: Sequence[int]) -> int:
    """The strength of a category with these ranks, most important first."""
    strength = category
    for i in range(5):
        strength = strength << 4 | (ranks[i] if i < len(ranks) else 0)
    return strength


def strength(cards: Sequence[int]) -> int:
    """The strength of the best five cards among five, six or seven."""
    key = sum(map(_key_of, cards))
    by_ranks = _by_ranks(key >> 16)
    if (key & 0xFFFF) + _THREES & _FIVE_SUITED:
        return max(_flush(cards), by_ranks)
    return by_ranks


@cache
def _by_ranks(key: int) -> int:
    """The strength from ranks alone; `key` counts each rank, in base five.

    Five to seven cards have 73,775 different keys, so the cache stays small.
    """
    counts = [key // 5**rank % 5 for rank in range(13)]
    top = _STRAIGHT_TOP[sum(1 << rank for rank in range(13) if counts[rank])]
    if top >= 0:
        return max(pack_strength(Category.STRAIGHT, (top,)), _of_a_kind(counts))
    return _of_a_kind(counts)


def _flush(cards: Sequence[int]) -> int:
    """The best flush, straight flush or royal flush of cards with at least five of one suit."""
    suits = [0, 0, 0, 0]
    for card in cards:
        suits[card & 3] |= 1 << (card >> 2)
    in_suit = max(suits, key=int.bit_count)
    top = _STRAIGHT_TOP[in_suit]
    if top == ACE:
        return pack_strength(Category.ROYAL_FLUSH, (ACE,))
    if top >= 0:
        return pack_strength(Category.STRAIGHT_FLUSH, (top,))
    return pack_strength(
        Category.FLUSH, [rank for rank in range(12, -1, -1) if in_suit >> rank & 1][:5]
    )


def _of_a_kind(counts: Sequence[int]) -> int:
    """The best of high card, pairs, trips, full house and quads."""
    quads, trips, pairs, singles = -1, [], [], []
    for rank in range(12, -1, -1):
        count = counts[rank]
        if count == 1:
            singles.append(rank)
        elif count == 2:
            pairs.append(rank)
        elif count == 3:
            trips.append(rank)
        elif count == 4:
            quads = rank
    if quads >= 0:
        kicker = max(trips[:1] + pairs[:1] + singles[:1])
        return pack_strength(Category.FOUR_OF_A_KIND, (quads, kicker))
    if trips and (pairs or len(trips) > 1):
        return pack_strength(Category.FULL_HOUSE, (trips[0], max(trips[1:2] + pairs[:1])))
    if trips:
        return pack_strength(Category.THREE_OF_A_KIND, (trips[0], *singles[:2]))
    if len(pairs) > 1:
        return pack_strength(Category.TWO_PAIR, (*pairs[:2], max(pairs[2:3] + singles[:1])))
    if pairs:
        return pack_strength(Category.ONE_PAIR, (pairs[0], *singles[:3]))
    return pack_strength(Category.HIGH_CARD, singles[:5])


def best_five(cards: Sequence[int]) -> tuple[int, ...]:
    """The five cards that make the hand, most important first: `5h5sAcKdQd`.

    Of several equally strong choices, the one with the lower suits (clubs first) is returned.
    """
    best = strength(cards)
    category = category_of(best)
    if category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        suits = [card & 3 for card in cards]
        cards = [card for card in cards if suits.count(card & 3) >= 5]
    by_rank: dict[int, list[int]] = {}
    for card in sorted(cards):
        by_rank.setdefault(card >> 2, []).append(card)
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        top = best >> 16 & 15
        return tuple(by_rank[rank % 13][0] for rank in range(top, top - 5, -1))
    five: list[int] = []
    for place, count in enumerate(_SHAPES[category]):
        five += by_rank[best >> (16 - 4 * place) & 15][:count]
    return tuple(five)


# How many cards each packed rank stands for.
_SHAPES: dict[Category, tuple[int, ...]] = {
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
    Category.ONE_PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.THREE_OF_A_KIND: (3, 1, 1),
    Category.FLUSH: (1, 1, 1, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4, 1),
}


# What a dealer announces (New York (e)(10)).

RANK_NAMES: tuple[str, ...] = (
    *("deuce", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
_PLURAL = tuple("sixes" if rank == "six" else f"{rank}s" for rank in RANK_NAMES)


@lru_cache(maxsize=8192)  # there are 7,462 different hands
def hand_name(strength: int) -> str:
    """The hand as a dealer says it: `two pair, eights and sevens, jack kicker`.

    Only the highest kicker is named.
    """
    first, second, third = (strength >> shift & 15 for shift in (16, 12, 8))
    category = category_of(strength)
    match category:
        case Category.HIGH_CARD:
            return f"{RANK_NAMES[first]} high"
        case Category.ONE_PAIR:
            return f"pair of {_PLURAL[first]}, {RANK_NAMES[second]} kicker"
        case Category.TWO_PAIR:
            return f"two pair, {_PLURAL[first]} and {_PLURAL[second]}, {RANK_NAMES[third]} kicker"
        case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
            return f"{category.words}, {_PLURAL[first]}, {RANK_NAMES[second]} kicker"
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH:
            return f"{category.words}, {RANK_NAMES[first]} high"
        case Category.FLUSH:
            return f"{RANK_NAMES[first]}-high flush"
        case Category.FULL_HOUSE:
            return f"full house, {_PLURAL[first]} full of {_PLURAL[second]}"
        case Category.ROYAL_FLUSH:
            return category.words
        case _:
            assert_never(category)


def showdown_names(one: int, other: int) -> tuple[str, str]:
    """The names of both hands at a showdown.

    Different hands with the same name get every kicker down to the deciding one: `ace high, king
    and nine kickers`.
    """
    names = hand_name(one), hand_name(other)
    if one == other or names[0] != names[1]:
        return names
    stem = names[0].rpartition(", ")[0] or names[0]  # without the shared kicker
    shift = next(shift for shift in (12, 8, 4, 0) if one >> shift != other >> shift)
    return f"{stem}, {_kickers(one, shift)}", f"{stem}, {_kickers(other, shift)}"


def _kickers(strength: int, last: int) -> str:
    """The kickers down to the packed rank at bit `last`; the first packed rank names the hand."""
    *others, lowest = (RANK_NAMES[strength >> shift & 15] for shift in range(12, last - 1, -4))
    return f"{', '.join(others)} and {lowest} kickers" if others else f"{lowest} kicker"


def parse_qualifier(text: str) -> int:
    """The lowest strength that meets a qualifier: a category, or ranks such as `44` or `AK`.

    `one_pair` is any pair or better; `44` a pair of fours or better; `AK` ace-king high or better.
    """
    if text in CATEGORIES:
        return CATEGORIES[text] << _CATEGORY_SHIFT
    if not 1 <= len(text) <= 5 or any(rank not in RANKS for rank in text):
        raise ValueError(
            f"'{text}' is neither a category ({', '.join(CATEGORIES)}) nor ranks such as 44 or AK"
        )
    ranks = sorted((RANKS.index(rank) for rank in text), reverse=True)
    named = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -rank))
    shape = tuple(ranks.count(rank) for rank in named if ranks.count(rank) > 1)
    shapes = {
        (): Category.HIGH_CARD,
        (2,): Category.ONE_PAIR,
        (2, 2): Category.TWO_PAIR,
        (3,): Category.THREE_OF_A_KIND,
        (3, 2): Category.FULL_HOUSE,
        (4,): Category.FOUR_OF_A_KIND,
    }
    if shape not in shapes:
        raise ValueError(f"'{text}' is not a hand: at most four of a rank")
    return pack_strength(shapes[shape], named)
