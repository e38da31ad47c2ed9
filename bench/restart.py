"""The time until a server with a million events is ready for play.

Ten floors have a hundred thousand events each, and two rounds after their last snapshot, as after
`kill -9`. `headsup serve` runs as a separate process and is ready when it says
so. The peer is the same with an empty database.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.journal import JournalledFloor
from headsup.game.record.chain import Head, make_link_from_text, parse_link
from headsup.game.record.journal import Checkpoint, Header, start_log
from headsup.house.floor.snapshots import write_snapshot
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult

FLOORS = 10
EVENTS = 1_000_000
GOAL_SECONDS = 3.0


def _play_past(events: int) -> tuple[JournalledFloor, Checkpoint]:
    """A floor of one table with this many events, and the last checkpoint of its log."""
    floor, event_count, lines_counted = JournalledFloor(1, keep=True), 0, 0
    while event_count < events:
        floor.play("T0")
        for line in floor.lines[lines_counted:]:
            event_count += line.count('"event":')
        lines_counted = len(floor.lines)
    checkpoint = floor.check()
    for _ in range(2):  # a little more than there can be before the next checkpoint
        floor.play("T0")
    return floor, checkpoint


def _fill(database: Database, floor: JournalledFloor, checkpoint: Checkpoint, count: int) -> None:
    texts = [parse_link(line).text for line in floor.lines[1:]]
    for number in range(count):
        name = f"floor {number}"
        links = [start_log(Header(name, database.identity()))[1]]
        for text in texts:
            links.append(make_link_from_text(links[-1].head, text))
        database.open_floor(name)
        lease = database.take_lease(name, "past")
        if lease is None:
            raise RuntimeError(f"{name} is leased by another server")
        head = Head()
        for start in range(0, len(links), 5_000):
            batch = tuple(links[start : start + 5_000])
            if database.commit([Append(lease, head, batch)]) != [AppendResult.STORED]:
                raise RuntimeError(f"{name} was not stored")
            head = batch[-1].head
        last = links[checkpoint.link.index].head
        journal = checkpoint.journal._replace(head=last)
        write_snapshot(database, name, checkpoint._replace(journal=journal))


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
    floor, checkpoint = _play_past(EVENTS // FLOORS)
    entries = FLOORS * len(floor.lines)
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = Database(f"sqlite:///{folder / 'house.db'}")
        database.migrate()
        _fill(database, floor, checkpoint, FLOORS)
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
