"""Gives commands a workbench that shows a progress bar and prints notices about the cache."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, assert_never

from headsup.cli.screens.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.workbench import Task, Workbench
    from headsup.analysis.workers.executor import Progress


def open_workbench(use_cache: bool = True) -> "Workbench":
    from headsup.analysis.cache import cache_folder, cache_warnings
    from headsup.analysis.workbench import Workbench, no_folder

    cache_warnings.add(print_notice)
    return Workbench(_show_task, cache_folder if use_cache else no_folder)


@contextmanager
def _show_task(task: "Task") -> "Iterator[Progress]":
    from headsup.analysis.workbench import Task

    warn_first_run()
    with progress_bar(_label(task), timed=task is Task.ONE_DECK) as progress:
        yield progress


def _label(task: "Task") -> str:
    from headsup.analysis.workbench import Task

    match task:
        case Task.SOLVE:
            return "Solving 27.8 trillion deals"
        case Task.ADVICE:
            return "Evaluating every board"
        case Task.LESSONS:
            return "Counting the lessons of this game"
        case Task.ROUNDS:
            return "Counting every round"
        case Task.ONE_DECK:
            return "Dealing every board (first time only)"
        case _:
            assert_never(task)


def print_notice(sentence: str) -> None:
    print(f"headsup: {sentence}", file=sys.stderr)


@cache  # warns once per process
def warn_first_run() -> None:
    """Warn that the kernels must be compiled first, which happens once per machine."""
    from headsup.analysis.cache import cache_folder, cache_warnings
    from headsup.analysis.kernels.base.compiled import has_compiled_kernels

    cache_warnings.add(print_notice)
    if cache_folder() is None:
        print_notice(
            "no writable cache folder: compiling the solver takes up to a minute on every run"
        )
    elif not has_compiled_kernels():
        print_notice("first run: compiling the solver; this takes up to a minute, once")
