"""Canonical counts, as published by Waugh, by Burnside's lemma, and the solver's own sizes.

Two deals are the same when a renaming of the suits turns one into the other, so their number is
the average, over all 24 renamings, of the deals that each one leaves as they are.
"""

from collections import Counter
from itertools import combinations, permutations

import pytest

from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import FLOPS
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import canonical_flop
from tests.oracles.canonical import SUITS, canonical


@pytest.mark.parametrize(
    ("sizes", "published"),
    [
        ((2,), 169),
        ((3,), 1_755),
        ((5,), 134_459),
        ((2, 3), 1_286_792),
        ((2, 1), 5_083),  # two player cards and one of the dealer's (E. Jacobson)
    ],
)
def test_canonical_counts_match_published_ones(sizes: tuple[int, ...], published: int) -> None:
    assert canonical(*sizes) == published


def test_burnsides_lemma_matches_brute_force() -> None:
    """Every hole under every renaming."""
    seen = {
        min(
            tuple(sorted(card >> 2 << 2 | renaming[card & 3] for card in hole))
            for renaming in permutations(range(SUITS))
        )
        for hole in combinations(range(52), 2)
    }
    assert len(seen) == canonical(2)


def test_the_solver_has_the_canonical_number_of_pockets_and_flops(heads_up: Solution) -> None:
    assert len(heads_up.pocket) == canonical(2)
    assert len({*board_tables().holes.pocket.tolist()}) == canonical(2)
    assert len(board_tables().flops.cards) == FLOPS == canonical(3)


def test_flops_with_holes_match_the_canonical_count() -> None:
    """The solver keeps all 1,176 holes of a flop: alike are those that a renaming of the suits,
    which leaves the flop as it is, turns into each other.
    """
    count = 0
    for flop in board_tables().flops.cards.tolist():
        cards = {*flop}
        keeping = [
            renaming
            for renaming in permutations(range(SUITS))
            if {card >> 2 << 2 | renaming[card & 3] for card in flop} == cards
        ]
        fixed = sum(_fixed_holes(renaming, cards) for renaming in keeping)
        count += fixed // len(keeping)
    assert count == canonical(2, 3)


def _fixed_holes(renaming: tuple[int, ...], flop: set[int]) -> int:
    """Holes beside the flop that a renaming leaves alone: two still cards, or two that swap."""
    rest = [card for card in range(52) if card not in flop]
    renamed = {card: card >> 2 << 2 | renaming[card & 3] for card in rest}
    still = sum(renamed[card] == card for card in rest)
    swapped = sum(renamed[renamed[card]] == card != renamed[card] for card in rest)
    return still * (still - 1) // 2 + swapped // 2


def test_every_flop_has_one_canonical_number() -> None:
    numbers = Counter(canonical_flop(flop)[0] for flop in combinations(range(52), 3))
    assert len(numbers) == canonical(3)
    assert [numbers[i] for i in range(FLOPS)] == board_tables().flops.weight.tolist()
