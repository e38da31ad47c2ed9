"""Who works on a long task: threads here, worker processes, or the workers of a Dask scheduler."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from headsup.analysis.workers.executor import Executor

ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Threads here; by default all cores.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Worker processes here, through Dask."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster: host:8786."),
]


@contextmanager
def open_executor(
    threads: int | None, workers: int | None, scheduler: str | None
) -> "Iterator[Executor]":
    """The answer is the same whoever works."""
    if workers is None and scheduler is None and threads is None:
        from headsup.analysis.workers.executor import Threads

        yield Threads()
        return
    from headsup.analysis.workers.pool import open_workers  # loads what a cluster needs

    with open_workers(threads, workers, scheduler, dashes="--") as workforce:
        yield workforce
