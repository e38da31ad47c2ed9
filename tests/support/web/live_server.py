"""A real server for one test: uvicorn on a free port, with a fresh database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.datastructures import State

from headsup.game.table.commands import Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.shuffle import ShuffleSource
from headsup.house import clock
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.dealing.shoe import DeckSource, shuffle_deck
from headsup.house.fairness.sealed_shuffles import ShuffleSealer
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.people.accounts import Accounts
from headsup.house.store.database import Database
from headsup.web.demo.tables import Demo
from headsup.web.live.presence import CONSOLE_GRACE_SECONDS
from headsup.web.live.sockets import Sockets
from headsup.web.server.app import create_app
from headsup.web.server.connections import connection_options
from headsup.web.server.settings import Settings
from headsup.web.workers.solver import Solver
from headsup.web.workers.strategist import Strategist
from tests.support.databases import sqlite_database

QUICK = Timings(open=0.01, betting=0.3, all_in=0.01, deal=0.01, card=0.01, resolve=0.01, close=0.01)


class Live:
    """A running server, with its house, accounts and sockets."""

    def __init__(self, house: House, accounts: Accounts, sockets: Sockets, address: str) -> None:
        self.house, self.accounts, self.sockets = house, accounts, sockets
        self.address = address
        self.dealers: list[AutomaticDealer] = []
        self.state = State()  # of the app
        self.demo: Demo | None = None

    async def open_table(
        self, id: str, opening: OpenTable, decks: DeckSource | None = None, pace: Timings = QUICK
    ) -> None:
        """Open a table on its own floor, with a fast automatic dealer. Given decks cannot be
        sealed."""
        if decks is not None:
            opening = replace(opening, shuffle=ShuffleSource.SYSTEM)
        outcome = await self.house.open_table(
            id, CommandRequest(f"opening-{id}", id, Staff("house"), opening)
        )
        assert isinstance(outcome, Acceptance), outcome
        await self.deal(id, decks, pace)

    async def happens(self, table: str) -> None:
        """Wait for the next event at a table."""
        host = self.house.host_of(table)
        assert host is not None
        news = asyncio.Event()
        stop = host.subscribe(lambda _: news.set(), table)
        try:
            async with asyncio.timeout(60):
                await news.wait()
        finally:
            stop()

    async def deal(self, id: str, decks: DeckSource | None = None, pace: Timings = QUICK) -> None:
        """Start an automatic dealer for an open table."""
        host = self.house.host_of(id)
        assert host is not None
        shoe: DeckSource | ShuffleSealer = decks or (lambda _: shuffle_deck())
        if host.journal.floor.tables[id].shuffle is ShuffleSource.SEALED:
            shoe = self.house.sealer_of(id)
        attendances = self.house.dealing_modes
        dealer = AutomaticDealer(
            host, id, shoe, pace, is_held=lambda: attendances.get(id).stops_dealer
        )
        self.dealers.append(dealer)


@asynccontextmanager
async def live(
    folder: Path, demo: bool = True, port: int = 0, address: str = "", name: str = "server"
) -> AsyncIterator[Live]:
    if address:
        database = Database(address)
        database.migrate()
    else:
        database = sqlite_database(folder / "house.db")
    accounts = Accounts(database)
    house = House(database, name, clock.now, at="" if database.is_alone else name)
    settings = Settings("", name, demo=demo)
    app = create_app(house, accounts, settings)
    config = uvicorn.Config(
        app, port=port, log_level="error", **connection_options(app.state.metrics)
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    running = Live(house, accounts, app.state.sockets, f"http://127.0.0.1:{port}")
    running.state = app.state
    try:
        yield running
    finally:
        for dealer in running.dealers:
            await dealer.stop()
        server.should_exit = True
        await task
        database.close()


@asynccontextmanager
async def demonstration(
    folder: Path,
    pace: Timings = QUICK,
    console_grace: float = CONSOLE_GRACE_SECONDS,
    hand_back_after: float = 60.0,
) -> AsyncIterator[Live]:
    """A server with the demo tables, and automatic players who play by the simple rule."""
    async with live(folder) as server:
        running = Demo(
            server.house,
            server.accounts,
            server.sockets,
            server.address,
            Strategist([], Solver()),
            pace=pace,
            think_seconds=(0, 0.01),
            console_grace=console_grace,
            hand_back_after=hand_back_after,
        )
        server.demo = running
        async with running.running():
            yield server
