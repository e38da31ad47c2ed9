"""Shows progress on standard error: a bar after one second or, without a terminal, lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.analysis.workers.executor import Progress

BAR_DELAY_SECONDS = 1.0  # before a bar appears
LINE_SECONDS = 10.0  # before the first line, and between lines


@contextmanager
def progress_bar(label: str, unit: str = "", timed: bool = False) -> "Iterator[Progress]":
    """Use as `with progress_bar("Solving") as progress: work(progress)`.

    With a `unit`, show the rate and the time left; with `timed`, the time left only, for work that
    takes minutes in even steps.
    """
    if not sys.stderr.isatty():
        yield _progress_lines(label, bool(unit) or timed)
        return
    from rich.progress import BarColumn, Task, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    from headsup.cli.screens.style import console

    start = monotonic()

    class Rate(TextColumn):
        """The average rate since the start: work comes in lumps, so a recent rate says little."""

        def render(self, task: Task) -> Text:
            rate = task.completed / (monotonic() - start)
            if not rate or task.total is None:
                return Text()
            left = timedelta(seconds=round((task.total - task.completed) / rate))
            speed = f"{short_count(rate)} {unit}/s, " if unit else ""
            return Text(f"{speed}{left} left")

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    bar = Bar(
        *(*columns, Rate("") if unit or timed else TimeElapsedColumn()),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(label, total=None)

    def show(done: int, total: int) -> None:
        if not bar.live.is_started and monotonic() - start > BAR_DELAY_SECONDS:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


def _progress_lines(label: str, timed: bool) -> "Progress":
    start = last_line = monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last_line
        if done < total and monotonic() - last_line >= LINE_SECONDS:
            last_line = monotonic()
            left = ""
            if timed and done:
                seconds = (last_line - start) * (total - done) / done
                left = f", {timedelta(seconds=round(seconds))} left"
            print(f"headsup: {label}, {100 * done // total} %{left}", file=sys.stderr, flush=True)

    return show


_SIZES = ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand"))


def short_count(number: float) -> str:
    """`5.4 million`, `830 thousand`, `12`."""
    for size, word in _SIZES:
        if number >= size:
            return f"{number / size:.3g}{word}"
    return f"{number:.3g}"
