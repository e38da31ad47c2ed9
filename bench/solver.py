"""The time to solve a game, to solve further paytables, and to give advice; best of several runs.

`bench.first` has the first run ever. A solve is compared with phevaluator ranking ten million hands
through its public call, extrapolated from a small batch.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from phevaluator import evaluate_cards

from headsup.analysis.advice.advisor import advise
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve, solve_many
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workbench import Workbench
from headsup.analysis.workers.executor import available_cpus
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards

BAD_BEATS = ("2", "3", "4")  # Galaxy's other columns
QUALIFIERS = ("AK", "44", "two_pair")
ONE_GAME = {"odds": "HH/OW-2", "bad_beat": "HH/OW/BB-1"}  # Galaxy's first tables in Washington
ADVISE = ("advise", "--hole", "AsKd")
THIRD, HALF = "goal: a third of the first", "goal: half of the first"
ROWS_ADDED, ROW = 273_000, 338  # row additions that one layer needs, and numbers in a row
FLOP, RIVER = "Ah7c2d", "Ah7c2dTc9s"
HOLE, BOARD, SEEN = parse_cards("AsKd"), parse_cards(RIVER), parse_cards("QhQs3c")


def rows() -> list[tuple[str, str, str, str]]:
    payoffs = compile_payoffs(table_rules("galaxy"))
    solution = solve(payoffs)
    one, column, pays, qualifier = _solves(payoffs)
    yardstick = 10_000_000 * _phevaluator()
    strategy = Strategy.of(solution)
    table = [
        ("solve one paytable", one, yardstick, "phevaluator ranks 10 M hands"),
        ("  further: another Bad Beat column", column, one / 3, THIRD),
        ("  further: straights and better win more", pays, one / 3, THIRD),
        ("  further: another qualifier", qualifier, one / 2, HALF),
        ("  absolute goal", one, 0.2, "goal on two cores"),
        ("  lower bound: only adding the rows", one, _lower_bound(), "lower bound"),
        ("load a saved strategy from its file", _load(solution), 0.005, "goal"),
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
        ("headsup solve --no-cache, a new process", _command("solve", "--no-cache"), 1.2, "goal"),
        ("headsup solve, solved before", _command("solve"), 0.4, "goal"),
        ("headsup advise in the pocket, solved before", _command(*ADVISE), 0.4, "goal"),
        ("headsup advise on the flop", _command(*ADVISE, "--board", FLOP), 0.4, "goal"),
        ("headsup advise on the river", _command(*ADVISE, "--board", RIVER), 0.4, "goal"),
        ("headsup par, solved before", _command("par"), 0.4, "goal"),
    ]
    timed = [
        (what, _time(ours), f"{peer} {_time(theirs)}", f"{theirs / ours:,.1f}×")
        for what, ours, theirs, peer in table
    ]
    return [*timed, _memory()]


def _best(call: Callable[[], object], times: int = 5) -> float:
    """The shortest time, after one untimed call that may compile."""
    call()
    best = float("inf")
    for _ in range(times):
        start = perf_counter()
        call()
        best = min(best, perf_counter() - start)
    return best


def _solves(payoffs: Payoffs) -> list[float]:
    """Seconds for the first paytable, and for each further one of every kind, measured in turn."""
    columns = [compile_payoffs(table_rules("galaxy", {"bad_beat": id})) for id in BAD_BEATS]
    pays = [_winning_more(payoffs, step) for step in range(len(BAD_BEATS))]
    qualifiers = [
        compile_payoffs(table_rules("washington", ONE_GAME, {"qualifier": lowest}))
        for lowest in QUALIFIERS
    ]
    kinds = [[], columns, pays, qualifiers]
    best = [float("inf")] * len(kinds)
    for _ in range(5):
        for i, further in enumerate(kinds):
            best[i] = min(best[i], _best(partial(solve_many, [payoffs, *further]), 1))
    one, *many = best
    return [one, *((several - one) / len(BAD_BEATS) for several in many)]


def _lower_bound() -> float:
    """Seconds to add the rows that one layer needs, on all cores, a hundred at a time."""
    flops, rows = np.zeros((100, ROW), np.int64), np.ones((100, ROW), np.int64)

    def add() -> None:
        for _ in range(ROWS_ADDED // len(rows)):
            np.add(flops, rows, out=flops)

    return _best(add) / available_cpus()


def _winning_more(payoffs: Payoffs, step: int) -> Payoffs:
    showdown = payoffs.showdown.copy()
    showdown[:, 4:, 2] += (step + 1) * payoffs.unit
    return replace(payoffs, showdown=showdown)


def _seen(payoffs: Payoffs) -> float:
    return _best(lambda: advise(payoffs, HOLE, (), SEEN), 1)


def _phevaluator() -> float:
    """Seconds per hand."""
    chance = np.random.default_rng(1)
    hands = [[int(c) for c in chance.permutation(52)[:7]] for _ in range(20_000)]
    return _best(lambda: [evaluate_cards(*hand) for hand in hands]) / len(hands)


def _load(solution: Solution) -> float:
    """Seconds to load a strategy from a file in the system's cache, as after a first run."""
    with TemporaryDirectory() as folder:
        workbench = Workbench(find_folder=lambda: Path(folder), use_shipped=False)
        workbench.strategy(solution.payoffs)
        return _best(lambda: workbench.strategy(solution.payoffs))


def _command(*words: str) -> float:
    return _best(lambda: _run(*words), 3)


def _run(*words: str) -> None:
    command = [str(Path(sys.executable).with_name("headsup")), *words]
    subprocess.run(command, check=True, capture_output=True)


SOLVE = """
import resource
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.game.rulebook.table_rules import table_rules
solve(compile_payoffs(table_rules("galaxy"))).house_edge
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak_memory() -> int:
    """Peak memory of a process that solves once, in kilobytes."""
    done = subprocess.run([sys.executable, "-c", SOLVE], check=True, capture_output=True, text=True)
    return int(done.stdout)


def _memory() -> tuple[str, str, str, str]:
    peak = _peak_memory() * (1 if sys.platform == "darwin" else 1024) / 1e9
    return "peak memory of a solve", f"{peak:.2f} GB", "goal 1 GB", f"{1 / peak:.1f}×"


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:,.0f} µs"
    return f"{seconds * 1e3:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s"
