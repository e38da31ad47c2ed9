"""Counting rounds of a solved strategy by pocket class, which needs the kernels."""

from headsup.analysis.chunks import Crew, Progress
from headsup.analysis.deck import Deck
from headsup.analysis.distribution import Distributor
from headsup.analysis.kernels.arrays import Int64s
from headsup.analysis.poolcases import by_pool_case
from headsup.analysis.showdowns import Showdowns
from headsup.analysis.strategy import Strategy

CALLS = 206  # of kernels, about: for progress


def count_by_class(strategy: Strategy, progress: Progress | None = None) -> Int64s:
    """As `joint` has them: straight flushes and royals by the progressive's cases."""
    deck, payoffs = Deck(), strategy.solution.payoffs
    with Crew(CALLS, progress) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        counts = Distributor(deck, showdowns, crew).by_class(strategy.actions)
        return by_pool_case(strategy, counts, crew)
