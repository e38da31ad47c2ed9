"""Cards seen too early, measured in solves of the same run."""

from collections.abc import Callable
from functools import partial
from time import perf_counter

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.protect import See, protect
from headsup.analysis.solver import solve
from headsup.game.rulebook.tablerules import table_rules

ASKED = (
    ("protect --see dealer=1", See(1), 60.0),
    ("protect --see dealer=1,flop=1", See(1, 1), 60.0),
)


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    protect(payoffs, See(flop=1))  # compiles
    one = min(_time(lambda: solve(payoffs)) for _ in range(4))
    found = []
    for what, see, goal in ASKED:
        solves = _time(partial(protect, payoffs, see)) / one
        found.append((what, f"{solves:.0f} solves", f"goal {goal:.0f}", f"{goal / solves:.1f}×"))
    return found


def _time(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
