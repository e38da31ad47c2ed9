"""Which floors have a record in the database."""

import json
from collections.abc import Collection

from sqlalchemy import select, union

from headsup.house.store.database import Database
from headsup.house.store.schema import ENTRIES, FLOORS, INCIDENTS, WALLET_SUMS


def recorded_floors(database: Database) -> frozenset[str]:
    """All that left a trace: those with a row of their own, with entries, or with money."""
    traces = union(select(FLOORS.c.id), select(ENTRIES.c.floor), select(WALLET_SUMS.c.floor))
    with database.reading() as connection:
        return frozenset(connection.execute(traces).scalars()) - {""}


def is_blocked_by_shut_floor(
    database: Database, shut: Collection[str], floor: str, table: str
) -> bool:
    """Whether a table would open on a floor that stays shut, or has the name of one there: what
    can still be read of it keeps its name taken."""
    if not shut or floor in shut:
        return bool(shut)
    entry, told = ENTRIES.c, INCIDENTS.c
    written = entry.entry.contains(f'"table":{json.dumps(table)}', autoescape=True)
    there = union(
        select(entry.floor).where(entry.floor.in_(shut), written),
        select(told.floor).where(told.floor.in_(shut), told.table == table),
    )
    with database.reading() as connection:
        return connection.execute(there.limit(1)).first() is not None
