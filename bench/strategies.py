"""Valuing a written strategy, measured in solves of the same run."""

from collections.abc import Callable
from time import perf_counter

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.solver import solve
from headsup.analysis.strategies.evaluation import evaluate
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.written import parse_strategy
from headsup.game.rulebook.tablerules import table_rules

GOAL = 3.0


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    written = parse_strategy(shipped_text("published"), "published")
    calls: list[Callable[[], object]] = [
        lambda: solve(payoffs),
        lambda: evaluate(payoffs, written, "published"),
    ]
    for call in calls:  # compiles
        call()
    one, other = (min(_time(call) for _ in range(4)) for call in calls)
    ratio = other / one
    return [("strategy evaluate", f"{ratio:.1f} solves", f"goal {GOAL}", f"{GOAL / ratio:.1f}×")]


def _time(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
