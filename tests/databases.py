"""Databases with the current schema, copied from one that is migrated only once."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from headsup.house.store.database import Database
from tests.postgres import PostgresServer


@cache
def _migrated_file() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "newest.db"
        database = Database(f"sqlite:///{path}")
        database.migrate()
        database.close()  # closing moves everything into the one file
        return path.read_bytes()


def sqlite_database(path: Path) -> Database:
    """A database in a file. An existing one keeps its contents."""
    database = Database(f"sqlite:///{path}")
    if path.exists():
        database.migrate()
    else:
        path.write_bytes(_migrated_file())
    return database


def postgres_database(server: PostgresServer) -> Database:
    if server.newest is None:
        server.newest = "newest"
        server.create(server.newest)
        first = Database(server.address(server.newest))
        first.migrate()
        first.close()  # PostgreSQL copies only databases without connections
    return Database(server.new_database(like=server.newest))
