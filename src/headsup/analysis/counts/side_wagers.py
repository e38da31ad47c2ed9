"""Counts exactly how many deals make each outcome of a side wager.

Outcomes are those of `headsup.game.rulebook.outcomes`. Anything a paytable does not list is
`nothing`.
"""

from collections import Counter
from collections.abc import Collection
from functools import cache
from itertools import combinations
from math import comb
from typing import assert_never

from headsup.analysis.counts.hand_counts import hand_counts
from headsup.game.rulebook.outcomes import NOTHING, pocket_outcome, progressive_outcome
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from headsup.game.values.hands import Category

SPLITS = comb(7, 2) * comb(5, 3)  # ways to split seven cards into hole, flop, and turn with river


def outcome_counts(
    wager: Wager, rows: Collection[str], both_hole_cards: bool = False
) -> dict[str, int]:
    """The number of deals by outcome of one side wager.

    `rows` are the outcomes that the paytable lists; they come first, in this order. With
    `both_hole_cards` Trips Plus needs both hole cards, as New York words it.
    """
    match wager:
        case Wager.TRIPS_PLUS:
            hands = hand_counts()
            counts = dict(hands.both_hole_cards if both_hole_cards else hands.seven)
        case Wager.POCKET_BONUS:
            counts = pocket_counts()
        case Wager.ALL_6:
            counts = all_6_counts()
        case Wager.PROGRESSIVE:
            counts = progressive_counts(frozenset(rows))
        case Wager.ANTE | Wager.ODDS | Wager.RAISE:
            raise ValueError(f"{wager} is not a side wager")
        case _:
            assert_never(wager)
    listed = {row: counts.get(row, 0) for row in rows}
    return listed | {NOTHING: sum(counts.values()) - sum(listed.values())}


@cache
def pocket_counts() -> dict[str, int]:
    return dict(Counter(pocket_outcome(hole) for hole in combinations(range(52), 2)))


@cache
def all_6_counts() -> dict[str, int]:
    """Hands of the two hole cards and four more; one six-card royal in each suit."""
    counts = dict(hand_counts().six)
    royals = counts.pop(Category.ROYAL_FLUSH.key)
    return {
        "six_card_royal_diamonds": 1,
        "six_card_royal": 3,
        "five_card_royal": royals - 4,
        **counts,
    }


@cache
def progressive_counts(rows: frozenset[str]) -> dict[str, int]:
    """Deals of hole, flop, and turn with river, by the row that the rules pay (R66)."""
    counts: Counter[str] = Counter()
    for by_row in progressive_by_hand(rows).values():
        counts.update(by_row)
    return dict(counts)


@cache
def progressive_by_hand(rows: frozenset[str]) -> dict[Category, dict[str, int]]:
    """Deals by outcome of the Progressive, for each category of the seven-card hand."""
    counts = {
        category: Counter({category.key: SPLITS * hand_counts().seven[category.key]})
        for category in Category
        if category < Category.STRAIGHT_FLUSH
    }
    for case in hand_counts().straight_flushes:
        for suit, suits in ((SPADES, 1), (HEARTS, 3)):
            cards = _cards_in_suit(case.example, suit)
            row = progressive_outcome(cards[:2], cards[2:], case.best, rows)
            counts.setdefault(case.best, Counter())[row] += suits * case.deals
    return {category: dict(by_row) for category, by_row in counts.items()}


def _cards_in_suit(seven: tuple[int, ...], suit: int) -> list[int]:
    """Cards of these ranks in the suit. A rank of -1 stands for a card of another suit."""
    others = iter((CLUBS, DIAMONDS))  # two deuces in other suits, which do not help
    return [4 * rank + suit if rank >= 0 else next(others) for rank in seven]
