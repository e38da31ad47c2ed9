"""Kernel calls spread over threads, with progress, and stopped cleanly when interrupted."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """Called from the calling thread with work done and in total; raising stops the work."""

    def __call__(self, done: int, total: int, /) -> None: ...


def available_cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class KernelPool:
    """Threads for one piece of work. Kernels release the GIL, so they truly run side by side."""

    def __init__(
        self, total: int, progress: Progress | None = None, size: int | None = None
    ) -> None:
        self.size = size or available_cpus()
        self._pool = ThreadPoolExecutor(self.size, thread_name_prefix="headsup-solve")
        self._progress = progress
        self._done, self._total = 0, total

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True)
        if kind is None:
            self._report(self._total)

    def run(self, calls: Iterable[Callable[[], object]]) -> None:
        """Run all, report each; the first failure, or Ctrl-C, cancels what has not begun."""
        waiting = {self._pool.submit(call) for call in calls}
        try:
            while waiting:
                finished, waiting = wait(waiting, return_when=FIRST_EXCEPTION, timeout=0.1)
                for future in finished:
                    future.result()
                    self._done += 1
                self._report(self._done)
        except BaseException:
            for future in waiting:
                future.cancel()
            raise

    def _report(self, done: int) -> None:
        """`total` may be a forecast; work that was not needed is done at the end."""
        if self._progress is not None:
            self._progress(min(done, self._total), self._total)


def split_range(first: int, last: int, parts: int) -> list[tuple[int, int]]:
    """A range cut into at most `parts` ranges of nearly equal length."""
    bounds = [first + (last - first) * i // parts for i in range(parts + 1)]
    return [(a, b) for a, b in pairwise(bounds) if a < b]


class AccumulatorPool(Generic[T]):
    """Accumulators that no two threads share: as many as were ever at work at once."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._idle: deque[T] = deque()

    @contextmanager
    def one(self) -> Iterator[T]:
        try:
            mine = self._idle.pop()
        except IndexError:
            mine = self._make()
        yield mine
        self._idle.append(mine)

    def all(self) -> list[T]:
        """To be added up when the work is done; one that is all zero if there was none."""
        return list(self._idle) or [self._make()]
