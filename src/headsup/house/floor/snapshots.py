"""Snapshots of floors, so that a server starts in seconds however long the logs are.

A snapshot is never trusted over the log. It is used only if the log's entry at that index has the
snapshot's hash, and records the digest of exactly this state; the entries after it are replayed and
must end at the log's head. Otherwise an older snapshot is used, and at last the whole log.
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

# How many entries per table are replayed at most when a floor is opened, at 0.2 ms each. Writing
# snapshots more often would hold up other tables.
SNAPSHOT_ENTRIES_PER_TABLE = 40
# Older snapshots are thinned out to one in this many entries, so that any past round can be
# replayed quickly. They take a few hundredths of the space of the log.
ARCHIVE_SPACING_ENTRIES = 400


class Snapshots:
    """Loads and writes the snapshots of a house's floors. A thread writes them, so that no command
    waits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: dict[str, int] = {}  # by floor, how many entries its last snapshot covers
        self._writing: dict[str, asyncio.Task[None]] = {}

    def load(self, floor: str) -> Journal:
        """The floor at the end of its log. Blocks: call it in a thread."""
        journal = load_latest_snapshot(self._database, floor)
        self._last[floor] = journal.head.count
        for step in replay_to_end(self._database, floor, journal):
            journal = step.journal
        return journal

    def write_if_due(self, floor: str, journal: Journal) -> None:
        due = self._last.get(floor, 0) + SNAPSHOT_ENTRIES_PER_TABLE * len(journal.floor.tables)
        if journal.head.count >= due and floor not in self._writing:
            self._writing[floor] = task = asyncio.create_task(self._write(floor, journal))
            task.add_done_callback(lambda _: self._writing.pop(floor, None))

    async def finish(self, journals: dict[str, Journal]) -> None:
        """Write a last snapshot of each floor, so that the next start has nothing to replay."""
        await asyncio.gather(*self._writing.values())
        for floor, journal in journals.items():
            if journal.head.count > self._last.get(floor, 0):
                await self._write(floor, journal)

    async def _write(self, floor: str, journal: Journal) -> None:
        try:
            await asyncio.to_thread(write_snapshot, self._database, floor, journal)
        except Exception as error:  # only makes the next start slower
            log.warning("snapshot not written", floor=floor, at=short_traceback(error))
        self._last[floor] = journal.head.count


def write_snapshot(database: Database, floor: str, journal: Journal) -> None:
    state = zlib.compress(write_floor(journal.floor).encode("ascii"), 1)
    spacing = max(ARCHIVE_SPACING_ENTRIES, SNAPSHOT_ENTRIES_PER_TABLE * len(journal.floor.tables))
    put_snapshot(database, floor, journal.head, state, spacing)


def load_latest_snapshot(database: Database, floor: str, max_entries: int | None = None) -> Journal:
    """The newest snapshot that agrees with the log and covers at most `max_entries`; an empty
    journal if there is none."""
    for head, state in read_snapshots(database, floor, max_entries):
        try:
            return _load_verified(database, floor, head, state)
        except BadFloorSnapshot as error:
            log.warning("snapshot rejected", floor=floor, entry=head.count, why=str(error))
    return Journal()


def _load_verified(database: Database, floor: str, head: Head, state: bytes) -> Journal:
    entries = list(database.entry_texts(floor, max(head.count - 2, 0), head.count))
    if head.count < 1 or len(entries) != min(head.count, 2):
        raise BadFloorSnapshot("the log is shorter than the snapshot")
    previous_hash = entries[0][0] if head.count > 1 else GENESIS
    hash, text = entries[-1]
    if not hash == head.hash == link_hash(previous_hash, head.count - 1, text):
        raise BadFloorSnapshot("its hash is not in the log")
    entry = json.loads(text)
    try:
        restored = read_floor(zlib.decompress(state).decode("ascii"))
    except (zlib.error, UnicodeDecodeError):
        raise BadFloorSnapshot("unreadable") from None
    if not isinstance(entry, dict) or digest(restored) != entry.get("state"):
        raise BadFloorSnapshot("its state is not the one in the log")
    return Journal(restored, head, entry["at"])
