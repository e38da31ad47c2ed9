"""The fast evaluator against the plain one and an independent library."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from headsup.analysis.kernels.base.evaluator import (
    evaluate,
    flush_strength,
    rank_strength,
    strength_tables,
)
from headsup.game.values.hands import category_of, strength


def evaluate_all(hands: NDArray[np.uint8]) -> list[int]:
    out = np.zeros(len(hands), np.int32)
    evaluate(hands, strength_tables(), out)
    return [int(value) for value in out]


def random_hands(seed: int, count: int) -> NDArray[np.uint8]:
    generator = random.Random(seed)
    return np.array([generator.sample(range(52), 7) for _ in range(count)], np.uint8)


@pytest.mark.slow
def test_random_seven_card_hands() -> None:
    hands = random_hands(1, 20_000)
    assert evaluate_all(hands) == [strength([int(card) for card in hand]) for hand in hands]


def test_seven_card_hands_of_few_ranks_and_suits() -> None:
    """Quads, full houses and straight flushes, which random hands seldom hold."""
    aces_to_jacks = list(range(36, 52))
    hearts = [4 * rank + 2 for rank in range(13)]
    hands = np.array([*combinations(aces_to_jacks, 7), *combinations(hearts, 7)], np.uint8)
    strengths = evaluate_all(hands)
    assert strengths == [strength([int(card) for card in hand]) for hand in hands]
    assert {category_of(value).key for value in strengths} >= {
        "four_of_a_kind", "full_house", "flush", "straight_flush", "royal_flush",
    }  # fmt: skip


def test_the_order_matches_phevaluator() -> None:
    """Equal there is equal here, and stronger there is stronger here."""
    hands = random_hands(2, 20_000)
    theirs = [evaluate_cards(*(int(card) for card in hand)) for hand in hands]
    pairs = sorted({*zip(theirs, evaluate_all(hands), strict=True)})
    ours = [own for _, own in pairs]
    assert len({their for their, _ in pairs}) == len(pairs)
    assert ours == sorted({*ours}, reverse=True)


def test_five_and_six_card_hands_by_ranks_and_by_suit() -> None:
    chance = random.Random(3)
    for _ in range(3000):
        cards = chance.sample(range(52), chance.choice((5, 6)))
        counts = sum(1 << 3 * (card >> 2) for card in cards)
        best = rank_strength(counts)
        for suit in range(4):
            suited = [card >> 2 for card in cards if card & 3 == suit]
            if len(suited) >= 5:
                best = max(best, flush_strength(sum(1 << rank for rank in suited)))
        assert best == strength(cards)


@pytest.mark.slow
def test_all_seven_card_hands() -> None:
    """133,784,560 of them, two lowest cards at a time, by category: the standard counts."""
    fives = np.array(list(combinations(range(50), 5)), np.uint8)
    fives = fives[np.lexsort(fives.T)]  # by highest card: those of the n lowest come first
    counts = np.zeros(10, np.int64)
    for second in range(1, 47):
        above = fives[: comb(51 - second, 5)] + np.uint8(second + 1)
        hands = np.hstack([np.zeros((len(above), 2), np.uint8), above])
        hands[:, 1] = second
        out = np.zeros(len(hands), np.int32)
        for first in range(second):
            hands[:, 0] = first
            evaluate(hands, strength_tables(), out)
            counts += np.bincount(out >> 20, minlength=10)
    assert counts.tolist() == [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020,
        4_047_644, 3_473_184, 224_848, 37_260, 4_324,
    ]  # fmt: skip
