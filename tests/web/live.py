"""A server of one's own for a test: a real uvicorn on a free port, a fresh database."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from headsup.game.table.commands import OpenTable, Staff
from headsup.house import clock
from headsup.house.accounts import Accounts
from headsup.house.dealer import AutomaticDealer
from headsup.house.host import Asked, CarriedOut
from headsup.house.house import House
from headsup.house.pace import Timings
from headsup.house.shoe import Decks, shuffled
from headsup.house.store.database import Database
from headsup.web.app import create_app
from headsup.web.settings import Settings
from headsup.web.sockets import Sockets

QUICK = Timings(open=0.01, betting=0.3, all_in=0.01, deal=0.01, card=0.01, resolve=0.01, close=0.01)


class Live:
    """A running server and what is behind it."""

    def __init__(self, house: House, accounts: Accounts, sockets: Sockets, address: str) -> None:
        self.house, self.accounts, self.sockets = house, accounts, sockets
        self.address = address

    async def open_table(self, id: str, opening: OpenTable, decks: Decks | None = None) -> None:
        """A table on a floor of its own, with an automatic dealer in a hurry."""
        outcome = await self.house.open_table(
            id, Asked(f"opening-{id}", id, Staff("house"), opening)
        )
        assert isinstance(outcome, CarriedOut), outcome
        host = self.house.host_of(id)
        assert host is not None
        self._dealer = AutomaticDealer(host, id, decks or (lambda _: shuffled()), QUICK)


@asynccontextmanager
async def live(folder: Path, demo: bool = True) -> AsyncIterator[Live]:
    database = Database(f"sqlite:///{folder / 'house.db'}")
    database.migrate()
    accounts = Accounts(database, time.time)
    house = House(database, "server", clock.now)
    settings = Settings("", "server", demo=demo)
    app = create_app(house, accounts, settings)
    config = uvicorn.Config(app, port=0, log_level="error", ws="websockets-sansio")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Live(house, accounts, app.state.sockets, f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        await task
        database.close()
