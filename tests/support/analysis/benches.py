"""Workbenches for tests: with a folder of their own, or with a game that is solved already."""

from pathlib import Path
from typing import NoReturn

from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.workbench import Task, Workbench


class SolvedBench(Workbench):
    """Finds this solution wherever it would solve a game."""

    def __init__(self, solution: Solution, folder: Path | None) -> None:
        super().__init__(find_folder=lambda: folder, use_shipped=False)
        self._solution = solution

    def solve(self, payoffs: Payoffs) -> Solution:
        assert payoffs.key == self._solution.payoffs.key
        return self._solution


def cache_only(folder: Path | None) -> Workbench:
    """A workbench that fails where it would have to compute anything."""
    return Workbench(_refuse, lambda: folder, use_shipped=False)


def _refuse(task: Task) -> NoReturn:
    raise AssertionError(f"{task} was computed although it is cached")
