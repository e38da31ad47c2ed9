"""Whom a dealer waits for: who looks at the table, from whichever server."""

import asyncio
from pathlib import Path

from headsup.game.table.commands import Sit
from headsup.web.client import Client
from headsup.web.presence import Presence
from tests.house.conftest import postgres as postgres
from tests.postgres import Server
from tests.tables import opening
from tests.web.live import live

SOON = 15  # seconds


async def test_a_player_who_looks_from_no_server_is_away(postgres: Server, tmp_path: Path) -> None:
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
    ):
        await one.open_table("T1", opening("galaxy"))
        here, there = (Presence(server.house, server.sockets) for server in (one, two))
        told: asyncio.Queue[str] = asyncio.Queue()
        looking = [
            asyncio.create_task(here.look_always(told.put_nowait)),
            asyncio.create_task(there.look_always(lambda _: None)),
        ]
        async with asyncio.timeout(SOON):
            await ann.ask("T1", Sit(1, ann.name))
            async with Client.demo(two.address) as bob:
                await bob.ask("T1", Sit(2, bob.name))
                await one.house.hosts["T1"].reached(2)
                await bob.watch("T1", "seat 2")
                while here.away("T1") != {1}:  # who sits there and looks at nothing
                    await told.get()
                await ann.watch("T1", "seat 1")
                while here.away("T1"):
                    await told.get()
            while here.away("T1") != {2}:
                await told.get()
        for task in looking:
            task.cancel()
        await asyncio.wait(looking)


async def test_nobody_is_away_as_long_as_the_other_servers_are_not_heard(
    postgres: Server, tmp_path: Path
) -> None:
    async with live(tmp_path, address=postgres.new_database()) as there:
        await there.open_table("T1", opening("galaxy"))
        async with Client.demo(there.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
            assert Presence(there.house, there.sockets).away("T1") == frozenset()
