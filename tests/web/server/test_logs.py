"""Error logs: JSON lines with type and location, never the text of the error."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from headsup.house.store.database import Database
from headsup.web.server.app import create_app
from headsup.web.server.operations import configure_logs
from headsup.web.server.settings import Settings
from tests.support.web.office import office

SECRET = "AsKsQsJsTs"


@pytest.fixture(autouse=True)
def _own_logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset uvicorn's loggers, which an earlier server in this process may have set up."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    for name in ("uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [])
        monkeypatch.setattr(logger, "propagate", True)
    yield
    structlog.reset_defaults()


def test_the_values_of_a_failed_statement_are_not_logged(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    with pytest.raises(DBAPIError) as failed, database.engine.begin() as connection:
        connection.execute(text("INSERT INTO nothing VALUES (:card)"), {"card": SECRET})
    assert SECRET not in str(failed.value)
    database.close()


async def test_an_error_of_ours_is_logged_by_type_and_location(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path) as at:
        app = create_app(at.house, at.accounts, Settings("", "server"))

        @app.get("/api/broken")
        async def broken() -> None:
            raise KeyError(SECRET)

        configure_logs()
        sent: list[dict[str, object]] = []
        scope = {"type": "http", "method": "GET", "path": "/api/broken", "headers": []}

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b""}

        async def send(message: dict[str, object]) -> None:
            sent.append(message)

        full = {**scope, "query_string": b"", "raw_path": b"/api/broken", "root_path": ""}
        with pytest.raises(KeyError) as raised:  # uvicorn logs it too
            await app(full, receive, send)  # type: ignore[arg-type]
        logging.getLogger("uvicorn.error").error(
            "Exception in ASGI application\n", exc_info=raised.value
        )
    lines = capsys.readouterr().err.splitlines()
    assert sent[0]["status"] == 500
    assert [json.loads(line)["kind"] for line in lines] == ["KeyError", "KeyError"]
    assert "test_logs.py" in json.loads(lines[1])["at"]
    assert not any(SECRET in line for line in lines)


async def test_an_unretrieved_exception_is_logged_without_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs()
    forgotten: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    forgotten.set_exception(ValueError(SECRET))
    del forgotten  # its exception is never retrieved
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["ValueError"]
    assert SECRET not in lines[0]
