"""Chunks run in parallel: each once and in order, on threads or processes."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from headsup.analysis.workers.dask_cluster import Cluster, connect_cluster, local_cluster
from headsup.analysis.workers.executor import KernelPool, Threads, run_chunks
from headsup.game.refusal import Code, Refused
from tests.support.analysis.farm import ROOT, farm


@pytest.mark.parametrize("count", [1, 2, 4])
def test_results_come_in_order(count: int) -> None:
    progress: list[tuple[int, int]] = []
    results = run_chunks(
        range(50), partial(pow, 3), Threads(count), lambda *done: progress.append(done)
    )
    assert list(results) == [3**n for n in range(50)]
    assert progress == [(n, 50) for n in range(1, 51)]


def test_no_chunks_give_no_results() -> None:
    assert list(run_chunks([], partial(pow, 3))) == []


def test_stopping_early_drops_the_remaining_chunks() -> None:
    """The first chunk finishes; the others wait for an event that is set after the caller stops."""
    begun: list[int] = []
    stopped = Event()

    def work(chunk: int) -> int:
        begun.append(chunk)
        if chunk:
            stopped.wait(60)
        return chunk

    results: list[int] = []
    try:
        for result in run_chunks(range(1000), work, Threads(2)):
            results.append(result)
            stopped.set()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert results == [0]
    assert len(begun) < 20


def test_a_failure_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_chunks([1, 0, 2], partial(divmod, 7), Threads(1)))


@pytest.fixture(scope="module")
def processes() -> Iterator[Cluster]:
    with local_cluster(2) as cluster:
        yield cluster


def test_a_killed_worker_loses_no_chunks(processes: Cluster) -> None:
    """One of two workers is killed after the first chunks; its chunks are run again."""
    results = []
    for result in run_chunks(range(120), partial(pow, 3), processes):
        results.append(result)
        if len(results) == 5:
            os.kill(min(processes.pids()), signal.SIGKILL)
    assert results == [3**n for n in range(120)]


def test_a_failure_on_a_worker_is_raised(processes: Cluster) -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_chunks([1, 0, 2], partial(divmod, 7), processes))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:1", "no Dask scheduler answers there"),
        ("nowhere", "missing port number"),
        ("pigeon://loft:1", "unknown address scheme"),
    ],
)
def test_an_unreachable_scheduler_is_refused_in_one_sentence(address: str, why: str) -> None:
    began = monotonic()
    with pytest.raises(Refused, match=why) as refused, connect_cluster(address):
        pass
    assert refused.value.code == Code.NO_CLUSTER
    assert monotonic() - began < 60


def test_a_missing_extra_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refused, match=r"pip install 'headsup\[cluster\]'"), local_cluster(1):
        pass


@pytest.mark.slow
def test_a_scheduler_lost_midway_is_reported_in_one_sentence_after_the_first_results() -> None:
    results: list[int] = []

    def lose_scheduler(done: int, _: int) -> None:
        if done == 5:
            lost.lose()

    with farm() as lost, connect_cluster(lost.address) as cluster:
        with pytest.raises(Refused, match="the scheduler is gone") as refused:
            results.extend(run_chunks(range(500), partial(pow, 3), cluster, lose_scheduler))
        assert refused.value.code == Code.NO_CLUSTER
        assert lost.address in refused.value.message
        with pytest.raises(Refused, match="the scheduler is gone"):  # nor does it come back
            list(run_chunks(range(5), partial(pow, 3), cluster))
    assert 5 <= len(results) < 500
    assert results == [3**n for n in range(len(results))]


def other_rules(folder: Path) -> None:
    shutil.copytree(ROOT / "src" / "headsup", folder, ignore=shutil.ignore_patterns("web"))
    with (folder / "game" / "rulebook" / "wagers.py").open("a") as file:
        file.write("# another version\n")


def other_card(folder: Path) -> None:
    shutil.copytree(ROOT / "src" / "headsup", folder, ignore=shutil.ignore_patterns("web"))
    with (folder / "analysis" / "strategies" / "shipped" / "five-lines.toml").open("a") as file:
        file.write("# another card\n")


def nothing(folder: Path) -> None:
    folder.mkdir()
    (folder / "__init__.py").touch()


@pytest.mark.slow
@pytest.mark.parametrize("installed", [other_rules, other_card, nothing])
def test_workers_with_another_headsup_version_are_named_and_get_no_work(
    tmp_path: Path, installed: Callable[[Path], None]
) -> None:
    installed(tmp_path / "headsup")
    with farm(tmp_path) as other:
        no_version = pytest.raises(Refused, match="do not run this version of headsup")
        with no_version as refused, connect_cluster(other.address):
            pass
        assert refused.value.message.count("tcp://127.0.0.1") == 2  # the scheduler and a worker
        client = import_module("distributed").Client(other.address, set_as_default=False)
        with client, pytest.raises(Refused, match="do not run this version of headsup"):
            list(
                run_chunks([1], partial(pow, 3), Cluster(client, "later"))
            )  # as if it had come later


def test_a_kernel_pool_reports_progress_over_all_its_runs() -> None:
    progress: list[tuple[int, int]] = []
    with KernelPool(7, lambda *done: progress.append(done), size=2) as pool:
        pool.run([partial(pow, 2, 3)] * 3)
        pool.run([partial(pow, 2, 3)] * 2)
    assert progress == [(1, 7), (2, 7), (3, 7), (4, 7), (5, 7), (7, 7)]


def test_a_failed_kernel_call_cancels_those_not_yet_started() -> None:
    begun: list[int] = []

    def call(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), KernelPool(1000, size=1) as pool:
        pool.run(partial(call, number) for number in range(1000))
    assert len(begun) < 20
