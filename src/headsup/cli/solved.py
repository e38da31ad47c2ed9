"""Solving for a command: said plainly when it takes a while, kept so that it need not again."""

import sys
from functools import cache
from typing import TYPE_CHECKING

from headsup.cli.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.payoffs import Payoffs
    from headsup.analysis.solution import Solution
    from headsup.analysis.strategy import Strategy
    from headsup.game.rulebook.tablerules import TableRules

SOLVING = "Solving 27.8 trillion deals"


def solved(rules: "TableRules", use_cache: bool = True) -> "Solution":
    """The exact solution of these rules, from the cache where it may be used."""
    from headsup.analysis.compile import compile_payoffs

    payoffs = compile_payoffs(rules)
    if use_cache:
        return strategy_for(payoffs).solution
    from headsup.analysis.solver import solve

    say_first_run()
    with progress_bar(SOLVING) as progress:
        return solve(payoffs, progress)


def strategy_for(payoffs: "Payoffs") -> "Strategy":
    from headsup.analysis.strategy import load_or_build

    say_first_run()
    with progress_bar(SOLVING) as progress:
        return load_or_build(payoffs, progress)


def report(message: str) -> None:
    print(f"headsup: {message}", file=sys.stderr)


@cache  # once is enough
def say_first_run() -> None:
    """The kernels are compiled once per machine; a person should know why it takes a while."""
    from headsup.analysis.cache import cache_folder, listeners
    from headsup.analysis.kernels.compiled import is_compiled

    listeners.add(report)
    if cache_folder() is None:
        report("no cache folder can be written: compiling the solver, up to a minute each time")
    elif not is_compiled():
        report("first run: compiling the solver, which takes up to a minute once")
