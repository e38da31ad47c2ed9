"""What a request is told when the database cannot answer it."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from headsup.house.store.engine import MAX_SHARED_CONNECTIONS
from tests.support.web.office import office
from tests.support.web.requests import asked_by

READS = ("/api/me", "/api/people", "/api/rounds", "/api/incidents", "/api/books")


async def test_a_read_that_waits_too_long_for_a_connection_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        engine = at.house.database.engine
        monkeypatch.setattr(engine.pool, "_timeout", 0.01)
        with ExitStack() as held:
            for _ in range(MAX_SHARED_CONNECTIONS):
                held.enter_context(engine.connect())
            for path in READS:
                answer = await http.get(path)
                told = answer.status_code, answer.json()["error"]["code"]
                assert told == (503, "unavailable"), path
        assert (await http.get("/api/me")).status_code == 200


async def test_a_read_from_a_damaged_file_is_told_to_try_again(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        database, file = at.house.database, tmp_path / "house.db"
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE filler (text)")
        database.engine.dispose()
        database.floor_engine.dispose()
        whole = file.read_bytes()
        file.write_bytes(b"no database at all".ljust(len(whole)))
        for path in READS:
            answer = await http.get(path)
            told = answer.status_code, answer.json()["error"]["code"]
            assert told == (503, "unavailable"), path
        database.engine.dispose()
        file.write_bytes(whole)
        assert (await http.get("/api/me")).status_code == 200
