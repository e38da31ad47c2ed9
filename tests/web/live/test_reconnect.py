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
    await wire.say(type="hello", protocol=2, ticket=ticket)
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

        async def comes_back(person: Person, token: str) -> list[str]:
            wire = await came(server, person, token, stack)
            await wire.say(type="watch", table="T1", viewer="rail", after=seen)
            view = await wire.hear("view")
            said = [event["event"] for event in view.get("missed", [])]
            index = view["index"]
            while index < seen + BEFORE + DURING:
                change = await wire.hear("change")
                index = change["index"]
                said += [event["event"] for event in change["events"]]
            return said

        comers = []
        for number in range(PERSONS):
            person = server.accounts.create(f"P{number}", Role.PLAYER, None, clock.now())
            assert isinstance(person, Person)
            comers += [(person, server.accounts.log_in_as(person).token)] * EACH
        coming = [asyncio.create_task(comes_back(*one)) for one in comers]
        await froze(server.house, DURING)
        everything = [
            "MeterUnfrozen" if number % 2 else "MeterFrozen" for number in range(BEFORE + DURING)
        ]
        async with asyncio.timeout(60):
            assert await asyncio.gather(*coming) == [everything] * len(comers)


async def test_a_client_that_missed_much_at_several_tables_gets_one_view_of_each(
    tmp_path: Path,
) -> None:
    """Each view says all that was missed at its table."""
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
            view = await wire.hear("view")
            assert (view["table"], view["index"]) == (table, last[table])
            assert len(view["missed"]) == missed
