"""The leases of one server: asked for, renewed in time, and let go.

They have threads of their own: the others may all be busy with what is read.
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

LEASE_SECONDS = 6  # a dead owner's floors are free after this
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
        """`owned` are the floors that are worked here."""
        self._database, self._server, self._alone, self._owned = database, server, alone, owned
        self._threads, self._renewed = ThreadPoolExecutor(2, "leases"), -inf

    async def take(self, floor: str, force: bool = False) -> Lease | None:
        return await self._apart(
            self._database.take, floor, self._server, LEASE_MICROSECONDS, force
        )

    async def free(self) -> frozenset[str]:
        """The floors that are to be had."""
        return await self._apart(self._database.free, self._server)

    def good_from(self, asked: float) -> float:
        """Until when a lease that was asked for then is surely good."""
        return inf if self._alone else asked + LEASE_SECONDS

    async def renew(self) -> None:
        """Floors whose lease another has by now are lost here."""
        leases = {host.lease: host for host in self._owned().values()}
        asked = asyncio.get_running_loop().time()
        held = await self._apart(self._database.renew, tuple(leases), LEASE_MICROSECONDS)
        self._renewed = asked
        for lease, host in leases.items():
            if lease in held:
                host.good_until = self.good_from(asked)
            elif host.lease == lease:
                host.lose(OWNED_ELSEWHERE)

    async def renew_always(self) -> None:
        """When it is late: what else is tended may have to wait for others who read."""
        while True:
            await asyncio.sleep(RENEW_SECONDS / 2)
            if asyncio.get_running_loop().time() > self._renewed + 1.5 * RENEW_SECONDS:
                with suppress(Exception):  # told where all is tended
                    await self.renew()

    async def release(self, leases: Sequence[Lease]) -> None:
        await asyncio.to_thread(self._database.release, leases)

    async def stop(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)  # a renewal may still be under way

    async def _apart(self, call: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, *args, **named))
