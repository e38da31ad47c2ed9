"""Side wagers: how many deals make each outcome, exactly.

Outcomes are those of `headsup.game.outcomes`; what a paytable does not list is `nothing`.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import PAIRS, RANKS
from headsup.analysis.kernels.sides import count_both_hole_cards, count_by_ranks, count_by_suit
from headsup.game.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from headsup.game.hands import Category, category_of, strength
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
def category_counts(cards: int) -> dict[str, int]:
    """All hands of five, six or seven cards, by the category of the best five."""
    categories = np.zeros(len(Category), np.int64)
    count_by_ranks(_multisets(cards), categories)
    for suited in range(5, cards + 1):
        sets = np.array(list(combinations(range(RANKS), suited)), np.uint8)
        count_by_suit(sets, _multisets(cards - suited), categories)
    return _by_key(categories)


def _multisets(count: int) -> NDArray[np.uint8]:
    rows = list(combinations_with_replacement(range(RANKS), count))
    return np.array(rows, np.uint8).reshape(len(rows), count)


def _by_key(categories: NDArray[np.int64]) -> dict[str, int]:
    return {category.key: int(categories[category]) for category in Category}


@cache
def both_hole_cards_counts() -> dict[str, int]:
    """Hole and board, by the best hand of both hole cards and exactly three of the board."""
    known = lattice()
    categories = np.zeros(len(Category), np.int64)
    pair_holes = np.bincount(known.holes.pair, minlength=PAIRS)
    count_both_hole_cards(
        known.rank_boards, known.suited_boards, known.types, pair_holes, categories
    )
    return _by_key(categories)


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
    counts = Counter({key: SPLITS * count for key, count in category_counts(7).items()})
    for category in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        del counts[category.key]
    for (best, _, _), (deals, seven) in _straight_flush_deals().items():
        for suit, suits in ((SPADES, 1), (HEARTS, 3)):
            cards = _dealt(seven, suit)
            counts[progressive_outcome(cards[:2], cards[2:], best, rows)] += suits * deals
    return dict(counts)


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
    deals: Counter[tuple[Category, Category, bool]] = Counter()
    examples: dict[tuple[Category, Category, bool], tuple[int, ...]] = {}
    for size in (5, 6, 7):
        for ranks in combinations(range(RANKS), size):
            best = _of_suit(ranks)
            if best < Category.STRAIGHT_FLUSH:
                continue
            seven = [*ranks, *[-1] * (7 - size)]
            ways = comb(39, 7 - size)
            for hole in combinations(range(7), 2):
                board = [place for place in range(7) if place not in hole]
                community = _of_suit([seven[i] for i in board]) is Category.ROYAL_FLUSH
                for flop in combinations(board, 3):
                    flopped = _of_suit([seven[i] for i in (*hole, *flop)])
                    case = best, flopped, community
                    deals[case] += ways
                    if case not in examples:
                        rest = (place for place in board if place not in flop)
                        examples[case] = tuple(seven[i] for i in (*hole, *flop, *rest))
    return {case: (count, examples[case]) for case, count in deals.items()}


def _of_suit(ranks: Iterable[int]) -> Category:
    """What cards of one suit make; -1 stands for a card of another."""
    held = tuple(sorted(rank for rank in ranks if rank >= 0))
    return _suited(held) if len(held) >= 5 else Category.HIGH_CARD


@cache
def _suited(ranks: tuple[int, ...]) -> Category:
    return category_of(strength([4 * rank for rank in ranks]))
