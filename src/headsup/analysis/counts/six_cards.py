"""All 6 by pocket class: how many four-card packets make each outcome with the hole.

Hands are counted by rank first, as if there were no flushes; then flushes in the suits of the hole
are moved to their category.
"""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.counts.categories import flush_categories, rank_categories
from headsup.analysis.kernels.base.numbering import RANKS, pocket_class
from headsup.analysis.solver.solution import pocket_class_size
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.values.hands import Category

NINE = 7


@cache
def all_6_by_class() -> list[dict[Outcome, int]]:
    """[pocket class]: the number of deals by outcome, over all its holes and packets."""
    return [_count_class(number) for number in range(RANKS * RANKS)]


def _count_class(number: int) -> dict[Outcome, int]:
    row, column = divmod(number, RANKS)
    suited = row > column
    hole = (4 * row, 4 * column + (0 if suited else 1))
    assert pocket_class(*hole) == number
    counts = _count_by_ranks(row, column)
    if suited:
        for suited_count in (3, 4):
            _move_flushes(counts, (row, column), suited_count, 4 - suited_count)
    else:
        for suited_rank, other_rank in ((row, column), (column, row)):
            _move_flushes(counts, (suited_rank,), 4, 0, other_rank)
    hands = pocket_class_size(number)
    outcomes: Counter[Outcome] = Counter(
        {hand_outcome(category): hands * ways for category, ways in counts.items() if ways}
    )
    royals = outcomes.pop(Outcome.ROYAL_FLUSH, 0)
    if suited and column >= NINE:  # one packet per suit makes the six-card royal
        outcomes[Outcome.SIX_CARD_ROYAL_DIAMONDS], outcomes[Outcome.SIX_CARD_ROYAL] = 1, 3
        royals -= 4
    if royals:
        outcomes[Outcome.FIVE_CARD_ROYAL] = royals
    return dict(outcomes)


def _count_by_ranks(row: int, column: int) -> Counter[Category]:
    hole_counts = np.bincount([row, column], minlength=RANKS)
    packets = _multisets()
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)])
    ways = choose[(4 - hole_counts)[:, None], packets].prod(0)
    categories = rank_categories((packets + hole_counts[:, None]).astype(np.int8))
    counts: Counter[Category] = Counter()
    for category in Category:
        counts[category] = int(ways[categories == category].sum())
    return counts


@cache
def _multisets() -> NDArray[np.int64]:
    """[rank, packet]: how many cards of each rank."""
    packets = list(combinations_with_replacement(range(RANKS), 4))
    return np.array([[packet.count(rank) for packet in packets] for rank in range(RANKS)])


def _move_flushes(
    counts: Counter[Category],
    suited_ranks: tuple[int, ...],
    suited_count: int,
    off_count: int,
    other_rank: int | None = None,
) -> None:
    """Move hands with a flush to their category.

    The packet has `suited_count` cards of the suit of `suited_ranks`, and at most one other card.
    """
    free = [rank for rank in range(RANKS) if rank not in suited_ranks]
    rows = np.array(list(combinations(free, suited_count)))
    suit = np.zeros((RANKS, len(rows)), np.int8)
    suit[[*suited_ranks]] = 1
    suit[rows.T, np.arange(len(rows))] = 1
    made = flush_categories(suit)
    ways = 3 if off_count else 1
    for extra in range(RANKS) if off_count else (other_rank,):
        hands = suit.copy()
        if extra is not None:
            hands[extra] += 1
        before = rank_categories(hands)
        for category in Category:
            counts[category] += ways * int((made == category).sum() - (before == category).sum())
