"""headsup's server with full tables: `python -m bench.servers.house DATABASE TABLES [AT FIRST]`.

When ready, it prints one line of JSON: the port and, by table, the tokens of its six players.
Players are seated and have bought in; fast automatic dealers run the rounds.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import uvicorn
from fastapi import FastAPI

from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.frozen_json import FrozenJson
from headsup.house import clock
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.web.server.app import create_app
from headsup.web.server.connections import connection_options
from headsup.web.server.operations import configure_logs
from headsup.web.server.process import run_loop, tune_gc
from headsup.web.server.settings import Settings

SEATS = range(1, 7)
TABLES_PER_FLOOR = 10
CHIPS = 100_000_000  # cents: enough for any run
# A round of six seats takes a few seconds at most; the players' actions set the speed.
PACE = Timings(open=0.1, betting=20, all_in=0.1, deal=0.1, card=0.1, resolve=0.05, close=0.1)
OPENING = OpenTable(
    "galaxy", options=FrozenJson({"meter_seed": "10000.00", "meter_contribution": "0.25"})
)


async def _carry_out(house: House, table: str, by: Actor, command: Command) -> None:
    id = f"{type(command).__name__}-{table}-{getattr(command, 'seat', 0)}"
    request = CommandRequest(id, table, by, command)
    floor = f"floor {int(table[1:]) // TABLES_PER_FLOOR}"
    opens = isinstance(command, OpenTable)
    reply = await (house.open_table(floor, request) if opens else house.submit(request))
    if not isinstance(reply, Acceptance):
        raise RuntimeError(f"{command}: {reply}")


async def open_tables(
    house: House, accounts: Accounts, tables: int, first: int = 0
) -> dict[str, list[str]]:
    """Open tables with six players each, numbered from `first` on. Returns the players' tokens by
    table, in seat order."""
    tokens: dict[str, list[str]] = {}
    for number in range(first, first + tables):
        table = f"T{number}"
        await _carry_out(house, table, Staff("house"), OPENING)
        tokens[table] = []
        for seat in SEATS:
            person = accounts.create(f"Player {number} {seat}", Role.PLAYER, None, clock.now())
            assert isinstance(person, Person)
            accounts.deposit(person, CHIPS, "load", clock.now())
            tokens[table].append(accounts.log_in_as(person).token)
            await _carry_out(house, table, PlayerAt(seat), Sit(seat, person.name))
            await _carry_out(house, table, PlayerAt(seat), BuyIn(seat, CHIPS))
    return tokens


async def main(address: str, tables: int, at: str = "", first: int = 0) -> None:
    configure_logs(30)
    database = Database(address)
    database.migrate()
    house, accounts = House(database, f"load {at}", clock.now, at=at), Accounts(database)
    tokens: dict[str, list[str]] = {}

    @asynccontextmanager
    async def dealers(_app: FastAPI) -> AsyncIterator[None]:
        tokens.update(await open_tables(house, accounts, tables, first))
        async with AsyncExitStack() as stack:
            for table in tokens:
                host = house.host_of(table)
                assert host is not None
                dealer = AutomaticDealer(host, table, lambda _: shuffle_deck(), PACE)
                stack.push_async_callback(dealer.stop)
            yield

    app = create_app(house, accounts, Settings(address, "load"), dealers)
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="error", **connection_options(app.state.metrics))
    )
    task = asyncio.create_task(server.serve())
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    tune_gc()
    port = server.servers[0].sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "tokens": tokens}), flush=True)
    await task
    database.close()


if __name__ == "__main__":
    at, first = (sys.argv[3], int(sys.argv[4])) if len(sys.argv) > 3 else ("", 0)
    run_loop(main(sys.argv[1], int(sys.argv[2]), at, first))
