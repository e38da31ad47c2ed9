"""Side wagers: exact counts against published figures and slow independent enumeration."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, sqrt

import numpy as np
import pytest
from phevaluator import evaluate_cards

from headsup.analysis.counts.side_wagers import outcome_counts
from headsup.game.rulebook.model import OUTCOMES
from headsup.game.rulebook.outcomes import (
    all_6_outcome,
    both_hole_cards_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import DECK, card_name
from headsup.game.values.hands import Category, category_of, strength
from tests.oracles.hole_hands import both_hole_cards_counts
from tests.oracles.sides import expected_counts, hand_counts

SPECIAL_ROWS = OUTCOMES["progressive"][:5]
HANDS = OUTCOMES["trips_plus"]
ROW_SETS = [
    tuple(row for row, listed in zip(SPECIAL_ROWS, chosen, strict=True) if listed)
    for chosen in product((False, True), repeat=len(SPECIAL_ROWS))
]


# Against the closed form.


@pytest.mark.parametrize("key", ["trips_plus", "pocket_bonus", "all_6"])
@pytest.mark.parametrize("both_hole_cards", [False, True])
def test_every_outcome_matches_the_closed_form(key: str, both_hole_cards: bool) -> None:
    counts = outcome_counts(Wager(key), OUTCOMES[key], both_hole_cards)
    assert positive(counts) == expected_counts(key, OUTCOMES[key], both_hole_cards)


@pytest.mark.parametrize("rows", ROW_SETS)
def test_every_progressive_row_matches_the_closed_form(rows: tuple[str, ...]) -> None:
    """Whatever special rows a table lists, the game's own choice of row (R66)."""
    listed = (*rows, *(row for row in HANDS if row not in rows))
    counts = outcome_counts(Wager.PROGRESSIVE, listed)
    assert positive(counts) == expected_counts("progressive", rows)


def test_outcomes_missing_from_the_paytable_count_as_nothing() -> None:
    counts = outcome_counts(Wager.TRIPS_PLUS, ("royal_flush", "flush"))
    assert list(counts) == ["royal_flush", "flush", "nothing"]
    assert sum(counts.values()) == comb(52, 7)


def positive(counts: dict[str, int]) -> dict[str, int]:
    return {outcome: ways for outcome, ways in counts.items() if ways}


# Against what is published.


def test_seven_card_counts_match_published_ones() -> None:
    published = (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620)
    counts = outcome_counts(Wager.TRIPS_PLUS, OUTCOMES["trips_plus"])
    assert tuple(counts.values())[:7] == published
    assert sum(counts.values()) == 133_784_560


def test_five_card_counts_match_published_ones() -> None:
    assert list(hand_counts(5).values()) == [
        1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
    ]  # fmt: skip


def edge(key: str, pays: dict[str, int]) -> Fraction:
    counts = outcome_counts(Wager(key), pays)
    total = sum(counts.values())
    return Fraction(-sum(pays.get(row, -1) * ways for row, ways in counts.items()), total)


def pays(key: str, row: str, *amounts: int) -> dict[str, int]:
    """Amounts for the rows of a table, best first, from `row` on."""
    first = OUTCOMES[key].index(row)
    return dict(zip(OUTCOMES[key][first:], amounts, strict=False))


@pytest.mark.parametrize(
    ("key", "table", "published", "places"),
    [
        ("trips_plus", (100, 40, 30, 8, 7, 4, 3), "0.033363", 6),
        ("trips_plus", (50, 40, 30, 8, 7, 4, 3), "0.0350", 4),
        ("pocket_bonus", (30, 20, 10, 5), "0.045249", 6),
        ("all_6", (1000, 1000, 1000, 200, 50, 25, 20, 10, 5), "0.102248", 6),
    ],
)
def test_published_edges(key: str, table: tuple[int, ...], published: str, places: int) -> None:
    computed = edge(key, pays(key, OUTCOMES[key][0], *table))
    assert f"{float(computed):.{places}f}" == published


# Against enumeration by other means.


@cache
def suit_choices(shape: tuple[int, ...]) -> tuple[int, int]:
    """All choices of suits for ranks that come this often, and those without five of a suit."""
    every = list(product(*(list(combinations("cdhs", count)) for count in shape)))
    suits = (Counter(suit for rank in choice for suit in rank) for choice in every)
    return len(every), sum(max(counts.values()) < 5 for counts in suits)


def category_of_ranks(ranks: tuple[int, ...]) -> Category:
    counts = sorted(Counter(ranks).values(), reverse=True)
    held = {*ranks} | ({-1} if 12 in ranks else set())
    if counts[0] == 4:
        return Category.FOUR_OF_A_KIND
    if counts[0] == 3 and counts[1] >= 2:
        return Category.FULL_HOUSE
    if any({*range(low, low + 5)} <= held for low in range(-1, 9)):
        return Category.STRAIGHT
    if counts[0] == 3:
        return Category.THREE_OF_A_KIND
    if counts[0] == 2:
        return Category.TWO_PAIR if counts[1] == 2 else Category.ONE_PAIR
    return Category.HIGH_CARD


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_flushless_hands_match_plain_enumeration_of_ranks(cards: int) -> None:
    totals: Counter[Category] = Counter()
    flushes = 0
    for ranks in combinations_with_replacement(range(13), cards):
        counts = sorted(Counter(ranks).values(), reverse=True)
        if counts[0] <= 4:
            every, flushless = suit_choices(tuple(counts))
            totals[category_of_ranks(ranks)] += flushless
            flushes += every - flushless
    hands = hand_counts(cards)
    suited = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
    assert {category: hands[category] for category in totals} == dict(totals)
    assert sum(hands[category] for category in suited) == flushes
    assert sum(hands.values()) == comb(52, cards)


def suited_sevens() -> Iterator[tuple[tuple[int, ...], int]]:
    """Seven cards with a straight flush in one suit: an example for each set of its ranks."""
    for suit, suits in ((3, 1), (2, 3)):
        for count in (5, 6, 7):
            for ranks in combinations(range(13), count):
                cards = tuple(4 * rank + suit for rank in ranks)
                if category_of(strength(cards)) >= Category.STRAIGHT_FLUSH:
                    others = (0, 5)[: 7 - count]  # 2c 3d: neither hearts nor spades
                    yield (*cards, *others), suits * comb(39, 7 - count)


@pytest.mark.slow
def test_every_straight_flush_takes_the_row_that_the_game_chooses() -> None:
    """All seven-card straight flushes, split into hole, flop, turn and river in every way."""
    totals: dict[tuple[str, ...], Counter[str]] = {rows: Counter() for rows in ROW_SETS}
    row_sets = [
        *random.Random(1).sample(ROW_SETS, 4),
        tuple(row for row in SPECIAL_ROWS if row != "flopped_straight_flush"),
        ("flopped_straight_flush", "royal_flush"),
    ]
    for cards, ways in suited_sevens():
        best = category_of(strength(cards))
        for hole in combinations(cards, 2):
            rest = [card for card in cards if card not in hole]
            for flop in combinations(rest, 3):
                board = (*flop, *(card for card in rest if card not in flop))
                for rows in row_sets:
                    totals[rows][progressive_outcome(hole, board, best, rows)] += ways
    for rows in row_sets:
        counts = expected_counts("progressive", rows)
        assert sum(counts.values()) == 1326 * comb(50, 3) * comb(47, 2)
        special = {row: ways for row, ways in counts.items() if row not in OUTCOMES["odds"][2:]}
        assert special == {row: totals[rows][row] for row in special}
        assert totals[rows].total() == sum(special.values())


def test_all_6_counts_its_royals() -> None:
    """R62: one six-card royal to each suit; other royals hold any of 47 − 1 cards."""
    counts = outcome_counts(Wager.ALL_6, OUTCOMES["all_6"])
    assert counts["six_card_royal_diamonds"] == 1
    assert counts["six_card_royal"] == 3
    assert counts["five_card_royal"] == 4 * 46
    assert sum(counts.values()) == comb(52, 6)


# Against the game itself, on sampled deals.


def close(counts: dict[str, int], sampled: Counter[str]) -> bool:
    """Every outcome within five standard deviations of what its probability promises."""
    total, deals = sum(counts.values()), sampled.total()
    for outcome, ways in counts.items():
        expected = deals * ways / total
        spread = sqrt(max(expected * (1 - ways / total), 1))
        if abs(sampled[outcome] - expected) > 5 * spread:
            return False
    return {*sampled} <= {*counts}


def test_sampled_deals_agree_with_the_game() -> None:
    dealer = random.Random(20)
    sampled: dict[str, Counter[str]] = {
        key: Counter() for key in ("trips_plus", "letter", "pocket_bonus", "all_6", "progressive")
    }
    for _ in range(20_000):
        cards = dealer.sample(DECK, 11)
        hole, board, packet = cards[:2], cards[2:7], cards[7:]
        best = category_of(strength((*hole, *board)))
        sampled["trips_plus"][best.key] += 1
        sampled["letter"][both_hole_cards_outcome(hole, board)] += 1
        sampled["pocket_bonus"][pocket_outcome(hole)] += 1
        sampled["all_6"][all_6_outcome(hole, packet)] += 1
        sampled["progressive"][progressive_outcome(hole, board, best, OUTCOMES["progressive"])] += 1
    for key in ("trips_plus", "pocket_bonus", "all_6", "progressive"):
        assert close(outcome_counts(Wager(key), OUTCOMES[key]), sampled[key]), key
    assert close(outcome_counts(Wager.TRIPS_PLUS, HANDS, both_hole_cards=True), sampled["letter"])


def test_both_hole_cards_counts_cover_every_deal() -> None:
    counts = both_hole_cards_counts()
    assert sum(counts.values()) == comb(52, 2) * comb(50, 5)
    # A royal needs both hole cards in it: the flop holds the other three, as one in ten splits.
    assert counts[Category.ROYAL_FLUSH] == 4 * comb(5, 2) * comb(47, 2)
    seven = outcome_counts(Wager.TRIPS_PLUS, HANDS)
    for category in Category:
        share = Fraction(counts[category], sum(counts.values()))
        if category >= Category.STRAIGHT:
            assert share < Fraction(seven[category.key], 133_784_560)


# Exhaustively, and slowly.


@pytest.mark.slow
def test_five_card_hands_match_phevaluator() -> None:
    """A category's hands are those that phevaluator ranks between the bounds it documents.

    Passing every suit on to the next adds five to the sum of suits: of the four hands that differ
    only so, one has a sum that four divides.
    """
    bounds = (1, 10, 166, 322, 1599, 1609, 2467, 3325, 6185)  # the worst rank of each, royal first
    hands = np.array(list(combinations(DECK, 5)), np.uint8)
    hands = hands[(hands & 3).sum(1) % 4 == 0]
    ranks = Counter(evaluate_cards(*hand) for hand in hands.tolist())
    totals: Counter[int] = Counter()
    for rank, count in ranks.items():
        totals[sum(rank > bound for bound in bounds)] += 4 * count
    assert [totals[i] for i in range(10)] == list(reversed(hand_counts(5).values()))


@pytest.mark.slow
def test_both_hole_cards_counts_match_brute_force() -> None:
    """Ten choices of three board cards for every board and each of the 169 pocket classes."""
    numba = pytest.importorskip("numba")

    @numba.njit
    def five_card_category(a, b, c, d, e):  # type: ignore[no-untyped-def]
        cards = (a, b, c, d, e)
        mask, suits, pairs = 0, 0, 0
        for i in range(5):
            mask |= 1 << (cards[i] >> 2)
            suits |= 1 << (cards[i] & 3)
            for j in range(i):
                pairs += cards[i] >> 2 == cards[j] >> 2
        flush = suits & (suits - 1) == 0
        straight = mask == 0x100F
        for low in range(9):
            straight |= mask == 31 << low
        if flush and mask == 31 << 8:
            return 9
        if flush and straight:
            return 8
        if flush:
            return 5
        if straight:
            return 4
        return (0, 1, 2, 3, 6, 0, 7)[pairs - (pairs > 3) + (pairs == 6) + (pairs == 4) * 1]

    @numba.njit
    def tally(first, second, counts):  # type: ignore[no-untyped-def]
        deck = np.array([card for card in range(52) if card not in (first, second)])
        board = np.zeros(5, np.int64)
        three_category = np.zeros((50, 50, 50), np.int8)
        for i in range(50):
            for j in range(i):
                for k in range(j):
                    three_category[i, j, k] = five_card_category(
                        first, second, deck[i], deck[j], deck[k]
                    )
        for a in range(50):
            for b in range(a):
                for c in range(b):
                    three = three_category[a, b, c]
                    for d in range(c):
                        four = max(
                            three,
                            three_category[a, b, d],
                            three_category[a, c, d],
                            three_category[b, c, d],
                        )
                        for e in range(d):
                            best = max(
                                four,
                                three_category[a, b, e],
                                three_category[a, c, e],
                                three_category[b, c, e],
                                three_category[a, d, e],
                                three_category[b, d, e],
                                three_category[c, d, e],
                            )
                            counts[best] += 1
        return board

    totals = np.zeros(10, np.int64)
    for hole, ways in pocket_classes():
        counts = np.zeros(10, np.int64)
        tally(*hole, counts)
        totals += ways * counts
    assert totals.tolist() == list(both_hole_cards_counts().values())


def pocket_classes() -> Iterator[tuple[tuple[int, int], int]]:
    for low, high in combinations_with_replacement(range(13), 2):
        if low == high:
            yield (4 * low, 4 * low + 1), 6
        else:
            yield (4 * low, 4 * high), 4
            yield (4 * low, 4 * high + 1), 12


def test_phevaluator_agrees_on_sampled_six_card_hands() -> None:
    dealer = random.Random(6)
    for _ in range(2_000):
        cards = dealer.sample(DECK, 6)
        other = dealer.sample(DECK, 6)
        ours = strength(cards) > strength(other)
        theirs = evaluate_cards(*map(card_name, cards)) < evaluate_cards(*map(card_name, other))
        assert ours == theirs
