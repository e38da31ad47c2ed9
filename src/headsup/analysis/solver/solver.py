"""Solves the whole main game exactly: the best decision everywhere and what the game is worth.

`docs/algorithm.md` derives the method. All decisions use integers; results are fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s, Terms
from headsup.analysis.kernels.solve.three_suited import FLUSH_STRENGTH
from headsup.analysis.solver.actions import StrategyActions
from headsup.analysis.solver.best_play import (
    FlopPlay,
    flop_raise_spread,
    pocket_values,
    solve_flops,
)
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.layers import LayerBuilder, RiverPlay, changed_verdicts, river_terms
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution
from headsup.analysis.workers.executor import Executor, KernelPool, Progress, run_chunks

# Kernel calls, for progress: once per qualifier, and at most per paytable.
SHARED_KERNEL_CALLS, KERNEL_CALLS = 79, 122


def solve(payoffs: Payoffs, progress: Progress | None = None) -> Solution:
    return solve_many([payoffs], progress)[0]


def solve_many(
    games: Sequence[Payoffs], progress: Progress | None = None, deck: Deck | None = None
) -> list[Solution]:
    """Solve several games, sharing what they have in common.

    Showdowns are counted once per qualifier, and most of a count serves the next qualifier too.
    `progress` may raise an exception to stop.
    """
    deck = deck or Deck()
    qualifiers = sorted({payoffs.qualifier for payoffs in games})
    solutions: dict[int, Solution] = {}
    with KernelPool(
        SHARED_KERNEL_CALLS * len(qualifiers) + KERNEL_CALLS * len(games), progress
    ) as pool:
        showdowns = None
        for qualifier in qualifiers:
            if showdowns is None or qualifier > FLUSH_STRENGTH:
                showdowns = Showdowns.count(deck, qualifier, pool)
            else:
                showdowns = showdowns.requalified(deck, qualifier, pool)
            solver = _Solver(deck, showdowns, pool)
            for index, payoffs in enumerate(games):
                if payoffs.qualifier == qualifier:
                    solutions[index] = solver.solve(payoffs)
    return [solutions[index] for index in range(len(games))]


@dataclass
class _SharedPlay:
    """What payoffs with the same river and flop decisions share."""

    river: RiverPlay
    varies: NDArray[np.bool_]  # [verdict]: whether a hand folds or makes the largest raise
    flop_spread: int  # largest flop raise minus the smallest, in units
    tally: RiverTally
    flop: FlopPlay
    result_counts: dict[tuple[int, ...], Int64s] = field(default_factory=dict)  # by pocket play


class _Solver:
    """Solves games with one qualifier, and reuses what they have in common."""

    def __init__(self, deck: Deck, showdowns: Showdowns, pool: KernelPool) -> None:
        self._deck, self._pool = deck, pool
        self._layer_builder = LayerBuilder(showdowns, pool)
        self._counter = ResultCounter(deck, showdowns, pool)
        self._shared_plays: list[_SharedPlay] = []

    def solve(self, payoffs: Payoffs) -> Solution:
        terms = river_terms(payoffs, self._deck.dealer_hands)
        shared = self._find_shared(payoffs, terms) or self._play(payoffs, terms)
        pocket = pocket_values(payoffs, terms, shared.tally, shared.flop)
        actions = StrategyActions(pocket, shared.flop.actions, shared.river.actions)
        pocket_actions = tuple(pocket.actions)
        if pocket_actions not in shared.result_counts:
            shared.result_counts[pocket_actions] = self._counter.count_results(actions)
        return Solution(payoffs, self._deck, pocket, shared.result_counts[pocket_actions], actions)

    def _play(self, payoffs: Payoffs, terms: Terms) -> _SharedPlay:
        river = self._layer_builder.river(terms)
        tally = self._counter.tally(river.actions)
        flop = solve_flops(payoffs, self._deck, self._layer_builder, river, self._pool)
        shared = _SharedPlay(river, tally.varies, flop_raise_spread(payoffs), tally, flop)
        self._shared_plays.append(shared)
        return shared

    def _find_shared(self, payoffs: Payoffs, terms: Terms) -> _SharedPlay | None:
        """An earlier game with the same decisions: where pays differ, no hand folds in either."""
        for shared in self._shared_plays:
            changed = changed_verdicts(terms, shared.river.terms)
            is_same = (
                shared.flop_spread == flop_raise_spread(payoffs)
                and not (changed & shared.varies).any()
            )
            if is_same and not self._layer_builder.has_folds(terms, changed):
                return shared
        return None


def solve_on_workers(
    executor: Executor, games: Sequence[Payoffs], progress: Progress | None = None
) -> list[Solution]:
    """Solve games on several workers, one game per worker at a time, in the given order."""
    return list(run_chunks(games, _solve_without_actions, executor, progress))


def _solve_without_actions(payoffs: Payoffs) -> Solution:
    """Solve, but leave out the millions of decisions, which need not be sent back."""
    return replace(solve(payoffs), actions=None)
