"""Solving for a command: with a progress bar, and from the cache where it may be used."""

from typing import TYPE_CHECKING

from headsup.cli.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.solution import Solution
    from headsup.game.rulebook.tablerules import TableRules


def solved(rules: "TableRules", use_cache: bool = True) -> "Solution":
    from headsup.analysis.compile import compile_payoffs
    from headsup.analysis.solver import solve

    with progress_bar("Solving 27.8 trillion deals") as progress:
        return solve(compile_payoffs(rules), progress)
