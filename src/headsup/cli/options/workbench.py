"""Gives commands a workbench that shows a progress bar and prints notices about the cache."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from headsup.cli.screens.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.workbench import Task, Workbench
    from headsup.analysis.workers.executor import Progress


def open_workbench(use_cache: bool = True) -> "Workbench":
    from headsup.analysis.cache import cache_folder
    from headsup.analysis.workbench import Workbench, no_folder

    print_notices()
    return Workbench(_show_task, cache_folder if use_cache else no_folder, use_shipped=use_cache)


@contextmanager
def _show_task(task: "Task") -> "Iterator[Progress]":
    from headsup.analysis.workbench import Task

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


def print_notices() -> None:
    """Print what the cache and the compiler have to say, such as that compiling takes a minute."""
    from headsup.analysis.cache import cache_warnings

    cache_warnings.add(print_notice)
