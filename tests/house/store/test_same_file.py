"""If a SQLite file is removed or replaced while it is open, nothing is written."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from headsup.game.record.chain import Head, make_link
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult, Lease, StoreLost

FILE = "house.db"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / FILE}")
    database.migrate()
    yield database
    database.close()


def first_entry(database: Database) -> Append:
    database.open_floor("F")
    lease = database.take_lease("F", "one")
    assert isinstance(lease, Lease)
    return Append(lease, Head(), (make_link(Head(), {"what": "something"}),))


def test_a_commit_after_the_file_was_removed_is_refused(database: Database, tmp_path: Path) -> None:
    entry = first_entry(database)
    connection = database.engine.connect()
    connection.begin()
    connection.execute(text("UPDATE floors SET fence = 0"))
    (tmp_path / FILE).unlink()
    with pytest.raises(OperationalError, match="the file is gone"):
        connection.commit()
    connection.close()
    (lost,) = database.commit([entry])
    assert isinstance(lost, StoreLost)
    assert "the file is gone" in str(lost)
    assert not (tmp_path / FILE).exists()


def test_a_new_connection_creates_no_file(database: Database, tmp_path: Path) -> None:
    entry = first_entry(database)
    database.engine.dispose()
    (tmp_path / FILE).unlink()
    (lost,) = database.commit([entry])
    assert isinstance(lost, StoreLost)
    with pytest.raises(OperationalError):
        database.floors()
    assert not (tmp_path / FILE).exists()


def test_a_file_put_in_its_place_is_not_written(database: Database, tmp_path: Path) -> None:
    entry, file, own = first_entry(database), tmp_path / FILE, tmp_path / "own.db"
    database.engine.dispose()
    file.rename(own)
    shutil.copy(own, file)
    (lost,) = database.commit([entry])
    assert isinstance(lost, StoreLost)
    own.replace(file)
    assert database.commit([entry]) == [AppendResult.STORED]
