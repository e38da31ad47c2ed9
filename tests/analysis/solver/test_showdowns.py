"""Showdowns for another qualifier, derived from an earlier count."""

from dataclasses import replace

import numpy as np
import pytest

from headsup.analysis.kernels.base.arrays import IMPOSSIBLE
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solver import solve, solve_many
from headsup.analysis.workers.executor import KernelPool
from tests.support.analysis.games import HEADS_UP, PAIR, payoffs

ACE_KING, FOURS, FLUSH, FULL_HOUSE = 12 << 16 | 11 << 12, PAIR | 2 << 16, 5 << 20, 6 << 20


def same(first: Showdowns, second: Showdowns) -> bool:
    """Where hole and board share no card; nothing else is counted."""
    for ours, theirs in (
        (first.rank_boards, second.rank_boards),
        (first.suited_boards, second.suited_boards),
    ):
        possible = ours.verdict != IMPOSSIBLE
        equal = all(
            np.array_equal(np.asarray(mine)[possible], np.asarray(yours)[possible])
            for mine, yours in zip(ours, theirs, strict=True)
        )
        if not equal or not np.array_equal(ours.verdict, theirs.verdict):
            return False
    return True


@pytest.mark.slow
def test_a_derived_qualifier_matches_a_fresh_count() -> None:
    with KernelPool(1) as crew:
        for deck in (Deck(), Deck(ranks=(8, 9, 10, 11, 12))):
            showdowns = Showdowns.count(deck, PAIR, crew)
            for qualifier in (ACE_KING, FOURS, 0, FLUSH):
                showdowns = showdowns.requalified(deck, qualifier, crew)
                assert same(showdowns, Showdowns.count(deck, qualifier, crew)), qualifier


@pytest.mark.slow
def test_qualifiers_solved_together_match_each_solved_alone() -> None:
    many = [payoffs(replace(HEADS_UP, qualifier=lowest)) for lowest in (FULL_HOUSE, FOURS, 0)]
    for together, game in zip(solve_many(many), many, strict=True):
        alone = solve(game)
        assert np.array_equal(together.result_counts, alone.result_counts)
        assert together.pocket == alone.pocket
