"""Chunks worked side by side: each once and in order, by threads, processes, or none."""

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
from headsup.analysis.workers.executor import Threads, run_chunks
from headsup.game.refusal import Code, Refused
from tests.analysis.farm import ROOT, farm


@pytest.mark.parametrize("count", [1, 2, 4])
def test_results_come_in_order(count: int) -> None:
    told: list[tuple[int, int]] = []
    found = run_chunks(range(50), partial(pow, 3), Threads(count), lambda *done: told.append(done))
    assert list(found) == [3**n for n in range(50)]
    assert told == [(n, 50) for n in range(1, 51)]


def test_no_chunks_are_no_work() -> None:
    assert list(run_chunks([], partial(pow, 3))) == []


def test_who_stops_listening_has_the_first_results_and_drops_the_rest() -> None:
    """The first chunk is done, the others wait for an event that comes when nobody listens."""
    begun: list[int] = []
    gone = Event()

    def work(chunk: int) -> int:
        begun.append(chunk)
        if chunk:
            gone.wait(60)
        return chunk

    kept: list[int] = []
    try:
        for result in run_chunks(range(1000), work, Threads(2)):
            kept.append(result)
            gone.set()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert kept == [0]
    assert len(begun) < 20


def test_a_failure_is_told() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_chunks([1, 0, 2], partial(divmod, 7), Threads(1)))


@pytest.fixture(scope="module")
def processes() -> Iterator[Cluster]:
    with local_cluster(2) as found:
        yield found


def test_a_worker_that_dies_loses_nothing(processes: Cluster) -> None:
    """One of two is killed when the first chunks are there; what it held is worked again."""
    found = []
    for result in run_chunks(range(120), partial(pow, 3), processes):
        found.append(result)
        if len(found) == 5:
            os.kill(min(processes.pids()), signal.SIGKILL)
    assert found == [3**n for n in range(120)]


def test_a_failure_on_a_worker_is_told(processes: Cluster) -> None:
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
def test_an_unreachable_scheduler_is_one_sentence(address: str, why: str) -> None:
    began = monotonic()
    with pytest.raises(Refused, match=why) as refused, connect_cluster(address):
        pass
    assert refused.value.code == Code.NO_CLUSTER
    assert monotonic() - began < 60


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refused, match=r"pip install 'headsup\[cluster\]'"), local_cluster(1):
        pass


def test_a_scheduler_lost_in_the_middle_is_one_sentence_and_the_first_results_stand() -> None:
    kept: list[int] = []

    def lose_it(done: int, _: int) -> None:
        if done == 5:
            lost.lose()

    with farm() as lost, connect_cluster(lost.address) as cluster:
        with pytest.raises(Refused, match="the scheduler is gone") as refused:
            kept.extend(run_chunks(range(500), partial(pow, 3), cluster, lose_it))
        assert refused.value.code == Code.NO_CLUSTER
        assert lost.address in refused.value.message
        with pytest.raises(Refused, match="the scheduler is gone"):  # nor does it come back
            list(run_chunks(range(5), partial(pow, 3), cluster))
    assert 5 <= len(kept) < 500
    assert kept == [3**n for n in range(len(kept))]


def other_rules(folder: Path) -> None:
    shutil.copytree(ROOT / "src" / "headsup", folder, ignore=shutil.ignore_patterns("web"))
    with (folder / "game" / "rulebook" / "wagers.py").open("a") as file:
        file.write("# another version\n")


def nothing(folder: Path) -> None:
    folder.mkdir()
    (folder / "__init__.py").touch()


@pytest.mark.parametrize("installed", [other_rules, nothing])
def test_workers_with_another_headsup_are_named_and_given_no_work(
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
