"""Which server owns which floor, and giving floors to another one."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import select, update

from headsup.house.store.database import Database
from headsup.house.store.projection_tables import Incident, Projection, write_projections
from headsup.house.store.protocol import Lease
from headsup.house.store.schema import FLOORS, PRESENCE
from headsup.house.store.signals import Signal, notify


@dataclass(frozen=True, slots=True)
class HandOver:
    """A floor to another server, as it was seen: by its lease and the length of its log."""

    lease: Lease
    length: int
    to: str


def read_owners(database: Database) -> dict[str, Lease]:
    """By floor, as far as the leases have not run out."""
    floor = FLOORS.c
    with database.reading() as connection:
        now = database.now(connection)
        query = select(floor.id, floor.owner, floor.fence).where(floor.lease_until >= now)
        return {row.id: Lease(row.id, row.owner, row.fence) for row in connection.execute(query)}


def present_servers(database: Database) -> frozenset[str]:
    """Those that have said so in the last seconds."""
    with database.reading() as connection:
        now = database.now(connection)
        query = select(PRESENCE.c.server).where(PRESENCE.c.expires >= now)
        return frozenset(connection.execute(query).scalars())


def hand_over(
    database: Database,
    moves: Collection[HandOver],
    microseconds: int,
    told: Callable[[Collection[HandOver]], Incident],
) -> tuple[HandOver, ...]:
    """The moves that were made: of all floors whose lease and log are still as they were seen, and
    whose row nobody holds at this moment."""
    moved = []
    with database.engine.begin() as connection:
        until = database.now(connection) + microseconds
        for move in sorted(moves, key=lambda one: one.lease.floor):
            same = (
                FLOORS.c.id == move.lease.floor,
                FLOORS.c.owner == move.lease.owner,
                FLOORS.c.fence == move.lease.fence,
                FLOORS.c.length == move.length,
            )
            row = select(FLOORS.c.id).where(*same).with_for_update(skip_locked=True)
            change = {"owner": move.to, "fence": FLOORS.c.fence + 1, "lease_until": until}
            found = FLOORS.c.id == row.scalar_subquery()
            if connection.execute(update(FLOORS).where(found).values(**change)).rowcount:
                moved.append(move)
        if moved:
            write_projections(connection, [("", Projection(incidents=(told(moved),)))])
            notify(connection, [(Signal.FREED, move.lease.floor) for move in moved])
    return tuple(moved)
