"""Chunks worked by a Dask cluster: processes of this machine, or those of a scheduler elsewhere.

Workers may die and come back. A chunk that nobody brought is worked again, and one that came twice
is taken once. The work itself travels once as a task of its own, compressed: the scheduler can have
such a task done again, while data that was only scattered is lost with the worker that held it.

A scheduler that is gone, silent or foreign is a refusal, whatever Dask makes of it. Work that fails
comes back as a value, so that its failure is never taken for the cluster's.
"""

import asyncio
import logging
import os
import pickle
import signal
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, NamedTuple, NoReturn, TypeVar
from uuid import uuid4

from headsup.analysis.cache import source_hash
from headsup.analysis.workers.executor import CHUNKS_AHEAD
from headsup.game.refusal import Code, Refused

C = TypeVar("C")
R = TypeVar("R")

ANSWER_SECONDS = 5.0  # seconds that a scheduler has to answer, and then its first worker
POLL_SECONDS = 2.0  # seconds between looks at the scheduler while a chunk is awaited
GIVE_UP_SECONDS = 60.0  # seconds without any worker, or any answer, before a run is given up
MAX_RETRIES = 5  # times that a chunk is given out anew after workers died at it

# What Dask raises for a future whose scheduler is gone: the one or the other, by its version.
CANCELLED = (asyncio.CancelledError, futures.CancelledError)


@contextmanager
def local_cluster(count: int) -> Iterator["Cluster"]:
    """So many worker processes on this machine, and their scheduler, for as long as they work."""
    distributed = _import_distributed()
    with _ignore_interrupts():
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
def _ignore_interrupts() -> Iterator[None]:
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
def connect_cluster(address: str) -> Iterator["Cluster"]:
    """The workers of a scheduler that runs somewhere; it must answer in a few seconds."""
    distributed = _import_distributed()
    for name in ("distributed", "distributed.client", "tornado"):  # Dask sets the second apart
        logging.getLogger(name).setLevel(logging.CRITICAL)  # told of as one sentence
    # One that never reached a scheduler would try to take leave of it for a quarter of a minute.
    calm = type("CalmClient", (distributed.Client,), {"__del__": lambda _: None})
    try:
        client = calm(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # as many kinds as there are things that are no scheduler
        raise Refused(Code.NO_CLUSTER, where=address, reason=_reason(error)) from None
    try:
        found = Cluster(client, address)
        found.meet()
        yield found
    finally:
        client.close(timeout=POLL_SECONDS)


def _import_distributed() -> Any:
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
        self._counted, self._threads = -POLL_SECONDS, 1

    @property
    def count(self) -> int:
        """How many work at once, as far as is known: asked for now and then, not for each chunk."""
        if monotonic() - self._counted >= POLL_SECONDS:
            self._threads = self._workers() or self._threads
            self._counted = monotonic()
        return self._threads

    def _workers(self) -> int | None:
        """Threads of all workers; None if the scheduler does not answer."""
        if self._client.status != "running":
            return None
        try:
            asked = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=ANSWER_SECONDS
            )
        except (OSError, RuntimeError):  # among them TimeoutError and what Dask calls closed
            return None
        return int(sum(asked.values()))

    def pids(self) -> list[int]:
        """The worker processes."""
        return list(self._client.run(os.getpid).values())

    def meet(self) -> None:
        """Wait for a worker, and see that all run what runs here."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        if not self._workers():
            raise Refused(Code.NO_CLUSTER, "no_workers", where=self.where)
        for worker, sources in self._client.run(source_fingerprint, on_error="return").items():
            if isinstance(sources, BaseException):  # whatever another installation makes of it
                self._refuse_other(f"{worker}: {_reason(sources)}")
            if sources != source_fingerprint():
                self._refuse_other(f"{worker}: its sources differ")

    def _refuse_other(self, reason: str) -> NoReturn:
        raise Refused(Code.NO_CLUSTER, "other", where=self.where, reason=reason) from None

    def _refuse_lost(self) -> NoReturn:
        raise Refused(Code.NO_CLUSTER, "lost", where=self.where) from None

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]:
        name = f"headsup-{uuid4().hex}"
        packed = zlib.compress(pickle.dumps(work), 1)
        begun: deque[tuple[str, C, Any]] = deque()
        try:
            sent = self._submitted(_unpack_work, packed, key=f"{name}-work")
            for number, chunk in enumerate(chunks):
                key = f"{name}-{number}"
                begun.append((key, chunk, self._begin(key, sent, chunk)))
                while len(begun) > CHUNKS_AHEAD * self.count:
                    yield self._result(*begun.popleft(), sent)
            while begun:
                yield self._result(*begun.popleft(), sent)
        finally:
            for _, _, future in begun:
                with suppress(Exception):  # the scheduler may be gone
                    future.release()

    def _begin(self, key: str, sent: Any, chunk: object) -> Any:
        return self._submitted(_run_chunk, source_fingerprint(), sent, chunk, key=key)

    def _submitted(self, *task: object, key: str) -> Any:
        try:
            return self._client.submit(*task, key=key)
        except (OSError, RuntimeError, *CANCELLED):  # the client has given up
            self._refuse_lost()

    def _result(self, key: str, chunk: object, future: Any, sent: Any) -> Any:
        """Wait for a chunk, and give it out again if whoever had it is gone."""
        given_out, since = 1, monotonic()
        while True:
            try:
                brought: ChunkResult = future.result(timeout=POLL_SECONDS)
            except TimeoutError:
                since = self._still_there(since)
            except (OSError, *CANCELLED):
                self._refuse_lost()
            except Exception as error:
                if self._client.status != "running":
                    self._refuse_lost()
                if not isinstance(error, import_module("distributed").KilledWorker):
                    self._refuse_other(_reason(error))
                if given_out > MAX_RETRIES:
                    self._refuse_lost()
                future = self._begin(f"{key}-{given_out}", sent, chunk)
                given_out += 1
            else:
                if brought.other is not None:
                    self._refuse_other(f"{brought.other}: its sources differ")
                if brought.failure is not None:
                    raise brought.failure
                return brought.result

    def _still_there(self, since: float) -> float:
        """When the workers were last seen; a refusal once that is too long ago."""
        if self._client.status != "running":
            self._refuse_lost()
        if workers := self._workers():
            return monotonic()
        if monotonic() - since > GIVE_UP_SECONDS:
            if workers is None:
                self._refuse_lost()
            raise Refused(Code.NO_CLUSTER, "no_workers", where=self.where) from None
        return since


# What workers do.


class ChunkResult(NamedTuple):
    """What became of a chunk. `other` is a worker of another version, which deals nothing."""

    result: Any = None
    failure: Exception | None = None
    other: str | None = None


@cache
def source_fingerprint() -> str:
    """Names the sources that results come from: all of the mathematics and all of the rules."""
    package = Path(__file__).parents[2]
    return source_hash(package / "analysis") + source_hash(package / "game")


def _unpack_work(packed: bytes) -> Any:
    return pickle.loads(zlib.decompress(packed))


def _run_chunk(asked_by: str, work: Callable[[Any], Any], chunk: object) -> ChunkResult:
    if asked_by != source_fingerprint():
        return ChunkResult(other=str(import_module("distributed").get_worker().address))
    try:
        return ChunkResult(work(chunk))
    except Exception as failure:
        return ChunkResult(failure=failure)
