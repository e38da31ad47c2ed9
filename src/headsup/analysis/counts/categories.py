"""Counts hands of five, six or seven cards by category.

First all hands are counted by rank, as if there were no flushes. Then hands with five or more cards
of one suit are moved from the category of their ranks to their flush.
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
    FIRST_TWO_SUITED_TYPE,
    PAIRS,
    RANKS,
    multiset3_number,
    set3_number,
)
from headsup.game.values.hands import Category

Ints = NDArray[np.int64]
Hands = NDArray[np.int8]  # [rank, hand]: how many cards of each rank


@cache
def category_counts(cards: int) -> dict[str, int]:
    """The number of hands by the category of their best five cards."""
    all_hands = _multisets(cards)
    counts = _count_categories(rank_categories(all_hands), _ways(all_hands, 4))
    for suited in range(5, cards + 1):
        flush, off = _sets(suited), _multisets(cards - suited)
        ways = np.tile(4 * _ways(off, 3), flush.shape[1])
        counts -= _count_categories(rank_categories(_combine(flush, off)), ways)
        counts += _count_categories(flush_categories(flush).repeat(off.shape[1]), ways)
    return _by_key(counts)


def _multisets(count: int) -> Hands:
    rows = np.zeros((1, 0), np.int64)
    for _ in range(count):
        last_ranks = rows[:, -1] if rows.shape[1] else np.zeros(1, np.int64)
        blocks = [(rows[last_ranks <= rank], rank) for rank in range(RANKS)]
        rows = np.concatenate(
            [np.column_stack([block, np.full(len(block), rank)]) for block, rank in blocks]
        )
    return _as_counts(rows)


def _sets(count: int) -> Hands:
    hands = _multisets(count)
    return hands[:, (hands <= 1).all(0)]


def _as_counts(rows: NDArray[np.integer[Any]]) -> Hands:
    """Turn rows of ranks into counts of each rank."""
    indices = rows.astype(np.int64) * len(rows) + np.arange(len(rows))[:, None]
    counts = np.bincount(indices.ravel(), minlength=RANKS * len(rows))
    return counts.astype(np.int8).reshape(RANKS, -1)


def _combine(first: Hands, second: Hands) -> Hands:
    """Every hand of `first` joined with every hand of `second`."""
    return (first[:, :, None] + second[:, None]).reshape(RANKS, -1)


def _ways(hands: Hands, suits: int) -> Ints:
    """How many ways there are to choose suits for each hand; 0 if a rank occurs too often."""
    choose = np.array([comb(suits, count) for count in range(8)])
    return np.asarray(choose[hands].prod(0))


def _count_categories(categories: Ints, ways: Ints) -> Ints:
    return np.bincount(categories, ways, len(Category)).astype(np.int64)  # far below 2**53


def _by_key(counts: Ints) -> dict[str, int]:
    return {category.key: int(counts[category]) for category in Category}


def rank_categories(hands: Hands) -> Ints:
    """[hand]: the category of the best five of five to seven cards, ignoring suits."""
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
    """[hand]: the category of five or more cards of one suit."""
    tops = _straight_tops(suits)
    return np.select(
        [tops == RANKS - 1, tops >= 0],
        [Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH],
        Category.FLUSH,
    )


def _straight_tops(hands: Hands) -> Ints:
    """[hand]: the top rank of the best straight, or -1. The wheel tops out at five."""
    held = hands > 0
    tops = np.where(held[[12, 0, 1, 2, 3]].all(0), 3, -1)
    for top in range(4, RANKS):
        tops[held[top - 4 : top + 1].all(0)] = top
    return tops


@cache
def suit_categories() -> list[Category]:
    """[mask of ranks]: the category of these cards of one suit; HIGH_CARD below five cards."""
    masks = np.arange(1 << RANKS)
    held = (masks >> np.arange(RANKS)[:, None] & 1).astype(np.int8)
    categories = np.where(held.sum(0) >= 5, flush_categories(held), Category.HIGH_CARD)
    return [Category(category) for category in categories.tolist()]


# Trips Plus as New York words it: both hole cards and exactly three of the board.


@cache
def both_hole_cards_counts() -> dict[str, int]:
    """The number of deals by the best hand of both hole cards and exactly three of the board."""
    tables = board_tables()
    boards, holes = tables.rank_boards, np.bincount(tables.holes.pair, minlength=PAIRS)
    by_ranks = _best_by_ranks()
    counts = _count_categories(by_ranks.ravel(), (boards.ways * holes).ravel())
    kinds = tables.types.kinds[FIRST_TWO_SUITED_TYPE:].astype(np.int64) - RANKS
    pairs = kinds[:, 0] + kinds[:, 1] * (kinds[:, 1] + 1) // 2
    before = by_ranks[tables.suited_boards.ranks][:, pairs]
    after = np.maximum(before, _best_by_suit(kinds))
    ways = _suited_ways()
    counts -= _count_categories(before.ravel(), ways.ravel())
    counts += _count_categories(after.ravel(), ways.ravel())
    return _by_key(counts)


def _best_by_ranks() -> Ints:
    """[rank board, pair]: the best category of the pair with three cards of the board."""
    tables = board_tables()
    flops, pairs = _as_counts(tables.rank_flops.ranks), _as_counts(tables.types.ranks)
    five = rank_categories(_combine(flops, pairs)).reshape(-1, PAIRS)
    columns = tables.rank_boards.ranks.astype(np.int64).T
    threes = [multiset3_number(*three) for three in combinations(columns, 3)]
    return np.asarray(np.maximum.reduce([five[three] for three in threes]))


def _best_by_suit(kinds: Ints) -> Ints:
    """[suited board, suited hole]: the best flush of both hole cards and three board cards.

    Meaningless where board and hole share a card: no such hole is dealt.
    """
    boards = board_tables().suited_boards
    five = _combine(_as_counts(boards.threes), _as_counts(kinds))
    flushes = flush_categories(five).reshape(-1, len(kinds))
    best = []
    for suited in (boards.threes, boards.fours, boards.fives):
        threes = [set3_number(*three) for three in combinations(suited.astype(np.int64).T, 3)]
        best.append(np.maximum.reduce([flushes[three] for three in threes]))
    off_boards = (PAIRS, RANKS, 1)
    return np.concatenate(
        [rows.repeat(times, 0) for rows, times in zip(best, off_boards, strict=True)]
    )


def _suited_ways() -> Ints:
    """[suited board, suited hole]: how many deals this stands for; 0 if they share a card."""
    tables = board_tables()
    types = tables.types
    ways = np.concatenate(
        [
            np.tile(types.ways2[:, FIRST_TWO_SUITED_TYPE:], (FIRST_FOUR_SUITED // PAIRS, 1)),
            np.tile(
                types.ways1[:, FIRST_TWO_SUITED_TYPE:],
                ((FIRST_FIVE_SUITED - FIRST_FOUR_SUITED) // RANKS, 1),
            ),
            np.ones(
                (len(tables.suited_boards.fives), len(types.kinds) - FIRST_TWO_SUITED_TYPE),
                np.int64,
            ),
        ]
    )
    kinds = types.kinds[FIRST_TWO_SUITED_TYPE:].astype(np.int64) - RANKS
    masks = tables.suited_boards.suited.astype(np.int64)[:, None]
    repeats = (masks >> kinds[:, 0] | masks >> kinds[:, 1]) & 1
    return np.where(repeats == 1, 0, 4 * ways)
