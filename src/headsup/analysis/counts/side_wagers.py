"""Side wagers: how many deals make each outcome, exactly.

Outcomes are those of `headsup.game.rulebook.outcomes`; what a paytable does not list is `nothing`.
"""

from collections import Counter
from collections.abc import Collection
from functools import cache
from itertools import combinations
from math import comb
from typing import assert_never

from headsup.analysis.counts.card_counts import hand_counts
from headsup.game.rulebook.outcomes import NOTHING, pocket_outcome, progressive_outcome
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from headsup.game.values.hands import Category

SPLITS = comb(7, 2) * comb(5, 3)  # seven cards as hole, flop, and turn with river


def outcome_counts(
    wager: Wager, rows: Collection[str], both_hole_cards: bool = False
) -> dict[str, int]:
    """Deals by outcome of one side wager.

    `rows` are the outcomes that the paytable lists, `both_hole_cards` is New York's literal
    reading of Trips Plus. The listed outcomes come first, in the order given.
    """
    match wager:
        case Wager.TRIPS_PLUS:
            known = hand_counts()
            counts = dict(known.both_hole_cards if both_hole_cards else known.seven)
        case Wager.POCKET_BONUS:
            counts = pocket_counts()
        case Wager.ALL_6:
            counts = all_6_counts()
        case Wager.PROGRESSIVE:
            counts = progressive_counts(frozenset(rows))
        case Wager.ANTE | Wager.ODDS | Wager.RAISE:
            raise ValueError(f"{wager} is no side wager")
        case _:
            assert_never(wager)
    listed = {row: counts.get(row, 0) for row in rows}
    return listed | {NOTHING: sum(counts.values()) - sum(listed.values())}


@cache
def pocket_counts() -> dict[str, int]:
    return dict(Counter(pocket_outcome(hole) for hole in combinations(range(52), 2)))


@cache
def all_6_counts() -> dict[str, int]:
    """The two hole cards with four more: one six-card royal in each suit."""
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
    """Hole, flop, then turn and river, by the row that the game itself would pay (R66)."""
    counts: Counter[str] = Counter()
    for by_row in progressive_by_hand(rows).values():
        counts.update(by_row)
    return dict(counts)


@cache
def progressive_by_hand(rows: frozenset[str]) -> dict[Category, dict[str, int]]:
    """The same for each category of the hand of seven cards."""
    counts = {
        category: Counter({category.key: SPLITS * hand_counts().seven[category.key]})
        for category in Category
        if category < Category.STRAIGHT_FLUSH
    }
    for flushes in hand_counts().straight_flushes:
        for suit, suits in ((SPADES, 1), (HEARTS, 3)):
            cards = _cards_in_suit(flushes.example, suit)
            row = progressive_outcome(cards[:2], cards[2:], flushes.best, rows)
            counts.setdefault(flushes.best, Counter())[row] += suits * flushes.deals
    return {category: dict(by_row) for category, by_row in counts.items()}


def _cards_in_suit(seven: tuple[int, ...], suit: int) -> list[int]:
    """Cards of these ranks in a suit; a rank of -1 is any card of another suit."""
    others = iter((CLUBS, DIAMONDS))  # two deuces, which make nothing in that suit
    return [4 * rank + suit if rank >= 0 else next(others) for rank in seven]
