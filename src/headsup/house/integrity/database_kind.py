"""A house and a demonstration are never kept in one database.

Whoever starts first on a database marks it with what it is, for good and for all servers; the other
kind is refused before anybody can come in. So nobody is let into a real house by way of a
demonstration, and play money is never that of a house.
"""

import json
from typing import assert_never

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.people.accounts import Role
from headsup.house.store.database import Database
from headsup.house.store.schema import FLOORS, PEOPLE, SECRETS, SETTINGS, WALLET_MOVES

PLAY_MONEY_REASON = "play_money"  # why a wallet is given what nobody paid in
DEMO_SECRET = "demonstration"  # which a demonstration alone has ever kept
_MARK = "kind"


class DatabaseKind(TextEnum):
    """What a database is kept for."""

    HOUSE = "house"
    DEMONSTRATION = "demonstration"
    MIXED = "mixed"  # both, before there were marks: good for neither, and never marked


def ensure_database_kind(database: Database, demo: bool, where: str, at: str) -> bool:
    """Marks a database that has no mark; refuses a house that of a demonstration, and the other
    way round. Whether nothing at all was kept there."""
    asked = DatabaseKind.DEMONSTRATION if demo else DatabaseKind.HOUSE
    with database.engine.begin() as connection:
        before = read_database_kind(connection)
        is_new = before is None and _is_empty(connection)
        kept = before or asked
        if kept is not DatabaseKind.MIXED:
            kept = _mark(connection, kept, at)
    if kept is asked:
        return is_new
    match kept:
        case DatabaseKind.HOUSE:
            raise Refused(Code.DEMO_NOT_HERE, "house", where=where)
        case DatabaseKind.DEMONSTRATION:
            raise Refused(Code.DEMO_NOT_HERE, "play_money", where=where)
        case DatabaseKind.MIXED:
            raise Refused(Code.DEMO_NOT_HERE, "mixed", where=where)
        case _:
            assert_never(kept)


def read_database_kind(connection: Connection) -> DatabaseKind | None:
    """By its mark, or by who and what is in it; None where that could be either."""
    return _read_mark(connection) or _infer_kind(connection)


def _read_mark(connection: Connection) -> DatabaseKind | None:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _MARK)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else DatabaseKind(json.loads(value))


def _mark(connection: Connection, keeping: DatabaseKind, at: str) -> DatabaseKind:
    """The first who marks is right: another who does at this moment is waited for."""
    row = {"name": _MARK, "value": json.dumps(keeping.value), "by": "", "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())
    return _read_mark(connection) or keeping


def _is_empty(connection: Connection) -> bool:
    """Nobody is known there, and no floor was ever opened."""
    there = (select(FLOORS.c.id), select(PEOPLE.c.id))
    return all(connection.execute(query.limit(1)).first() is None for query in there)


def _infer_kind(connection: Connection) -> DatabaseKind | None:
    """What a database without a mark was used for, by who and what is in it."""
    secret = select(SECRETS.c.name).where(SECRETS.c.name == DEMO_SECRET)
    money = select(WALLET_MOVES.c.number).where(WALLET_MOVES.c.reason == PLAY_MONEY_REASON)
    staff = select(PEOPLE.c.id).where(PEOPLE.c.role != Role.PLAYER.value)
    made, played, worked = (
        connection.execute(query.limit(1)).first() is not None for query in (secret, money, staff)
    )
    if made:  # its staff are those of the demonstration
        return DatabaseKind.DEMONSTRATION
    if played:
        return DatabaseKind.MIXED if worked else DatabaseKind.DEMONSTRATION
    return DatabaseKind.HOUSE if worked else None
