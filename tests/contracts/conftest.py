"""Real databases for the contracts: a file of SQLite's, and a PostgreSQL server started once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headsup.house.store.database import Database
from tests.postgres import Server, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path / 'floors.db'}"
    else:
        server: Server = request.getfixturevalue("postgres")
        address = server.new_database()
    database = Database(address)
    database.migrate()
    yield database
    database.close()
