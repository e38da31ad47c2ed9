"""Side wagers: how many deals make each outcome, exactly.

Outcomes are those of `headsup.game.outcomes`; what a paytable does not list is `nothing`.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import assert_never

from headsup.analysis.categories import (
    both_hole_cards_counts,
    category_counts,
    suit_categories,
)
from headsup.analysis.kernels.numbering import RANKS
from headsup.game.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from headsup.game.hands import Category
from headsup.game.outcomes import NOTHING, pocket_outcome, progressive_outcome
from headsup.game.wagers import Wager

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
            counts = both_hole_cards_counts() if both_hole_cards else category_counts(7)
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
    counts = dict(category_counts(6))
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
        category: Counter({category.key: SPLITS * category_counts(7)[category.key]})
        for category in Category
        if category < Category.STRAIGHT_FLUSH
    }
    for (best, _, _), (deals, seven) in _straight_flush_deals().items():
        for suit, suits in ((SPADES, 1), (HEARTS, 3)):
            cards = _dealt(seven, suit)
            row = progressive_outcome(cards[:2], cards[2:], best, rows)
            counts.setdefault(best, Counter())[row] += suits * deals
    return {category: dict(by_row) for category, by_row in counts.items()}


def _dealt(seven: tuple[int, ...], suit: int) -> list[int]:
    """Cards of these ranks in a suit; a rank of -1 is any card of another suit."""
    others = iter((CLUBS, DIAMONDS))  # two deuces, which make nothing in that suit
    return [4 * rank + suit if rank >= 0 else next(others) for rank in seven]


@cache
def _straight_flush_deals() -> dict[tuple[Category, Category, bool], tuple[int, tuple[int, ...]]]:
    """Deals in one suit with a straight flush, by best hand, hand on the flop, royal on board.

    Only which cards are of the suit matters; the others are any of the remaining 39. With the
    number of deals comes an example: the ranks of hole, flop, turn and river.
    """
    made = suit_categories()
    deals: Counter[tuple[Category, Category, bool]] = Counter()
    examples: dict[tuple[Category, Category, bool], tuple[int, ...]] = {}
    splits = list(_splits())
    for size in (5, 6, 7):
        ways = comb(39, 7 - size)
        for ranks in combinations(range(RANKS), size):
            masks = [1 << rank for rank in ranks] + [0] * (7 - size)
            best = made[sum(masks)]
            if best < Category.STRAIGHT_FLUSH:
                continue
            for hole, flop, rest in splits:
                flopped = sum(masks[i] for i in flop)
                board = flopped + sum(masks[i] for i in rest)
                hand = flopped + sum(masks[i] for i in hole)
                case = best, made[hand], made[board] is Category.ROYAL_FLUSH
                deals[case] += ways
                if case not in examples:
                    seven = [*ranks, *[-1] * (7 - size)]
                    examples[case] = tuple(seven[i] for i in (*hole, *flop, *rest))
    return {case: (count, examples[case]) for case, count in deals.items()}


def _splits() -> Iterator[tuple[tuple[int, ...], ...]]:
    """Seven places as hole, flop, and turn with river."""
    for hole in combinations(range(7), 2):
        board = [place for place in range(7) if place not in hole]
        for flop in combinations(board, 3):
            yield hole, flop, tuple(place for place in board if place not in flop)
