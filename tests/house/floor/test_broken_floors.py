"""A broken floor is shut, examined now and then, and reopened when its log verifies again."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from headsup.game.record.journal import record_command
from headsup.game.refusal import Refusal
from headsup.house.floor.broken_floors import EXAMINE_SECONDS
from headsup.house.floor.host import Acceptance, FloorUnavailable
from headsup.house.house import House
from headsup.house.incidents.sentences import describe_incident
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.protocol import Append, AppendResult
from headsup.web.server.operations import Metrics
from tests.support.databases import sqlite_database
from tests.support.house.houses import (
    FLOOR,
    NOON,
    all_done,
    lose_store,
    started,
    steal,
    with_wallets,
)
from tests.support.house.tampering import without_triggers
from tests.support.scripted import scripted_commands
from tests.support.tables import STAFF, opening
from tests.support.virtual_time import run

SCRIPT = scripted_commands()
LAST = 20  # the last entry after the first twenty commands
LAST_ENTRY = f"""floor = '{FLOOR}' AND "index" = {LAST}"""
BREAKS = (IncidentKind.DATA_LOSS, IncidentKind.DATA_CHANGED)


def rows(connection: Connection, query: str) -> list[dict[str, object]]:
    return [dict(row._mapping) for row in connection.execute(text(query))]


def change(database: Database, statement: str) -> Callable[[], None]:
    """Change floors' logs behind the servers' backs; returns a function that changes them back.

    The house's own log is in the same tables. It is left alone: it goes on meanwhile.
    """
    with database.engine.begin() as connection:
        entries = rows(connection, "SELECT * FROM entries WHERE floor <> ''")
        floors = rows(connection, "SELECT * FROM floors WHERE id <> ''")
        assert connection.execute(text(statement)).rowcount

    def restore() -> None:
        with database.engine.begin() as connection:
            connection.execute(text("DELETE FROM entries WHERE floor <> ''"))
            names = 'floor, "index", hash, entry'
            values = ":floor, :index, :hash, :entry"
            connection.execute(text(f"INSERT INTO entries ({names}) VALUES ({values})"), entries)
            for row in floors:
                connection.execute(
                    text("UPDATE floors SET length = :length, hash = :hash WHERE id = :id"), row
                )

    return restore


def spoil(database: Database) -> Callable[[], None]:
    return change(database, f"UPDATE entries SET hash = 'no hash' WHERE {LAST_ENTRY}")


def cut_off(database: Database) -> Callable[[], None]:
    return change(database, f"DELETE FROM entries WHERE {LAST_ENTRY}")


def reported(database: Database) -> list[tuple[str, str]]:
    """The breaks that servers reported, in words, oldest first."""
    return [
        (incident.kind, describe_incident(kind, json.loads(incident.what)))
        for kind in BREAKS
        for incident in reversed(find_incidents(database, IncidentQuery(kind=kind)))
    ]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A file: examining a broken floor is the same for both databases, and a file can be read in
    virtual time."""
    database = sqlite_database(tmp_path / "house.db")
    yield database
    database.close()


async def record_floor(database: Database) -> None:
    with_wallets(database)
    async with started(database) as house:
        await all_done(await house.open_floor(FLOOR), SCRIPT[:LAST])
    without_triggers(database)


@pytest.mark.parametrize(
    ("damage", "kind", "why"),
    [
        (spoil, "data_changed", f"entry {LAST} does not fit its hash"),
        (cut_off, "data_loss", "the log of F does not end where its floor says"),
    ],
    ids=["spoilt", "cut off"],
)
def test_a_broken_floor_is_told_once_and_reopens_by_itself_when_its_log_verifies(
    database: Database, damage: Callable[[Database], Callable[[], None]], kind: str, why: str
) -> None:
    async def plays() -> None:
        await record_floor(database)
        restore = damage(database)
        async with started(database) as house:
            assert [*house.broken_floors] == [FLOOR]
            await asyncio.sleep(10 * EXAMINE_SECONDS)
            assert [*house.broken_floors] == [FLOOR]
            assert house.hosts == {}
            restore()
            await asyncio.sleep(EXAMINE_SECONDS + 1)
            assert [*house.broken_floors] == []
            await all_done(house.hosts[FLOOR], SCRIPT[LAST:])
        assert reported(database) == [
            (kind, f"reason: {why}; server: one"),
            (kind, f"log verifies again; before: {why}; server: one"),
        ]

    run(plays)


def test_a_broken_floor_that_is_gone_from_the_database_stays_shut(database: Database) -> None:
    async def plays() -> None:
        await record_floor(database)
        spoil(database)
        async with started(database) as house:
            with database.engine.begin() as connection:
                for place in ("entries WHERE floor", "snapshots WHERE floor", "floors WHERE id"):
                    connection.execute(text(f"DELETE FROM {place} = '{FLOOR}'"))
            await asyncio.sleep(2 * EXAMINE_SECONDS)
            assert [*house.broken_floors] == [FLOOR]
            assert house.hosts == {}

    run(plays)


def test_a_broken_floor_is_not_examined_all_the_time(database: Database) -> None:
    async def plays() -> None:
        await record_floor(database)
        restore = spoil(database)
        async with started(database) as house:
            restore()
            for _ in range(3):
                await house.maintain()
            await asyncio.sleep(EXAMINE_SECONDS / 2)
            assert [*house.broken_floors] == [FLOOR]

    run(plays)


def test_a_floor_that_breaks_in_another_way_is_told_again(database: Database) -> None:
    async def plays() -> None:
        await record_floor(database)
        spoil(database)
        async with started(database):
            cut_off(database)
            await asyncio.sleep(3 * EXAMINE_SECONDS)
        assert [kind for kind, _ in reported(database)] == ["data_loss", "data_changed"]

    run(plays)


@asynccontextmanager
async def owner_of_broken(database: Database) -> AsyncIterator[tuple[House, Callable[[], None]]]:
    """A server that remembers more of a floor's log than there is; and how to put it back."""
    await record_floor(database)
    async with started(database) as house:
        known = house.hosts[FLOOR].journal
        previous = list(database.entry_texts(FLOOR))[-2][0]
        restore = change(
            database, f"UPDATE floors SET length = {LAST}, hash = '{previous}' WHERE id = 'F'"
        )
        with database.engine.begin() as connection:
            connection.execute(text(f"DELETE FROM entries WHERE {LAST_ENTRY}"))
        lose_store(house.hosts[FLOOR])
        await house.maintain()
        assert [*house.broken_floors] == [FLOOR]
        assert house.hosts[FLOOR].journal == known
        assert house.hosts[FLOOR].halt_reason
        yield house, restore


def counted(house: House) -> tuple[float | None, ...]:
    """The floors owned here and broken, as the metrics have them."""
    metrics = Metrics()
    metrics.update(house)
    names = ("headsup_floors", "headsup_floors_broken")
    return tuple(metrics.registry.get_sample_value(name) for name in names)


async def test_a_floor_is_taken_again_when_its_log_verifies(database: Database) -> None:
    async with owner_of_broken(database) as (house, restore):
        with pytest.raises(FloorUnavailable):
            await house.submit(SCRIPT[LAST])
        assert counted(house) == (0, 1)
        restore()
        await house.examine_broken_floors()
        assert [*house.broken_floors] == []
        async with asyncio.timeout(60):
            assert await house.hosts[FLOOR].wait_until_open()
        assert counted(house) == (1, 0)
        assert isinstance(await house.submit(SCRIPT[LAST]), Acceptance)
    assert [said.partition(";")[0] for _, said in reported(database)][:1] == [
        "reason: the log of F is shorter than it was",
    ]


async def test_a_log_that_went_on_otherwise_stays_shut_where_the_lost_entries_are_known(
    database: Database,
) -> None:
    """What this server has shown is not what the log says, whatever its length is by now."""
    async with owner_of_broken(database) as (house, _):
        shown = house.hosts[FLOOR].journal
        reader = House(database, "reader", lambda: NOON)
        for table in ("T7", "T8", "T9"):
            lease = steal(database, "elsewhere")
            journal = reader._snapshots.load(FLOOR)
            links = record_command(journal, NOON, table, STAFF, opening("galaxy"))[1]
            assert not isinstance(links, Refusal)
            append = Append(lease, journal.head, links)
            assert database.commit([append]) == [AppendResult.STORED]
            await house.examine_broken_floors()
            assert [*house.broken_floors] == [FLOOR]
            assert house.hosts[FLOOR].journal == shown


async def test_one_floor_that_cannot_be_examined_does_not_keep_another_shut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = sqlite_database(tmp_path / "house.db")
    with_wallets(database)
    async with started(database) as house:
        for floor, table in (("A", "T1"), ("F", "T2")):
            await all_done(await house.open_floor(floor), scripted_commands(id=table)[:1])
    without_triggers(database)
    first_entries = """floor <> '' AND "index" = 1"""
    restore = change(database, f"UPDATE entries SET hash = 'no hash' WHERE {first_entries}")
    async with started(database) as house:
        assert sorted(house.broken_floors) == ["A", "F"]
        restore()
        load = house._snapshots.load

        def fail(floor: str) -> object:
            if floor == "A":
                raise OSError("unreadable")
            return load(floor)

        monkeypatch.setattr(house._snapshots, "load", fail)
        await house.examine_broken_floors()
        assert [*house.broken_floors] == ["A"]
        monkeypatch.undo()
        await house.examine_broken_floors()
        assert [*house.broken_floors] == []
    database.close()
