"""Databases with the current schema, copied from one that is migrated only once."""

import json
from functools import cache
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from sqlalchemy import update

from headsup.house.store.database import Database
from headsup.house.store.schema import SETTINGS
from tests.support.postgres import PostgresServer


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
        set_identity(database, token_hex(8))
    return database


def postgres_database(server: PostgresServer) -> Database:
    if server.newest is None:
        server.newest = "newest"
        server.create(server.newest)
        first = Database(server.address(server.newest))
        first.migrate()
        first.close()  # PostgreSQL copies only databases without connections
    database = Database(server.new_database(like=server.newest))
    set_identity(database, token_hex(8))
    return database


def set_identity(database: Database, identity: str) -> None:
    """Make the house another one, or one whose logs are known in advance."""
    change = update(SETTINGS).where(SETTINGS.c.name == "identity")
    with database.engine.begin() as connection:
        connection.execute(change.values(value=json.dumps(identity)))
