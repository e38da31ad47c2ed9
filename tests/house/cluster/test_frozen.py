"""A server frozen while it takes a floor finds that another owns it, not a broken log."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import SpawnProcess
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from headsup.game.record.journal import record_command
from headsup.game.refusal import Refusal
from headsup.game.table.commands import PlayerAt
from headsup.game.table.seating import Leave
from headsup.house.audit.floor import audit_floor
from headsup.house.house import House
from headsup.house.store import servers
from headsup.house.store.database import Database
from headsup.house.store.incidents import count_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.protocol import Append, AppendResult
from headsup.house.store.schema import ENTRIES, FLOORS, SERVERS, SNAPSHOTS
from tests.support.databases import postgres_database
from tests.support.house.freezing import PROCESSES, Moment, run, wait_until_frozen
from tests.support.house.houses import (
    FLOOR,
    NOON,
    all_done,
    logged,
    lose_store,
    started,
    steal,
    with_wallets,
)
from tests.support.house.tampering import without_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands

SOON = 60  # seconds; no test measures speed with it
SCRIPT = scripted_commands()


@pytest.fixture
def shared(postgres: PostgresServer) -> Iterator[Database]:
    database = postgres_database(postgres)
    yield database
    database.close()


@asynccontextmanager
async def freezing(
    database: Database, moment: Moment
) -> AsyncIterator[tuple[SpawnProcess, Callable[[], Any]]]:
    """A server that will be frozen, and a function that waits for its next report."""
    address = database.engine.url.render_as_string(hide_password=False)
    ours, theirs = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=run, args=(address, moment, SCRIPT[9], theirs))
    process.start()
    theirs.close()
    try:
        yield process, lambda: received(ours)
    finally:
        process.kill()
        await asyncio.to_thread(process.join)


def received(pipe: Pipe) -> Any:
    assert pipe.poll(SOON), "the server reports nothing"
    return pipe.recv()


def expire_leases(database: Database) -> None:
    """As if the frozen server's time had run out."""
    with database.engine.begin() as connection:
        connection.execute(update(SERVERS).values(lease_until=0))


def forget_snapshots(database: Database) -> None:
    """Let the next reader read the whole log."""
    with database.engine.begin() as connection:
        connection.execute(delete(SNAPSHOTS))


async def play(house: House, start: int, end: int) -> None:
    await all_done(await house.open_floor(FLOOR), SCRIPT[start:end])


async def thaw_and_compare(
    database: Database, process: SpawnProcess, report: Callable[[], Any], is_starting: bool
) -> None:
    """Another server takes the frozen server's floor and plays. The frozen one leaves the floor,
    and sends commands to the new owner."""
    assert process.pid is not None
    async with asyncio.timeout(SOON):
        await asyncio.to_thread(wait_until_frozen, process.pid)
    await asyncio.to_thread(expire_leases, database)
    async with started(database, "new") as owner:
        await play(owner, 5, 9)
        os.kill(process.pid, signal.SIGCONT)
        if is_starting:
            assert await asyncio.to_thread(report) == "started"
        assert await asyncio.to_thread(report) == ([], [])
        assert await asyncio.to_thread(report) == "new"
        assert owner.hosts[FLOOR].journal.head.count == 10
        await asyncio.to_thread(process.join)
        assert process.exitcode == 0
    assert reported_breaks(database) == 0
    assert audit_floor(database, FLOOR).holds


def reported_breaks(database: Database) -> int:
    broken = (IncidentKind.DATA_LOSS, IncidentKind.DATA_CHANGED)
    return sum(counted.count for counted in count_incidents(database) if counted.kind in broken)


@pytest.mark.slow
@pytest.mark.parametrize("moment", Moment)
async def test_a_server_frozen_while_it_starts_leaves_the_floor_that_was_taken_meanwhile(
    shared: Database, moment: Moment
) -> None:
    with_wallets(shared)
    async with started(shared, "first") as house:
        await play(house, 0, 5)
    forget_snapshots(shared)
    async with freezing(shared, moment) as (process, report):
        await thaw_and_compare(shared, process, report, is_starting=True)


@pytest.mark.slow
@pytest.mark.parametrize("moment", Moment)
async def test_a_server_frozen_while_it_takes_over_leaves_the_floor_that_was_taken_meanwhile(
    shared: Database, moment: Moment
) -> None:
    with_wallets(shared)
    async with started(shared, "first") as house:
        await play(house, 0, 5)
        async with freezing(shared, moment) as (process, report):
            assert await asyncio.to_thread(report) == "started"
            await house.stop()
            await thaw_and_compare(shared, process, report, is_starting=False)


def rival_plays(database: Database) -> None:
    """Another server takes the floor and adds an entry, whoever owns it."""
    servers.join(database, "rival", "rival", 60_000_000)
    lease = steal(database, "rival")
    journal = House(database, "reader", lambda: NOON)._snapshots.load(FLOOR)
    _, links = record_command(journal, NOON, "T1", PlayerAt(1), Leave(1))
    assert not isinstance(links, Refusal)
    append = Append(lease, journal.head, links)
    assert database.commit([append]) == [AppendResult.STORED]


@asynccontextmanager
async def taking_meanwhile(
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    is_known: bool,
    work: Callable[[], None],
    before: Callable[[], None] = lambda: None,
) -> AsyncIterator[House]:
    """A server that takes the floor, new or known to it. `before` is done before it reads the log;
    `work` once, when it has read the log and has concluded nothing from it."""
    read = database.entry_texts

    def read_then_work(
        floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        texts = list(read(floor, start, end))
        monkeypatch.setattr(database, "entry_texts", read)
        work()
        yield from texts

    if not is_known:
        before()
        forget_snapshots(database)
        monkeypatch.setattr(database, "entry_texts", read_then_work)
    async with started(database, "two") as house:
        if is_known:
            before()
            lose_store(house.hosts[FLOOR])
            monkeypatch.setattr(database, "entry_texts", read_then_work)
        await house.maintain()
        assert database.entry_texts == read
        await house.maintain()  # finds that the floor is gone
        yield house


def assert_left(house: House) -> None:
    assert [*house.broken_floors] == []
    assert house.hosts == {}
    assert reported_breaks(house.database) == 0


@pytest.mark.parametrize("is_known", [False, True], ids=["new", "known"])
async def test_an_entry_added_while_a_floor_is_taken_does_not_break_its_log(
    shared: Database, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    with_wallets(shared)
    async with started(shared, "one") as house:
        await play(house, 0, 5)
    work = partial(rival_plays, shared)
    async with taking_meanwhile(shared, monkeypatch, is_known, work) as house:
        assert_left(house)
        assert len(logged(shared)) == 7


@pytest.mark.parametrize("is_known", [False, True], ids=["new", "known"])
async def test_a_log_found_broken_is_judged_again_if_another_server_has_taken_the_floor(
    shared: Database, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    """It was repaired before that server took it, so what was read is out of date."""
    with_wallets(shared)
    async with started(shared, "one") as house:
        await play(house, 0, 5)
    without_triggers(shared)
    head = shared.head(FLOOR)
    is_bad = ENTRIES.c.index == head.count

    def repair_and_play() -> None:
        with shared.engine.begin() as connection:
            connection.execute(delete(ENTRIES).where(is_bad))
            connection.execute(update(FLOORS).values(length=head.count, hash=head.hash))
        rival_plays(shared)

    def spoil() -> None:
        row = {"floor": FLOOR, "index": head.count, "hash": "0" * 64, "entry": "{}"}
        with shared.engine.begin() as connection:
            connection.execute(insert(ENTRIES), row)
            connection.execute(update(FLOORS).values(length=head.count + 1, hash=row["hash"]))

    async with taking_meanwhile(shared, monkeypatch, is_known, repair_and_play, spoil) as house:
        assert_left(house)
