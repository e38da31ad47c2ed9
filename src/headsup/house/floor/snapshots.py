"""Snapshots of floors, so that a server starts in seconds however long the logs are.

A snapshot is the text of the floor at a checkpoint of its log, and is never trusted over the log:
the checkpoint must have the snapshot's hash, and hold the digest of exactly this text. The entries
after it are replayed and must end at the log's head. Otherwise an older snapshot is used, and at
last the whole log.
"""

import asyncio
import zlib

from headsup.game.record.chain import GENESIS, Head, Link, link_hash
from headsup.game.record.floor_text import BadFloorText, read_floor, text_digest
from headsup.game.record.journal import Checkpoint, Journal
from headsup.house.floor.log_reader import replay_to_end
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.snapshots import put_snapshot, read_snapshots

# Older snapshots are thinned out to one in this many entries, so that any past round can be
# replayed quickly. They take a few hundredths of the space of the log.
ARCHIVE_SPACING_ENTRIES = 400


class Snapshots:
    """Loads and writes the snapshots of a house's floors. A thread writes them, so that no command
    waits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writing: dict[str, asyncio.Task[None]] = {}

    def load(self, floor: str) -> Journal:
        """The floor at the end of its log. Blocks: call it in a thread."""
        journal = load_latest_snapshot(self._database, floor)
        for entry in replay_to_end(self._database, floor, journal):
            journal = entry.journal
        return journal

    def write(self, floor: str, checkpoint: Checkpoint) -> None:
        """Write a snapshot, unless an earlier one is still being written: the next will do."""
        if floor not in self._writing:
            self._writing[floor] = task = asyncio.create_task(self._write(floor, checkpoint))
            task.add_done_callback(lambda _: self._writing.pop(floor, None))

    async def finish(self) -> None:
        await asyncio.gather(*self._writing.values())

    async def _write(self, floor: str, checkpoint: Checkpoint) -> None:
        try:
            await asyncio.to_thread(write_snapshot, self._database, floor, checkpoint)
        except Exception as error:  # only makes the next start slower
            log.warning("snapshot not written", floor=floor, at=short_traceback(error))


def write_snapshot(database: Database, floor: str, checkpoint: Checkpoint) -> None:
    state = zlib.compress(checkpoint.text.encode("ascii"), 1)
    put_snapshot(database, floor, checkpoint.journal.head, state, ARCHIVE_SPACING_ENTRIES)


def load_latest_snapshot(database: Database, floor: str, max_entries: int | None = None) -> Journal:
    """The newest snapshot that agrees with the log and covers at most `max_entries`; an empty
    journal if there is none."""
    for head, state in read_snapshots(database, floor, max_entries):
        try:
            return _load_verified(database, floor, head, state)
        except BadFloorText as error:
            log.warning("snapshot rejected", floor=floor, entry=head.count, why=str(error))
    return Journal()


def _load_verified(database: Database, floor: str, head: Head, state: bytes) -> Journal:
    entries = list(database.entry_texts(floor, max(head.count - 2, 0), head.count))
    if head.count < 1 or len(entries) != min(head.count, 2):
        raise BadFloorText("the log is shorter than the snapshot")
    previous_hash = entries[0][0] if head.count > 1 else GENESIS
    hash, text = entries[-1]
    if not hash == head.hash == link_hash(previous_hash, head.count - 1, text):
        raise BadFloorText("its hash is not in the log")
    checkpoint = Link(head.count - 1, hash, text).entry
    try:
        restored = zlib.decompress(state).decode("ascii")
    except (zlib.error, UnicodeDecodeError):
        raise BadFloorText("unreadable") from None
    if not isinstance(checkpoint, dict) or text_digest(restored) != checkpoint.get("state"):
        raise BadFloorText("its state is not the one in the log")
    return Journal(read_floor(restored), head, checkpoint["at"], head.count)
