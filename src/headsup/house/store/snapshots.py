"""Stores snapshots of floors. Whoever reads one must check it against the chain.

The newest ones are for opening a floor. Older ones are thinned out, but some stay, so that any past
round can be shown without replaying the whole log.
"""

from collections.abc import Iterator

from sqlalchemy import delete, func, insert, select

from headsup.game.record.chain import Head
from headsup.house.store.database import Database
from headsup.house.store.schema import SNAPSHOTS

NEWEST_SNAPSHOTS = 2  # per floor, never thinned out


def put_snapshot(
    database: Database, floor: str, head: Head, state: bytes, spacing: int = 0
) -> None:
    """Write a floor's state at a head of its log. The snapshot before the newest two is deleted,
    unless it is at least `spacing` entries after the one before it."""
    row = {"floor": floor, "length": head.count, "hash": head.hash, "state": state}
    of_floor, length = SNAPSHOTS.c.floor == floor, SNAPSHOTS.c.length
    newest = select(length).where(of_floor).order_by(length.desc()).limit(NEWEST_SNAPSHOTS + 1)
    with database.engine.begin() as connection:
        connection.execute(delete(SNAPSHOTS).where(of_floor, length >= head.count))
        connection.execute(insert(SNAPSHOTS), row)
        lengths = connection.execute(newest).scalars().all()
        if len(lengths) <= NEWEST_SNAPSHOTS:
            return
        oldest = lengths[-1]
        before = connection.execute(
            select(func.max(length)).where(of_floor, length < oldest)
        ).scalar_one()
        if not spacing or oldest - (before or 0) < spacing:
            connection.execute(delete(SNAPSHOTS).where(of_floor, length == oldest))


def read_snapshots(
    database: Database, floor: str, max_entries: int | None = None
) -> Iterator[tuple[Head, bytes]]:
    """The snapshots that cover at most `max_entries`, newest first. Each is read on demand."""
    of_floor, length = SNAPSHOTS.c.floor == floor, SNAPSHOTS.c.length
    while True:
        query = select(SNAPSHOTS).where(
            of_floor, *(() if max_entries is None else (length <= max_entries,))
        )
        with database.read_connection() as connection:
            row = connection.execute(query.order_by(length.desc()).limit(1)).one_or_none()
        if row is None:
            return
        yield Head(row.length, row.hash), bytes(row.state)
        max_entries = row.length - 1
