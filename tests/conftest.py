"""How all tests run: property tests without a stopwatch, the same examples every time in CI and few
of them in the quick check; the long tests first; passwords that are hashed in no time; files in
memory, where there is room; one PostgreSQL server for whoever asks."""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST
from hypothesis import settings

from headsup.house.people import passwords
from tests.postgres import Server, running_server

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("here"), max_examples=25)

passwords.COST = CHEAPEST  # a tenth of a second for each log-in was half of what their tests took

SECONDS_WITH_A_PAGE = 3  # about, for a test in the browser

# Every command of a house is on the disk before it is told, and a disk takes milliseconds. What is
# killed here are programs, never the machine, and what they wrote to memory stays.
MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30


def in_memory() -> bool:
    return (
        "TMPDIR" not in os.environ
        and os.access(MEMORY, os.W_OK)
        and shutil.disk_usage(MEMORY).free > ROOM
    )


if in_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_configure(config: pytest.Config) -> None:
    quick = "not slow" in config.getoption("markexpr")
    settings.load_profile("ci" if os.environ.get("CI") else "quick" if quick else "here")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """At the end only short tests are left to share, so that no core waits for another."""
    items.sort(key=_seconds, reverse=True)
    items[:] = _dealt(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker is given an equal stretch of all tests, and takes from the end of another's when
    it is done: every stretch begins with its share of the long ones. The short ones of a file stay
    together, for what they have in common."""
    long = [item for item in items if _seconds(item)]
    short = iter(items[len(long) :])
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        end = len(dealt) + (len(items) - len(dealt)) // (workers - worker)
        dealt += long[worker::workers]
        dealt += islice(short, max(end - len(dealt), 0))
    return [*dealt, *short]


def _seconds(item: pytest.Item) -> int:
    """About how long it takes, for the long ones."""
    slow = item.get_closest_marker("slow")
    if slow is None:
        return SECONDS_WITH_A_PAGE if "browser" in item.path.parts else 0
    return int(slow.kwargs.get("seconds", 1))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: no search for garbage need walk it."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with running_server() as server:
        yield server
