"""Candidates solved by several workers, such as those of a cluster."""

from collections.abc import Sequence
from dataclasses import replace

from headsup.analysis.solver.chunks import Progress
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve
from headsup.analysis.workers.executor import Executor, run_chunks


def solve_on_workers(
    workforce: Executor, many: Sequence[Payoffs], progress: Progress | None = None
) -> list[Solution]:
    """One game for each worker at a time, in their order."""
    return list(run_chunks(many, _solve_without_actions, workforce, progress))


def _solve_without_actions(payoffs: Payoffs) -> Solution:
    """Without the millions of single decisions, which need not travel."""
    return replace(solve(payoffs), actions=None)
