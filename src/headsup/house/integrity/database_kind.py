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
from headsup.house.people.person import Role
from headsup.house.store.database import Database
from headsup.house.store.schema import FLOORS, PEOPLE, SECRETS, SETTINGS, WALLET_MOVES

PLAY_MONEY_REASON = "play_money"  # the reason of wallet moves that nobody paid in
DEMO_SECRET = "demonstration"  # name of a secret that only demonstrations store
_MARK = "kind"


class DatabaseKind(TextEnum):
    """What a database is used for."""

    HOUSE = "house"
    DEMONSTRATION = "demonstration"
    MIXED = "mixed"  # used for both before marks existed: refused for either, never marked


def ensure_database_kind(database: Database, demo: bool, where: str, at: str) -> bool:
    """Mark an unmarked database, or refuse one of another kind. Returns whether it was empty."""
    wanted = DatabaseKind.DEMONSTRATION if demo else DatabaseKind.HOUSE
    with database.engine.begin() as connection:
        before = read_database_kind(connection)
        is_new = before is None and _is_empty(connection)
        kind = before or wanted
        if kind is not DatabaseKind.MIXED:
            kind = _mark(connection, kind, at)
    if kind is wanted:
        return is_new
    match kind:
        case DatabaseKind.HOUSE:
            raise Refused(Code.DEMO_NOT_HERE, "house", where=where)
        case DatabaseKind.DEMONSTRATION:
            raise Refused(Code.DEMO_NOT_HERE, "play_money", where=where)
        case DatabaseKind.MIXED:
            raise Refused(Code.DEMO_NOT_HERE, "mixed", where=where)
        case _:
            assert_never(kind)


def read_database_kind(connection: Connection) -> DatabaseKind | None:
    """The database's kind by its mark, else by its contents, else None."""
    return _read_mark(connection) or _infer_kind(connection)


def _read_mark(connection: Connection) -> DatabaseKind | None:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _MARK)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else DatabaseKind(json.loads(value))


def _mark(connection: Connection, kind: DatabaseKind, at: str) -> DatabaseKind:
    """Mark the database and return its mark: another server may have been first."""
    row = {"name": _MARK, "value": json.dumps(kind.value), "by": "", "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())
    return _read_mark(connection) or kind


def _is_empty(connection: Connection) -> bool:
    """Whether there are no accounts and no floors."""
    queries = (select(FLOORS.c.id), select(PEOPLE.c.id))
    return all(connection.execute(query.limit(1)).first() is None for query in queries)


def _infer_kind(connection: Connection) -> DatabaseKind | None:
    """The kind of a database from before marks existed, judged by its contents."""
    secret = select(SECRETS.c.name).where(SECRETS.c.name == DEMO_SECRET)
    money = select(WALLET_MOVES.c.number).where(WALLET_MOVES.c.reason == PLAY_MONEY_REASON)
    staff = select(PEOPLE.c.id).where(PEOPLE.c.role != Role.PLAYER.value)
    has_demo_secret, has_play_money, has_staff = (
        connection.execute(query.limit(1)).first() is not None for query in (secret, money, staff)
    )
    if has_demo_secret:  # any staff are the demonstration's
        return DatabaseKind.DEMONSTRATION
    if has_play_money:
        return DatabaseKind.MIXED if has_staff else DatabaseKind.DEMONSTRATION
    return DatabaseKind.HOUSE if has_staff else None
