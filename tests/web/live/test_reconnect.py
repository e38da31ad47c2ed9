"""A31: everybody who lost the connection comes back at once and misses nothing."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from headsup.game.table.commands import Staff
from headsup.game.table.meter_control import FreezeMeter
from headsup.house import clock
from headsup.house.floor.host import CommandRequest
from headsup.house.floor.replay_buffer import last_index
from headsup.house.people.person import Person, Role
from tests.support.tables import opening
from tests.support.web.live_server import Live, live
from tests.support.web.wires import Raw, froze, opened, unwelcome

PERSONS, EACH = 20, 3
BEFORE, DURING = 4, 6  # entries


async def came(server: Live, person: Person, token: str, stack: AsyncExitStack) -> Raw:
    ticket = await asyncio.to_thread(server.accounts.ticket, person, "table", token)
    wire = await stack.enter_async_context(unwelcome(server, open_timeout=60))
    await wire.say(type="hello", ticket=ticket)
    await wire.hear("welcome")
    return wire


async def test_a31_sixty_clients_reconnect_at_once_and_get_all_they_missed(
    tmp_path: Path,
) -> None:
    """Events go on meanwhile: no client skips an entry."""
    async with live(tmp_path) as server, AsyncExitStack() as stack:
        await opened(server)
        host = server.house.host_of("T1")
        assert host is not None
        server.sockets.replay_buffer(host)  # start recording, as a watcher would
        seen = host.journal.head.count - 1
        await froze(server.house, BEFORE)

        async def comes_back(person: Person, token: str) -> list[int]:
            wire = await came(server, person, token, stack)
            await wire.say(type="watch", table="T1", viewer="rail", after=seen)
            messages = await wire.until("watching")
            while messages[-1]["index"] < seen + BEFORE + DURING:
                messages.append(await wire.hear("happened"))
            return [one["index"] for one in messages if one["type"] == "happened"]

        comers = []
        for number in range(PERSONS):
            person = server.accounts.create(f"P{number}", Role.PLAYER, None, clock.now())
            assert isinstance(person, Person)
            comers += [(person, server.accounts.log_in_as(person).token)] * EACH
        coming = [asyncio.create_task(comes_back(*one)) for one in comers]
        await froze(server.house, DURING)
        everything = list(range(seen + 1, seen + BEFORE + DURING + 1))
        async with asyncio.timeout(60):
            assert await asyncio.gather(*coming) == [everything] * len(comers)


async def test_a_client_that_missed_much_at_several_tables_gets_full_views(tmp_path: Path) -> None:
    """The missed events of all tables together would overflow the queue."""
    tables, missed = ("T1", "T2", "T3"), 120
    async with live(tmp_path) as server, AsyncExitStack() as stack:
        seen, last = {}, {}
        for table in tables:
            asked = CommandRequest(f"opening {table}", table, Staff("house"), opening("galaxy"))
            await server.house.open_table(table, asked)
            host = server.house.host_of(table)
            assert host is not None
            server.sockets.replay_buffer(host)
            seen[table] = last_index(host)
            for number in range(missed):
                frozen = FreezeMeter("" if number % 2 else "dark")
                await host.submit(CommandRequest(f"{table} {number}", table, Staff("Dee"), frozen))
            last[table] = last_index(host)
        ann = server.accounts.create("Ann", Role.PLAYER, None, clock.now())
        assert isinstance(ann, Person)
        wire = await came(server, ann, server.accounts.log_in_as(ann).token, stack)
        for table in tables:  # all at once, before reading anything
            await wire.say(type="watch", table=table, viewer="rail", after=seen[table])
        for table in tables:
            messages = await wire.until("watching")
            assert messages[-1]["index"] == last[table]
            kinds = [one["type"] for one in messages[:-1]]
            assert kinds in (["happened"] * missed, ["shown"]), table
