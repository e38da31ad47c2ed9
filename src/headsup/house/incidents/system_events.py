"""Significant events that no command and no person's act brings about: errors, interruptions, a
clock that was set, a program or a log that is not what it was.

They are told as they happen and written a moment later; while the database is away they wait.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import select

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Command, OpenRound, OpenTable
from headsup.house.integrity.program_files import running_program
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import (
    Incident,
    IncidentKind,
    Projection,
    write_projections,
)
from headsup.house.store.schema import INCIDENTS
from headsup.version import __version__

MAX_QUEUED_INCIDENTS = 1_000  # of a house whose database is away; the first ones tell what happened
MAX_CLOCK_DRIFT_SECONDS = (
    2.0  # seconds that a clock may be off what has passed since it was last read
)
PROGRAM = "program"
CHECK_SECONDS = 24 * 3600  # after which the program is looked at again
MAX_NAMED_FILES = 10


class IncidentQueue:
    """Of one server. `tell` is for the event loop's thread and never fails."""

    def __init__(self, database: Database, server: str, now: Callable[[], str]) -> None:
        self._database, self._server, self._now = database, server, now
        self._waiting: list[tuple[str, Incident]] = []
        self._writing = asyncio.Lock()
        self._clock = ClockWatch()
        self.program = running_program()
        self.changed: tuple[str, ...] = ()  # files of the program that are not as they were
        self._checked = time.monotonic()

    def tell(
        self,
        kind: IncidentKind,
        what: dict[str, object],
        floor: str = "",
        place: str = "",
        who: str = "house",
    ) -> None:
        if len(self._waiting) < MAX_QUEUED_INCIDENTS:
            said = json.dumps({**what, "server": self._server}, sort_keys=True)
            self._waiting.append((floor, Incident(kind, self._now(), who, said, place)))

    async def write(self) -> None:
        """Write down what was told; what cannot be written now waits."""
        if drift := self._clock.drift():
            self.tell(IncidentKind.TIME_CHANGED, {"seconds": round(drift, 3)})
        if time.monotonic() >= self._checked + CHECK_SECONDS:
            await self.authenticate()
        async with self._writing:  # each of them once, whoever asks
            if not self._waiting:
                return
            written = tuple(self._waiting)
            try:
                await asyncio.to_thread(self._write, written)
            except Exception as error:
                log.warning("the diary waits", at=short_traceback(error))
            else:
                del self._waiting[: len(written)]

    def _write(self, told: tuple[tuple[str, Incident], ...]) -> None:
        notes = [(floor, Projection(incidents=(incident,))) for floor, incident in told]
        with self._database.engine.begin() as connection:
            write_projections(connection, notes)

    async def check_program(self) -> None:
        """Whether the program is the one that last ran on this database: another version is told,
        and one of the same version that is not the same is a mismatch (N.J.A.C. 13:69O-1.5(c))."""
        before = await asyncio.to_thread(self._last_program)
        found = {"digest": self.program.digest, "version": __version__}
        if before is None or before.get("version") != found["version"]:
            self.tell(IncidentKind.CONFIGURATION, {"act": PROGRAM, **found}, place=PROGRAM)
        elif before.get("digest") != found["digest"]:
            what = {"act": PROGRAM, **found, "was": before.get("digest")}
            self.tell(IncidentKind.AUTHENTICATION_MISMATCH, what, place=PROGRAM)
        if self.program.approved is not None:
            await self.authenticate()

    async def authenticate(self) -> tuple[str, ...]:
        """Which files of the program are not as they were when it started, or not as they were
        approved. While there are any, no table and no round is opened here."""
        self._checked, before = time.monotonic(), self.changed
        self.changed = await asyncio.to_thread(self.program.changed)
        if self.changed and self.changed != before:
            named = list(self.changed[:MAX_NAMED_FILES])
            log.error("the program is not what it was", files=named)
            what = {"act": PROGRAM, "changed": named, "files": len(self.changed)}
            self.tell(IncidentKind.AUTHENTICATION_MISMATCH, what)
        return self.changed

    def forbids(self, command: Command) -> Refusal | None:
        """What is not begun by a program that is not what it was; what was begun is finished."""
        if not self.changed or not isinstance(command, OpenTable | OpenRound):
            return None
        if self.program.approved is not None:
            return refusal(Code.PROGRAM_CHANGED, "approved", file=self.changed[0])
        return refusal(Code.PROGRAM_CHANGED, file=self.changed[0])

    def _last_program(self) -> dict[str, object] | None:
        row = INCIDENTS.c
        query = select(row.what).where(row.floor == "", row.table == PROGRAM)
        with self._database.reading() as connection:
            newest = query.order_by(row.number.desc()).limit(1)
            what = connection.execute(newest).scalar_one_or_none()
        found: dict[str, object] | None = None if what is None else json.loads(what)
        return found


@dataclass(slots=True)
class ClockWatch:
    """Notices a clock that was set: it moved otherwise than time did."""

    wall: Callable[[], float] = time.time
    running: Callable[[], float] = time.monotonic
    _last: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self._last = self.wall(), self.running()

    def drift(self) -> float:
        """By how many seconds it was set since this was last asked; 0 where it was not."""
        now = self.wall(), self.running()
        (wall, running), self._last = self._last, now
        drift = (now[0] - wall) - (now[1] - running)
        return drift if abs(drift) > MAX_CLOCK_DRIFT_SECONDS else 0
