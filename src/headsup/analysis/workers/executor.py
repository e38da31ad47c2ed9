"""Chunks of work done side by side: by threads here, or by whoever a cluster has (`dask_cluster`).

Results come in the order of their chunks, each once, whoever worked on them and whoever died at it.
So what is added up is the same everywhere, and what was there before an interrupt is the result of
the first chunks, neither more nor less.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Protocol, TypeVar

from headsup.analysis.solver.chunks import Progress, available_cpus

C = TypeVar("C")
R = TypeVar("R")

CHUNKS_AHEAD = 4  # chunks begun for each worker before the first must be there


class Executor(Protocol):
    """Whoever works: `results` come in the order of the chunks."""

    @property
    def count(self) -> int:
        """How many work at once."""

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]: ...


def run_chunks(
    chunks: Sequence[C],
    work: Callable[[C], R],
    workforce: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[R]:
    """What `work` makes of each chunk, in their order; by default on all processors here.

    `work` is a function of a module, or a `partial` of one, so that it can be sent; chunks and
    results too. Whoever stops listening, or is interrupted, drops what has not begun.
    """
    with closing((workforce or Threads()).results(chunks, work)) as results:
        for done, result in enumerate(results, 1):
            yield result
            if progress is not None:
                progress(done, len(chunks))


class Threads:
    """Threads of this process. Kernels release the GIL, so they truly run side by side."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or available_cpus()

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]:
        pool = ThreadPoolExecutor(self.count, thread_name_prefix="headsup-run")
        begun: deque[Future[R]] = deque()
        try:
            for chunk in chunks:
                begun.append(pool.submit(work, chunk))
                if len(begun) > CHUNKS_AHEAD * self.count:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
