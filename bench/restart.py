"""A server that is started with a million events behind it: how long until tables can be played at.

Ten floors have a hundred thousand events each, and as many entries after their last snapshot as
there ever are, as after `kill -9`. `headsup serve` is started as a process of its own, and is ready
when it says so; the peer is the same with an empty database.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.journal import NOON, JournalledFloor
from headsup.game.record.chain import Head, parse_link
from headsup.game.record.journal import Journal
from headsup.house.floor import snapshots
from headsup.house.floor.snapshots import write_snapshot
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult

FLOORS = 10
EVENTS = 1_000_000
GOAL = 5.0  # seconds


def _past(events: int) -> tuple[JournalledFloor, Journal]:
    """A floor of one table with so many events behind it, and its journal at the last snapshot."""
    floor, told = JournalledFloor(1, keep=True), 0
    counted, journals = 0, []
    while told < events:
        floor.play("T0")
        journals.append(floor.journal)
        for line in floor.lines[counted:]:
            told += line.count('"event":')
        counted = len(floor.lines)
    end = floor.journal.head.count
    behind = [
        one for one in journals if one.head.count <= end - snapshots.SNAPSHOT_ENTRIES_PER_TABLE
    ]
    return floor, behind[-1]


def _fill(database: Database, floor: JournalledFloor, journal: Journal, count: int) -> None:
    links = [parse_link(line) for line in floor.lines]
    for number in range(count):
        name = f"floor {number}"
        database.open_floor(name)
        lease = database.take(name, "past", 60_000_000)
        if lease is None:
            raise RuntimeError(f"{name} is not to be had")
        head = Head()
        for start in range(0, len(links), 5_000):
            some = tuple(links[start : start + 5_000])
            if database.keep([Append(lease, head, some, NOON)]) != [AppendResult.KEPT]:
                raise RuntimeError(f"{name} was not kept")
            head = some[-1].head
        write_snapshot(database, name, journal)


def _started(folder: Path, name: str) -> float:
    """Seconds from the start of the process until it says where it serves tables."""
    command = "from headsup.cli import main; main()"
    address = f"sqlite:///{folder / name}"
    began = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", command, "serve", "--port", "0", "--database", address],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder)},
    ) as process:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the server did not start")
        taken = perf_counter() - began
        process.kill()
    return taken


def rows() -> list[tuple[str, str, str, str]]:
    floor, journal = _past(EVENTS // FLOORS)
    entries = FLOORS * len(floor.lines)
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = Database(f"sqlite:///{folder / 'house.db'}")
        database.migrate()
        _fill(database, floor, journal, FLOORS)
        database.close()
        _started(folder, "empty.db")
        empty = min(_started(folder, "empty.db") for _ in range(3))
        full = min(_started(folder, "house.db") for _ in range(3))
    return [
        (
            f"headsup serve, {EVENTS:,} events in {entries:,} entries behind it",
            f"ready in {full:.2f} s",
            f"under {GOAL:.0f} s; with an empty database {empty:.2f} s",
            f"{full / empty:.2f}×",
        )
    ]
