"""The stores for the contract tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headsup.house.store.log_file import LogFile
from headsup.house.store.memory import MemoryStore
from headsup.house.store.protocol import Store
from tests.support.databases import postgres_database, sqlite_database


@pytest.fixture(params=["memory", "logfile", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each kind of store, with the floor F created."""
    stores: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "logfile": lambda: LogFile(tmp_path / "floor.jsonl", "F"),
        "sqlite": lambda: sqlite_database(tmp_path / "floors.db"),
        "postgresql": lambda: postgres_database(request.getfixturevalue("postgres")),
    }
    store = stores[request.param]()
    store.open_floor("F")
    yield store
    store.close()
