"""Reads which server owns which floor, and hands floors over to other servers."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import select, update

from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.database import Database
from headsup.house.store.house_log import house_transaction, record_event
from headsup.house.store.projection_rows import Incident
from headsup.house.store.protocol import Lease
from headsup.house.store.schema import FLOORS, PRESENCE
from headsup.house.store.signals import Signal, notify


@dataclass(frozen=True, slots=True)
class HandOver:
    """A floor to give to another server, if its lease and the length of its log are still these."""

    lease: Lease
    length: int
    new_owner: str


def read_owners(database: Database) -> dict[str, Lease]:
    """By floor, the leases that have not run out."""
    floor = FLOORS.c
    with database.read_connection() as connection:
        now = database.now(connection)
        query = select(floor.id, floor.owner, floor.fence).where(
            floor.lease_until >= now, floor.id != HOUSE_LOG
        )
        return {row.id: Lease(row.id, row.owner, row.fence) for row in connection.execute(query)}


def present_servers(database: Database) -> frozenset[str]:
    """The servers that reported their presence in the last seconds."""
    with database.read_connection() as connection:
        now = database.now(connection)
        query = select(PRESENCE.c.server).where(PRESENCE.c.expires >= now)
        return frozenset(connection.execute(query).scalars())


def hand_over(
    database: Database,
    moves: Collection[HandOver],
    microseconds: int,
    make_incident: Callable[[Collection[HandOver]], Incident],
) -> tuple[HandOver, ...]:
    """Hand over the floors that have not changed since they were read, and whose rows are not
    locked. Returns the moves that were made."""
    moved = []
    with house_transaction(database.engine) as connection:
        until = database.now(connection) + microseconds
        for move in sorted(moves, key=lambda move: move.lease.floor):
            is_unchanged = (
                FLOORS.c.id == move.lease.floor,
                FLOORS.c.owner == move.lease.owner,
                FLOORS.c.fence == move.lease.fence,
                FLOORS.c.length == move.length,
            )
            row = select(FLOORS.c.id).where(*is_unchanged).with_for_update(skip_locked=True)
            change = {"owner": move.new_owner, "fence": FLOORS.c.fence + 1, "lease_until": until}
            is_free = FLOORS.c.id == row.scalar_subquery()
            if connection.execute(update(FLOORS).where(is_free).values(**change)).rowcount:
                moved.append(move)
        if moved:
            record_event(connection, make_incident(moved))
            notify(connection, [(Signal.FREED, move.lease.floor) for move in moved])
    return tuple(moved)
