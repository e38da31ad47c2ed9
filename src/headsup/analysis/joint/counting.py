"""Counting rounds of a solved strategy by pocket class, which needs the kernels."""

from headsup.analysis.counts.progressive_cases import by_pool_case
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.chunks import Crew, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import Distributor
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.strategy import Strategy

CALLS = 206  # of kernels, about: for progress


def count_by_class(strategy: Strategy, progress: Progress | None = None) -> Int64s:
    """As `joint` has them: straight flushes and royals by the progressive's cases."""
    deck, payoffs = Deck(), strategy.solution.payoffs
    with Crew(CALLS, progress) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        counts = Distributor(deck, showdowns, crew).by_class(strategy.actions)
        return by_pool_case(strategy, counts, crew)
