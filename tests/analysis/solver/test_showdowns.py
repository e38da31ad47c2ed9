"""Showdowns of another qualifier, from those counted before."""

from dataclasses import replace

import numpy as np

from headsup.analysis.kernels.base.arrays import IMPOSSIBLE
from headsup.analysis.solver.chunks import KernelPool
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solver import solve, solve_many
from tests.analysis.games import HEADS_UP, PAIR, payoffs

ACE_KING, FOURS, FLUSH, FULL_HOUSE = 12 << 16 | 11 << 12, PAIR | 2 << 16, 5 << 20, 6 << 20


def same(one: Showdowns, other: Showdowns) -> bool:
    """Where the board leaves the hole's cards; elsewhere nothing is counted."""
    for ours, theirs in (
        (one.rank_boards, other.rank_boards),
        (one.suited_boards, other.suited_boards),
    ):
        possible = ours.verdict != IMPOSSIBLE
        equal = all(
            np.array_equal(np.asarray(mine)[possible], np.asarray(yours)[possible])
            for mine, yours in zip(ours, theirs, strict=True)
        )
        if not equal or not np.array_equal(ours.verdict, theirs.verdict):
            return False
    return True


def test_another_qualifier_counts_what_a_fresh_count_does() -> None:
    with KernelPool(1) as crew:
        for deck in (Deck(), Deck(ranks=(8, 9, 10, 11, 12))):
            counted = Showdowns.count(deck, PAIR, crew)
            for qualifier in (ACE_KING, FOURS, 0, FLUSH):
                counted = counted.requalified(deck, qualifier, crew)
                assert same(counted, Showdowns.count(deck, qualifier, crew)), qualifier


def test_qualifiers_solved_together_are_solved_as_each_alone() -> None:
    many = [payoffs(replace(HEADS_UP, qualifier=lowest)) for lowest in (FULL_HOUSE, FOURS, 0)]
    for together, one in zip(solve_many(many), many, strict=True):
        alone = solve(one)
        assert np.array_equal(together.joint, alone.joint)
        assert together.pocket == alone.pocket
