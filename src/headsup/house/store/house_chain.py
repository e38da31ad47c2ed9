"""Writes the house chain, which protects records that belong to no floor's log.

Cash at the cage, and significant events that no decision made, are rows of their own tables. Each
such row gets a link in the same transaction: its text is the row, and its hash covers the link
before it (`game/record/chain.py`).

The links are written at the very end of the transaction, under a lock on the one row that holds the
chain's head. Nobody who has that lock waits for another, so servers cannot deadlock, and the links
of all servers form one chain. A floor's decisions need no such link: its own log covers them.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Table, insert, select, update

from headsup.game.record.chain import Head, Link, make_link
from headsup.house.store.schema import HOUSE_ENTRIES, HOUSE_HEAD

FIRST_LINK = {"format": 1}  # the same in every house
_WAITING = "rows that wait for their links"  # in the connection's info

_LOCK_HEAD = select(HOUSE_HEAD.c.length, HOUSE_HEAD.c.hash).with_for_update()


class NoHouseHead(RuntimeError):
    """Somebody deleted the row that holds the head of the house chain."""


def insert_linked(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert rows that the database numbers; their links are written before the commit. Each row
    must have all its columns."""
    if not rows:
        return
    numbered = insert(table).returning(table.c.number, sort_by_parameter_order=True)
    numbers = connection.execute(numbered, rows).scalars().all()
    waiting = connection.info.setdefault(_WAITING, [])
    waiting += [
        (table.name, {**row, "number": number}) for row, number in zip(rows, numbers, strict=True)
    ]


def forget_links(connection: Connection) -> None:
    """When a transaction begins: drop rows that an earlier one did not commit."""
    connection.info.pop(_WAITING, None)


def write_links(connection: Connection) -> None:
    """Before a commit: link the rows that the transaction has inserted."""
    waiting = connection.info.pop(_WAITING, None)
    if not waiting:
        return
    last = connection.execute(_LOCK_HEAD).one_or_none()
    if last is None:
        raise NoHouseHead("the head of the house chain is missing")
    head, links = Head(last.length, last.hash), list[dict[str, object]]()
    for record, row in waiting:
        link = make_link(head, {"record": record, "row": row})
        links.append(link_row(link, record, row["number"]))
        head = link.head
    connection.execute(insert(HOUSE_ENTRIES), links)
    connection.execute(update(HOUSE_HEAD).values(length=head.count, hash=head.hash))


def link_row(link: Link, record: str, number: int) -> dict[str, object]:
    chained = {"index": link.index, "hash": link.hash, "entry": link.text}
    return {**chained, "record": record, "number": number}


def read_house_head(connection: Connection) -> Head | None:
    row = connection.execute(select(HOUSE_HEAD.c.length, HOUSE_HEAD.c.hash)).one_or_none()
    return None if row is None else Head(row.length, row.hash)
