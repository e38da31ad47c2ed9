"""Snapshots of floors: a start takes seconds however long the logs are.

A snapshot is never trusted over the log. It is used only if the entry at its place fits the hash
that the chain has there and was written with the digest of exactly this floor; what comes after
is folded and must end at the log's head. Otherwise an older one is tried, then the whole log.
"""

import asyncio
import json
import zlib

from headsup.game.record.chain import GENESIS, Head, link_hash
from headsup.game.record.digest import digest
from headsup.game.record.floor_snapshot import BadFloorSnapshot, read_floor, write_floor
from headsup.game.record.journal import Journal
from headsup.house.floor.log_reader import replay_to_end
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.snapshots import put_snapshot, read_snapshots

# How many entries for each of its tables are folded at most when a floor is opened, a fifth of a
# millisecond each: writing a snapshot takes a moment for each table, while others wait.
SNAPSHOT_ENTRIES_PER_TABLE = 40
# Of older snapshots one stays in so many entries, for what is recalled: a few hundredths of what
# the log itself takes, and a recall folds no more than this.
ARCHIVE_SPACING_ENTRIES = 400


class Snapshots:
    """Those of the floors of one house, written in a thread beside the commands' path."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: dict[str, int] = {}  # how much of each floor's log its last snapshot covers
        self._writing: dict[str, asyncio.Task[None]] = {}

    def opened(self, floor: str, own: bool = True) -> Journal:
        """The floor as its log leaves it; the log of another's may grow meanwhile. Blocks: for a
        thread."""
        journal = load_latest_snapshot(self._database, floor)
        self._last[floor] = journal.head.count
        for step in replay_to_end(self._database, floor, journal, own):
            journal = step.journal
        return journal

    def note(self, floor: str, journal: Journal) -> None:
        """Write one if it is time."""
        due = self._last.get(floor, 0) + SNAPSHOT_ENTRIES_PER_TABLE * len(journal.floor.tables)
        if journal.head.count >= due and floor not in self._writing:
            self._writing[floor] = task = asyncio.create_task(self._write(floor, journal))
            task.add_done_callback(lambda _: self._writing.pop(floor, None))

    async def finish(self, journals: dict[str, Journal]) -> None:
        """End with one of each floor, so that the next start has nothing to fold."""
        await asyncio.gather(*self._writing.values())
        for floor, journal in journals.items():
            if journal.head.count > self._last.get(floor, 0):
                await self._write(floor, journal)

    async def _write(self, floor: str, journal: Journal) -> None:
        try:
            await asyncio.to_thread(write_snapshot, self._database, floor, journal)
        except Exception as error:  # the next start folds more; nothing else depends on it
            log.warning("no snapshot could be kept", floor=floor, at=short_traceback(error))
        self._last[floor] = journal.head.count


def write_snapshot(database: Database, floor: str, journal: Journal) -> None:
    state = zlib.compress(write_floor(journal.floor).encode("ascii"), 1)
    apart = max(ARCHIVE_SPACING_ENTRIES, SNAPSHOT_ENTRIES_PER_TABLE * len(journal.floor.tables))
    put_snapshot(database, floor, journal.head, state, apart)


def load_latest_snapshot(database: Database, floor: str, most: int | None = None) -> Journal:
    """The newest snapshot that holds against the log, of at most so many entries, or the
    beginning."""
    for head, state in read_snapshots(database, floor, most):
        try:
            return _load_verified(database, floor, head, state)
        except BadFloorSnapshot as flaw:
            log.warning("a snapshot does not hold", floor=floor, entry=head.count, why=str(flaw))
    return Journal()


def _load_verified(database: Database, floor: str, head: Head, state: bytes) -> Journal:
    entries = list(database.texts(floor, max(head.count - 2, 0), head.count))
    if head.count < 1 or len(entries) != min(head.count, 2):
        raise BadFloorSnapshot("the log does not reach so far")
    before = entries[0][0] if head.count > 1 else GENESIS
    hash, text = entries[-1]
    if not hash == head.hash == link_hash(before, head.count - 1, text):
        raise BadFloorSnapshot("it is of another log")
    entry = json.loads(text)
    try:
        found = read_floor(zlib.decompress(state).decode("ascii"))
    except (zlib.error, UnicodeDecodeError):
        raise BadFloorSnapshot("it cannot be read") from None
    if not isinstance(entry, dict) or digest(found) != entry.get("state"):
        raise BadFloorSnapshot("it is not the floor that the log leads to")
    return Journal(found, head, entry["at"])
