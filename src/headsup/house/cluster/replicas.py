"""Follows the logs of floors that other servers own.

A signal says which log has grown; if none comes, the heads of all logs are checked twice a second.
Each new entry is replayed and checked as when a floor is opened, and published to the subscribers
on this server.
"""

import asyncio
from collections.abc import Callable

from headsup.house.floor.host import FloorHost
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.log import ErrorStreak
from headsup.house.store.database import Database

LOOK_SECONDS = 0.5  # between two checks of all heads


class Followers:
    """`hosts` gives the floors whose logs are intact; `give_up` is called with one that breaks."""

    def __init__(
        self,
        database: Database,
        hosts: Callable[[], dict[str, FloorHost]],
        give_up: Callable[[str, BrokenLog], None],
    ) -> None:
        self._database, self._hosts, self._give_up = database, hosts, give_up
        self._grown: set[str] = set()
        self._woken = asyncio.Event()
        self._errors = ErrorStreak("cannot follow other servers' floors")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="followers")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def mark_grown(self, floor: str) -> None:
        """Read this floor's log soon."""
        self._grown.add(floor)
        self._woken.set()

    async def catch_up(self) -> None:
        """Bring every followed floor to the end of its log."""
        counts = {
            floor: host.journal.head.count
            for floor, host in self._hosts().items()
            if host.halt_reason
        }
        heads = await asyncio.to_thread(self._database.heads) if counts else {}
        for floor, count in counts.items():
            stored_count = heads[floor].count if floor in heads else 0
            if stored_count < count:
                self._give_up(floor, BrokenLog(f"the log of {floor} is shorter than it was", True))
            elif stored_count > count:
                await self._catch_up_floor(floor)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        checked_at = loop.time()
        while True:
            try:
                async with asyncio.timeout_at(checked_at + LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            try:
                grown, self._grown = self._grown, set()
                for floor in grown:
                    await self._catch_up_floor(floor)
                if loop.time() >= checked_at + LOOK_SECONDS:
                    checked_at = loop.time()
                    await self.catch_up()
                    self._errors.recovered()
            except Exception as error:
                checked_at = loop.time()
                self._errors.failed(error)

    async def _catch_up_floor(self, floor: str) -> None:
        host = self._hosts().get(floor)
        if host is None or not host.halt_reason:
            return
        journal = host.journal
        steps = apply_entries(floor, journal, self._database.entry_texts(floor, journal.head.count))
        try:
            host.follow(await asyncio.to_thread(list, steps))
        except BrokenLog as broken:
            self._give_up(floor, broken)
