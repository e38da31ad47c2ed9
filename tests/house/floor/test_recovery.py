"""A floor starts from the newest snapshot that agrees with the log, or from the log."""

import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text, update

from headsup.game.record.chain import Head, make_link_from_text
from headsup.game.record.floor_text import BadFloorText, digest, floor_text, read_floor
from headsup.game.record.journal import Header, Journal, record_command, start_log
from headsup.game.refusal import Refusal
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.table.commands import PlayerAt
from headsup.game.table.seating import BuyIn
from headsup.house.floor import decide as decide_module
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.floor.snapshots import Snapshots, load_latest_snapshot, write_snapshot
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult, Lease
from headsup.house.store.schema import SNAPSHOTS
from headsup.house.store.snapshots import put_snapshot, read_snapshots
from tests.support.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.support.house.houses import started as started_house
from tests.support.logs import Recorder, between_rounds, open_table, play_round, record_rounds
from tests.support.scripted import scripted_commands

HEADER = Header(FLOOR)


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    with_wallets(database)
    yield database
    database.close()


def store_log(database: Database, log: Recorder, floor: str = FLOOR) -> Lease:
    """Write a log into the database, a thousand entries at a time."""
    database.open_floor(floor)
    lease = database.take_lease(floor, "one")
    assert lease is not None
    head, written = Head(), [start_log(Header(floor))[1]]
    for link in log.links[1:]:
        written.append(make_link_from_text(written[-1].head, link.text))
    for start in range(0, len(written), 1000):
        links = tuple(written[start : start + 1000])
        assert database.commit([Append(lease, head, links)]) == [AppendResult.STORED]
        head = links[-1].head
    return lease


def replay_journal(log: Recorder) -> Iterator[Journal]:
    """The journal after each entry."""
    for step in apply_entries(FLOOR, Journal(), ((link.hash, link.text) for link in log.links)):
        yield step.journal


# Reading back.


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_a_floor_survives_a_round_trip_after_every_step(book: str) -> None:
    log, random = Recorder(HEADER), Random(book)
    open_table(log, book, "T1")
    for _ in range(4):
        play_round(log, "T1", random, trouble=0.05)
        between_rounds(log, "T1", random)
    for journal in replay_journal(log):
        floor = read_floor(floor_text(journal.floor))
        assert floor == journal.floor
        assert digest(floor) == digest(journal.floor)


def test_a_floor_read_back_decides_like_the_original() -> None:
    """Both decide every command of the script, with a snapshot before each."""
    journal = Journal()
    for request in scripted_commands("washington", rounds=2):
        twin = journal._replace(floor=read_floor(floor_text(journal.floor)))
        args = (NOON, request.table, request.by, request.command)
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
def test_invalid_snapshots_are_not_read(spoil: Callable[[str], str]) -> None:
    log = record_rounds(3, 1, ("galaxy",), header=HEADER)
    with pytest.raises(BadFloorText):
        read_floor(spoil(floor_text(log.journal.floor)))


# Snapshots that are not trusted.


def test_a_start_uses_the_newest_valid_snapshot(database: Database) -> None:
    log = record_rounds(12, 1, header=HEADER)
    store_log(database, log)
    checkpoints = log.checkpoints[1:4]
    for checkpoint in checkpoints:
        write_snapshot(database, FLOOR, checkpoint)
    newest = [checkpoint.journal.head for checkpoint in checkpoints[:0:-1]]
    assert [head for head, _ in read_snapshots(database, FLOOR)] == newest
    assert load_latest_snapshot(database, FLOOR) == checkpoints[-1].journal
    assert Snapshots(database).load(FLOOR) == log.journal


def test_a_snapshot_of_another_state_is_not_used(sqlite: Database) -> None:
    """A player's chips were changed, so it matches no digest of the log."""
    log = record_rounds(12, 1, header=HEADER)
    store_log(sqlite, log)
    older, newer = log.checkpoints[1], log.checkpoints[3]
    write_snapshot(sqlite, FLOOR, older)
    richer = newer.text.replace("player T galaxy/P1", "player T galaxy/P8", 1)
    assert richer != newer.text
    put_snapshot(sqlite, FLOOR, newer.journal.head, zlib.compress(richer.encode()))
    assert load_latest_snapshot(sqlite, FLOOR) == older.journal
    assert Snapshots(sqlite).load(FLOOR) == log.journal


def test_a_snapshot_of_another_floor_is_not_used(sqlite: Database) -> None:
    log = record_rounds(12, 1, header=HEADER)
    store_log(sqlite, log)
    write_snapshot(sqlite, FLOOR, log.checkpoints[1])
    with sqlite.engine.begin() as connection:
        connection.execute(update(SNAPSHOTS).values(length=SNAPSHOTS.c.length + 1))
    assert load_latest_snapshot(sqlite, FLOOR) == Journal()
    assert Snapshots(sqlite).load(FLOOR) == log.journal


@pytest.mark.parametrize("state", [b"", b"no zlib", zlib.compress(b"\xff"), zlib.compress(b"{}")])
def test_an_unreadable_snapshot_is_skipped(sqlite: Database, state: bytes) -> None:
    log = record_rounds(2, 1, header=HEADER)
    store_log(sqlite, log)
    put_snapshot(sqlite, FLOOR, log.journal.head, state)
    assert Snapshots(sqlite).load(FLOOR) == log.journal


def test_a_changed_entry_after_a_snapshot_is_found(sqlite: Database) -> None:
    log = record_rounds(12, 1, header=HEADER)
    store_log(sqlite, log)
    write_snapshot(sqlite, FLOOR, log.checkpoints[1])
    assert log.checkpoints[1].link.index < 120
    with sqlite.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_update"))
        connection.execute(
            text(
                """UPDATE entries SET entry = replace(entry, '12:0', '12:1') WHERE "index" = 120"""
            )
        )
    with pytest.raises(BrokenLog, match="entry 120"):
        Snapshots(sqlite).load(FLOOR)


def test_a_truncated_log_is_not_opened(sqlite: Database) -> None:
    log = record_rounds(3, 1, header=HEADER)
    store_log(sqlite, log)
    with sqlite.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_delete"))
        connection.execute(text("""DELETE FROM entries WHERE "index" > 40"""))
    with pytest.raises(BrokenLog, match="end"):
        Snapshots(sqlite).load(FLOOR)


# In a house.


async def test_a_house_stores_snapshots_at_its_checkpoints(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide_module, "CHECKPOINT_ENTRIES_PER_TABLE", 20)
    with_wallets(database)
    script = scripted_commands()
    async with opened(database) as (_, host):
        await all_done(host, script)
        last = host.journal
    checked = [index + 1 for index, entry in enumerated(database) if "state" in entry]
    assert len(checked) == last.head.count // 21
    found = [head.count for head, _ in read_snapshots(database, FLOOR)]
    assert found == checked[:-3:-1]
    async with opened(database) as (_, host):
        assert host.journal == last


def enumerated(database: Database) -> Iterator[tuple[int, dict[str, object]]]:
    for link in database.links(FLOOR):
        yield link.index, link.entry


async def test_a_checkpoint_comes_before_the_first_decision_after_so_many_entries(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the last entry of an append is a decision, and refusals alone add nothing."""
    monkeypatch.setattr(decide_module, "CHECKPOINT_ENTRIES_PER_TABLE", 5)
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:4])
        full = host.journal
        assert isinstance(await host.submit(replace(script[1], id="again")), Refusal)
        assert host.journal == full
        await all_done(host, script[4:5])
        assert host.journal.checked == full.head.count + 1
    state = {"at": NOON, "state": digest(full.floor)}
    assert dict(enumerated(sqlite))[full.head.count] == state


def long_log(rounds: int) -> Recorder:
    """A checkpoint is followed by as many entries as there can be before the next."""
    log, random = Recorder(HEADER), Random(8)
    open_table(log, "galaxy", "T1", (1, 2, 3, 4, 5, 6))
    for _ in range(rounds):
        play_round(log, "T1", random, trouble=0)
    log.check()
    for _ in range(decide_module.CHECKPOINT_ENTRIES_PER_TABLE):
        log.do("T1", PlayerAt(1), BuyIn(1, 100))
    return log


@pytest.mark.slow
async def test_a_start_takes_no_longer_after_tens_of_thousands_of_entries(
    sqlite: Database,
) -> None:
    """The number of replayed entries does not grow with the log."""
    log = long_log(900)
    store_log(sqlite, log)
    began = time.process_time()
    assert Snapshots(sqlite).load(FLOOR) == log.journal
    each = (time.process_time() - began) / len(log.links)
    write_snapshot(sqlite, FLOOR, log.checkpoints[-1])
    began = time.process_time()
    async with opened(sqlite) as (_, host):
        start = time.process_time() - began
        assert host.journal == log.journal
    print(f"{len(log.links):,} entries: {each * 1e6:.0f} µs each, {each * 1e6:.0f} s for a million")
    print(f"started {decide_module.CHECKPOINT_ENTRIES_PER_TABLE} entries behind: {start:.3f} s")
    assert start < 1


@pytest.mark.slow
async def test_a_hundred_floors_with_a_hundred_thousand_entries_start_in_5_s(
    sqlite: Database,
) -> None:
    """In the worst case: each log is as far ahead of its snapshot as it can be."""
    log = long_log(32)
    (checkpoint,) = log.checkpoints
    behind, expected = checkpoint.journal.head.count, {}
    for number in range(100):
        floor = f"F{number}"
        store_log(sqlite, log, floor)
        (last,) = sqlite.links(floor, behind - 1, behind)
        journal = checkpoint.journal._replace(head=last.head)
        write_snapshot(sqlite, floor, checkpoint._replace(journal=journal))
        expected[floor] = log.journal._replace(head=sqlite.head(floor))
    began = time.process_time()  # CPU time, so that other load does not matter
    async with started_house(sqlite) as house:
        start = time.process_time() - began
        assert {floor: host.journal for floor, host in house.hosts.items()} == expected
    print(f"100 floors, {100 * len(log.links):,} entries: started in {start:.2f} s")
    assert start < 5
