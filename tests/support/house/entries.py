"""Entries for the log of a floor in a database."""

from headsup.game.record.chain import Head, Link
from headsup.game.record.chain import make_link as chained
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, Lease


def own_floor(database: Database, floor: str = "F", owner: str = "one") -> Lease:
    database.open_floor(floor)
    lease = database.take_lease(floor, owner)
    assert lease is not None
    return lease


def entry(head: Head, what: str = "something") -> Link:
    return chained(head, {"what": what})


def append_entry(lease: Lease, head: Head, *links: Link, **more: tuple[object, ...]) -> Append:
    return Append(lease, head, links, **more)  # type: ignore[arg-type]
