"""Shares who is looking at which table. Each server reports its own users every few seconds."""

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import delete, insert, select

from headsup.house.store.database import Database
from headsup.house.store.schema import PRESENCE


def share_presence(
    database: Database, server: str, watching: Mapping[str, Iterable[str]], microseconds: int
) -> dict[str, frozenset[str]]:
    """Report who is looking at which table here; returns the same for all other servers."""
    names_by_table = {table: sorted(names) for table, names in sorted(watching.items())}
    with database.engine.begin() as connection:
        now = database.now(connection)
        is_outdated = (PRESENCE.c.server == server) | (PRESENCE.c.expires < now)
        connection.execute(delete(PRESENCE).where(is_outdated))
        row = {
            "server": server,
            "watching": json.dumps(names_by_table),
            "expires": now + microseconds,
        }
        connection.execute(insert(PRESENCE), row)
        others = select(PRESENCE.c.watching).where(PRESENCE.c.server != server)
        texts = connection.execute(others).scalars().all()
    others_by_table: dict[str, frozenset[str]] = {}
    for text in texts:
        for table, names in json.loads(text).items():
            others_by_table[table] = others_by_table.get(table, frozenset()) | frozenset(names)
    return others_by_table
