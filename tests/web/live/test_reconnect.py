"""A31: all who lost their connection come back at once, and miss nothing."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from headsup.game.table.commands import FreezeMeter, Staff
from headsup.house import clock
from headsup.house.floor.host import CommandRequest
from headsup.house.people.accounts import Person, Role
from tests.tables import opening
from tests.web.live.test_sockets import froze, opened
from tests.web.live_server import Live, live
from tests.web.wires import Raw, unwelcome

PERSONS, EACH = 20, 3
BEFORE, DURING = 4, 6  # entries


async def came(server: Live, person: Person, token: str, stack: AsyncExitStack) -> Raw:
    ticket = await asyncio.to_thread(server.accounts.ticket, person, "table", token)
    wire = await stack.enter_async_context(unwelcome(server, open_timeout=60))
    await wire.say(type="hello", ticket=ticket)
    await wire.hear("welcome")
    return wire


async def test_a31_sixty_who_come_back_at_once_are_told_all_that_they_missed(
    tmp_path: Path,
) -> None:
    """Things happen while they come: whoever is told of an entry is told of the next one."""
    async with live(tmp_path) as server, AsyncExitStack() as stack:
        await opened(server)
        host = server.house.host_of("T1")
        assert host is not None
        server.sockets.recent(host)  # somebody has been watching
        seen = host.journal.head.count - 1
        await froze(server.house, BEFORE)

        async def comes_back(person: Person, token: str) -> list[int]:
            wire = await came(server, person, token, stack)
            await wire.say(type="watch", table="T1", viewer="rail", after=seen)
            told = await wire.until("watching")
            while told[-1]["index"] < seen + BEFORE + DURING:
                told.append(await wire.hear("happened"))
            return [one["index"] for one in told if one["type"] == "happened"]

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


async def test_who_missed_much_at_several_tables_is_shown_them_and_stays(tmp_path: Path) -> None:
    """Told one after the other, all of it would be more than a reader may be behind."""
    tables, missed = ("T1", "T2", "T3"), 120
    async with live(tmp_path) as server, AsyncExitStack() as stack:
        seen = {}
        for table in tables:
            asked = CommandRequest(f"opening {table}", table, Staff("house"), opening("galaxy"))
            await server.house.open_table(table, asked)
            host = server.house.host_of(table)
            assert host is not None
            server.sockets.recent(host)
            seen[table] = host.journal.head.count - 1
            for number in range(missed):
                frozen = FreezeMeter("" if number % 2 else "dark")
                await host.ask(CommandRequest(f"{table} {number}", table, Staff("Dee"), frozen))
        ann = server.accounts.create("Ann", Role.PLAYER, None, clock.now())
        assert isinstance(ann, Person)
        wire = await came(server, ann, server.accounts.log_in_as(ann).token, stack)
        for table in tables:  # all at once, before anything is read
            await wire.say(type="watch", table=table, viewer="rail", after=seen[table])
        for table in tables:
            told = await wire.until("watching")
            assert told[-1]["index"] == seen[table] + missed
            kinds = [one["type"] for one in told[:-1]]
            assert kinds in (["happened"] * missed, ["shown"]), table
