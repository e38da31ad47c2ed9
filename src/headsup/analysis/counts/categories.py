"""Categories counted over all hands: by ranks as if no flush were possible, then by suit.

A hand as ranks is thirteen counts. Suits come in twice: as the ways to choose them, and
where five or more cards share one, which moves the hand from what its ranks make to the flush.
"""

from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_SUITED_TYPE,
    PAIRS,
    RANKS,
    multiset3_number,
    set3_number,
)
from headsup.game.values.hands import Category

Ints = NDArray[np.int64]
Hands = NDArray[np.int8]  # [rank, hand]: cards of each rank


@cache
def category_counts(cards: int) -> dict[str, int]:
    """All hands of five, six or seven cards, by the category of the best five."""
    every = _multisets(cards)
    counts = _count_categories(rank_categories(every), _ways(every, 4))
    for suited in range(5, cards + 1):
        flush, off = _sets(suited), _multisets(cards - suited)
        ways = np.tile(4 * _ways(off, 3), flush.shape[1])
        counts -= _count_categories(rank_categories(_combine(flush, off)), ways)
        counts += _count_categories(flush_categories(flush).repeat(off.shape[1]), ways)
    return _by_key(counts)


def _multisets(count: int) -> Hands:
    rows = np.zeros((1, 0), np.int64)
    for _ in range(count):
        least = rows[:, -1] if rows.shape[1] else np.zeros(1, np.int64)
        blocks = [(rows[least <= rank], rank) for rank in range(RANKS)]
        rows = np.concatenate(
            [np.column_stack([block, np.full(len(block), rank)]) for block, rank in blocks]
        )
    return _as_counts(rows)


def _sets(count: int) -> Hands:
    hands = _multisets(count)
    return hands[:, (hands <= 1).all(0)]


def _as_counts(rows: NDArray[np.integer[Any]]) -> Hands:
    """Rows of ranks as counts of each rank."""
    places = rows.astype(np.int64) * len(rows) + np.arange(len(rows))[:, None]
    counts = np.bincount(places.ravel(), minlength=RANKS * len(rows))
    return counts.astype(np.int8).reshape(RANKS, -1)


def _combine(first: Hands, second: Hands) -> Hands:
    """Every hand of the first cards with every one of the second."""
    return (first[:, :, None] + second[:, None]).reshape(RANKS, -1)


def _ways(hands: Hands, suits: int) -> Ints:
    """Ways to choose the suits of each hand; none where a rank comes too often."""
    choose = np.array([comb(suits, count) for count in range(8)])
    return np.asarray(choose[hands].prod(0))


def _count_categories(categories: Ints, ways: Ints) -> Ints:
    return np.bincount(categories, ways, len(Category)).astype(np.int64)  # far below 2**53


def _by_key(counts: Ints) -> dict[str, int]:
    return {category.key: int(counts[category]) for category in Category}


def rank_categories(hands: Hands) -> Ints:
    """What the best five cards of each hand make by rank alone, for five to seven cards."""
    four, three, two = ((hands == count).sum(0, np.int8) for count in (4, 3, 2))
    return np.select(
        [
            four > 0,
            (three > 1) | (three > 0) & (two > 0),
            _straight_tops(hands) >= 0,
            three > 0,
            two > 1,
            two > 0,
        ],
        [
            Category.FOUR_OF_A_KIND,
            Category.FULL_HOUSE,
            Category.STRAIGHT,
            Category.THREE_OF_A_KIND,
            Category.TWO_PAIR,
            Category.ONE_PAIR,
        ],
        Category.HIGH_CARD,
    )


def flush_categories(suits: Hands) -> Ints:
    """What five or more cards of one suit make."""
    tops = _straight_tops(suits)
    return np.select(
        [tops == RANKS - 1, tops >= 0],
        [Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH],
        Category.FLUSH,
    )


def _straight_tops(hands: Hands) -> Ints:
    """The top rank of the best straight, or -1; the wheel's top is the five."""
    held = hands > 0
    tops = np.where(held[[12, 0, 1, 2, 3]].all(0), 3, -1)
    for top in range(4, RANKS):
        tops[held[top - 4 : top + 1].all(0)] = top
    return tops


@cache
def suit_categories() -> list[Category]:
    """[mask of ranks]: what these cards of one suit make; HIGH_CARD where they are too few."""
    masks = np.arange(1 << RANKS)
    held = (masks >> np.arange(RANKS)[:, None] & 1).astype(np.int8)
    categories = np.where(held.sum(0) >= 5, flush_categories(held), Category.HIGH_CARD)
    return [Category(category) for category in categories.tolist()]


# New York's letter: both hole cards and exactly three of the board.


@cache
def both_hole_cards_counts() -> dict[str, int]:
    """Hole and board, by the best hand of both hole cards and exactly three of the board."""
    known = board_tables()
    boards, holes = known.rank_boards, np.bincount(known.holes.pair, minlength=PAIRS)
    by_ranks = _best_by_ranks()
    counts = _count_categories(by_ranks.ravel(), (boards.ways * holes).ravel())
    kinds = known.types.kinds[FIRST_SUITED_TYPE:].astype(np.int64) - RANKS
    pairs = kinds[:, 0] + kinds[:, 1] * (kinds[:, 1] + 1) // 2
    before = by_ranks[known.suited_boards.ranks][:, pairs]
    after = np.maximum(before, _best_by_suit(kinds))
    ways = _suited_ways()
    counts -= _count_categories(before.ravel(), ways.ravel())
    counts += _count_categories(after.ravel(), ways.ravel())
    return _by_key(counts)


def _best_by_ranks() -> Ints:
    """[rank board, pair]: the best category of the pair with three ranks of the board."""
    known = board_tables()
    flops, pairs = _as_counts(known.rank_flops.ranks), _as_counts(known.types.ranks)
    five = rank_categories(_combine(flops, pairs)).reshape(-1, PAIRS)
    columns = known.rank_boards.ranks.astype(np.int64).T
    threes = [multiset3_number(*three) for three in combinations(columns, 3)]
    return np.asarray(np.maximum.reduce([five[three] for three in threes]))


def _best_by_suit(kinds: Ints) -> Ints:
    """[suited board, suited hole]: the best flush of both hole cards and three suited of the board.

    Where the board holds one of the cards it says nothing: no such hole is dealt.
    """
    boards = board_tables().suited_boards
    five = _combine(_as_counts(boards.threes), _as_counts(kinds))
    flushes = flush_categories(five).reshape(-1, len(kinds))
    best = []
    for suited in (boards.threes, boards.fours, boards.fives):
        threes = [set3_number(*three) for three in combinations(suited.astype(np.int64).T, 3)]
        best.append(np.maximum.reduce([flushes[three] for three in threes]))
    off = (PAIRS, RANKS, 1)
    return np.concatenate([rows.repeat(times, 0) for rows, times in zip(best, off, strict=True)])


def _suited_ways() -> Ints:
    """[suited board, suited hole]: real boards and holes in the four suits, 0 if a card repeats."""
    known = board_tables()
    types = known.types
    ways = np.concatenate(
        [
            np.tile(types.ways2[:, FIRST_SUITED_TYPE:], (FIRST_FOUR_SUITED // PAIRS, 1)),
            np.tile(
                types.ways1[:, FIRST_SUITED_TYPE:],
                ((FIRST_FIVE_SUITED - FIRST_FOUR_SUITED) // RANKS, 1),
            ),
            np.ones(
                (len(known.suited_boards.fives), len(types.kinds) - FIRST_SUITED_TYPE), np.int64
            ),
        ]
    )
    kinds = types.kinds[FIRST_SUITED_TYPE:].astype(np.int64) - RANKS
    masks = known.suited_boards.suited.astype(np.int64)[:, None]
    repeats = (masks >> kinds[:, 0] | masks >> kinds[:, 1]) & 1
    return np.where(repeats == 1, 0, 4 * ways)
