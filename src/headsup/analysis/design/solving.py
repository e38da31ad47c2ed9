"""Candidates solved by several workers, such as those of a cluster."""

from collections.abc import Sequence
from dataclasses import replace

from headsup.analysis.solver.chunks import Progress
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve
from headsup.analysis.workers.executor import Workforce, run


def solve_apart(
    workforce: Workforce, many: Sequence[Payoffs], progress: Progress | None = None
) -> list[Solution]:
    """One game for each worker at a time, in their order."""
    return list(run(many, _solved, workforce, progress))


def _solved(payoffs: Payoffs) -> Solution:
    """Without the millions of single decisions, which need not travel."""
    return replace(solve(payoffs), actions=None)
