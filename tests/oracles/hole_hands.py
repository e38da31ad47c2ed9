"""Hands of both hole cards and exactly three of the board: New York's letter (R53).

For two hole cards of given ranks, the hand follows from how often each rank lies on the board,
and for suited hole cards from how many of the board are of their suit.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.game.values.hands import Category

RANK_COUNT = 13
STRAIGHTS = (0b1_0000_0000_1111, *(0b11111 << low for low in range(9)))  # the wheel first
ROYAL = STRAIGHTS[-1]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@cache
def both_hole_cards_counts() -> dict[Category, int]:
    """All C(52, 2) × C(50, 5) deals by the best of the ten choices of three board cards."""
    boards = _rank_boards()
    counts = dict.fromkeys(Category, 0)
    for rank in range(RANK_COUNT):
        _tally(counts, _pair_hands(boards, rank), comb(4, 2) * _ways(boards, (rank,)))
    for low, high in combinations(range(RANK_COUNT), 2):
        hands = _unpaired_hands(boards, low, high)
        all_ways = _ways(boards, (low, high))
        _tally(counts, hands, 12 * all_ways)
        _tally(counts, hands, 4 * _ways_without_flush(boards, low, high))
        for category, ways in _flushes(low, high).items():
            counts[category] += 4 * ways
    return counts


def _tally(counts: dict[Category, int], hands: Ints, ways: Ints) -> None:
    for category in Category:
        counts[category] += int(ways[hands == category].sum())


def _rank_boards() -> Ints:
    """How often each rank lies on the board: 6,175 rows of thirteen."""
    rows = [
        np.bincount(ranks, minlength=RANK_COUNT)
        for ranks in combinations_with_replacement(range(RANK_COUNT), 5)
    ]
    boards = np.array(rows, np.int64)
    possible: Ints = boards[boards.max(axis=1) <= 4]
    return possible


def _ways(boards: Ints, hole: tuple[int, ...]) -> Ints:
    """Choices of suits for each row; a pair leaves two of its rank, another hole card three."""
    left = np.full(RANK_COUNT, 4)
    left[list(hole)] = 2 if len(hole) == 1 else 3
    chosen = np.array([[comb(cards, count) for count in range(5)] for cards in range(5)])
    return np.asarray(chosen[left, boards].prod(axis=1), np.int64)


def _ways_without_flush(boards: Ints, low: int, high: int) -> Ints:
    """Choices of suits with at most two cards of the hole cards' suit, which has eleven left."""
    choose = np.array([comb(3, count) for count in range(5)])
    holding = np.array([0, *(comb(3, count - 1) for count in range(1, 5))])
    none, one, two = (np.full(len(boards), first) for first in (1, 0, 0))
    for rank in range(RANK_COUNT):
        out = choose[boards[:, rank]]
        held = 0 if rank in (low, high) else holding[boards[:, rank]]
        none, one, two = none * out, one * out + none * held, two * out + one * held
    return np.asarray(none + one + two, np.int64)


def _pair_hands(boards: Ints, rank: int) -> Ints:
    """A pair in the hole leaves three cards: no straight, no flush."""
    same = boards[:, rank]
    most = np.delete(boards, rank, axis=1).max(axis=1)
    return _first(
        (same == 2, Category.FOUR_OF_A_KIND),
        ((most >= 3) | (same == 1) & (most >= 2), Category.FULL_HOUSE),
        (same == 1, Category.THREE_OF_A_KIND),
        (most >= 2, Category.TWO_PAIR),
        otherwise=Category.ONE_PAIR,
    )


def _unpaired_hands(boards: Ints, low: int, high: int) -> Ints:
    """What the ranks make, flushes apart."""
    more, less = boards[:, [low, high]].max(axis=1), boards[:, [low, high]].min(axis=1)
    most = np.delete(boards, [low, high], axis=1).max(axis=1)
    return _first(
        (more == 3, Category.FOUR_OF_A_KIND),
        ((more == 2) & (less >= 1), Category.FULL_HOUSE),
        (_straight(boards, low, high), Category.STRAIGHT),
        ((more == 2) | (most >= 3), Category.THREE_OF_A_KIND),
        ((less == 1) | (more == 1) & (most >= 2), Category.TWO_PAIR),
        ((more == 1) | (most >= 2), Category.ONE_PAIR),
        otherwise=Category.HIGH_CARD,
    )


def _first(*cases: tuple[Flags, Category], otherwise: Category) -> Ints:
    conditions = [condition for condition, _ in cases]
    return np.select(conditions, [int(category) for _, category in cases], int(otherwise))


def _needed(low: int, high: int) -> list[tuple[int, int]]:
    """Each straight that holds both ranks, with the three ranks it needs of the board."""
    hole = 1 << low | 1 << high
    return [(straight, straight ^ hole) for straight in STRAIGHTS if straight & hole == hole]


def _straight(boards: Ints, low: int, high: int) -> Flags:
    made = np.zeros(len(boards), np.bool_)
    for _, needed in _needed(low, high):
        ranks = [rank for rank in range(RANK_COUNT) if needed >> rank & 1]
        made |= (boards[:, ranks] > 0).all(axis=1)
    return made


def _flushes(low: int, high: int) -> dict[Category, int]:
    """Boards with three or more of the hole cards' suit, by what the best of them make."""
    counts = dict.fromkeys((Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH), 0)
    others = [rank for rank in range(RANK_COUNT) if rank not in (low, high)]
    for suited in (3, 4, 5):
        for held in combinations(others, suited):
            ranks = sum(1 << rank for rank in held)
            made = [straight for straight, needed in _needed(low, high) if ranks & needed == needed]
            best = Category.ROYAL_FLUSH if ROYAL in made else Category.STRAIGHT_FLUSH
            counts[best if made else Category.FLUSH] += comb(39, 5 - suited)
    return counts
