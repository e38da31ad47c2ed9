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
from headsup.game.values.str_enum import Word
from headsup.house.people.accounts import Role
from headsup.house.store.database import Database
from headsup.house.store.schema import FLOORS, PEOPLE, SECRETS, SETTINGS, WALLET_MOVES

FOR_PLAY = "play_money"  # why a wallet is given what nobody paid in
DEMO_SECRET = "demonstration"  # which a demonstration alone has ever kept
_MARK = "kind"


class Keeping(Word):
    """What a database is kept for."""

    HOUSE = "house"
    DEMONSTRATION = "demonstration"
    MIXED = "mixed"  # both, before there were marks: good for neither, and never marked


def keep_apart(database: Database, demo: bool, where: str, at: str) -> bool:
    """Marks a database that has no mark; refuses a house that of a demonstration, and the other
    way round. Whether nothing at all was kept there."""
    asked = Keeping.DEMONSTRATION if demo else Keeping.HOUSE
    with database.engine.begin() as connection:
        before = kept_for(connection)
        is_new = before is None and _is_empty(connection)
        kept = before or asked
        if kept is not Keeping.MIXED:
            kept = _mark(connection, kept, at)
    if kept is asked:
        return is_new
    match kept:
        case Keeping.HOUSE:
            raise Refused(Code.DEMO_NOT_HERE, "house", where=where)
        case Keeping.DEMONSTRATION:
            raise Refused(Code.DEMO_NOT_HERE, "play_money", where=where)
        case Keeping.MIXED:
            raise Refused(Code.DEMO_NOT_HERE, "mixed", where=where)
        case _:
            assert_never(kept)


def kept_for(connection: Connection) -> Keeping | None:
    """By its mark, or by who and what is in it; None where that could be either."""
    return _marked(connection) or _found(connection)


def _marked(connection: Connection) -> Keeping | None:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _MARK)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else Keeping(json.loads(value))


def _mark(connection: Connection, keeping: Keeping, at: str) -> Keeping:
    """The first who marks is right: another who does at this moment is waited for."""
    row = {"name": _MARK, "value": json.dumps(keeping.value), "by": "", "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())
    return _marked(connection) or keeping


def _is_empty(connection: Connection) -> bool:
    """Nobody is known there, and no floor was ever opened."""
    there = (select(FLOORS.c.id), select(PEOPLE.c.id))
    return all(connection.execute(query.limit(1)).first() is None for query in there)


def _found(connection: Connection) -> Keeping | None:
    """What a database without a mark was used for, by who and what is in it."""
    secret = select(SECRETS.c.name).where(SECRETS.c.name == DEMO_SECRET)
    money = select(WALLET_MOVES.c.number).where(WALLET_MOVES.c.reason == FOR_PLAY)
    staff = select(PEOPLE.c.id).where(PEOPLE.c.role != Role.PLAYER.value)
    made, played, worked = (
        connection.execute(query.limit(1)).first() is not None for query in (secret, money, staff)
    )
    if made:  # its staff are those of the demonstration
        return Keeping.DEMONSTRATION
    if played:
        return Keeping.MIXED if worked else Keeping.DEMONSTRATION
    return Keeping.HOUSE if worked else None
