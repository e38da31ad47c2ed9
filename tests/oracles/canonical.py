"""Deals up to a renaming of the suits, counted with Burnside's lemma."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial

SUITS, RANKS = 4, 13


Polynomial = Counter[tuple[int, ...]]  # coefficients by the power of each variable


def canonical(*sizes: int) -> int:
    """Deals of several hands of these sizes, up to suits: (2, 3) is a hole and a flop."""
    fixed = sum(_fixed(renaming, sizes) for renaming in permutations(range(SUITS)))
    count = Fraction(fixed, factorial(SUITS))
    assert count.denominator == 1
    return int(count)


def _fixed(renaming: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """The coefficient of x² y³ … in the product over cycles of (1 + xˡ + yˡ + …)¹³.

    For each rank, a cycle of `l` suits lies in no hand at all or wholly in one of them.
    """
    dealt: Polynomial = Counter({(0,) * len(sizes): 1})
    for length in _cycles(renaming):
        for _ in range(RANKS):
            dealt = _times(dealt, length, sizes)
    return dealt[sizes]


def _times(dealt: Polynomial, length: int, sizes: tuple[int, ...]) -> Polynomial:
    product = Counter(dealt)
    for powers, count in dealt.items():
        for hand, size in enumerate(sizes):
            if powers[hand] + length <= size:
                more = (*powers[:hand], powers[hand] + length, *powers[hand + 1 :])
                product[more] += count
    return product


def _cycles(renaming: tuple[int, ...]) -> list[int]:
    lengths, seen = [], set[int]()
    for suit in range(SUITS):
        length = 0
        while suit not in seen:
            seen.add(suit)
            suit, length = renaming[suit], length + 1
        if length:
            lengths.append(length)
    return lengths
