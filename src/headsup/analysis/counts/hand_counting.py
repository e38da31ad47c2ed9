"""Counts everything in `card_counts.json`.

`python -m headsup.analysis.counts.hand_counting > FILE` writes that file.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

from headsup.analysis.counts.categories import (
    both_hole_cards_counts,
    category_counts,
    suit_categories,
)
from headsup.analysis.counts.hand_counts import HandCounts, StraightFlushCase, write_counts
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.game.values.hands import Category


def count_hands() -> HandCounts:
    return HandCounts(
        category_counts(6),
        category_counts(7),
        both_hole_cards_counts(),
        _straight_flushes(),
        tuple(all_6_by_class()),
    )


def _straight_flushes() -> tuple[StraightFlushCase, ...]:
    """Deals with a straight flush in one suit: by best hand, flopped hand and royal on the board.

    Only the cards of that suit matter; the others are any of the remaining 39. Each case comes
    with an example: the ranks of hole, flop, turn and river.
    """
    categories = suit_categories()
    deals: Counter[tuple[Category, Category, bool]] = Counter()
    examples: dict[tuple[Category, Category, bool], tuple[int, ...]] = {}
    splits = list(_split_seven_cards())
    for size in (5, 6, 7):
        ways = comb(39, 7 - size)
        for ranks in combinations(range(RANKS), size):
            masks = [1 << rank for rank in ranks] + [0] * (7 - size)
            best = categories[sum(masks)]
            if best < Category.STRAIGHT_FLUSH:
                continue
            for hole, flop, rest in splits:
                flopped = sum(masks[i] for i in flop)
                board = flopped + sum(masks[i] for i in rest)
                hand = flopped + sum(masks[i] for i in hole)
                case = best, categories[hand], categories[board] is Category.ROYAL_FLUSH
                deals[case] += ways
                if case not in examples:
                    seven = [*ranks, *[-1] * (7 - size)]
                    examples[case] = tuple(seven[i] for i in (*hole, *flop, *rest))
    return tuple(StraightFlushCase(*case, count, examples[case]) for case, count in deals.items())


def _split_seven_cards() -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to split seven cards into hole, flop, and turn with river."""
    for hole in combinations(range(7), 2):
        board = [index for index in range(7) if index not in hole]
        for flop in combinations(board, 3):
            yield hole, flop, tuple(index for index in board if index not in flop)


if __name__ == "__main__":
    sys.stdout.write(write_counts(count_hands()))
