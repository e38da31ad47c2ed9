"""What the cards to come make of each of the 169 starting hands, counted exactly.

As in `categories`: by ranks as if no flush were possible, then suit by suit where one is.
"""

from collections import Counter
from functools import cache
from math import comb

import numpy as np

from headsup.analysis.categories import Hands, Ints, flush_categories, rank_categories
from headsup.analysis.kernels.numbering import RANKS
from headsup.game.hands import Category

CLASSES = RANKS * RANKS  # places in the 13 × 13 chart, as `solution.class_name` names them
_NINE = 7  # the lowest rank of a royal flush of six cards


@cache
def categories_of(number: int, more: int) -> tuple[int, ...]:
    """[category]: in how many ways `more` cards of the other 50 make it with this class's hole."""
    row, column = divmod(number, RANKS)
    held = np.zeros(RANKS, np.int64)
    held[row] += 1
    held[column] += 1
    every = _multisets(more)
    counts = _counted(_ranked(every, held), _ways(every, 4 - held))
    for suited, times in _suits(row, column).items():
        for size in range(max(5 - len(suited), 0), more + 1):
            counts += times * _flush_change(held, suited, size, more - size)
    return tuple(counts.tolist())


def _suits(row: int, column: int) -> Counter[tuple[int, ...]]:
    """The four suits by the ranks of the hole cards in them; above the diagonal both are one."""
    if row > column:
        return Counter({(row, column): 1, (): 3})
    return Counter([(row,), (column,), (), ()])


def _flush_change(held: Ints, suited: tuple[int, ...], size: int, others: int) -> Ints:
    """What `size` more cards of a suit and some of the other three change: from what the ranks
    make to the flush."""
    in_suit = np.zeros(RANKS, np.int64)
    in_suit[[*suited]] = 1
    sets = _sets(size)
    sets = sets[:, (sets[[*suited]] == 0).all(0)]
    off = _multisets(others)
    ways = np.tile(_ways(off, 3 - (held - in_suit)), sets.shape[1])
    ranks = (sets[:, :, None] + off[:, None]).reshape(RANKS, -1)
    flushes = flush_categories((sets + in_suit[:, None]).astype(np.int8)).repeat(off.shape[1])
    return _counted(flushes, ways) - _counted(_ranked(ranks, held), ways)


@cache
def _multisets(count: int) -> Hands:
    """[rank, hand]: every choice of `count` cards by rank."""
    rows = np.zeros((1, RANKS), np.int8)
    for _ in range(count):
        grown = rows[:, None] + np.eye(RANKS, dtype=np.int8)
        rows = np.unique(grown.reshape(-1, RANKS), axis=0)
    return np.ascontiguousarray(rows.T)


@cache
def _sets(count: int) -> Hands:
    hands = _multisets(count)
    return hands[:, (hands <= 1).all(0)]


def _ranked(hands: Hands, held: Ints) -> Ints:
    return rank_categories((hands + held[:, None]).astype(np.int8))


def _ways(hands: Hands, left: Ints) -> Ints:
    """Ways to choose the suits, with so many cards of each rank left."""
    choose = np.array([[comb(int(cards), count) for count in range(8)] for cards in left])
    return np.asarray(choose[np.arange(RANKS)[:, None], hands].prod(0))


def _counted(categories: Ints, ways: Ints) -> Ints:
    return np.bincount(categories, ways, len(Category)).astype(np.int64)  # far below 2**53


def six_card_royals(number: int) -> int:
    """In how many ways four more cards make a royal flush of six: one, for two of its cards."""
    row, column = divmod(number, RANKS)
    return int(row > column >= _NINE)
