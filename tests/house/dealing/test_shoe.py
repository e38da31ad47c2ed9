"""A9–A11: every order of the deck is equally likely, and a seed repeats a deck exactly."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from headsup.game.table.shuffle import Bits, draw_below
from headsup.game.values.cards import DECK, format_cards
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck


def bits_from(draws: Iterator[int]) -> Bits:
    return lambda _: next(draws)


def test_a_deck_is_all_52_cards() -> None:
    assert sorted(shuffle_deck()) == list(DECK)
    assert shuffle_deck() != shuffle_deck()


@pytest.mark.parametrize("bound", range(1, 53))
def test_a_bounded_draw_is_exactly_even(bound: int) -> None:
    """Over all bit patterns each number comes up once; the other patterns are rejected."""
    width = (bound - 1).bit_length()
    drawn: Counter[int] = Counter()
    rejected = 0
    for pattern in range(1 << width):
        widths: list[int] = []

        def bits(count: int, pattern: int = pattern, widths: list[int] = widths) -> int:
            widths.append(count)
            return pattern if len(widths) == 1 else 0

        number = draw_below(bound, bits)
        rejected += len(widths) > 1
        drawn[number] += len(widths) == 1
        assert set(widths) == {width}
    assert {number: count for number, count in drawn.items() if count} == dict.fromkeys(
        range(bound), 1
    )
    assert rejected == (1 << width) - bound


def test_nothing_lies_below_zero() -> None:
    with pytest.raises(ValueError, match="below 0"):
        draw_below(0, lambda _: 0)


@pytest.mark.slow
def test_every_order_of_the_last_cards_comes_up_equally_often() -> None:
    """All possible draws of the first three Fisher–Yates steps give different orders."""
    outcomes = set()
    for draws in product(range(52), range(51), range(50)):
        deck = shuffle_deck(bits_from(iter([*draws, *range(48, -1, -1)])))
        outcomes.add(deck[-3:])
    assert len(outcomes) == 52 * 51 * 50


def test_a_seed_repeats_the_deck_for_all_time() -> None:
    deck = format_cards(shuffle_deck(seeded_bits("friend", 1)))
    assert deck == format_cards(shuffle_deck(seeded_bits("friend", 1)))
    assert deck == (
        "8s6c3s8d9cQc2dJc3h6s5cAhKh5d5s4c2h3dKdQh2c7c7hJhQs7s"
        "Th9d9h7dAcTc6dTd8cJd4d3cTs4h9s5hKsJs6hQdKc4s8hAdAs2s"
    )


def test_each_round_and_each_seed_has_its_own_deck() -> None:
    decks = {
        shuffle_deck(seeded_bits(seed, number)) for seed in ("a", "b") for number in range(500)
    }
    assert len(decks) == 1000


def test_bits_come_from_the_top_of_each_digest() -> None:
    from hashlib import sha256

    blocks = [sha256(f"headsup shuffle\nx\n1\n{i}".encode()).digest() for i in range(2)]
    stream = int.from_bytes(b"".join(blocks), "big")
    bits = seeded_bits("x", 1)
    drawn = [bits(6) for _ in range(80)]
    assert drawn == [stream >> (512 - 6 * (i + 1)) & 63 for i in range(80)]
