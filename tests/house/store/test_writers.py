"""Writers of one process wait for their turn before SQLite, where they would sleep and starve."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from headsup.house.store import engine
from tests.support.databases import sqlite_database

WRITE = text("UPDATE floors SET fence = fence + 1")


def write_without_waiting(of: Engine) -> None:
    """SQLite itself gives up at once here."""
    with of.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA busy_timeout = 0")
        with connection.begin():
            connection.execute(WRITE)


def test_writers_wait_for_each_other_without_help_from_sqlite(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    database.open_floor("F")
    others = [database.engine, database.floor_engine] * 2
    with ThreadPoolExecutor(len(others)) as threads:
        with database.engine.begin() as first:
            first.execute(WRITE)
            waiting = [threads.submit(write_without_waiting, of) for of in others]
            Event().wait(0.2)  # long enough for a writer that does not wait to fail
            assert not any(future.done() for future in waiting)
        for future in waiting:
            future.result(60)
    with database.read_connection() as connection:
        assert connection.execute(text("SELECT max(fence) FROM floors")).scalar_one() == 5
    database.close()


def test_a_writer_that_waits_too_long_fails_as_with_a_busy_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_MS", 50)
    database = sqlite_database(tmp_path / "house.db")
    with database.engine.begin() as first, ThreadPoolExecutor(1) as threads:
        first.execute(WRITE)
        late = threads.submit(write_without_waiting, database.floor_engine)
        with pytest.raises(OperationalError, match="database is locked"):
            late.result(60)
    write_without_waiting(database.floor_engine)  # the turn was given back
    database.close()
