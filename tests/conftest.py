"""Settings for all tests: Hypothesis profiles, long tests first, cheap password hashes, temporary
files in memory if there is room, and one PostgreSQL server per run."""

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

from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve_many
from headsup.house.people import passwords
from headsup.house.store.database import Database
from tests.support.analysis.games import HEADS_UP, ULTIMATE, payoffs
from tests.support.databases import DATABASES, postgres_database, sqlite_database
from tests.support.postgres import PostgresServer, share_server, shared_server

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("here"), max_examples=25)

passwords.COST = CHEAPEST  # real hashing takes 0.1 s per login, half the time of such tests

BROWSER_TEST_SECONDS = 3  # typical

# A house writes every command to disk before announcing it, which takes milliseconds. Memory is
# faster and safe enough: tests kill programs, never the machine.
MEMORY, MIN_FREE_BYTES = Path("/dev/shm"), 4 * 2**30


def can_use_memory() -> bool:
    return (
        "TMPDIR" not in os.environ
        and os.access(MEMORY, os.W_OK)
        and shutil.disk_usage(MEMORY).free > MIN_FREE_BYTES
    )


if can_use_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_configure(config: pytest.Config) -> None:
    quick = "not slow" in config.getoption("markexpr")
    settings.load_profile("ci" if os.environ.get("CI") else "quick" if quick else "here")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run long tests first, so that only short ones are left to share at the end."""
    items.sort(key=_seconds, reverse=True)
    items[:] = _deal_to_workers(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _deal_to_workers(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order the tests so that each worker's equal stretch starts with its share of the long ones.

    A worker that is done steals from the end of another's stretch. Short tests of a file stay
    together, because they share fixtures.
    """
    long = [item for item in items if _seconds(item)]
    short = iter(items[len(long) :])
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        end = len(dealt) + (len(items) - len(dealt)) // (workers - worker)
        dealt += long[worker::workers]
        dealt += islice(short, max(end - len(dealt), 0))
    return [*dealt, *short]


def _seconds(item: pytest.Item) -> int:
    """The approximate duration of a long test; 0 for a short one."""
    slow = item.get_closest_marker("slow")
    if slow is None:
        return BROWSER_TEST_SECONDS if "browser" in item.path.parts else 0
    return int(slow.kwargs.get("seconds", 1))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collected tests live to the end, so keep the garbage collector from scanning them."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """A worker uses the database server of the run that started it."""
    if hasattr(config, "workerinput"):
        return (yield)
    with share_server():
        return (yield)


@pytest.fixture(scope="session")
def postgres() -> PostgresServer:
    return shared_server()


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A SQLite file, and a real PostgreSQL."""
    if request.param == "sqlite":
        database = sqlite_database(tmp_path / "floors.db")
    else:
        database = postgres_database(request.getfixturevalue("postgres"))
    yield database
    database.close()


@pytest.fixture(scope="session")
def solutions() -> list[Solution]:
    return solve_many([payoffs(HEADS_UP), payoffs(ULTIMATE)])


@pytest.fixture(scope="session")
def heads_up(solutions: list[Solution]) -> Solution:
    return solutions[0]


@pytest.fixture(scope="session")
def ultimate(solutions: list[Solution]) -> Solution:
    return solutions[1]
