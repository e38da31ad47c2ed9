"""A10: cards fall evenly on all places, and no card says anything about the next.

Ten million shuffles would take `shuffle_deck` a quarter of an hour. So they are made in the same
way, many at a time: Fisher–Yates from the last card down, each draw from the highest bits of a new
random byte, rejected if it is too large. For some of these decks the test shows that `shuffle_deck`
gives the same deck from the same bytes. Decks from `shuffle_deck` itself are tested too, as many as
there is time for.

Bounds are five standard deviations for one figure, which an honest source exceeds less than once in
a million runs, and six where a hundred figures are checked.
"""

import os
import secrets
from collections.abc import Iterator
from random import SystemRandom
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest

from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.fairness.sealed_shuffles import SecretSealer, fresh_secret

Counts = npt.NDArray[np.int64]
Decks8 = npt.NDArray[np.uint8]
CARDS = 52
AT_ONCE = 100_000


def chi_square_z(counts: Counts) -> float:
    """By how many standard deviations the counts, place by card, differ from even ones.

    Each deck puts every card on one place, so the usual sum is 52/51 of a chi-square with 51 × 51
    degrees of freedom.
    """
    decks = int(counts[0].sum())
    even = decks / CARDS
    chi = float(((counts - even) ** 2 / even).sum()) * (CARDS - 1) / CARDS
    free = (CARDS - 1) ** 2
    return float((chi - free) / (2 * free) ** 0.5)


def count_places(decks: Decks8) -> Counts:
    """How often each card lies on each place; a column is a deck."""
    return np.stack([np.bincount(row, minlength=CARDS) for row in decks])


def shuffle_many(count: int, drawn: list[Decks8] | None = None) -> Decks8:
    """Many shuffles at once. `drawn` collects, for each draw, the decks that took part and their
    bytes."""
    decks = np.repeat(np.arange(CARDS, dtype=np.uint8)[:, None], count, axis=1)
    columns = np.arange(count)
    for last in range(CARDS - 1, 0, -1):
        other = np.empty(count, dtype=np.uint8)
        missing = columns
        while missing.size:
            fresh = np.frombuffer(os.urandom(missing.size), dtype=np.uint8)
            numbers = fresh >> (8 - last.bit_length())
            other[missing] = numbers
            if drawn is not None:
                used = np.zeros((2, count), dtype=np.uint8)
                used[0, missing], used[1, missing] = 1, fresh
                drawn.append(used)
            missing = missing[numbers > last]
        there = decks[other, columns]
        decks[other, columns] = decks[last]
        decks[last] = there
    return decks


@pytest.mark.slow(seconds=11)
def test_ten_million_shuffles_put_every_card_evenly_on_every_place() -> None:
    counts = np.zeros((CARDS, CARDS), dtype=np.int64)
    for _ in range(10_000_000 // AT_ONCE):
        counts += count_places(shuffle_many(AT_ONCE))
    assert counts.sum() == 52 * 10_000_000
    assert abs(chi_square_z(counts)) < 5


def test_shuffled_makes_the_same_decks_of_the_same_bytes() -> None:
    count = 2_000
    drawn: list[Decks8] = []
    decks = shuffle_many(count, drawn)
    used = np.stack(drawn)
    for number in range(count):
        took, given = used[:, 0, number], used[:, 1, number]
        assert shuffled_from(bytes(given[took == 1])) == tuple(decks[:, number])


def shuffled_from(given: bytes) -> tuple[int, ...]:
    """The deck that `shuffle_deck` makes from exactly these random bytes."""
    left = iter(given)

    def urandom(size: int) -> bytes:
        assert size == 1, "a draw for 52 cards or fewer takes one byte"
        return bytes([next(left)])

    with patch("random._urandom", urandom):
        deck = shuffle_deck()
    assert next(left, None) is None
    return deck


def test_random_bits_come_from_the_operating_system() -> None:
    assert isinstance(secrets.randbits.__self__, SystemRandom)  # type: ignore[attr-defined]


# Decks from the shoe itself.


def from_the_system(count: int) -> Iterator[tuple[int, ...]]:
    return (shuffle_deck() for _ in range(count))


def from_a_seed(count: int) -> Iterator[tuple[int, ...]]:
    return (shuffle_deck(seeded_bits("chi", number)) for number in range(count))


def from_seals(count: int) -> Iterator[tuple[int, ...]]:
    sealer = SecretSealer(fresh_secret(), "F")
    return (sealer.seal("T1", number).deck({1: "luck"}) for number in range(1, count + 1))


@pytest.mark.slow
@pytest.mark.parametrize("decks", [from_the_system, from_a_seed, from_seals])
def test_decks_as_they_are_dealt_are_even_and_say_nothing_of_one_another(decks: object) -> None:
    count = 100_000
    made = np.array(list(decks(count)), dtype=np.uint8).T  # type: ignore[operator]
    assert abs(chi_square_z(count_places(made))) < 5
    for name, z in along_the_deck(made) | from_deck_to_deck(made):
        assert abs(z) < 6, f"{name}: {z:.1f} standard deviations"


def along_the_deck(decks: Decks8) -> set[tuple[str, float]]:
    """Rises, cards that stayed, neighbours that stayed together: their means over all decks.

    A random order of n has (n - 1) / 2 rises with variance (n + 1) / 12; one card stays and
    (n - 1) / n neighbours stay together on average, both with a variance of about one.
    """
    cards = decks.astype(np.int16)
    count = cards.shape[1]
    steps = np.diff(cards, axis=0)
    rises = (steps > 0).sum(axis=0).mean()
    stayed = (cards == np.arange(CARDS)[:, None]).sum(axis=0).mean()
    together = (steps == 1).sum(axis=0).mean()
    root = count**0.5
    return {
        ("rises", float((rises - (CARDS - 1) / 2) / ((CARDS + 1) / 12) ** 0.5 * root)),
        ("stayed", float((stayed - 1) * root)),
        ("together", float((together - (CARDS - 1) / CARDS) * root)),
    }


def from_deck_to_deck(decks: Decks8) -> set[tuple[str, float]]:
    """The serial correlation of each place with itself and the next place, one deck later."""
    cards = (decks.astype(np.float64) - (CARDS - 1) / 2) / ((CARDS**2 - 1) / 12) ** 0.5
    before, after = cards[:, :-1], cards[:, 1:]
    root = before.shape[1] ** 0.5
    same = (before * after).mean(axis=1) * root
    following = (before[:-1] * after[1:]).mean(axis=1) * root
    return {(f"place {i} again", float(z)) for i, z in enumerate(same)} | {
        (f"place {i} and the next", float(z)) for i, z in enumerate(following)
    }


def test_a_lopsided_shuffle_is_found() -> None:
    """The measures find a deck that is cut instead of shuffled, and a biased draw."""
    cut = np.stack([np.roll(np.arange(CARDS, dtype=np.uint8), i % CARDS) for i in range(5_200)], 1)
    assert abs(chi_square_z(count_places(cut)) + 36) < 1, "each card just as often on each place"
    assert any(abs(z) > 5 for _, z in along_the_deck(cut))
    biased = shuffle_many(20_000)
    biased[[0, 1]] = np.where(biased[0] < 6, biased[[1, 0]], biased[[0, 1]])
    assert chi_square_z(count_places(biased)) > 5
