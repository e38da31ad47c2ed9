"""Who works on a long task: threads here, worker processes, or the workers of a Dask scheduler."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.running import Workforce

MOST_THREADS, MOST_WORKERS = 256, 256

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
def chosen_workforce(
    threads: int | None, workers: int | None, scheduler: str | None
) -> "Iterator[Workforce]":
    """The answer is the same whoever works."""
    for where, number, most in (
        ("--threads", threads, MOST_THREADS),
        ("--workers", workers, MOST_WORKERS),
    ):
        if number is not None and not 1 <= number <= most:
            raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=1, most=most)
    chosen = {"--threads": threads, "--workers": workers, "--scheduler": scheduler}
    said = [option for option, value in chosen.items() if value is not None]
    if len(said) > 1:
        raise Refused(Code.BAD_ARGUMENTS, "either", where=said[0], other=said[1])
    if workers is not None or scheduler is not None:
        from headsup.analysis.cluster import cluster_at, local_cluster

        with local_cluster(workers) if workers is not None else cluster_at(scheduler or "") as many:
            yield many
    else:
        from headsup.analysis.running import Threads

        yield Threads(threads)
