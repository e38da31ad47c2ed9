"""Runs chunks on a Dask cluster: worker processes on this machine, or a scheduler elsewhere.

Workers may die and come back. A lost chunk is run again, and a chunk that arrives twice counts
once. The work function is sent once, compressed, as a task of its own: the scheduler can rerun a
task, whereas scattered data is lost with the worker that holds it.

If the scheduler is gone, silent or not Dask, that is a refusal, whatever Dask raises. If the work
itself fails, the exception comes back as a value, so it is never mistaken for a cluster failure.
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
from importlib import import_module
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, NamedTuple, NoReturn, TypeVar
from uuid import uuid4

from headsup.analysis.cache import results_hash
from headsup.analysis.workers.executor import CHUNKS_AHEAD
from headsup.game.refusal import Code, Refused

C = TypeVar("C")
R = TypeVar("R")

ANSWER_SECONDS = 5.0  # for the scheduler to answer, and then for its first worker
POLL_SECONDS = 2.0  # between checks of the scheduler while waiting for a chunk
GIVE_UP_SECONDS = 60.0  # without a worker or an answer, before a run is given up
MAX_RETRIES = 5  # of a chunk whose workers died

# What Dask raises for a future whose scheduler is gone, depending on its version.
CANCELLED = (asyncio.CancelledError, futures.CancelledError)


@contextmanager
def local_cluster(count: int) -> Iterator["Cluster"]:
    """Start worker processes and a scheduler on this machine, and stop them at the end."""
    distributed = _import_distributed()
    with _ignore_interrupts():
        dask = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free port
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    with dask, distributed.Client(dask) as client:
        yield Cluster(client, f"{count} local processes")


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Start child processes that ignore Ctrl-C, which a terminal sends to all of them."""
    if current_thread() is not main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def connect_cluster(address: str) -> Iterator["Cluster"]:
    """Connect to a running scheduler and check its workers."""
    distributed = _import_distributed()
    for name in (
        "distributed",
        "distributed.client",
        "tornado",
    ):  # Dask configures the second on its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # the refusal says it in one sentence
    # On deletion a client that never connected would try for 15 seconds to say goodbye.
    client_type = type("QuietClient", (distributed.Client,), {"__del__": lambda _: None})
    try:
        client = client_type(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # anything may answer at that address
        raise Refused(Code.NO_CLUSTER, where=address, reason=_reason(error)) from None
    try:
        cluster = Cluster(client, address)
        cluster.check_workers()
        yield cluster
    finally:
        client.close(timeout=POLL_SECONDS)


def _import_distributed() -> Any:
    """Import Dask, and let it fork workers from a process that has already imported everything."""
    try:
        import_module("dask").config.set(
            {"distributed.worker.multiprocessing-method": "forkserver"}
        )
        return import_module("distributed")
    except ModuleNotFoundError as missing:
        raise Refused(Code.MISSING_EXTRA, "cluster", library=missing.name) from None


def _reason(error: BaseException) -> str:
    if not isinstance(error, OSError | ValueError | ImportError | RuntimeError):
        return f"unexpected reply: {type(error).__name__}"
    return (str(error).splitlines() or [""])[0] or type(error).__name__


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self.address = client, address
        self._last_count, self._threads = -POLL_SECONDS, 1

    @property
    def count(self) -> int:
        """How many chunks run at once; refreshed every POLL_SECONDS, not for each chunk."""
        if monotonic() - self._last_count >= POLL_SECONDS:
            self._threads = self._count_threads() or self._threads
            self._last_count = monotonic()
        return self._threads

    def _count_threads(self) -> int | None:
        """The number of threads of all workers; None if the scheduler does not answer."""
        if self._client.status != "running":
            return None
        try:
            threads = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=ANSWER_SECONDS
            )
        except (OSError, RuntimeError):  # includes TimeoutError and Dask's CommClosedError
            return None
        return int(sum(threads.values()))

    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return list(self._client.run(os.getpid).values())

    def check_workers(self) -> None:
        """Wait for a worker, and refuse if any worker runs other source code."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        if not self._count_threads():
            raise Refused(Code.NO_CLUSTER, "no_workers", where=self.address)
        for worker, sources in self._client.run(results_hash, on_error="return").items():
            if isinstance(sources, BaseException):  # another installation may fail in any way
                self._refuse_mismatch(f"{worker}: {_reason(sources)}")
            if sources != results_hash():
                self._refuse_mismatch(f"{worker}: its source code differs")

    def _refuse_mismatch(self, reason: str) -> NoReturn:
        raise Refused(Code.NO_CLUSTER, "other", where=self.address, reason=reason) from None

    def _refuse_lost(self) -> NoReturn:
        raise Refused(Code.NO_CLUSTER, "lost", where=self.address) from None

    def results(self, chunks: Iterable[C], work: Callable[[C], R]) -> Generator[R, None, None]:
        name = f"headsup-{uuid4().hex}"
        packed = zlib.compress(pickle.dumps(work), 1)
        pending: deque[tuple[str, C, Any]] = deque()
        try:
            sent_work = self._submit(_unpack_work, packed, key=f"{name}-work")
            for number, chunk in enumerate(chunks):
                key = f"{name}-{number}"
                pending.append((key, chunk, self._start_chunk(key, sent_work, chunk)))
                while len(pending) > CHUNKS_AHEAD * self.count:
                    yield self._wait_for_chunk(*pending.popleft(), sent_work)
            while pending:
                yield self._wait_for_chunk(*pending.popleft(), sent_work)
        finally:
            for _, _, future in pending:
                with suppress(Exception):  # the scheduler may be gone
                    future.release()

    def _start_chunk(self, key: str, sent_work: Any, chunk: object) -> Any:
        return self._submit(_run_chunk, results_hash(), sent_work, chunk, key=key)

    def _submit(self, *task: object, key: str) -> Any:
        try:
            return self._client.submit(*task, key=key)
        except (OSError, RuntimeError, *CANCELLED):  # the client has closed
            self._refuse_lost()

    def _wait_for_chunk(self, key: str, chunk: object, future: Any, sent_work: Any) -> Any:
        """Wait for a chunk's result; start the chunk again if its worker died."""
        attempts, last_seen = 1, monotonic()
        while True:
            try:
                chunk_result: ChunkResult = future.result(timeout=POLL_SECONDS)
            except TimeoutError:
                last_seen = self._check_alive(last_seen)
            except (OSError, *CANCELLED):
                self._refuse_lost()
            except Exception as error:
                if self._client.status != "running":
                    self._refuse_lost()
                if not isinstance(error, import_module("distributed").KilledWorker):
                    self._refuse_mismatch(_reason(error))
                if attempts > MAX_RETRIES:
                    self._refuse_lost()
                future = self._start_chunk(f"{key}-{attempts}", sent_work, chunk)
                attempts += 1
            else:
                if chunk_result.mismatched_worker is not None:
                    self._refuse_mismatch(
                        f"{chunk_result.mismatched_worker}: its source code differs"
                    )
                if chunk_result.failure is not None:
                    raise chunk_result.failure
                return chunk_result.result

    def _check_alive(self, last_seen: float) -> float:
        """When workers were last seen, or a refusal if that was too long ago."""
        if self._client.status != "running":
            self._refuse_lost()
        if workers := self._count_threads():
            return monotonic()
        if monotonic() - last_seen > GIVE_UP_SECONDS:
            if workers is None:
                self._refuse_lost()
            raise Refused(Code.NO_CLUSTER, "no_workers", where=self.address) from None
        return last_seen


# The code that runs on workers.


class ChunkResult(NamedTuple):
    """A chunk's result or exception, or the address of a worker with other source code."""

    result: Any = None
    failure: Exception | None = None
    mismatched_worker: str | None = None


def _unpack_work(packed: bytes) -> Any:
    return pickle.loads(zlib.decompress(packed))


def _run_chunk(client_sources: str, work: Callable[[Any], Any], chunk: object) -> ChunkResult:
    if client_sources != results_hash():
        return ChunkResult(mismatched_worker=str(import_module("distributed").get_worker().address))
    try:
        return ChunkResult(work(chunk))
    except Exception as failure:
        return ChunkResult(failure=failure)
