"""Following the floors that other servers own, by their logs.

A signal says which log grew; without one, the heads of all logs are looked at twice a second. Each
entry is folded and checked like at a start, and told to whoever watches here.
"""

import asyncio
from collections.abc import Callable

from headsup.house.floor.host import FloorHost
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.log import ErrorStreak
from headsup.house.store.database import Database

LOOK_SECONDS = 0.5  # without a signal


class Followers:
    """Those of one server. `hosts` are its floors whose logs hold; `give_up` shuts another."""

    def __init__(
        self,
        database: Database,
        hosts: Callable[[], dict[str, FloorHost]],
        give_up: Callable[[str, BrokenLog], None],
    ) -> None:
        self._database, self._hosts, self._give_up = database, hosts, give_up
        self._grown: set[str] = set()
        self._woken = asyncio.Event()
        self._trouble = ErrorStreak("floors cannot be followed")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._follow_always(), name="followers")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def grew(self, floor: str) -> None:
        self._grown.add(floor)
        self._woken.set()

    async def look(self) -> None:
        """Follow every floor to where its log ends now."""
        known = {
            floor: host.journal.head.count for floor, host in self._hosts().items() if host.lost
        }
        heads = await asyncio.to_thread(self._database.heads) if known else {}
        for floor, count in known.items():
            found = heads[floor].count if floor in heads else 0
            if found < count:
                self._give_up(floor, BrokenLog(f"the log of {floor} is shorter than it was", True))
            elif found > count:
                await self._catch_up(floor)

    async def _follow_always(self) -> None:
        loop = asyncio.get_running_loop()
        looked = loop.time()
        while True:
            try:
                async with asyncio.timeout_at(looked + LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            try:
                grown, self._grown = self._grown, set()
                for floor in grown:
                    await self._catch_up(floor)
                if loop.time() >= looked + LOOK_SECONDS:
                    looked = loop.time()
                    await self.look()
                    self._trouble.over()
            except Exception as error:
                looked = loop.time()
                self._trouble.seen(error)

    async def _catch_up(self, floor: str) -> None:
        host = self._hosts().get(floor)
        if host is None or not host.lost:
            return
        journal = host.journal
        more = apply_entries(journal, self._database.texts(floor, journal.head.count))
        try:
            host.follow(await asyncio.to_thread(list, more))
        except BrokenLog as broken:
            self._give_up(floor, broken)
