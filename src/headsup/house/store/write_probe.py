"""Whether the database keeps what it is told: found out by telling it something."""

from secrets import token_bytes, token_hex

from sqlalchemy import delete, insert

from headsup.house.store.database import Database
from headsup.house.store.schema import SECRETS

# More than a floor keeps at a time, and nothing that could be packed together.
_BYTES = 32_768


def probe_write(database: Database, server: str) -> None:
    """Write something and take it back in one commit, which is on the disk when this returns;
    raises what the database says where there is no room, or it only lets one read. Nobody else
    ever sees it."""
    # In a table whose rows are on the disk when they are committed, which not all are.
    name = f"room for {server} {token_hex(8)}"
    with database.engine.begin() as connection:
        connection.execute(insert(SECRETS), {"name": name, "secret": token_bytes(_BYTES)})
        connection.execute(delete(SECRETS).where(SECRETS.c.name == name))
