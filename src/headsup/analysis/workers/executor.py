"""Runs chunks of work in parallel: on local threads, or on a Dask cluster (`dask_cluster`).

Results arrive in chunk order, each exactly once, even if workers die. So sums are the same
everywhere, and after an interrupt the results so far are exactly those of the first chunks.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import pairwise
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import parse_count

T = TypeVar("T")


class Progress(Protocol):
    """Called in the calling thread with the work done and the total. Raising stops the work."""

    def __call__(self, done: int, total: int, /) -> None: ...


def available_cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def split_range(first: int, last: int, parts: int) -> list[tuple[int, int]]:
    """Split a range into at most `parts` ranges of nearly equal length."""
    bounds = [first + (last - first) * i // parts for i in range(parts + 1)]
    return [(a, b) for a, b in pairwise(bounds) if a < b]


class AccumulatorPool(Generic[T]):
    """Lends an accumulator to one thread at a time, and creates more when all are in use."""

    def __init__(self, create: Callable[[], T]) -> None:
        self._create = create
        self._idle: deque[T] = deque()

    @contextmanager
    def borrow(self) -> Iterator[T]:
        try:
            accumulator = self._idle.pop()
        except IndexError:
            accumulator = self._create()
        yield accumulator
        self._idle.append(accumulator)

    def collect(self) -> list[T]:
        """All accumulators, to be added up when the work is done; never empty."""
        return list(self._idle) or [self._create()]


C = TypeVar("C")
R = TypeVar("R")

CHUNKS_AHEAD = 4  # chunks started per worker before waiting for the first result


class Executor(Protocol):
    """Runs chunks in parallel. `results` yields in the order of the chunks."""

    @property
    def count(self) -> int:
        """How many chunks run at once."""

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]: ...


def run_chunks(
    chunks: Sequence[C],
    work: Callable[[C], R],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[R]:
    """Apply `work` to each chunk and yield the results in order; by default one thread per core.

    `work`, chunks and results must be picklable: `work` is a module-level function or a `partial`
    of one. If the caller stops iterating or is interrupted, unstarted chunks are dropped.
    """
    with closing((executor or Threads()).results(chunks, work)) as results:
        for done, result in enumerate(results, 1):
            yield result
            if progress is not None:
                progress(done, len(chunks))


class Threads:
    """Runs chunks on threads of this process. Kernels release the GIL."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or available_cpus()

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]:
        pool = ThreadPoolExecutor(self.count, thread_name_prefix="headsup-run")
        pending: deque[Future[R]] = deque()
        try:
            for chunk in chunks:
                pending.append(pool.submit(work, chunk))
                if len(pending) > CHUNKS_AHEAD * self.count:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class KernelPool:
    """The kernel calls of one task, run on threads, with one progress for all of them."""

    def __init__(
        self, total: int, progress: Progress | None = None, size: int | None = None
    ) -> None:
        self._threads = Threads(size)
        self._progress = progress
        self._done, self._total = 0, total

    @property
    def size(self) -> int:
        return self._threads.count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if kind is None:
            self._report(self._total)

    def run(self, calls: Iterable[Callable[[], object]]) -> None:
        """Run all calls and report progress. A failure or Ctrl-C cancels those not yet started."""
        with closing(self._threads.results(calls, _call)) as results:
            for _ in results:
                self._done += 1
                self._report(self._done)

    def _report(self, done: int) -> None:
        """The total is an estimate; at the end it counts as reached."""
        if self._progress is not None:
            self._progress(min(done, self._total), self._total)


def _call(call: Callable[[], object]) -> None:
    call()


# Choosing where a long computation runs.

MAX_THREADS, MAX_WORKERS = 256, 256


@contextmanager
def open_workers(
    threads: object = None, workers: object = None, scheduler: object = None, prefix: str = ""
) -> Iterator[Executor]:
    """Open the requested kind of workers, or one thread per core. Results are the same for all.

    `dashes` goes before an option's name in refusals ("--" on the command line).
    """
    # Dask is optional, and dask_cluster imports this module.
    from headsup.analysis.workers.dask_cluster import connect_cluster, local_cluster

    thread_count = _parse_optional_count(threads, f"{prefix}threads", MAX_THREADS)
    process_count = _parse_optional_count(workers, f"{prefix}workers", MAX_WORKERS)
    options = {"threads": thread_count, "workers": process_count, "scheduler": scheduler}
    given = [prefix + name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise Refused(Code.BAD_ARGUMENTS, "either", where=given[0], other=given[1])
    if process_count is None and scheduler is None:
        yield Threads(thread_count)
        return
    if not isinstance(scheduler, str | None):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=f"{prefix}scheduler", value=scheduler)
    if scheduler is not None and not scheduler.strip():
        raise Refused(Code.NO_CLUSTER, where=f"{prefix}scheduler", reason="the address is empty")
    opened = local_cluster(process_count) if process_count else connect_cluster(scheduler or "")
    with opened as cluster:
        yield cluster


def _parse_optional_count(value: object, where: str, maximum: int) -> int | None:
    return None if value is None else parse_count(value, where, maximum)
