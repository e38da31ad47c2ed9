"""Takes, renews and releases the leases of one server.

Leases have their own threads, because slow reads may keep all others busy.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from math import inf
from typing import ParamSpec, TypeVar

from headsup.house.floor.host import OWNED_ELSEWHERE, FloorHost
from headsup.house.store.database import Database
from headsup.house.store.protocol import Lease

LEASE_SECONDS = 6  # after this, others may take a dead server's floors
LEASE_MICROSECONDS = LEASE_SECONDS * 1_000_000
RENEW_SECONDS = 2

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Leases:
    def __init__(
        self,
        database: Database,
        server: str,
        alone: bool,
        owned: Callable[[], Mapping[str, FloorHost]],
    ) -> None:
        """`owned` gives the floors this server runs."""
        self._database, self._server, self._alone, self._owned = database, server, alone, owned
        self._threads, self._renewed_at = ThreadPoolExecutor(2, "leases"), -inf

    async def take(self, floor: str, force: bool = False) -> Lease | None:
        return await self._run_in_thread(
            self._database.take_lease, floor, self._server, LEASE_MICROSECONDS, force
        )

    async def holds(self, lease: Lease) -> bool:
        """Whether this server still owns the floor. It may have been frozen since it took it."""
        return await self._run_in_thread(self._database.holds_lease, lease)

    async def free_floors(self) -> frozenset[str]:
        """The floors this server may take."""
        return await self._run_in_thread(self._database.free_floors, self._server)

    def good_until(self, requested: float) -> float:
        """When a lease requested at that time may end, by the loop's clock."""
        return inf if self._alone else requested + LEASE_SECONDS

    async def renew(self) -> None:
        """Renew all leases. Floors that another server has taken halt here."""
        leases = {host.lease: host for host in self._owned().values()}
        requested = asyncio.get_running_loop().time()
        held = await self._run_in_thread(self._database.renew, tuple(leases), LEASE_MICROSECONDS)
        self._renewed_at = requested
        for lease, host in leases.items():
            if lease in held:
                host.lease_good_until = self.good_until(requested)
            elif host.lease == lease:
                host.halt(OWNED_ELSEWHERE)

    async def renew_always(self) -> None:
        """Renew when `House.maintain` is late, for instance because it waits for slow reads."""
        while True:
            await asyncio.sleep(RENEW_SECONDS / 2)
            if asyncio.get_running_loop().time() > self._renewed_at + 1.5 * RENEW_SECONDS:
                with suppress(Exception):  # `House.maintain` logs it
                    await self.renew()

    async def release(self, leases: Sequence[Lease]) -> None:
        await asyncio.to_thread(self._database.release, leases)

    async def stop(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)  # a renewal may still be under way

    async def _run_in_thread(
        self, call: Callable[_P, _T], *args: _P.args, **named: _P.kwargs
    ) -> _T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, *args, **named))
