"""Who works on a long task, as asked for: threads here, processes, or a cluster's workers."""

from collections.abc import Iterator
from contextlib import contextmanager

from headsup.analysis.workers.dask_cluster import connect_cluster, local_cluster
from headsup.analysis.workers.executor import Executor, Threads
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import parse_count

MAX_THREADS, MAX_WORKERS = 256, 256


@contextmanager
def open_workers(
    threads: object = None, workers: object = None, scheduler: object = None, dashes: str = ""
) -> Iterator[Executor]:
    """At most one of them is said, else all processors here work; the answer is the same whoever
    does. `dashes` stand before an option's name in a refusal, as on the command line."""
    here = _number(threads, f"{dashes}threads", MAX_THREADS)
    processes = _number(workers, f"{dashes}workers", MAX_WORKERS)
    chosen = {"threads": here, "workers": processes, "scheduler": scheduler}
    said = [dashes + name for name, value in chosen.items() if value is not None]
    if len(said) > 1:
        raise Refused(Code.BAD_ARGUMENTS, "either", where=said[0], other=said[1])
    if processes is None and scheduler is None:
        yield Threads(here)
        return
    if not isinstance(scheduler, str | None):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=f"{dashes}scheduler", value=scheduler)
    if scheduler is not None and not scheduler.strip():
        raise Refused(Code.NO_CLUSTER, where=f"{dashes}scheduler", reason="the address is empty")
    with local_cluster(processes) if processes else connect_cluster(scheduler or "") as many:
        yield many


def _number(value: object, where: str, most: int) -> int | None:
    return None if value is None else parse_count(value, where, most)
