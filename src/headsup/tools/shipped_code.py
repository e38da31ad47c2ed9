"""Compiles the kernels for every processor that the program ships code for: `make code`.

Every entry is called once, so that the types of its arguments are known. Its code is compiled
without any feature of this machine's processor, and then turned into machine code for each target.
The same sources and versions give the same files, byte for byte.
"""

import ast
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from headsup.analysis.joint.one_deck import ExtraAxes
from headsup.analysis.kernels.base.compiled import code_name, code_sources
from headsup.analysis.kernels.base.evaluator import evaluate, strength_tables
from headsup.analysis.kernels.base.object_code import KernelCall, ObjectCode, process_triple
from headsup.analysis.kernels.base.shipped_code import (
    KERNELS,
    SHIPPED_FOLDER,
    ShippedCode,
    module_hash,
    write_shipped_code,
)
from headsup.analysis.par.comparison import list_main_games
from headsup.analysis.par.table_par import default_bets
from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edges
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.river_seen import river_exposure_edges
from headsup.analysis.simulation.dealing import SimulationRun, TableSetup
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.workbench import Task, Workbench, no_folder
from headsup.analysis.workers.executor import KernelPool, Progress
from headsup.game.rulebook.table_rules import table_rules
from headsup.gym.deals import hand_strengths
from headsup.gym.side_bets import SideBets

PREFIX = "headsup.analysis.kernels."
# What turns a kernel into machine code, although no kernel imports it; and what only finds code.
COMPILER, FINDERS = "base.numba_compiler", {"base.compiled", "base.shipped_code"}
# No feature beyond the first x86-64, and no vectors before the target is known.
PORTABLE = {
    "NUMBA_CPU_NAME": "x86-64",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
}


@dataclass(frozen=True)
class Target:
    """A kind of processor, under the name of its file."""

    name: str
    triple: str
    cpu: str
    relocation: str

    def machine(self) -> Any:
        llvm: Any = import_module("llvmlite.binding")
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, opt=3, reloc=self.relocation, codemodel="jitdefault", jit=True
        )


TARGETS = (
    Target("linux-x86_64", "x86_64-unknown-linux-gnu", "x86-64", "static"),
    Target("linux-x86_64_v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "static"),
)


class Recorder:
    """Compiles each entry the first time that it is called with arguments of some types."""

    def __init__(self) -> None:
        self.codes: dict[str, Any] = {}  # [name and types]: code for any processor
        self.modules: set[str] = set()
        # Code for the simplest target also runs here, unless this is another kind of processor.
        simplest = TARGETS[0]
        runs_here = process_triple().partition("-")[0] == simplest.triple.partition("-")[0]
        self._machine: Any = simplest.machine() if runs_here else None

    def __call__(self, function: Callable[..., Any], signature: KernelCall) -> ObjectCode | None:
        if not function.__module__.startswith(PREFIX):
            return None
        name = code_name(function)
        compiler: Any = import_module(PREFIX + COMPILER)
        self.modules.add(name.rpartition(".")[0])
        code = compiler.portable_code(function, signature)
        self.codes[f"{name}({signature.types})"] = code
        print(f"  {name}", file=sys.stderr)
        return code.object_code(self._machine) if self._machine else None

    def ship(self, target: Target) -> ShippedCode:
        machine = target.machine()
        objects: dict[str, ObjectCode] = {
            key: code.object_code(machine) for key, code in sorted(self.codes.items())
        }
        offsets = accumulate((len(each.code) for each in objects.values()), initial=0)
        uses = {module: sorted(modules_used_by(module)) for module in sorted(self.modules)}
        return ShippedCode(
            sources={name: str(module_hash(name)) for used in uses.values() for name in used},
            uses=uses,
            entries={
                key: [each.symbol, offset, len(each.code)]
                for (key, each), offset in zip(objects.items(), offsets, strict=False)
            },
            code=b"".join(each.code for each in objects.values()),
        )


@cache
def modules_used_by(module: str) -> frozenset[str]:
    """All kernel modules that the code of a module's entries depends on, and the compiler."""
    found: set[str] = set()
    waiting = [module, COMPILER]
    while waiting:
        name = waiting.pop()
        if name not in found | FINDERS:
            found.add(name)
            waiting += _imported_kernels(name)
    return frozenset(found)


def _imported_kernels(module: str) -> Iterator[str]:
    source = KERNELS.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                path = KERNELS.joinpath(*name.removeprefix(PREFIX).split(".")).with_suffix(".py")
                if name.startswith(PREFIX) and path.is_file():
                    yield name.removeprefix(PREFIX)


class Enough(Exception):
    """Every kernel of a long task has been called."""


def call_every_entry() -> None:
    """Call every kernel that Python calls, with arguments of all types in use."""

    def stop(_: int, __: int) -> None:
        raise Enough

    def show_task(task: Task) -> AbstractContextManager[Progress | None]:
        return nullcontext(stop if task is Task.ONE_DECK else None)

    rules = table_rules("galaxy")
    payoffs = compile_payoffs(rules)
    bench = Workbench(show_task, no_folder, use_shipped=False)
    strategy = bench.strategy(payoffs)
    more_games = list_main_games()[1:2]  # with the same qualifier
    solve_many([payoffs, *more_games, replace(payoffs, qualifier=0)])
    bench.lessons(payoffs)
    for hole, board, seen in (
        ((51, 47), (0, 5, 10), ()),
        ((51, 47), (0, 5, 10, 15, 20), ()),
        ((51, 47), (), tuple(range(40))),
    ):
        bench.advice(payoffs, hole, board, seen)
    bets = default_bets(rules)
    for axes in (ExtraAxes(True, False), ExtraAxes(False, True), ExtraAxes(True, True)):
        with suppress(Enough):
            bench.one_deck_counts(strategy, axes)
    (seat,) = bench.seats(rules, bets, [("best", None)])
    SimulationRun(TableSetup((seat,), 10), 1).deal(100)
    decks = np.arange(52).reshape(1, 52)
    evaluate(np.ascontiguousarray(decks[:, :7]), strength_tables(), np.zeros(1, np.int64))
    SideBets.of(seat, 0).nets(decks, hand_strengths(decks[:, :7]))
    with KernelPool(KERNEL_CALLS) as pool:
        for dealer in ((), (0,), (0, 1)):
            exposure_edges(payoffs, KnownCards(dealer), pool, [0, 1, 2, 3])
        river_exposure_edges(payoffs, KnownCards((0,)), pool, [0, 3])


def main() -> None:
    os.environ.update(PORTABLE)
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEADSUP_CACHE_DIR"] = folder
        code_sources.append(recorder)
        print("Compiling every kernel; this takes a minute or two ...", file=sys.stderr)
        call_every_entry()
    SHIPPED_FOLDER.mkdir(exist_ok=True)
    for target in TARGETS:
        path = Path(SHIPPED_FOLDER / f"{target.name}.code")
        write_shipped_code(path, recorder.ship(target))
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
