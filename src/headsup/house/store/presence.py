"""Who looks at which table, as each server says of itself for a few seconds."""

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import delete, insert, select

from headsup.house.store.database import Database
from headsup.house.store.schema import PRESENCE


def share_presence(
    database: Database, server: str, watching: Mapping[str, Iterable[str]], microseconds: int
) -> dict[str, frozenset[str]]:
    """Say who looks at which table here, and hear the same of all other servers."""
    said = {table: sorted(names) for table, names in sorted(watching.items())}
    with database.engine.begin() as connection:
        now = database.now(connection)
        gone = (PRESENCE.c.server == server) | (PRESENCE.c.expires < now)
        connection.execute(delete(PRESENCE).where(gone))
        row = {"server": server, "watching": json.dumps(said), "expires": now + microseconds}
        connection.execute(insert(PRESENCE), row)
        others = select(PRESENCE.c.watching).where(PRESENCE.c.server != server)
        texts = connection.execute(others).scalars().all()
    found: dict[str, frozenset[str]] = {}
    for text in texts:
        for table, names in json.loads(text).items():
            found[table] = found.get(table, frozenset()) | frozenset(names)
    return found
