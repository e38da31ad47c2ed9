"""Keeps demonstrations and real houses in separate databases.

The first server to use a database marks it as one or the other, for good. A server of the other
kind refuses to start, so guest logins never reach a real house and play money is never real money.
"""

from typing import assert_never

from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.database import Database
from headsup.house.store.engine import Connection
from headsup.house.store.settings import put_mark, read_mark


class DatabaseKind(TextEnum):
    """What a database is used for."""

    HOUSE = "house"
    DEMONSTRATION = "demonstration"


def ensure_database_kind(database: Database, demo: bool, where: str, at: str) -> bool:
    """Mark an unmarked database, or refuse one of another kind. Returns whether it was new."""
    wanted = DatabaseKind.DEMONSTRATION if demo else DatabaseKind.HOUSE
    with database.engine.begin() as connection:
        before = read_database_kind(connection)
        kind = before or DatabaseKind(put_mark(connection, wanted.value, at))
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
    mark = read_mark(connection)
    return None if mark is None else DatabaseKind(mark)
