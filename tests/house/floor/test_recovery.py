"""Starting again: from a snapshot that the log bears out, else from an older one or the log."""

import time
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text, update

from headsup.game.record.chain import Head
from headsup.game.record.digest import digest
from headsup.game.record.floor_snapshot import BadFloorSnapshot, read_floor, write_floor
from headsup.game.record.journal import Journal, record_command
from headsup.game.refusal import Refusal
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.house.floor import snapshots
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.floor.snapshots import Snapshots, load_latest_snapshot, write_snapshot
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult, Lease
from headsup.house.store.schema import SNAPSHOTS
from headsup.house.store.snapshots import put_snapshot, read_snapshots
from tests.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.house.houses import started as started_house
from tests.logs import Recorder, between_rounds, open_table, play_round, recorded
from tests.scripted import evening


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    with_wallets(database)
    yield database
    database.close()


def holding(database: Database, log: Recorder, floor: str = FLOOR) -> Lease:
    """The database with this log in it, written a thousand entries at a time."""
    database.open_floor(floor)
    lease = database.take(floor, "one", 60_000_000)
    assert lease is not None
    head = Head()
    for start in range(0, len(log.links), 1000):
        links = tuple(log.links[start : start + 1000])
        assert database.keep([Append(lease, head, links, NOON)]) == [AppendResult.KEPT]
        head = links[-1].head
    return lease


def followed(log: Recorder) -> Iterator[Journal]:
    """The journal after each entry."""
    for step in apply_entries(Journal(), ((link.hash, link.text) for link in log.links)):
        yield step.journal


# What is kept is read back.


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_a_floor_reads_back_as_it_was_after_every_step(book: str) -> None:
    log, random = Recorder(), Random(book)
    open_table(log, book, "T1")
    for _ in range(4):
        play_round(log, "T1", random, trouble=0.05)
        between_rounds(log, "T1", random)
    for journal in followed(log):
        floor = read_floor(write_floor(journal.floor))
        assert floor == journal.floor
        assert digest(floor) == digest(journal.floor)


def test_a_floor_that_was_read_back_decides_like_the_one_that_was_written() -> None:
    """Every command of an evening is asked of both, and a snapshot is taken before each."""
    journal = Journal()
    for asked in evening("washington", rounds=2):
        twin = journal._replace(floor=read_floor(write_floor(journal.floor)))
        args = (NOON, asked.table, asked.by, asked.command)
        (journal, links), (after, same) = (
            record_command(journal, *args),
            record_command(twin, *args),
        )
        assert not isinstance(links, Refusal)
        assert same == links
        assert after == journal


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-1],
        lambda text: text.replace('"galaxy"', '"new-york"'),
        lambda text: text.replace('"phase":"', '"phase":"x'),
        lambda text: text.replace("bank ", "moon ", 1),
        lambda _: "[]",
        lambda _: '{"ledger":{},"meters":{},"rules":{},"tables":{"T1":7}}',
    ],
)
def test_what_is_no_floor_is_not_read(spoil: Callable[[str], str]) -> None:
    log = recorded(3, 1, ("galaxy",))
    with pytest.raises(BadFloorSnapshot):
        read_floor(spoil(write_floor(log.journal.floor)))


# Trust.


def test_the_newest_snapshot_that_holds_is_started_from(database: Database) -> None:
    log = recorded(12, 1)
    holding(database, log)
    journals = list(followed(log))
    for count in (50, 100, 150):
        write_snapshot(database, FLOOR, journals[count - 1])
    assert [head.count for head, _ in read_snapshots(database, FLOOR)] == [150, 100]
    assert load_latest_snapshot(database, FLOOR) == journals[149]
    assert Snapshots(database).opened(FLOOR) == log.journal


def test_a_snapshot_of_another_state_is_not_believed(sqlite: Database) -> None:
    """A player's chips were changed in it; it fits no digest of the log."""
    log = recorded(12, 1)
    holding(sqlite, log)
    journals = list(followed(log))
    write_snapshot(sqlite, FLOOR, journals[99])
    richer = write_floor(journals[149].floor).replace("player T galaxy/P1", "player T galaxy/P8", 1)
    put_snapshot(sqlite, FLOOR, journals[149].head, zlib.compress(richer.encode()))
    assert load_latest_snapshot(sqlite, FLOOR) == journals[99]
    assert Snapshots(sqlite).opened(FLOOR) == log.journal


def test_a_snapshot_of_another_place_is_not_believed(sqlite: Database) -> None:
    log = recorded(12, 1)
    holding(sqlite, log)
    journals = list(followed(log))
    write_snapshot(sqlite, FLOOR, journals[99])
    with sqlite.engine.begin() as connection:
        connection.execute(update(SNAPSHOTS).values(length=101))
    assert load_latest_snapshot(sqlite, FLOOR) == Journal()
    assert Snapshots(sqlite).opened(FLOOR) == log.journal


@pytest.mark.parametrize("state", [b"", b"no zlib", zlib.compress(b"\xff"), zlib.compress(b"{}")])
def test_a_snapshot_that_cannot_be_read_is_passed_over(sqlite: Database, state: bytes) -> None:
    log = recorded(2, 1)
    holding(sqlite, log)
    put_snapshot(sqlite, FLOOR, log.journal.head, state)
    assert Snapshots(sqlite).opened(FLOOR) == log.journal


def test_a_changed_entry_behind_a_snapshot_is_found(sqlite: Database) -> None:
    log = recorded(12, 1)
    holding(sqlite, log)
    write_snapshot(sqlite, FLOOR, list(followed(log))[99])
    with sqlite.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_update"))
        connection.execute(
            text(
                """UPDATE entries SET entry = replace(entry, '12:0', '12:1') WHERE "index" = 120"""
            )
        )
    with pytest.raises(BrokenLog, match="entry 120"):
        Snapshots(sqlite).opened(FLOOR)


def test_a_log_whose_end_was_cut_off_is_not_opened(sqlite: Database) -> None:
    log = recorded(3, 1)
    holding(sqlite, log)
    with sqlite.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_delete"))
        connection.execute(text("""DELETE FROM entries WHERE "index" > 40"""))
    with pytest.raises(BrokenLog, match="end"):
        Snapshots(sqlite).opened(FLOOR)


# In a house.


async def test_a_house_keeps_snapshots_as_it_plays_and_when_it_stops(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_ENTRIES_PER_TABLE", 20)
    with_wallets(database)
    script = evening()
    async with opened(database) as (_, host):
        await all_done(host, script)
        last = host.journal
    found = list(read_snapshots(database, FLOOR))
    assert found[0][0] == last.head
    assert len(found) == 2
    async with opened(database) as (_, host):
        assert host.journal == last


def long_log(rounds: int) -> Recorder:
    log, random = Recorder(), Random(8)
    open_table(log, "galaxy", "T1", (1, 2, 3, 4, 5, 6))
    for _ in range(rounds):
        play_round(log, "T1", random, trouble=0)
    return log


@pytest.mark.slow
async def test_a_start_takes_no_longer_after_tens_of_thousands_of_entries(
    sqlite: Database,
) -> None:
    """What is folded at a start does not grow with the log: so a million entries are no more."""
    log = long_log(900)
    holding(sqlite, log)
    began = time.process_time()
    assert Snapshots(sqlite).opened(FLOOR) == log.journal
    each = (time.process_time() - began) / len(log.links)
    behind = len(log.links) - snapshots.SNAPSHOT_ENTRIES_PER_TABLE
    write_snapshot(sqlite, FLOOR, next(islice(followed(log), behind - 1, None)))
    began = time.process_time()
    async with opened(sqlite) as (_, host):
        start = time.process_time() - began
        assert host.journal == log.journal
    print(f"{len(log.links):,} entries: {each * 1e6:.0f} µs each, {each * 1e6:.0f} s for a million")
    print(
        f"started from a snapshot {snapshots.SNAPSHOT_ENTRIES_PER_TABLE} entries before the end: "
        f"{start:.3f} s"
    )
    assert start < 1


@pytest.mark.slow
async def test_a_hundred_floors_with_a_hundred_thousand_entries_start_in_5_s(
    sqlite: Database,
) -> None:
    """At the worst moment: each as many entries behind its snapshot as there ever are."""
    log = long_log(32)
    behind = len(log.links) - snapshots.SNAPSHOT_ENTRIES_PER_TABLE
    journal = next(islice(followed(log), behind - 1, None))
    for number in range(100):
        holding(sqlite, log, f"F{number}")
        write_snapshot(sqlite, f"F{number}", journal)
    began = time.process_time()  # of this process alone, however busy the machine is
    async with started_house(sqlite) as house:
        start = time.process_time() - began
        assert [host.journal for host in house.hosts.values()] == [log.journal] * 100
    print(f"100 floors, {100 * len(log.links):,} entries: started in {start:.2f} s")
    assert start < 5
