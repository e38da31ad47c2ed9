"""The whole game, solved exactly: the best decision everywhere, and what it is worth.

`docs/algorithm.md` derives the method. Integers decide everything; results are fractions.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.bestplay import best_actions
from headsup.analysis.chunks import Crew, Progress
from headsup.analysis.deck import Deck
from headsup.analysis.distribution import Distributor
from headsup.analysis.kernels.arrays import VERDICTS, Terms
from headsup.analysis.layers import Collector, River, changed_verdicts, river_terms
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import Showdowns
from headsup.analysis.solution import Solution

# Kernel calls, for progress: what all paytables with one qualifier share, and each at most.
SHARED_CALLS, CALLS = 75, 114


def solve(payoffs: Payoffs, progress: Progress | None = None) -> Solution:
    return solve_many([payoffs], progress)[0]


def solve_many(
    many: Sequence[Payoffs], progress: Progress | None = None, deck: Deck | None = None
) -> list[Solution]:
    """Solve several paytables; those with the same qualifier share the counting of showdowns.

    `progress` may raise to stop; nothing is left behind.
    """
    deck = deck or Deck()
    qualifiers = sorted({payoffs.qualifier for payoffs in many})
    solutions: dict[int, Solution] = {}
    with Crew(SHARED_CALLS * len(qualifiers) + CALLS * len(many), progress) as crew:
        for qualifier in qualifiers:
            showdowns = Showdowns.count(deck, qualifier, crew)
            solver = _Solver(deck, showdowns, crew)
            for place, payoffs in enumerate(many):
                if payoffs.qualifier == qualifier:
                    solutions[place] = solver.solve(payoffs)
    return [solutions[place] for place in range(len(many))]


class _Solver:
    """Solves for one qualifier, and keeps what further paytables can use again."""

    def __init__(self, deck: Deck, showdowns: Showdowns, crew: Crew) -> None:
        self._deck, self._crew = deck, crew
        self._collector = Collector(showdowns, crew)
        self._distributor = Distributor(deck, showdowns, crew)
        self._rivers: list[tuple[River, NDArray[np.bool_]]] = []

    def solve(self, payoffs: Payoffs) -> Solution:
        terms = river_terms(payoffs, self._deck.dealers)
        river, changed = self._known_river(terms)
        base, folds = self._collector.base(terms, changed)
        if river is None or folds:
            river = self._collector.river(terms)
            self._rivers.append((river, self._collector.varies(river.actions)))
        edge = self._collector.edge
        actions, _ = best_actions(payoffs, self._deck, base, edge, river, self._crew)
        joint = self._distributor.distribute(actions)
        return Solution(payoffs, self._deck, actions.pocket, joint, actions)

    def _known_river(self, terms: Terms) -> tuple[River | None, NDArray[np.bool_]]:
        """River actions that serve again, if with the changed verdicts no hand folds now."""
        for river, varies in self._rivers:
            changed = changed_verdicts(terms, river.terms)
            if not (changed & varies).any():
                return river, changed
        return None, np.zeros(VERDICTS, np.bool_)
