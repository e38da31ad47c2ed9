"""Keeps demonstrations and real houses in separate databases.

The first server to use a database marks it as one or the other, for good. A server of the other
kind refuses to start, so guest logins never reach a real house and play money is never real money.
"""

import json
from typing import assert_never

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.database import Database
from headsup.house.store.schema import SETTINGS

_MARK = "kind"


class DatabaseKind(TextEnum):
    """What a database is used for."""

    HOUSE = "house"
    DEMONSTRATION = "demonstration"


def ensure_database_kind(database: Database, demo: bool, where: str, at: str) -> bool:
    """Mark an unmarked database, or refuse one of another kind. Returns whether it was new."""
    wanted = DatabaseKind.DEMONSTRATION if demo else DatabaseKind.HOUSE
    with database.engine.begin() as connection:
        before = read_database_kind(connection)
        kind = before or _mark(connection, wanted, at)
    if kind is wanted:
        return before is None
    match wanted:
        case DatabaseKind.DEMONSTRATION:
            raise Refused(Code.DEMO_NOT_HERE, "house", where=where)
        case DatabaseKind.HOUSE:
            raise Refused(Code.DEMO_NOT_HERE, "play_money", where=where)
        case _:
            assert_never(wanted)


def read_database_kind(connection: Connection) -> DatabaseKind | None:
    """The database's kind; None until a server has used it."""
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _MARK)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else DatabaseKind(json.loads(value))


def _mark(connection: Connection, kind: DatabaseKind, at: str) -> DatabaseKind | None:
    """Mark the database and return its mark: another server may have been first."""
    row = {"name": _MARK, "value": json.dumps(kind.value), "by": "", "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())
    return read_database_kind(connection)
