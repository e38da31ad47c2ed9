"""Cards seen too early, measured in solves of the same run: processor time of all threads."""

from collections.abc import Callable
from functools import partial
from time import process_time

from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edges
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.seen_cards import Exposure, evaluate_exposure
from headsup.analysis.solver.chunks import KernelPool
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.game.rulebook.table_rules import table_rules

ASKED = (
    ("protect --see dealer=1", Exposure(1), 60.0),
    ("protect --see dealer=1,flop=1", Exposure(1, 1), 60.0),
)


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    with KernelPool(KERNEL_CALLS) as crew:  # compiles
        exposure_edges(payoffs, KnownCards(dealer=(0,)), crew, [0, 1])
    found = []
    for what, see, goal in ASKED:
        before = min(_time(lambda: solve(payoffs)) for _ in range(4))
        taken = _time(partial(evaluate_exposure, payoffs, see))
        after = min(_time(lambda: solve(payoffs)) for _ in range(4))
        solves = taken / ((before + after) / 2)
        found.append((what, f"{solves:.0f} solves", f"goal {goal:.0f}", f"{goal / solves:.1f}×"))
    return found


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
