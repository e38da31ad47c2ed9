"""This server's place among the servers of the house: its row, its lease, and its leases on floors.

Renewals have their own threads, because slow reads may keep all others busy.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from typing import ParamSpec, TypeVar

from headsup.game.refusal import Code, Refused
from headsup.house.log import log
from headsup.house.store import servers as rows
from headsup.house.store.database import Database
from headsup.house.store.protocol import Lease

LEASE_SECONDS = 4  # after this, others may take a dead server's floors
LEASE_MICROSECONDS = LEASE_SECONDS * 1_000_000
RENEW_SECONDS = 1
JOIN_RETRY_SECONDS = 0.2

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Membership:
    """One server of a house. `at` is its name in addresses, unique among running servers; empty for
    a server that runs alone. On SQLite there is never another, so nothing is written."""

    def __init__(self, database: Database, server: str, at: str = "") -> None:
        self._database, self.server, self.at = database, server, at
        self.is_alone = database.is_alone
        self.is_draining = False
        self._threads = ThreadPoolExecutor(2, "leases")
        self._has_joined = False
        self._joined_at = 0.0
        self._settled_at = -inf  # before that, others may only seem to be dead
        self._lobby = ""

    async def join(self) -> None:
        """Register this server. Raises Refused if a running server of the house forbids it; one
        that has died does so until its lease has run out."""
        if self.is_alone or self._has_joined:
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LEASE_SECONDS + RENEW_SECONDS
        while other := await self._call(rows.join, self.server, self.at, LEASE_MICROSECONDS):
            if loop.time() >= deadline:
                case = "alone" if not self.at else "other_alone" if not other.at else "taken"
                raise Refused(Code.SERVER_NAME, case, server=other.name, at=self.at)
            await asyncio.sleep(JOIN_RETRY_SECONDS)
        self._has_joined, self._joined_at = True, loop.time()

    async def renew(self, lobby: str = "[]") -> frozenset[Lease]:
        """Renew the lease. Returns the leases on floors that this server still has."""
        loop = asyncio.get_running_loop()
        up_seconds = loop.time() - self._joined_at
        me = rows.Server(self.server, self.at, up_seconds, self.is_draining)
        changed = None if lobby == self._lobby else lobby
        renewal = await self._call(rows.renew, me, LEASE_MICROSECONDS, changed)
        self._lobby = lobby
        if renewal.was_missing:
            log.warning("lease was lost and is renewed", server=self.server)
            self._settled_at = loop.time() + LEASE_SECONDS + RENEW_SECONDS
            self._lobby = ""
        return renewal.held

    @property
    def may_take(self) -> bool:
        """Whether other servers whose leases have run out can be taken for dead. If this server's
        ran out too, perhaps the database was away, and they need a moment to come back."""
        return not self.is_draining and asyncio.get_running_loop().time() >= self._settled_at

    def good_until(self, requested: float) -> float:
        """When a lease requested at that time may end, by the loop's clock."""
        return inf if self.is_alone else requested + LEASE_SECONDS

    async def take(self, floor: str) -> Lease | None:
        return await self._run(self._database.take_lease, floor, self.server)

    async def holds(self, lease: Lease) -> bool:
        """Whether this server still owns the floor. It may have been frozen since it took it."""
        return await self._run(self._database.holds_lease, lease)

    async def occupancy(self) -> rows.Occupancy:
        return await self._call(rows.read_occupancy)

    async def place(self, floor: str) -> rows.Place | None:
        return await self._call(rows.find_place, floor)

    async def give(self, lease: Lease, length: int, new_owner: str) -> bool:
        return await self._call(rows.hand_over, lease, length, new_owner)

    async def free(self, lease: Lease) -> None:
        await self._call(rows.free_floor, lease)

    async def leave(self) -> None:
        """Free this server's floors and remove its row; if that fails, its lease runs out."""
        try:
            if self._has_joined:
                await self._call(rows.leave, self.server)
        finally:
            await asyncio.to_thread(self._threads.shutdown)  # a renewal may still be under way

    async def _call(self, call: Callable[..., _T], *args: object) -> _T:
        return await self._run(call, self._database, *args)

    async def _run(self, call: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, *args, **named))
