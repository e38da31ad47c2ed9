"""How far a long answer is, on standard error: a bar for people who wait more than a second, and
a line now and then where that is a file or another program."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.analysis.solver.chunks import Progress

BAR_DELAY_SECONDS = 1.0  # seconds before a bar appears
LINE_SECONDS = 10.0  # before the first line, and between two


@contextmanager
def progress_bar(what: str, counted: str = "", timed: bool = False) -> "Iterator[Progress]":
    """`with progress_bar("Solving") as progress: work(progress)`; lines where nobody watches.

    Where the work is `counted` in something, also how many of them a second, and the time left;
    where it is `timed`, the time left alone: for what takes minutes in even steps.
    """
    if not sys.stderr.isatty():
        yield _lines(what, bool(counted) or timed)
        return
    from rich.progress import BarColumn, Task, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    from headsup.cli.screens.style import console

    begun = monotonic()

    class Rate(TextColumn):
        """Over all the time so far: work comes in lumps, and the last second says little."""

        def render(self, task: Task) -> Text:
            rate = task.completed / (monotonic() - begun)
            if not rate or task.total is None:
                return Text()
            left = timedelta(seconds=round((task.total - task.completed) / rate))
            speed = f"{short_count(rate)} {counted}/s, " if counted else ""
            return Text(f"{speed}{left} left")

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    bar = Bar(
        *(*columns, Rate("") if counted or timed else TimeElapsedColumn()),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=None)

    def show(done: int, total: int) -> None:
        if not bar.live.is_started and monotonic() - begun > BAR_DELAY_SECONDS:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


def _lines(what: str, timed: bool) -> "Progress":
    begun = said = monotonic()

    def show(done: int, total: int) -> None:
        nonlocal said
        if done < total and monotonic() - said >= LINE_SECONDS:
            said = monotonic()
            left = ""
            if timed and done:
                seconds = (said - begun) * (total - done) / done
                left = f", {timedelta(seconds=round(seconds))} left"
            print(f"headsup: {what}, {100 * done // total} %{left}", file=sys.stderr, flush=True)

    return show


_SIZES = ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand"))


def short_count(number: float) -> str:
    """`5.4 million`, `830 thousand`, `12`."""
    for size, word in _SIZES:
        if number >= size:
            return f"{number / size:.3g}{word}"
    return f"{number:.3g}"
