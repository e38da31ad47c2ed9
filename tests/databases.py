"""Databases of the newest shape, each a copy of one that was brought to it once."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from headsup.house.store.database import Database
from tests.postgres import Server


@cache
def _newest() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "newest.db"
        database = Database(f"sqlite:///{path}")
        database.migrate()
        database.close()  # the last to go writes all of it into the one file
        return path.read_bytes()


def in_a_file(path: Path) -> Database:
    """A database that is there stays what it is."""
    database = Database(f"sqlite:///{path}")
    if path.exists():
        database.migrate()
    else:
        path.write_bytes(_newest())
    return database


def on_a_server(server: Server) -> Database:
    if server.newest is None:
        server.newest = "newest"
        server.create(server.newest)
        first = Database(server.address(server.newest))
        first.migrate()
        first.close()  # nobody may be at a database that is copied
    return Database(server.new_database(like=server.newest))
