"""The house: floors in a database, each worked by one host; tables, shoes and dealers.

`start` takes the floors that nobody owns, reads their logs and goes on where they ended. `stop`
finishes what was accepted and lets the floors go.
"""

import asyncio
from collections.abc import Callable

from headsup.game.record.journal import Journal
from headsup.game.table.state import Table
from headsup.house.following import followed
from headsup.house.host import Asked, Host, Reply
from headsup.house.keeper import Keeper
from headsup.house.store.database import Database

LEASE_SECONDS = 6  # a dead owner's floors are free after this
RENEW_SECONDS = 2


class House:
    def __init__(
        self, database: Database, server: str, now: Callable[[], str], alone: bool = True
    ) -> None:
        self.database, self.server, self._now = database, server, now
        self._alone = alone  # SQLite: no other server can be there, a lease left over is dead
        self.keeper = Keeper(database.keep)
        self.hosts: dict[str, Host] = {}
        self._floor_of: dict[str, str] = {}

    async def start(self) -> None:
        await asyncio.to_thread(self.database.migrate)
        for floor in await asyncio.to_thread(self.database.floors):
            await self.take(floor)

    async def stop(self) -> None:
        for host in self.hosts.values():
            await host.stop()
        await self.keeper.close()
        leases = [host.lease for host in self.hosts.values()]
        await asyncio.to_thread(self.database.release, leases)

    async def open_floor(self, floor: str) -> Host | None:
        await asyncio.to_thread(self.database.open_floor, floor)
        return self.hosts.get(floor) or await self.take(floor)

    async def take(self, floor: str) -> Host | None:
        """Own a floor that is free, from where its log ends; None while another server has it."""
        lease = await asyncio.to_thread(
            self.database.take, floor, self.server, LEASE_SECONDS * 1_000_000, self._alone
        )
        if lease is None:
            return None
        journal = await asyncio.to_thread(lambda: followed(Journal(), self.database.texts(floor)))
        host = Host(lease, journal, self.keeper, self.database.answer, self._now)
        self.hosts[floor] = host
        host.start()
        for table in journal.floor.tables:
            self._floor_of[table] = floor
        return host

    # Tables.

    def tables(self) -> list[Table]:
        found = [self.table(id) for id in self._floor_of]
        return sorted((table for table in found if table is not None), key=lambda table: table.id)

    def table(self, id: str) -> Table | None:
        host = self.host_of(id)
        return None if host is None else host.journal.floor.tables.get(id)

    def host_of(self, table: str) -> Host | None:
        floor = self._floor_of.get(table)
        return None if floor is None else self.hosts.get(floor)

    async def ask(self, asked: Asked) -> Reply | None:
        """None where there is no such table."""
        host = self.host_of(asked.table)
        return None if host is None else await host.ask(asked)

    async def open_table(self, floor: str, asked: Asked) -> Reply | None:
        host = await self.open_floor(floor)
        if host is None or asked.table in self._floor_of:
            return None
        outcome = await host.ask(asked)
        if asked.table in host.journal.floor.tables:
            self._floor_of[asked.table] = floor
        return outcome
