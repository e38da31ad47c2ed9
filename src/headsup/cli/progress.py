"""A progress bar on standard error, for people who wait more than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.analysis.chunks import Progress

PATIENCE = 1.0  # seconds before a bar appears


@contextmanager
def progress_bar(what: str) -> "Iterator[Progress | None]":
    """`with progress_bar("Solving") as progress: work(progress)`; nothing when nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from headsup.cli.screen import console

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=None)
    begun = monotonic()

    def show(done: int, total: int) -> None:
        if not bar.live.is_started and monotonic() - begun > PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
