"""States of floors beside their logs, to start from; who reads one checks it against the chain."""

from sqlalchemy import delete, insert, select

from headsup.game.record.chain import Head
from headsup.house.store.database import Database
from headsup.house.store.schema import SNAPSHOTS

MOST_KEPT = 2  # of one floor


def keep_snapshot(database: Database, floor: str, head: Head, state: bytes) -> None:
    """Keep a floor's state at the end of so much of its log, and the last before it."""
    row = {"floor": floor, "length": head.count, "hash": head.hash, "state": state}
    of_floor = SNAPSHOTS.c.floor == floor
    lengths = select(SNAPSHOTS.c.length).where(of_floor).order_by(SNAPSHOTS.c.length.desc())
    with database.engine.begin() as connection:
        connection.execute(delete(SNAPSHOTS).where(of_floor, SNAPSHOTS.c.length >= head.count))
        connection.execute(insert(SNAPSHOTS), row)
        oldest = connection.execute(lengths.limit(MOST_KEPT)).scalars().all()[-1]
        connection.execute(delete(SNAPSHOTS).where(of_floor, SNAPSHOTS.c.length < oldest))


def kept_snapshots(database: Database, floor: str) -> list[tuple[Head, bytes]]:
    """The newest first."""
    query = select(SNAPSHOTS).where(SNAPSHOTS.c.floor == floor)
    with database.reading() as connection:
        rows = connection.execute(query.order_by(SNAPSHOTS.c.length.desc())).all()
    return [(Head(row.length, row.hash), bytes(row.state)) for row in rows]
