"""Chunks worked by a Dask cluster: processes of this machine, or those of a scheduler elsewhere.

Workers may die and come back. A chunk that nobody brought is worked again, and one that came twice
is taken once. The work itself travels once as a task of its own, compressed: the scheduler can have
such a task done again, while data that was only scattered is lost with the worker that held it.
"""

import logging
import os
import pickle
import signal
import zlib
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from headsup.analysis import kernels
from headsup.analysis.cache import source_hash
from headsup.analysis.running import AHEAD
from headsup.game.refusal import Code, Refused

C = TypeVar("C")
R = TypeVar("R")

ANSWER = 5.0  # seconds that a scheduler has to answer, and then its first worker
LOOK = 2.0  # seconds between looks at the scheduler while a chunk is awaited
PATIENCE = 60.0  # seconds without any worker before a run is given up
AGAIN = 5  # times that a chunk is given out anew after workers died at it


@contextmanager
def local_cluster(count: int) -> Iterator["Cluster"]:
    """So many worker processes on this machine, and their scheduler, for as long as they work."""
    distributed = _distributed()
    with _deaf_children():
        processes = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any that is free
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    with processes, distributed.Client(processes) as client:
        yield Cluster(client, f"{count} processes here")


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal; only the one that gave out the work minds it."""
    if current_thread() is not main_thread():
        yield
        return
    minds = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, minds)


@contextmanager
def cluster_at(address: str) -> Iterator["Cluster"]:
    """The workers of a scheduler that runs somewhere; it must answer in a few seconds."""
    distributed = _distributed()
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # told of as one sentence
    # One that never reached a scheduler would try to take leave of it for a quarter of a minute.
    calm = type("CalmClient", (distributed.Client,), {"__del__": lambda _: None})
    try:
        client = calm(address, timeout=ANSWER, set_as_default=False)
    except Exception as error:  # as many kinds as there are things that are no scheduler
        raise Refused(Code.NO_CLUSTER, where=address, reason=_reason(error)) from None
    try:
        found = Cluster(client, address)
        found.meet()
        yield found
    finally:
        client.close(timeout=LOOK)


def _distributed() -> Any:
    """Dask, with processes that are forked from one that has imported everything already."""
    try:
        import_module("dask").config.set(
            {"distributed.worker.multiprocessing-method": "forkserver"}
        )
        return import_module("distributed")
    except ModuleNotFoundError as missing:
        raise Refused(Code.MISSING_EXTRA, "cluster", library=missing.name) from None


def _reason(error: BaseException) -> str:
    if not isinstance(error, OSError | ValueError | ImportError | RuntimeError):
        return f"it speaks another language: {type(error).__name__}"
    return (str(error).splitlines() or [""])[0] or type(error).__name__


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, client: Any, where: str) -> None:
        self._client, self.where = client, where

    @property
    def count(self) -> int:
        return int(sum(self._client.nthreads().values())) or 1

    def pids(self) -> list[int]:
        """The worker processes."""
        return list(self._client.run(os.getpid).values())

    def meet(self) -> None:
        """Wait for a worker, and see that it runs what runs here."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=ANSWER)
        if not self._client.nthreads():
            raise Refused(Code.NO_CLUSTER, "no_workers", where=self.where)
        asked = self._client.submit(made_by, pure=False)
        try:
            theirs = asked.result(timeout=PATIENCE)
        except Exception as error:  # whatever another installation makes of it
            raise self._other(_reason(error)) from None
        if theirs != made_by():
            raise self._other("its sources differ")

    def _other(self, reason: str) -> Refused:
        return Refused(Code.NO_CLUSTER, "other", where=self.where, reason=reason)

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]:
        name = f"headsup-{uuid4().hex}"
        packed = zlib.compress(pickle.dumps(work), 1)
        sent = self._client.submit(_unpacked, packed, key=f"{name}-work")
        begun: deque[tuple[str, C, Any]] = deque()
        try:
            for number, chunk in enumerate(chunks):
                key = f"{name}-{number}"
                begun.append((key, chunk, self._begin(key, sent, chunk)))
                while len(begun) > AHEAD * self.count:
                    yield self._result(*begun.popleft(), sent)
            while begun:
                yield self._result(*begun.popleft(), sent)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel([future for _, _, future in begun], force=True)

    def _begin(self, key: str, sent: Any, chunk: object) -> Any:
        return self._client.submit(_worked, made_by(), sent, chunk, key=key)

    def _result(self, key: str, chunk: object, future: Any, sent: Any) -> Any:
        """Wait for a chunk, and give it out again if whoever had it is gone."""
        killed: type[Exception] = import_module("distributed").KilledWorker
        last_seen, given_out = monotonic(), 1
        while True:
            try:
                return future.result(timeout=LOOK)
            except TimeoutError:
                if self._client.status != "running":
                    raise Refused(Code.NO_CLUSTER, "lost", where=self.where) from None
                if self._client.nthreads():
                    last_seen = monotonic()
                elif monotonic() - last_seen > PATIENCE:
                    raise Refused(Code.NO_CLUSTER, "no_workers", where=self.where) from None
            except (killed, CancelledError):
                if given_out > AGAIN or self._client.status != "running":
                    raise Refused(Code.NO_CLUSTER, "lost", where=self.where) from None
                future = self._begin(f"{key}-{given_out}", sent, chunk)
                given_out += 1
            except OtherSources as other:
                raise self._other(str(other)) from None


# What workers do.


class OtherSources(RuntimeError):
    """A worker runs another version, which might deal other cards."""


@cache
def made_by() -> str:
    """Names the sources that results come from."""
    folders = (Path(__file__).parent, Path(kernels.__file__).parent)
    return "-".join(source_hash(folder) for folder in folders)


def _unpacked(packed: bytes) -> Any:
    return pickle.loads(zlib.decompress(packed))


def _worked(asked_by: str, work: Callable[[C], R], chunk: C) -> R:
    if asked_by != made_by():
        raise OtherSources("its sources differ")
    return work(chunk)
