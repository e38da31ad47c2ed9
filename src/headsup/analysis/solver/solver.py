"""The whole game, solved exactly: the best decision everywhere, and what it is worth.

`docs/algorithm.md` derives the method. Integers decide everything; results are fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

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
from headsup.analysis.solver.chunks import KernelPool, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.layers import LayerBuilder, RiverPlay, changed_verdicts, river_terms
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution

# Kernel calls, for progress: what all paytables with one qualifier share, and each at most.
SHARED_KERNEL_CALLS, KERNEL_CALLS = 79, 122


def solve(payoffs: Payoffs, progress: Progress | None = None) -> Solution:
    return solve_many([payoffs], progress)[0]


def solve_many(
    many: Sequence[Payoffs], progress: Progress | None = None, deck: Deck | None = None
) -> list[Solution]:
    """Solve several paytables; those with the same qualifier share the counting of showdowns, and
    all others who wins them.

    `progress` may raise to stop; nothing is left behind.
    """
    deck = deck or Deck()
    qualifiers = sorted({payoffs.qualifier for payoffs in many})
    solutions: dict[int, Solution] = {}
    with KernelPool(
        SHARED_KERNEL_CALLS * len(qualifiers) + KERNEL_CALLS * len(many), progress
    ) as crew:
        showdowns = None
        for qualifier in qualifiers:
            if showdowns is None or qualifier > FLUSH_STRENGTH:
                showdowns = Showdowns.count(deck, qualifier, crew)
            else:
                showdowns = showdowns.requalified(deck, qualifier, crew)
            solver = _Solver(deck, showdowns, crew)
            for place, payoffs in enumerate(many):
                if payoffs.qualifier == qualifier:
                    solutions[place] = solver.solve(payoffs)
    return [solutions[place] for place in range(len(many))]


@dataclass
class _SharedPlay:
    """Everything that payoffs with the same river and flop decisions share."""

    river: RiverPlay
    varies: NDArray[np.bool_]  # [verdict]: whether some hand does other than raise the least
    more: int  # on the flop
    tally: RiverTally
    flop: FlopPlay
    joints: dict[tuple[int, ...], Int64s] = field(default_factory=dict)  # by pocket actions


class _Solver:
    """Solves for one qualifier, and keeps what further paytables can use again."""

    def __init__(self, deck: Deck, showdowns: Showdowns, crew: KernelPool) -> None:
        self._deck, self._crew = deck, crew
        self._collector = LayerBuilder(showdowns, crew)
        self._distributor = ResultCounter(deck, showdowns, crew)
        self._played: list[_SharedPlay] = []

    def solve(self, payoffs: Payoffs) -> Solution:
        terms = river_terms(payoffs, self._deck.dealers)
        played = self._known(payoffs, terms) or self._play(payoffs, terms)
        pocket = pocket_values(payoffs, terms, played.tally, played.flop)
        actions = StrategyActions(pocket, played.flop.actions, played.river.actions)
        chosen = tuple(pocket.actions)
        if chosen not in played.joints:
            played.joints[chosen] = self._distributor.distribute(actions)
        return Solution(payoffs, self._deck, pocket, played.joints[chosen], actions)

    def _play(self, payoffs: Payoffs, terms: Terms) -> _SharedPlay:
        river = self._collector.river(terms)
        tally = self._distributor.tally(river.actions)
        flop = solve_flops(payoffs, self._deck, self._collector, river, self._crew)
        played = _SharedPlay(river, tally.varies, flop_raise_spread(payoffs), tally, flop)
        self._played.append(played)
        return played

    def _known(self, payoffs: Payoffs, terms: Terms) -> _SharedPlay | None:
        """Decisions that serve again: where pays have changed no hand folds, now as before."""
        for played in self._played:
            changed = changed_verdicts(terms, played.river.terms)
            same = played.more == flop_raise_spread(payoffs) and not (changed & played.varies).any()
            if same and not self._collector.folds(terms, changed):
                return played
        return None
