"""Every store for the contracts; the databases are a file of SQLite's and a real PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headsup.house.store.database import Database
from headsup.house.store.log_file import LogFile
from headsup.house.store.memory import MemoryStore
from headsup.house.store.protocol import Store
from tests.databases import in_a_file, on_a_server


@pytest.fixture(params=["memory", "logfile", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Every store there is, with room for the floor F."""
    stores: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "logfile": lambda: LogFile(tmp_path / "floor.jsonl", "F"),
        "sqlite": lambda: in_a_file(tmp_path / "floors.db"),
        "postgresql": lambda: on_a_server(request.getfixturevalue("postgres")),
    }
    store = stores[request.param]()
    store.open_floor("F")
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        database = in_a_file(tmp_path / "floors.db")
    else:
        database = on_a_server(request.getfixturevalue("postgres"))
    yield database
    database.close()
