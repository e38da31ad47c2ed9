"""The house chain, for cash at the cage and for incidents that no decision made.

Existing rows become its first links; the very first link records how many there are.
"""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from headsup.game.record.chain import Head, make_link

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_AT_ONCE = 1_000
_COLUMNS = {
    "wallet_moves": ("number", "person", "cents", "reason", "floor", "index", "at", "table", "by"),
    "incidents": (
        *("number", "at", "kind", "who", "place", "what"),
        *("floor", "table", "round", "index"),
    ),
}


def upgrade() -> None:
    op.create_table(
        "house_entries",
        sa.Column("index", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.create_index("house_entries_number", "house_entries", ["record", "number"], unique=True)
    op.create_table(
        "house_head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    _link_all(op.get_bind())
    _append_only("house_entries")


def _link_all(connection: sa.Connection) -> None:
    entries = _table("house_entries", "index", "hash", "entry", "record", "number")
    counts = {name: _count(connection, name) for name in _COLUMNS}
    first = make_link(Head(), {"format": 1, "from_before": counts})
    row = {"index": 0, "hash": first.hash, "entry": first.text, "record": "", "number": 0}
    connection.execute(sa.insert(entries), row)
    head = first.head
    for name in _COLUMNS:
        for rows in _rows(connection, name):
            links = []
            for found in rows:
                link = make_link(head, {"record": name, "row": found})
                place = {"index": link.index, "hash": link.hash, "entry": link.text}
                links.append({**place, "record": name, "number": found["number"]})
                head = link.head
            connection.execute(sa.insert(entries), links)
    ends = {"id": 1, "length": head.count, "hash": head.hash}
    connection.execute(sa.insert(_table("house_head", "id", "length", "hash")), ends)


def _count(connection: sa.Connection, name: str) -> int:
    found = _table(name, *_COLUMNS[name])
    query = sa.select(sa.func.count()).select_from(found).where(_unbound(found))
    return int(connection.execute(query).scalar_one())


def _rows(connection: sa.Connection, name: str) -> Iterator[list[dict[str, Any]]]:
    found, last = _table(name, *_COLUMNS[name]), 0
    while True:
        query = sa.select(found).where(_unbound(found), found.c.number > last)
        some = connection.execute(query.order_by(found.c.number).limit(_AT_ONCE))
        rows = [dict(row._mapping) for row in some]
        if not rows:
            return
        yield rows
        last = rows[-1]["number"]


def _unbound(found: sa.TableClause) -> sa.ColumnElement[bool]:
    """Rows that belong to no entry of a floor's log."""
    return found.c.floor == "" if found.name == "wallet_moves" else found.c.index == 0


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


def _append_only(table: str) -> None:
    """Make the database refuse every change and deletion of the table's rows."""
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_kept() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_kept()"
    )
