"""Reports significant events that no command causes: errors, interruptions, a changed clock, an
altered program or log.

They are queued as they happen and written a moment later; while the database is unavailable they
wait.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Command
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.house.integrity.program_files import running_program
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.house_log import house_transaction, record_event
from headsup.house.store.incidents import last_incident_about
from headsup.house.store.projection_rows import Incident, IncidentKind
from headsup.version import __version__

MAX_QUEUED_INCIDENTS = 1_000  # further ones are only counted: the first ones show what happened
MAX_CLOCK_DRIFT_SECONDS = 2.0
PROGRAM = "program"
CHECK_SECONDS = 24 * 3600  # between two checks of the program's files
MAX_NAMED_FILES = 10


class IncidentQueue:
    """One server's queue. `tell` never fails; call it only in the event loop's thread."""

    def __init__(self, database: Database, server: str, now: Callable[[], str]) -> None:
        self._database, self._server, self._now = database, server, now
        self._queue: list[tuple[str, Incident]] = []
        self._dropped = 0
        self._write_lock = asyncio.Lock()
        self._clock = ClockWatch()
        self.program = running_program()
        self.changed_files: tuple[str, ...] = ()  # the program's files that changed since the start
        self._last_check = time.monotonic()

    def add(
        self,
        kind: IncidentKind,
        what: dict[str, object],
        floor: str = "",
        place: str = "",
        who: str = "house",
    ) -> None:
        if len(self._queue) >= MAX_QUEUED_INCIDENTS:
            self._dropped += 1
            return
        details = json.dumps({**what, "server": self._server}, sort_keys=True)
        self._queue.append((floor, Incident(kind, self._now(), who, details, place)))

    async def flush(self) -> None:
        """Write the queue to the database; events that cannot be written stay queued."""
        if drift := self._clock.drift():
            self.add(IncidentKind.TIME_CHANGED, {"seconds": round(drift, 3)})
        if time.monotonic() >= self._last_check + CHECK_SECONDS:
            await self.check_files()
        async with self._write_lock:  # no event is written twice
            while self._queue:
                # Not in the queue while they are written: a thread goes on after a cancellation.
                batch, self._queue = tuple(self._queue), []
                try:
                    await asyncio.to_thread(self._write, batch)
                except Exception as error:
                    self._queue[:0] = batch
                    log.warning("incidents queued, database unavailable", at=short_traceback(error))
                    return
                self._report_dropped()

    def _report_dropped(self) -> None:
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            log.error("incidents dropped, the queue was full", count=dropped)
            self.add(IncidentKind.DATA_LOSS, {"act": "events_dropped", "events": dropped})

    def _write(self, batch: tuple[tuple[str, Incident], ...]) -> None:
        with house_transaction(self._database.engine) as connection:
            for floor, incident in batch:
                record_event(connection, incident, floor)

    async def check_program(self) -> None:
        """Compare the program with the one that last ran on this database.

        Another version is reported as a change of configuration, different files of the same
        version as a mismatch (N.J.A.C. 13:69O-1.5(c)).
        """
        last = await asyncio.to_thread(self._last_program)
        current = {"digest": self.program.digest, "version": __version__}
        if last is None or last.get("version") != current["version"]:
            self.add(IncidentKind.CONFIGURATION, {"act": PROGRAM, **current}, place=PROGRAM)
        elif last.get("digest") != current["digest"]:
            details = {"act": PROGRAM, **current, "was": last.get("digest")}
            self.add(IncidentKind.AUTHENTICATION_MISMATCH, details, place=PROGRAM)
        if self.program.approved is not None:
            await self.check_files()

    def _last_program(self) -> dict[str, object] | None:
        with self._database.read_connection() as connection:
            return last_incident_about(connection, PROGRAM)

    async def check_files(self) -> tuple[str, ...]:
        """The program's files that changed since it started, or are not as they were approved.

        While there are any, this server opens no table and no round.
        """
        self._last_check, before = time.monotonic(), self.changed_files
        self.changed_files = await asyncio.to_thread(self.program.find_changed_files)
        if self.changed_files and self.changed_files != before:
            named = list(self.changed_files[:MAX_NAMED_FILES])
            log.error("program files were altered", files=named)
            details = {"act": PROGRAM, "changed": named, "files": len(self.changed_files)}
            self.add(IncidentKind.AUTHENTICATION_MISMATCH, details)
        return self.changed_files

    def refusal_for(self, command: Command) -> Refusal | None:
        """Why an altered program may not open this table or round. Open rounds are played out."""
        if not self.changed_files or not isinstance(command, OpenTable | OpenRound):
            return None
        if self.program.approved is not None:
            return refusal(Code.PROGRAM_CHANGED, "approved", file=self.changed_files[0])
        return refusal(Code.PROGRAM_CHANGED, file=self.changed_files[0])


@dataclass(slots=True)
class ClockWatch:
    """Detects that the system clock was set, by comparing it with a monotonic one."""

    wall: Callable[[], float] = time.time
    running: Callable[[], float] = time.monotonic
    _last: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self._last = self.wall(), self.running()

    def drift(self) -> float:
        """The seconds by which the clock was set since the last call, 0 if it was not."""
        now = self.wall(), self.running()
        (wall, running), self._last = self._last, now
        drift = (now[0] - wall) - (now[1] - running)
        return drift if abs(drift) > MAX_CLOCK_DRIFT_SECONDS else 0
