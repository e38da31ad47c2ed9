"""States of floors beside their logs, to start from; who reads one checks it against the chain.

The newest serve to open a floor. Of the older ones every so many entries one stays, so that any
round can be shown again without folding all that came before it.
"""

from collections.abc import Iterator

from sqlalchemy import delete, func, insert, select

from headsup.game.record.chain import Head
from headsup.house.store.database import Database
from headsup.house.store.schema import SNAPSHOTS

NEWEST_SNAPSHOTS = 2  # of one floor's newest


def put_snapshot(database: Database, floor: str, head: Head, state: bytes, apart: int = 0) -> None:
    """Keep a floor's state at the end of so much of its log, and the last before it. The one that
    is older than these goes, unless it is `apart` entries from those that stay."""
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
        if not apart or oldest - (before or 0) < apart:
            connection.execute(delete(SNAPSHOTS).where(of_floor, length == oldest))


def read_snapshots(
    database: Database, floor: str, most: int | None = None
) -> Iterator[tuple[Head, bytes]]:
    """The newest first, of those that cover at most so many entries; each is read when it is
    asked for."""
    of_floor, length = SNAPSHOTS.c.floor == floor, SNAPSHOTS.c.length
    while True:
        query = select(SNAPSHOTS).where(of_floor, *(() if most is None else (length <= most,)))
        with database.reading() as connection:
            row = connection.execute(query.order_by(length.desc()).limit(1)).one_or_none()
        if row is None:
            return
        yield Head(row.length, row.hash), bytes(row.state)
        most = row.length - 1
