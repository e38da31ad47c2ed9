"""The cost of evaluating a written strategy, in solves of the same run. Processor time."""

from collections.abc import Callable
from time import process_time

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.analysis.strategies.evaluation import evaluate_strategy
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.written_strategy import parse_strategy
from headsup.game.rulebook.table_rules import table_rules

GOAL = 3.0


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    written = parse_strategy(shipped_text("published"), "published")
    calls: list[Callable[[], object]] = [
        lambda: solve(payoffs),
        lambda: evaluate_strategy(payoffs, written, "published"),
    ]
    for call in calls:  # compiles
        call()
    rounds = [[_time(call) for call in calls] for _ in range(5)]
    solve_time, evaluation_time = map(min, zip(*rounds, strict=True))
    ratio = evaluation_time / solve_time
    return [("strategy evaluate", f"{ratio:.1f} solves", f"goal {GOAL}", f"{GOAL / ratio:.1f}×")]


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
