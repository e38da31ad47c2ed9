"""Which server owns which floor, and giving floors to another one."""

from collections.abc import Mapping

from sqlalchemy import select, update

from headsup.house.store.database import Database
from headsup.house.store.notes import Incident, Notes, write_notes
from headsup.house.store.protocol import Lease
from headsup.house.store.schema import FLOORS, PRESENCE
from headsup.house.store.signals import Signal, notify


def owners(database: Database) -> dict[str, Lease]:
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
    database: Database, moves: Mapping[Lease, str], microseconds: int, told: Incident
) -> frozenset[str]:
    """The floors that have their new owner now: all whose lease is still the one that was seen,
    and whose row nobody holds at this moment."""
    moved = set()
    with database.engine.begin() as connection:
        until = database.now(connection) + microseconds
        for lease, to in sorted(moves.items(), key=lambda one: one[0].floor):
            same = (
                FLOORS.c.id == lease.floor,
                FLOORS.c.owner == lease.owner,
                FLOORS.c.fence == lease.fence,
            )
            row = select(FLOORS.c.id).where(*same).with_for_update(skip_locked=True)
            change = {"owner": to, "fence": FLOORS.c.fence + 1, "lease_until": until}
            found = FLOORS.c.id == row.scalar_subquery()
            if connection.execute(update(FLOORS).where(found).values(**change)).rowcount:
                moved.add(lease.floor)
        if moved:
            write_notes(connection, [("", Notes(incidents=(told,)))])
            notify(connection, [(Signal.FREED, floor) for floor in sorted(moved)])
    return frozenset(moved)
