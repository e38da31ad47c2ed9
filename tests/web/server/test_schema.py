"""Schemathesis over the whole API: for valid and invalid requests alike, every answer is one the
schema describes, and never a server error."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from hypothesis import HealthCheck, given, seed, settings

from headsup.game.table.commands import Staff
from headsup.game.table.opening import OpenTable
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.people.accounts import Accounts
from headsup.web.api import displays
from headsup.web.api import login as coming_in
from headsup.web.server.app import create_app
from headsup.web.server.connections import connection_options
from headsup.web.server.security import SESSION_COOKIE, RateLimiter
from headsup.web.server.settings import Settings
from tests.support.scripted import scripted_commands
from tests.support.tables import opening
from tests.support.web.office import TABLE, database_with_people

EXAMPLES = 6  # of each operation, for each person
UNHURRIED = RateLimiter(10**9, 10**9)


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, Accounts]]:
    """A server in its own thread, without rate limits, after an evening at one table."""
    database = database_with_people(folder)
    accounts = Accounts(database)
    house = House(database, "server", clock.now)
    app = create_app(house, accounts, Settings("", "server"))
    for rates in ("command", "recall", "training", "ticket", "read"):
        setattr(app.state, f"{rates}_rates", UNHURRIED)
    config = uvicorn.Config(
        app, port=0, log_level="critical", **connection_options(app.state.metrics)
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    played = threading.Event()

    async def serve() -> None:
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        opened = CommandRequest("opening", TABLE, Staff("house"), opening("galaxy"))
        assert isinstance(await house.open_table(TABLE, opened), Acceptance)
        for asked in scripted_commands():
            if not isinstance(asked.command, OpenTable):
                await house.submit(asked)
        played.set()
        await task

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert played.wait(60)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}", accounts
    finally:
        server.should_exit = True
        thread.join()
        database.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Accounts]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coming_in, "ATTEMPT_BURST", 1_000_000)
        patch.setattr(displays, "TICKET_BURST", 1_000_000)
        with served(tmp_path_factory.mktemp("house")) as running:
            yield running


@pytest.mark.slow(seconds=8)
@pytest.mark.parametrize("name", ["Ann", "Dee", "Sue", "Art", "Ada"])
def test_schemathesis_accepts_the_whole_api(house: tuple[str, Accounts], name: str) -> None:
    import schemathesis  # importing it takes a second; not while collecting

    address, accounts = house
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    person = accounts.find_by_name(name)
    assert person is not None
    seen = 0
    found: Any
    for found in schema.get_all_operations():
        operation = found.ok()
        seen += 1
        _tried(operation, accounts, name)
    assert seen == sum(len(verbs) for verbs in schema.raw_schema["paths"].values())


def _tried(operation: Any, accounts: Accounts, name: str) -> None:
    @seed(name)  # different for each person
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def tried(case: Any) -> None:
        person = accounts.find_by_name(name)  # undo locks and password changes of earlier calls
        assert person is not None
        accounts.unlock(person.id)
        token = accounts.log_in_as(person).token
        case.call_and_validate(cookies={SESSION_COOKIE: token})

    tried()
