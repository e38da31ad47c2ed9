"""A house that goes on from a restored database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx

from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.dealing.dealer import Dealers
from headsup.web.live.command_requests import CommandDesk
from headsup.web.server.operations import Metrics
from tests.support.tables import opening
from tests.support.web.live_server import QUICK, Live, live
from tests.support.web.office import TABLE, Office

SEALED = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)


STAND = f"/api/tables/{TABLE}/attendance"


@asynccontextmanager
async def going_on(folder: Path, address: str) -> AsyncIterator[tuple[Office, Live]]:
    """A house on the restored database, with its automatic dealers."""
    async with live(folder, demo=False, address=address) as there:
        people = {person.name: person for person in there.accounts.people()}
        desk = CommandDesk(there.house, there.accounts, Metrics())
        dealers = Dealers(there.house, QUICK)
        dealers.start()
        try:
            yield Office(there.house, there.accounts, desk, people), there
        finally:
            await dealers.stop()


def table_of(at: Office) -> Table:
    return at.host.journal.floor.tables[TABLE]


async def stands(http: httpx.AsyncClient, **how: object) -> None:
    answer = await http.post(STAND, json={"paused": "", "by_hand": False, **how})
    assert answer.status_code == 200, answer.text
