"""Compares the evaluator with three others, exhaustively where that is feasible."""

import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations, combinations_with_replacement, pairwise

import eval7
import pytest
from phevaluator.evaluator import evaluate_cards

from headsup.game.values.cards import DECK, card_name, format_cards, parse_cards
from headsup.game.values.hands import (
    CATEGORIES,
    Category,
    best_five,
    category_of,
    hand_name,
    pack_strength,
    parse_qualifier,
    showdown_names,
    strength,
)

# Our card numbering (deuce of clubs first, suits c d h s) is phevaluator's own.
FIVE_CARD_COUNTS = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.ONE_PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}


def hand(text: str) -> int:
    return strength(parse_cards(text))


@pytest.mark.parametrize(
    ("cards", "category", "best"),
    [
        ("AsKsQsJsTs2c3d", "royal_flush", "AsKsQsJsTs"),
        ("9h8h7h6h5h4hAd", "straight_flush", "9h8h7h6h5h"),
        ("Ac2c3c4c5cKdKh", "straight_flush", "5c4c3c2cAc"),
        ("7c7d7h7sAcAdAh", "four_of_a_kind", "7c7d7h7sAc"),
        ("KcKdKhQcQdQhAs", "full_house", "KcKdKhQcQd"),
        ("AhTh8h5h2hAcAd", "flush", "AhTh8h5h2h"),
        ("2h3h4h5h6d7hTh", "flush", "Th7h5h4h3h"),
        ("Ts9d8c7h6s2d2c", "straight", "Ts9d8c7h6s"),
        ("Ac2d3h4s5d9dKs", "straight", "5d4s3h2dAc"),
        ("8c8d8hAsKdQs2c", "three_of_a_kind", "8c8d8hAsKd"),
        ("AcAdKcKdQcQdJh", "two_pair", "AcAdKcKdQc"),
        ("5h5sAcQdKd9c2d", "one_pair", "5h5sAcKdQd"),
        ("AsKd9c7h5s3d2c", "high_card", "AsKd9c7h5s"),
        ("AsKdQcJh9s8d", "high_card", "AsKdQcJh9s"),
        ("AsKdQcJhTs", "straight", "AsKdQcJhTs"),
    ],
)
def test_the_best_five_cards_count(cards: str, category: str, best: str) -> None:
    read = parse_cards(cards)
    assert category_of(strength(read)).key == category
    assert format_cards(best_five(read)) == best


@pytest.mark.clause("NY (b)(2)", "NY (b)(3) next card")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c3c4c5c6c", "Ac2c3c4c5c"),  # the wheel is the lowest straight flush
        ("2c3d4h5s6c", "Ac2d3h4s5c"),  # and the lowest straight (R46)
        ("2c2d3h4s5c", "AcKdQhJs9c"),  # a pair beats any kicker (R46)
        ("AcAdKhQsJc", "AcAdKhQsTc"),
        ("KcKdKhQsJc", "QcQdQhAsKc"),
        ("3c3d3h2s2c", "2h2d2sAsAc"),
        ("AcAd2h2sKc", "KcKdQhQsAh"),
    ],
)
def test_standard_order(better: str, worse: str) -> None:
    assert hand(better) > hand(worse)


def test_suits_are_equal() -> None:
    assert hand("AsKsQsJsTs") == hand("AcKcQcJcTc")
    assert hand("AsKd9c7h5s") == hand("AcKh9s7d5c")


def test_qualifier_thresholds() -> None:
    assert hand("2c2d3h4s5c") >= parse_qualifier("one_pair") > hand("AcKdQhJs9c")
    assert hand("4c4d2h3s5c") >= parse_qualifier("44") > hand("3c3dAhKsQc")
    assert hand("AcKd4h3s2c") >= parse_qualifier("AK") > hand("AcQdJhTs9c")
    assert hand("AcAd2h2s3c") >= parse_qualifier("AA22") > hand("KcKdQhQsAc")


@pytest.mark.parametrize("text", ["", "pair", "1", "above_royal", "AAAAA", "AKQJT9"])
def test_an_unknown_hand_is_refused_as_a_qualifier(text: str) -> None:
    with pytest.raises(ValueError, match=r"hand|category"):
        parse_qualifier(text)


@pytest.fixture(scope="module")
def five_card_strengths() -> dict[int, int]:
    """Our strength → phevaluator's rank, over all 2,598,960 hands."""
    ranks: dict[int, int] = {}
    counts: Counter[int] = Counter()
    for five in combinations(DECK, 5):
        mine = strength(five)
        counts[mine >> 20] += 1
        theirs = evaluate_cards(*five)
        assert ranks.setdefault(mine, theirs) == theirs, format_cards(five)
    assert counts == {int(category): count for category, count in FIVE_CARD_COUNTS.items()}
    return ranks


@pytest.mark.slow
def test_all_five_card_hands_agree_with_phevaluator(five_card_strengths: dict[int, int]) -> None:
    ordered = [five_card_strengths[mine] for mine in sorted(five_card_strengths)]
    assert ordered == sorted(ordered, reverse=True)
    assert len(set(ordered)) == len(ordered) == 7_462


@pytest.mark.slow
def test_one_seven_card_hand_of_each_of_the_4824_strengths() -> None:
    """Seven cards make 4,824 different strengths; each occurs, in phevaluator's order."""
    rng = random.Random(7)
    seen: dict[int, int] = {}
    for ranks_and_suits in _seven_card_patterns():
        seen.setdefault(strength(ranks_and_suits), evaluate_cards(*ranks_and_suits))
    for _ in range(200_000):
        seven = rng.sample(DECK, 7)
        mine = strength(seven)
        assert seen.setdefault(mine, evaluate_cards(*seven)) == evaluate_cards(*seven)
    assert len(seen) == 4_824
    ordered = [seen[mine] for mine in sorted(seen)]
    assert ordered == sorted(set(ordered), reverse=True)


def _seven_card_patterns() -> list[tuple[int, ...]]:
    """Hands that reach every strength: every multiset of ranks unsuited, every flush of seven."""
    hands: list[tuple[int, ...]] = []

    def grow(cards: tuple[int, ...], rank: int) -> None:
        if len(cards) == 7:
            hands.append(cards)
            return
        if rank == 13:
            return
        for count in range(min(4, 7 - len(cards)) + 1):
            # Suits turn with the rank, so that no five cards share one.
            suits = [(rank + i) % 4 for i in range(count)]
            grow((*cards, *(rank * 4 + suit for suit in suits)), rank + 1)

    grow((), 0)
    for ranks in combinations(range(13), 5):
        filler = [rank for rank in range(13) if rank not in ranks][:2]
        hands.append((*(rank * 4 for rank in ranks), filler[0] * 4 + 1, filler[1] * 4 + 2))
    return hands


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_sample_agrees_with_eval7_and_pokerkit(size: int) -> None:
    pokerkit = import_module("pokerkit")  # takes a second to come, which no other test needs
    rng = random.Random(size)
    sample = [rng.sample(DECK, size) for _ in range(400)]
    mine = [strength(cards) for cards in sample]
    by_eval7 = [eval7.evaluate([eval7.Card(card_name(card)) for card in cards]) for cards in sample]
    by_pokerkit = [
        pokerkit.StandardHighHand.from_game(format_cards(cards[:2]), format_cards(cards[2:]))
        for cards in sample
    ]
    for i in range(len(sample) - 1):
        assert (mine[i] > mine[i + 1]) == (by_eval7[i] > by_eval7[i + 1])
        assert (mine[i] == mine[i + 1]) == (by_eval7[i] == by_eval7[i + 1])
        assert (mine[i] > mine[i + 1]) == (by_pokerkit[i] > by_pokerkit[i + 1])


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (
            6,
            [
                6_612_900,
                9_730_740,
                2_532_816,
                732_160,
                361_620,
                205_792,
                165_984,
                14_664,
                1_656,
                188,
            ],
        ),
        (
            7,
            [
                23_294_460,
                58_627_800,
                31_433_400,
                6_461_620,
                6_180_020,
                4_047_644,
                3_473_184,
                224_848,
                37_260,
                4_324,
            ],
        ),
    ],
)
@pytest.mark.slow
def test_category_counts_of_six_and_seven_cards(size: int, counts: list[int]) -> None:
    """All C(52, n) hands, grouped by rank pattern; suits are counted separately."""
    assert _count_categories(size) == counts


def _count_categories(size: int) -> list[int]:
    """Each multiset of ranks is evaluated once without a flush and once per flush it can make."""
    from math import comb

    totals: Counter[int] = Counter()

    def grow(counts: list[int], left: int) -> None:
        if len(counts) == 13:
            if not left:
                _add_pattern(counts, totals)
            return
        for count in range(min(4, left) + 1):
            grow([*counts, count], left - count)

    grow([], size)
    assert sum(totals.values()) == comb(52, size)
    return [totals[int(category)] for category in Category]


def _add_pattern(counts: list[int], totals: Counter[int]) -> None:
    from math import comb, prod

    ways = prod(comb(4, count) for count in counts)
    flushes = 0
    for flush_ranks in _flush_ranks(counts):
        # Cards of the flush suit on these ranks; the others choose among the three other suits.
        times = 4 * prod(
            comb(3, count - (rank in flush_ranks)) for rank, count in enumerate(counts) if count
        )
        cards = [rank * 4 for rank in flush_ranks]
        cards += [
            rank * 4 + 1 + i
            for rank, count in enumerate(counts)
            for i in range(count - (rank in flush_ranks))
        ]
        totals[strength(cards) >> 20] += times
        flushes += times
    if ways > flushes:
        totals[strength(_unsuited(counts)) >> 20] += ways - flushes


def _flush_ranks(counts: list[int]) -> list[frozenset[int]]:
    present = [rank for rank, count in enumerate(counts) if count]
    return [
        frozenset(ranks)
        for size in range(5, len(present) + 1)
        for ranks in combinations(present, size)
        if all(counts[rank] - (rank in ranks) <= 3 for rank in present)
    ]


def _unsuited(counts: list[int]) -> list[int]:
    """Cards of these ranks with no five in one suit."""
    cards: list[int] = []
    suit = 0
    for rank, count in enumerate(counts):
        for i in range(count):
            cards.append(rank * 4 + (suit + i) % 4)
        suit += count
    return cards


def test_every_category_has_its_json_name() -> None:
    assert list(CATEGORIES) == [
        "high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "flush",
        "full_house", "four_of_a_kind", "straight_flush", "royal_flush",
    ]  # fmt: skip


def test_pack_orders_by_category_then_ranks() -> None:
    assert (
        pack_strength(1, (12, 0))
        > pack_strength(1, (11, 12))
        > pack_strength(0, (12, 12, 12, 12, 12))
    )


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AsKsQsJsTs2c3d", "royal flush"),
        ("9h8h7h6h5hAdAc", "straight flush, nine high"),
        ("Ac2c3c4c5cKdKh", "straight flush, five high"),
        ("7c7d7h7sAcAdAh", "four of a kind, sevens, ace kicker"),
        ("KcKdKh5c5dQhAs", "full house, kings full of fives"),
        ("6c6d6h2c2dQhAs", "full house, sixes full of deuces"),
        ("AhTh8h5h2hAcAd", "ace-high flush"),
        ("Ts9d8c7h6s2d2c", "straight, ten high"),
        ("Ac2d3h4s5d9dKs", "straight, five high"),
        ("8c8d8hAsKdQs2c", "three of a kind, eights, ace kicker"),
        ("8c8d7h7sJd3s2c", "two pair, eights and sevens, jack kicker"),
        ("5h5sAcQdKd9c2d", "pair of fives, ace kicker"),
        ("AsKd9c7h5s3d2c", "ace high"),
        ("7s6d4c3h2s", "seven high"),
    ],
)
@pytest.mark.clause("NY (e)(10) announced")
def test_hands_are_named_as_a_dealer_would(cards: str, name: str) -> None:
    assert hand_name(hand(cards)) == name


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("AsKd9c7h5s", "AcQd9c7h5s", ("ace high, king kicker", "ace high, queen kicker")),
        (
            "AsKd9c7h5s",
            "AcKh9c7h4s",
            (
                "ace high, king, nine, seven and five kickers",
                "ace high, king, nine, seven and four kickers",
            ),
        ),
        (
            "8c8dAs9d2c",
            "8h8sAd7d2h",
            ("pair of eights, ace and nine kickers", "pair of eights, ace and seven kickers"),
        ),
        (
            "8c8d8hAs9d",
            "8c8d8hAs7d",
            (
                "three of a kind, eights, ace and nine kickers",
                "three of a kind, eights, ace and seven kickers",
            ),
        ),
        ("AhTh8h5h2h", "AhJh8h5h2h", ("ace-high flush, ten kicker", "ace-high flush, jack kicker")),
        ("8c8dAs9d2c", "8h8sKd7d2h", ("pair of eights, ace kicker", "pair of eights, king kicker")),
        ("AsKd9c7h5s", "AcKh9d7c5h", ("ace high", "ace high")),
        ("AsKd9c7h5s", "2c2dKh9d7c", ("ace high", "pair of deuces, king kicker")),
    ],
)
def test_names_of_similar_hands_add_the_deciding_kicker(
    first: str, second: str, names: tuple[str, str]
) -> None:
    assert showdown_names(hand(first), hand(second)) == names
    assert showdown_names(hand(second), hand(first)) == names[::-1]


def test_no_two_different_hands_get_the_same_names() -> None:
    hands = sorted({strength(five) for five in every_kind_of_five()})
    for weaker, stronger in pairwise(hands):
        first, second = showdown_names(weaker, stronger)
        assert first != second


def test_hands_with_the_same_name_differ_only_in_unnamed_kickers() -> None:
    """All 7,462 hands: the name gives the category, the ranks that make it, and one kicker."""
    phrases = {
        Category.HIGH_CARD: 1,
        Category.ONE_PAIR: 2,
        Category.TWO_PAIR: 3,
        Category.THREE_OF_A_KIND: 2,
        Category.STRAIGHT: 1,
        Category.FLUSH: 1,
        Category.FULL_HOUSE: 2,
        Category.FOUR_OF_A_KIND: 2,
        Category.STRAIGHT_FLUSH: 1,
        Category.ROYAL_FLUSH: 0,
    }
    hands = {strength(five) for five in every_kind_of_five()}
    assert len(hands) == 7_462
    ranks_by_name: dict[str, set[tuple[int, ...]]] = {}
    for each in hands:
        category = category_of(each)
        ranks = [each >> shift & 15 for shift in (16, 12, 8, 4, 0)][: phrases[category]]
        ranks_by_name.setdefault(hand_name(each), set()).add((category, *ranks))
    assert all(len(meanings) == 1 for meanings in ranks_by_name.values())
    assert len(ranks_by_name) == len({next(iter(meanings)) for meanings in ranks_by_name.values()})


def every_kind_of_five() -> Iterator[tuple[int, ...]]:
    """Five cards of every strength: all sets of ranks, unsuited and, where possible, suited."""
    for ranks in combinations_with_replacement(range(13), 5):
        if max(map(ranks.count, ranks)) > 4:
            continue
        seen: Counter[int] = Counter()
        cards = []
        for rank in ranks:
            cards.append(rank << 2 | seen[rank])
            seen[rank] += 1
        if len(seen) == 5:
            yield tuple(cards)
            cards[0] += 1  # one of another suit
        yield tuple(cards)
