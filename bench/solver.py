"""Solving the game, further paytables, and advice, kernels compiled; best of several runs.

The yardstick of the solve is phevaluator ranking ten million hands through its public call,
measured here on a small batch.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
from phevaluator import evaluate_cards

from headsup.analysis.advisor import advise
from headsup.analysis.compile import compile_payoffs
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.solver import solve, solve_many
from headsup.analysis.strategy import parse, serialise
from headsup.game.cards import parse_cards
from headsup.game.rulebook.tablerules import table_rules

FURTHER = 4
HOLE, BOARD, SEEN = parse_cards("AsKd"), parse_cards("Ah7c2dTc9s"), parse_cards("QhQs3c")


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    solution = solve(payoffs)
    one, further = _solves(payoffs)
    yardstick = 10_000_000 * _phevaluator()
    strategy = parse(data := serialise(solution), payoffs)
    table = [
        ("solve one paytable", one, yardstick, "phevaluator ranks 10 M hands"),
        ("solve a further paytable", further, one / 3, "goal: a third of the first"),
        ("load a saved strategy", _best(lambda: parse(data, payoffs)), 0.005, "goal"),
        (
            "advise in the pocket",
            _best(lambda: advise(payoffs, HOLE, strategy=strategy)),
            0.005,
            "goal",
        ),
        ("advise on the flop", _best(lambda: advise(payoffs, HOLE, BOARD[:3])), 0.1, "goal"),
        ("  with cards seen", _best(lambda: advise(payoffs, HOLE, BOARD[:3], SEEN)), 0.1, "goal"),
        ("advise on the river", _best(lambda: advise(payoffs, HOLE, BOARD)), 0.01, "goal"),
        ("  with cards seen", _best(lambda: advise(payoffs, HOLE, BOARD, SEEN)), 0.01, "goal"),
        ("advise in the pocket, cards seen", _seen(payoffs), 20.0, "goal"),
        ("a new process solves", _best(_cold, 2), 5.0, "goal"),
    ]
    timed = [
        (what, _time(ours), f"{peer} {_time(theirs)}", f"{theirs / ours:,.1f}×")
        for what, ours, theirs, peer in table
    ]
    return [*timed, _memory()]


def _best(call: Callable[[], object], times: int = 5) -> float:
    """The shortest time; the first call, which may compile, is not counted."""
    call()
    best = float("inf")
    for _ in range(times):
        start = perf_counter()
        call()
        best = min(best, perf_counter() - start)
    return best


def _solves(payoffs: Payoffs) -> tuple[float, float]:
    """Seconds for the first paytable and for each further one, measured in turns."""
    several = [payoffs, *(_other(payoffs, i) for i in range(FURTHER))]
    times = [
        (_best(lambda: solve(payoffs), 1), _best(lambda: solve_many(several), 1)) for _ in range(5)
    ]
    one, many = (min(column) for column in zip(*times, strict=True))
    return one, (many - one) / FURTHER


def _other(payoffs: Payoffs, step: int) -> Payoffs:
    """Another paytable: straights and better win more."""
    showdown = payoffs.showdown.copy()
    showdown[:, 4:, 2] += (step + 1) * payoffs.unit
    return replace(payoffs, showdown=showdown)


def _seen(payoffs: Payoffs) -> float:
    return _best(lambda: advise(payoffs, HOLE, (), SEEN), 1)


def _phevaluator() -> float:
    """Seconds for one hand."""
    chance = np.random.default_rng(1)
    hands = [[int(c) for c in chance.permutation(52)[:7]] for _ in range(20_000)]
    return _best(lambda: [evaluate_cards(*hand) for hand in hands]) / len(hands)


SOLVE = """
import resource
from headsup.analysis.compile import compile_payoffs
from headsup.analysis.solver import solve
from headsup.game.rulebook.tablerules import table_rules
solve(compile_payoffs(table_rules("galaxy"))).house_edge
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _cold() -> int:
    """Peak memory of a process that solves once, in kilobytes."""
    done = subprocess.run([sys.executable, "-c", SOLVE], check=True, capture_output=True, text=True)
    return int(done.stdout)


def _memory() -> tuple[str, str, str, str]:
    peak = _cold() * (1 if sys.platform == "darwin" else 1024) / 1e9
    return "peak memory of a solve", f"{peak:.2f} GB", "goal 1 GB", f"{1 / peak:.1f}×"


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:,.0f} µs"
    return f"{seconds * 1e3:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s"
