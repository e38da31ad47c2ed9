"""Whether the database keeps what it is told: found out by telling it something."""

from secrets import token_hex

from sqlalchemy import delete, insert

from headsup.house.store.database import Database
from headsup.house.store.schema import PRESENCE

# More than a floor keeps at a time, and nothing that could be packed together.
_BYTES = 32_768


def try_to_keep(database: Database, server: str) -> None:
    """Write something and take it back in one commit, which is on the disk when this returns;
    raises what the database says where there is no room, or it only lets one read. Nobody else
    ever sees it."""
    row = {"server": f"{server} {token_hex(8)}", "watching": token_hex(_BYTES // 2), "expires": 0}
    with database.engine.begin() as connection:
        connection.execute(insert(PRESENCE), row)
        connection.execute(delete(PRESENCE).where(PRESENCE.c.server == row["server"]))
