"""How many deals make each outcome of a side wager, in closed form: the solver's twin.

A hand of five to seven cards has a flush in at most one suit, and then neither four of a kind nor
a full house. So hands with a flush are counted by the ranks of that suit (8,192 sets), all others
by the *shape* of their ranks: `2, 2, 1, 1, 1` is two pairs and three single cards.
"""

from collections import Counter
from collections.abc import Container, Iterator
from functools import cache
from itertools import combinations
from math import comb, factorial, prod

from headsup.game.rulebook.outcomes import pocket_outcome, progressive_outcome
from headsup.game.values.cards import DECK, parse_cards
from headsup.game.values.hands import Category, category_of, strength
from tests.oracles.hole_hands import RANK_COUNT, ROYAL, STRAIGHTS, both_hole_cards_counts

SUIT_COUNT = 4
_NINE_TO_ACE = 0b111111 << 7


def expected_counts(
    key: str, rows: Container[str], both_hole_cards: bool = False
) -> dict[str, int]:
    """Deals by outcome; hands that the paytable does not list keep their own names."""
    match key:
        case "trips_plus":
            return _by_key(both_hole_cards_counts() if both_hole_cards else hand_counts(7))
        case "pocket_bonus":
            return dict(Counter(pocket_outcome(hole) for hole in combinations(DECK, 2)))
        case "all_6":
            return _all_6()
        case _:
            return _progressive(rows)


def _by_key(counts: dict[Category, int]) -> dict[str, int]:
    return {category.key: ways for category, ways in reversed(counts.items())}


@cache
def hand_counts(cards: int) -> dict[Category, int]:
    """Hands of five, six or seven cards by the category of their best five."""
    counts = dict.fromkeys(Category, 0)
    for ranks, ways in _flushes(cards):
        counts[_suited_category(ranks)] += ways
    for shape in _shapes(cards, 4):
        kind = category_of(strength(_example(shape)))
        each = _arrangements(shape) * _flushless(shape)
        straights = _sets_with_straight(len(shape)) if kind < Category.STRAIGHT else 0
        counts[Category.STRAIGHT] += each * straights
        counts[kind] += each * (comb(RANK_COUNT, len(shape)) - straights)
    return counts


def _flushes(cards: int) -> Iterator[tuple[int, int]]:
    """The ranks held of the flush's suit, and the hands that hold just these of it."""
    for ranks in range(1 << RANK_COUNT):
        suited = ranks.bit_count()
        if 5 <= suited <= cards:
            yield ranks, SUIT_COUNT * comb(39, cards - suited)


def _suited_category(ranks: int) -> Category:
    if ranks & ROYAL == ROYAL:
        return Category.ROYAL_FLUSH
    return Category.STRAIGHT_FLUSH if _straights_in(ranks) else Category.FLUSH


def _straights_in(ranks: int) -> int:
    return sum(ranks & straight == straight for straight in STRAIGHTS)


@cache
def _sets_with_straight(size: int) -> int:
    sets = (ranks for ranks in range(1 << RANK_COUNT) if ranks.bit_count() == size)
    return sum(_straights_in(ranks) > 0 for ranks in sets)


def _shapes(cards: int, most: int) -> Iterator[tuple[int, ...]]:
    """How often each rank may come, greatest first: the partitions of `cards`."""
    if not cards:
        yield ()
    for first in range(min(cards, most), 0, -1):
        for rest in _shapes(cards - first, first):
            yield (first, *rest)


def _example(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of this shape with no straight (every other rank) and no flush (suits in turn)."""
    return tuple(
        8 * place + (place + i) % 4 for place, count in enumerate(shape) for i in range(count)
    )


def _arrangements(shape: tuple[int, ...]) -> int:
    """Ways to say which of the ranks comes how often."""
    same = (factorial(shape.count(count)) for count in set(shape))
    return factorial(len(shape)) // prod(same)


def _flushless(shape: tuple[int, ...]) -> int:
    """Choices of suits without five in one: all, less those with five or more of each suit."""
    in_suit = [1]  # choices by how many cards are of a given suit, one rank at a time
    for count in shape:
        without, holding = comb(3, count), comb(3, count - 1)
        in_suit = [
            without * here + holding * below
            for here, below in zip([*in_suit, 0], [0, *in_suit], strict=True)
        ]
    return prod(comb(4, count) for count in shape) - SUIT_COUNT * sum(in_suit[5:])


def _all_6() -> dict[str, int]:
    """R62: a six-card royal runs from nine to ace; the other royals have five cards."""
    counts = _by_key(hand_counts(6))
    royals = counts.pop(Category.ROYAL_FLUSH.key)
    six_card = sum(ways for ranks, ways in _flushes(6) if ranks == _NINE_TO_ACE)
    return {
        "six_card_royal_diamonds": six_card // SUIT_COUNT,
        "six_card_royal": six_card - six_card // SUIT_COUNT,
        "five_card_royal": royals - six_card,
        **counts,
    }


def _progressive(rows: Container[str]) -> dict[str, int]:
    """The hand of seven cards, and for straight flushes also where its cards came from."""
    splits = comb(7, 2) * comb(5, 3)  # of seven cards into hole, flop, and turn with river
    counts = {
        category.key: ways * splits
        for category, ways in reversed(hand_counts(7).items())
        if category < Category.STRAIGHT_FLUSH
    }
    for example, ways in _straight_flushes():
        cards = parse_cards(example)
        best = category_of(strength(cards))
        outcome = progressive_outcome(cards[:2], cards[2:], best, rows)
        counts[outcome] = counts.get(outcome, 0) + ways
    return counts


@cache
def _straight_flushes() -> tuple[tuple[str, int], ...]:
    """Every case that a progressive may tell apart, by an example (hole, flop, turn and river).

    Two hole cards and the flop are five cards, so each straight in the suit is flopped in as many
    ways as it splits into two and three; a royal lies on the board in as many.
    """
    five, seven = comb(5, 2), comb(7, 2) * comb(5, 3)
    royals = flopped_royal = flopped_low = lows = flopped = 0
    for ranks, ways in _flushes(7):
        each = five * ways
        if ranks & ROYAL == ROYAL:
            royals += seven * ways
            flopped_royal += each
            flopped_low += each * (_straights_in(ranks) - 1)
        elif _straights_in(ranks):
            lows += seven * ways
            flopped += each * _straights_in(ranks)
    # Eight and nine in the hole over a royal on the board: T-J-Q flops a straight flush too.
    both = sum(ways for ranks, ways in _flushes(7) if ranks == 0b1111111 << 6)
    community, flopped_low = flopped_royal - both, flopped_low - both
    spades = flopped_royal // SUIT_COUNT
    return (
        ("AsKs QsJsTs 2c3d", spades),
        ("AhKh QhJhTh 2c3d", flopped_royal - spades),
        ("KhQh JhTh9h Ah2c", flopped_low),
        ("9h8h QhJhTh AhKh", both),
        ("2c3d AhKhQh JhTh", community),
        ("AhKh QhJh2c Th3d", royals - flopped_royal - flopped_low - both - community),
        ("9h8h 7h6h5h 2c3d", flopped),
        ("9h8h 7h6h2c 5h3d", lows - flopped),
    )
