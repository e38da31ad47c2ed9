"""All 6 by pocket class: how many packets of four cards make each outcome beside a hole.

Counted by ranks as if no flush were possible; then, for the suits of the hole, what a flush moves.
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
    """[pocket class]: over its real holes and all packets."""
    return [_of_class(number) for number in range(RANKS * RANKS)]


def _of_class(number: int) -> dict[Outcome, int]:
    row, column = divmod(number, RANKS)
    suited = row > column
    hole = (4 * row, 4 * column + (0 if suited else 1))
    assert pocket_class(*hole) == number
    counts = _by_ranks(row, column)
    if suited:
        for more in (3, 4):
            _move_flushes(counts, (row, column), more, 4 - more)
    else:
        for own, other in ((row, column), (column, row)):
            _move_flushes(counts, (own,), 4, 0, other)
    hands = pocket_class_size(number)
    found: Counter[Outcome] = Counter(
        {hand_outcome(category): hands * ways for category, ways in counts.items() if ways}
    )
    royals = found.pop(Outcome.ROYAL_FLUSH, 0)
    if suited and column >= NINE:  # one packet makes all six, in each suit
        found[Outcome.SIX_CARD_ROYAL_DIAMONDS], found[Outcome.SIX_CARD_ROYAL] = 1, 3
        royals -= 4
    if royals:
        found[Outcome.FIVE_CARD_ROYAL] = royals
    return dict(found)


def _by_ranks(row: int, column: int) -> Counter[Category]:
    held = np.bincount([row, column], minlength=RANKS)
    packets = _multisets()
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)])
    ways = choose[(4 - held)[:, None], packets].prod(0)
    categories = rank_categories((packets + held[:, None]).astype(np.int8))
    counts: Counter[Category] = Counter()
    for category in Category:
        counts[category] = int(ways[categories == category].sum())
    return counts


@cache
def _multisets() -> NDArray[np.int64]:
    """[rank, packet]: cards of each rank."""
    packets = list(combinations_with_replacement(range(RANKS), 4))
    return np.array([[packet.count(rank) for packet in packets] for rank in range(RANKS)])


def _move_flushes(
    counts: Counter[Category], own: tuple[int, ...], more: int, off: int, other: int | None = None
) -> None:
    """Packets with `more` cards of the suit of `own`, and at most one other card."""
    free = [rank for rank in range(RANKS) if rank not in own]
    rows = np.array(list(combinations(free, more)))
    suit = np.zeros((RANKS, len(rows)), np.int8)
    suit[[*own]] = 1
    suit[rows.T, np.arange(len(rows))] = 1
    made = flush_categories(suit)
    ways = 3 if off else 1
    for extra in range(RANKS) if off else (other,):
        hands = suit.copy()
        if extra is not None:
            hands[extra] += 1
        before = rank_categories(hands)
        for category in Category:
            counts[category] += ways * int((made == category).sum() - (before == category).sum())
