"""The time until a server with a million events is ready for play.

Ten floors have a hundred thousand events each, and the maximum number of entries after their last
snapshot, as after `kill -9`. `headsup serve` runs as a separate process and is ready when it says
so. The peer is the same with an empty database.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.journal import JournalledFloor
from headsup.game.record.chain import Head, parse_link
from headsup.game.record.journal import Journal
from headsup.house.floor import snapshots
from headsup.house.floor.snapshots import write_snapshot
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult

FLOORS = 10
EVENTS = 1_000_000
GOAL_SECONDS = 3.0


def _play_past(events: int) -> tuple[JournalledFloor, Journal]:
    """A floor of one table with this many events, and its journal at the last snapshot."""
    floor, event_count = JournalledFloor(1, keep=True), 0
    lines_counted, journals = 0, []
    while event_count < events:
        floor.play("T0")
        journals.append(floor.journal)
        for line in floor.lines[lines_counted:]:
            event_count += line.count('"event":')
        lines_counted = len(floor.lines)
    last = floor.journal.head.count - snapshots.SNAPSHOT_ENTRIES_PER_TABLE
    old_enough = [journal for journal in journals if journal.head.count <= last]
    return floor, old_enough[-1]


def _fill(database: Database, floor: JournalledFloor, journal: Journal, count: int) -> None:
    links = [parse_link(line) for line in floor.lines]
    for number in range(count):
        name = f"floor {number}"
        database.open_floor(name)
        lease = database.take_lease(name, "past", 60_000_000)
        if lease is None:
            raise RuntimeError(f"{name} is leased by another server")
        head = Head()
        for start in range(0, len(links), 5_000):
            batch = tuple(links[start : start + 5_000])
            if database.commit([Append(lease, head, batch)]) != [AppendResult.STORED]:
                raise RuntimeError(f"{name} was not stored")
            head = batch[-1].head
        write_snapshot(database, name, journal)


def _start_seconds(folder: Path, name: str) -> float:
    """Seconds from the start of the process until it prints its address."""
    command = "from headsup.cli import main; main()"
    address = f"sqlite:///{folder / name}"
    start = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", command, "serve", "--port", "0", "--database", address],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder)},
    ) as process:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the server did not start")
        seconds = perf_counter() - start
        process.kill()
    return seconds


def rows() -> list[tuple[str, str, str, str]]:
    floor, journal = _play_past(EVENTS // FLOORS)
    entries = FLOORS * len(floor.lines)
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = Database(f"sqlite:///{folder / 'house.db'}")
        database.migrate()
        _fill(database, floor, journal, FLOORS)
        database.close()
        _start_seconds(folder, "empty.db")
        empty = min(_start_seconds(folder, "empty.db") for _ in range(3))
        full = min(_start_seconds(folder, "house.db") for _ in range(3))
    return [
        (
            f"headsup serve with {EVENTS:,} events in {entries:,} entries",
            f"ready in {full:.2f} s",
            f"under {GOAL_SECONDS:.0f} s; with an empty database {empty:.2f} s",
            f"{full / empty:.2f}×",
        )
    ]
