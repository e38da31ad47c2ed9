"""Counting rounds of a solved strategy by pocket class, which needs the kernels."""

from headsup.analysis.counts.progressive_cases import split_pool_cases
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.chunks import KernelPool, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.strategy import Strategy

KERNEL_CALLS = 206  # of kernels, about: for progress


def count_by_class(strategy: Strategy, progress: Progress | None = None) -> Int64s:
    """As `joint` has them: straight flushes and royals by the progressive's cases."""
    deck, payoffs = Deck(), strategy.solution.payoffs
    with KernelPool(KERNEL_CALLS, progress) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        counts = ResultCounter(deck, showdowns, crew).by_class(strategy.actions)
        return split_pool_cases(strategy, counts, crew)
