"""Decides again, slowly and in the background, what the servers of a house have written.

A server knows only its own floors, so nobody would notice if an owner wrote what the rules do not
give, or if somebody changed the newest entries of another server's log. One server of a house, the
first by name, reads every log from where it last was, checks the chain and decides each command
again. It takes its time: play comes first, and a log that it lags behind has anchors as well.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice

from headsup.game.record.chain import Head
from headsup.game.record.journal import ReplayedEntry
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.floor.snapshots import load_latest_snapshot
from headsup.house.log import ErrorStreak, log
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind

PASS_SECONDS = 10.0  # between two passes over all floors
PAGE_ENTRIES = 50  # about five milliseconds of work
PAGE_REST_SECONDS = 0.1


class LogVerifier:
    """`is_chosen` says whether this server verifies; `report` takes a significant event and the
    floor it is about."""

    def __init__(
        self,
        database: Database,
        is_chosen: Callable[[], Awaitable[bool]],
        report: Callable[[IncidentKind, dict[str, object], str], None],
    ) -> None:
        self._database, self._is_chosen, self._report = database, is_chosen, report
        self._verified: dict[str, Head] = {}
        self._faults: dict[str, str] = {}  # by floor, what was reported
        self._errors = ErrorStreak("logs cannot be verified")

    async def run(self) -> None:
        """Verify until cancelled."""
        while True:
            await asyncio.sleep(PASS_SECONDS)
            try:
                if await self._is_chosen():
                    await self.verify_all()
                self._errors.recovered()
            except Exception as error:
                self._errors.failed(error)

    async def verify_all(self) -> None:
        """One pass over all floors."""
        for floor in await asyncio.to_thread(self._database.floors):
            try:
                await self._verify(floor)
                self._faults.pop(floor, None)
            except BrokenLog as broken:
                self._shout(floor, broken)

    async def _verify(self, floor: str) -> None:
        last = self._verified.get(floor)
        if await asyncio.to_thread(self._database.head, floor) == last:
            return
        known = None if last is None else last.count
        journal = await asyncio.to_thread(load_latest_snapshot, self._database, floor, known)
        steps = apply_entries(floor, journal, self._database.entry_texts(floor, journal.head.count))
        head = journal.head
        while page := await asyncio.to_thread(_page, steps):
            for step in page:
                head = step.journal.head
                if last is not None and head.count == last.count and head != last:
                    raise BrokenLog(f"entry {head.count - 1} is not the one that was verified")
            await asyncio.sleep(PAGE_REST_SECONDS)
        if last is not None and head.count < last.count:
            raise BrokenLog(f"the log of {floor} is shorter than it was", True)
        self._verified[floor] = head

    def _shout(self, floor: str, broken: BrokenLog) -> None:
        why = str(broken)
        if self._faults.get(floor) != why:
            self._faults[floor] = why
            log.error("log does not verify", floor=floor, why=why)
            kind = IncidentKind.DATA_LOSS if broken.is_shorter else IncidentKind.DATA_CHANGED
            self._report(kind, {"why": why}, floor)


def _page(steps: Iterator[ReplayedEntry]) -> list[ReplayedEntry]:
    return list(islice(steps, PAGE_ENTRIES))
