"""The cost of seen cards in solves of the same run. Processor time of all threads."""

from collections.abc import Callable
from functools import partial
from time import process_time

from headsup.analysis.advice.advisor import advise
from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edges
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.seen_cards import Exposure, evaluate_exposure
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solver import solve
from headsup.analysis.workers.executor import KernelPool
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards

EXPOSURES = (
    ("protect --see dealer=1", Exposure(1), 17.0),
    ("protect --see dealer=1,flop=1", Exposure(1, 1), 60.0),
    ("protect --see dealer=2", Exposure(2), 87.0),
)
ADVICE_GOAL = 1.3


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    with KernelPool(KERNEL_CALLS) as pool:  # compiles
        exposure_edges(payoffs, KnownCards(dealer=(0,)), pool, [0, 1])
    table = []
    for name, see, goal in EXPOSURES:
        before = min(_time(lambda: solve(payoffs)) for _ in range(4))
        taken = _time(partial(evaluate_exposure, payoffs, see))
        after = min(_time(lambda: solve(payoffs)) for _ in range(4))
        solves = taken / ((before + after) / 2)
        table.append((name, f"{solves:.0f} solves", f"goal {goal:.0f}", f"{goal / solves:.1f}×"))
    return [*table, _advice_row(payoffs)]


def _advice_row(payoffs: Payoffs) -> tuple[str, str, str, str]:
    hole, seen = parse_cards("Ks7s"), parse_cards("Ah")
    advice = min(_time(partial(advise, payoffs, hole, (), seen)) for _ in range(5))
    solves = advice / min(_time(lambda: solve(payoffs)) for _ in range(5))
    goal = f"goal {ADVICE_GOAL}"
    return (
        "advise --seen before the flop",
        f"{solves:.1f} solves",
        goal,
        f"{ADVICE_GOAL / solves:.1f}×",
    )


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
