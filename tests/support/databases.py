"""Databases with the current schema, copied from one that is migrated only once."""

import json
import os
from functools import cache
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import update

from headsup.house.store.database import Database
from headsup.house.store.schema import SETTINGS
from tests.support.postgres import PostgresServer

# What tests of a house run on. PostgreSQL takes three times as long, so only `make test` uses it.
DATABASES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.slow))


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
    """A database on this server, as `headsup` leaves a new one."""
    database = Database(server.new_database(like=_migrated_database(server)))
    set_identity(database, token_hex(8))
    return database


@cache
def _migrated_database(server: PostgresServer) -> str:
    """The name of a database that others are copies of; one for each worker."""
    name = f"newest_{os.getpid()}"
    server.create(name)
    first = Database(server.address(name))
    first.migrate()
    first.close()  # PostgreSQL copies only databases without connections
    return name


def set_identity(database: Database, identity: str) -> None:
    """Make the house another one, or one whose logs are known in advance."""
    change = update(SETTINGS).where(SETTINGS.c.name == "identity")
    with database.engine.begin() as connection:
        connection.execute(change.values(value=json.dumps(identity)))
