"""The rows of running servers, and which of them owns which floor.

A server renews its row every second. While its lease lasts, its floors are its own; afterwards any
other server may take them. The fence of a floor protects the log, whatever these rows say.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, text, update
from sqlalchemy.dialects import postgresql

from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.database import Database
from headsup.house.store.protocol import Lease
from headsup.house.store.schema import FLOORS, SERVERS, TABLES
from headsup.house.store.signals import Signal, notify

_JOIN_LOCK = 0x6A6F696E  # any number, the same for all servers
_IS_FLOOR = FLOORS.c.id != HOUSE_LOG


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `at` is its name in addresses; `up_seconds` is how long it has run."""

    name: str
    at: str
    up_seconds: float
    is_draining: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a floor is: its owner, or None if any server may take it."""

    floor: str
    owner: Server | None


_COLUMNS = (SERVERS.c.name, SERVERS.c.at, SERVERS.c.up_since, SERVERS.c.draining)


def _living(connection: Connection, now: int) -> Iterator[Server]:
    query = select(*_COLUMNS).where(SERVERS.c.lease_until >= now).order_by(SERVERS.c.name)
    for row in connection.execute(query):
        yield _server(row, now)


def _server(row: Any, now: int) -> Server:
    return Server(row.name, row.at, (now - row.up_since) / 1_000_000, row.draining)


@contextmanager
def _joining(database: Database) -> Iterator[Connection]:
    """A transaction that no other server joins in at the same time."""
    with database.floor_engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _JOIN_LOCK})
        yield connection


def join(database: Database, name: str, at: str, lease_microseconds: int) -> Server | None:
    """Register a server that starts. Returns a living server that forbids it, if there is one:
    several servers each need a name of their own in addresses."""
    with _joining(database) as connection:
        now = database.now(connection)
        for other in _living(connection, now):
            if other.name != name and (not at or other.at in ("", at)):
                return other
        connection.execute(delete(SERVERS).where(SERVERS.c.lease_until < now))
        _write_row(connection, name, at, now, lease_microseconds, now, draining=False, lobby="[]")
    return None


@dataclass(frozen=True, slots=True)
class Renewal:
    """The result of renewing a lease. `was_missing` means that others may have counted this server
    as dead, as after a crash of the database; `held` are the floors that it still owns."""

    held: frozenset[Lease]
    was_missing: bool


def renew(
    database: Database,
    server: Server,
    lease_microseconds: int,
    lobby: str | None,
) -> Renewal:
    """Extend the server's lease. A `lobby` of None leaves the stored one."""
    with database.floor_engine.begin() as connection:
        now = database.now(connection)
        values: dict[str, object] = {
            "lease_until": now + lease_microseconds,
            "draining": server.is_draining,
        }
        if lobby is not None:
            values["lobby"] = lobby
        renewed = connection.execute(
            update(SERVERS)
            .where(SERVERS.c.name == server.name, SERVERS.c.lease_until >= now)
            .values(**values)
        )
        if is_missing := not renewed.rowcount:
            since = now - int(server.up_seconds * 1_000_000)
            _write_row(
                *(connection, server.name, server.at, now, lease_microseconds, since),
                draining=server.is_draining,
                lobby=lobby or "[]",
            )
        owned = select(FLOORS.c.id, FLOORS.c.owner, FLOORS.c.fence)
        rows = connection.execute(owned.where(FLOORS.c.owner == server.name))
        return Renewal(frozenset(Lease(*row) for row in rows), is_missing)


def _write_row(
    connection: Connection,
    name: str,
    at: str,
    now: int,
    lease_microseconds: int,
    up_since: int,
    *,
    draining: bool,
    lobby: str,
) -> None:
    row = {
        "name": name,
        "at": at,
        "lease_until": now + lease_microseconds,
        "up_since": up_since,
        "draining": draining,
        "lobby": lobby,
    }
    statement = postgresql.insert(SERVERS).values(row)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_=dict(statement.excluded))
    )


def leave(database: Database, name: str) -> None:
    """Free all floors of a server and remove its row."""
    with database.floor_engine.begin() as connection:
        connection.execute(update(FLOORS).where(FLOORS.c.owner == name).values(owner=""))
        connection.execute(delete(SERVERS).where(SERVERS.c.name == name))
        notify(connection, [(Signal.FREED, name)])


def free_floor(database: Database, lease: Lease) -> None:
    """Give up one floor, so that others can take it at once."""
    with database.floor_engine.begin() as connection:
        connection.execute(update(FLOORS).where(*_held(lease)).values(owner=""))
        notify(connection, [(Signal.FREED, lease.owner)])


def hand_over(database: Database, lease: Lease, length: int, new_owner: str) -> bool:
    """Give a floor to another server, unless it was lost or its log has grown. The new owner takes
    a lease of its own, with another fence."""
    with database.floor_engine.begin() as connection:
        given = connection.execute(
            update(FLOORS)
            .where(*_held(lease), FLOORS.c.length == length)
            .values(owner=new_owner, fence=FLOORS.c.fence + 1)
        )
        if given.rowcount:
            notify(connection, [(Signal.GIVEN, new_owner)])
        return bool(given.rowcount)


def _held(lease: Lease) -> tuple[Any, ...]:
    floor = FLOORS.c
    return floor.id == lease.floor, floor.owner == lease.owner, floor.fence == lease.fence


# Reading.


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The living servers, how many floors each owns, and the floors that a server may take."""

    servers: tuple[Server, ...]
    counts: dict[str, int]  # by name of the server
    free: tuple[str, ...]


def read_occupancy(database: Database) -> Occupancy:
    with database.read_connection(database.floor_engine) as connection:
        now = database.now(connection)
        servers = tuple(_living(connection, now))
        names = [server.name for server in servers]
        counts = select(FLOORS.c.owner, func.count()).where(_IS_FLOOR, FLOORS.c.owner.in_(names))
        owned = connection.execute(counts.group_by(FLOORS.c.owner)).all()
        free = select(FLOORS.c.id).where(_IS_FLOOR, FLOORS.c.owner.not_in(names))
        return Occupancy(
            servers,
            {row[0]: row[1] for row in owned},
            tuple(connection.execute(free.order_by(FLOORS.c.id)).scalars()),
        )


def find_place(database: Database, floor: str) -> Place | None:
    """Who owns a floor; None if there is no such floor."""
    query = (
        select(FLOORS.c.id, SERVERS.c.lease_until, *_COLUMNS)
        .join_from(FLOORS, SERVERS, FLOORS.c.owner == SERVERS.c.name, isouter=True)
        .where(_IS_FLOOR, FLOORS.c.id == floor)
    )
    with database.read_connection(database.floor_engine) as connection:
        row = connection.execute(query).one_or_none()
        if row is None:
            return None
        now = database.now(connection)
    is_alive = row.lease_until is not None and row.lease_until >= now
    return Place(floor, _server(row, now) if is_alive else None)


@dataclass(frozen=True, slots=True)
class FloorRow:
    """A floor for the office: its living owner or "", and its tables."""

    floor: str
    owner: str
    tables: tuple[str, ...]


def read_floor_rows(database: Database) -> tuple[tuple[Server, ...], tuple[FloorRow, ...]]:
    """The living servers, and every floor with its owner and tables."""
    with database.read_connection() as connection:
        servers = tuple(_living(connection, database.now(connection)))
        names = {server.name for server in servers}
        tables: dict[str, list[str]] = {}
        for id, floor in connection.execute(select(TABLES.c.id, TABLES.c.floor).order_by("id")):
            tables.setdefault(floor, []).append(id)
        query = select(FLOORS.c.id, FLOORS.c.owner).where(_IS_FLOOR).order_by(FLOORS.c.id)
        return servers, tuple(
            FloorRow(floor, owner if owner in names else "", tuple(tables.get(floor, ())))
            for floor, owner in connection.execute(query)
        )


def read_lobbies(database: Database, apart_from: str) -> list[dict[str, Any]]:
    """The lobby lines of the other living servers."""
    with database.read_connection() as connection:
        is_other = SERVERS.c.name != apart_from
        is_alive = SERVERS.c.lease_until >= database.now(connection)
        texts: Sequence[str] = (
            connection.execute(select(SERVERS.c.lobby).where(is_other, is_alive)).scalars().all()
        )
    return [line for lobby in texts for line in json.loads(lobby)]
