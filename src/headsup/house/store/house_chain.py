"""The house's own chain: what follows from no floor's log and is a record all the same.

Cash at the cage and significant events of no decision stand in tables of their own. With each such
row a link is written in the same transaction: its text is the row, its hash covers the link before
it (`game/record/chain.py`). Links are made when the transaction is about to be committed, with the
one row that says where the chain ends held until it is: that row is the last thing anybody waits
for, so nobody who has it waits for anybody, and all servers' links follow one another. What a
floor decides waits for none of this: it is bound to its own log.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Table, insert, select, update

from headsup.game.record.chain import Head, Link, make_link
from headsup.house.store.schema import HOUSE_ENTRIES, HOUSE_HEAD

_WAITING = "rows that wait for their links"  # of the transaction that is open

_IDENTITY = 16  # digits of a hash: enough for no two houses to share them

_LOCK_HEAD = select(HOUSE_HEAD.c.length, HOUSE_HEAD.c.hash).with_for_update()


class NoHouseHead(RuntimeError):
    """The row is gone that says where the house's chain ends: somebody took it away."""


def insert_linked(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
) -> None:
    """Rows that are numbered by the database, each with all its columns, and their links."""
    if not rows:
        return
    numbered = insert(table).returning(table.c.number, sort_by_parameter_order=True)
    numbers = connection.execute(numbered, rows).scalars().all()
    waiting = connection.info.setdefault(_WAITING, [])
    waiting += [
        (table.name, {**row, "number": number}) for row, number in zip(rows, numbers, strict=True)
    ]


def forget_links(connection: Connection) -> None:
    """A transaction begins: what another did not commit is nowhere."""
    connection.info.pop(_WAITING, None)


def write_links(connection: Connection) -> None:
    """The transaction is about to be committed."""
    waiting = connection.info.pop(_WAITING, None)
    if not waiting:
        return
    held = connection.execute(_LOCK_HEAD).one_or_none()
    if held is None:
        raise NoHouseHead("the house's chain has no end that it could go on from")
    head, links = Head(held.length, held.hash), list[dict[str, object]]()
    for record, row in waiting:
        link = make_link(head, {"record": record, "row": row})
        links.append(link_row(link, record, row["number"]))
        head = link.head
    connection.execute(insert(HOUSE_ENTRIES), links)
    connection.execute(update(HOUSE_HEAD).values(length=head.count, hash=head.hash))


def link_row(link: Link, record: str, number: int) -> dict[str, object]:
    place = {"index": link.index, "hash": link.hash, "entry": link.text}
    return {**place, "record": record, "number": number}


def read_house_head(connection: Connection) -> Head | None:
    row = connection.execute(select(HOUSE_HEAD.c.length, HOUSE_HEAD.c.hash)).one_or_none()
    return None if row is None else Head(row.length, row.hash)


def read_identity(connection: Connection) -> str:
    """Which house this is, for good and in all its copies: the hash of its chain's first record,
    which names the server that was first and when. The link before says the same in every new
    house. Empty where nothing has happened yet."""
    query = select(HOUSE_ENTRIES.c.hash).where(HOUSE_ENTRIES.c.index == 1)
    hash = connection.execute(query).scalar_one_or_none()
    return "" if hash is None else str(hash)[:_IDENTITY]
