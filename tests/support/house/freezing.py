"""A server in its own process that stops itself (SIGSTOP) while it takes a floor."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe

from headsup.game.values.str_enum import TextEnum
from headsup.house.floor.host import CommandRequest, FloorMoved
from headsup.house.store.database import Database
from headsup.house.store.protocol import Lease
from tests.support.house.houses import started

PROCESSES = get_context("spawn")  # a direct child, whose parent hears when it stops


class Moment(TextEnum):
    LEASED = "leased"  # the lease is taken, nothing is read
    READ = "read"  # every entry is read, nothing is concluded


class Freezing(Database):
    """A real database that stops the process once, after the process has taken a lease."""

    def __init__(self, address: str, moment: Moment, thawed: "asyncio.Event") -> None:
        super().__init__(address)
        self._moment, self._thawed, self._has_lease = moment, thawed, False
        self._loop = asyncio.get_running_loop()

    def take_lease(self, floor: str, owner: str) -> Lease | None:
        lease = super().take_lease(floor, owner)
        self._has_lease = self._has_lease or lease is not None
        self._freeze_at(Moment.LEASED)
        return lease

    def entry_texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        yield from super().entry_texts(floor, start, end)
        self._freeze_at(Moment.READ)

    def _freeze_at(self, moment: Moment) -> None:
        if moment is self._moment and self._has_lease and not self._thawed.is_set():
            # To this thread: it goes no further, and all others stop with it.
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
            self._loop.call_soon_threadsafe(self._thawed.set)


def run(address: str, moment: Moment, request: CommandRequest, pipe: Pipe) -> None:
    """Open the house; when it has been frozen, report what it makes of the floor, and where it
    sends a command for it."""
    asyncio.run(_run(address, moment, request, pipe))


async def _run(address: str, moment: Moment, request: CommandRequest, pipe: Pipe) -> None:
    thawed = asyncio.Event()
    database = Freezing(address, moment, thawed)
    async with started(database, "frozen") as house:
        pipe.send("started")
        await thawed.wait()
        await house.maintain()
        pipe.send((sorted(house.broken_floors), sorted(house.hosts)))
        try:
            await house.submit(request)
        except FloorMoved as moved:
            pipe.send(moved.at)
    database.close()


def wait_until_frozen(process: int) -> None:
    stopped = os.waitid(os.P_PID, process, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert stopped is not None
    assert stopped.si_code == os.CLD_STOPPED
