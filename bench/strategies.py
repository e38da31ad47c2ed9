"""The cost of evaluating a written strategy, in solves of the same run. Processor time."""

from collections.abc import Callable
from time import process_time

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solver import solve
from headsup.analysis.strategies.evaluation import (
    KERNEL_CALLS,
    SolvedBaseline,
    evaluate_against,
    evaluate_strategy,
)
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.simplify import simplify
from headsup.analysis.strategies.written_strategy import parse_strategy
from headsup.analysis.workers.executor import KernelPool
from headsup.game.rulebook.table_rules import table_rules

GOAL = 3.0
BEST_COSTS = {5: 0.002631, 6: 0.002175, 7: 0.001724, 8: 0.001673, 10: 0.001596, 12: 0.001557}


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
    evaluation = "strategy evaluate", f"{ratio:.1f} solves", f"goal {GOAL}", f"{GOAL / ratio:.1f}×"
    return [evaluation, *_simplify_rows(payoffs)]


def _simplify_rows(payoffs: Payoffs) -> list[tuple[str, str, str, str]]:
    """What short strategies cost, and the best cost found by any search."""
    table = []
    with KernelPool(KERNEL_CALLS) as pool:
        baseline = SolvedBaseline.of(payoffs, pool)
        for lines, goal in BEST_COSTS.items():
            cost = float(
                evaluate_against(baseline, simplify(baseline, lines, pool), "found", pool).cost
            )
            name = f"strategy simplify, cost of {lines} lines"
            table.append((name, f"{cost:.4%}", f"goal {goal:.4%}", f"{goal / cost:.3f}×"))
    return table


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
