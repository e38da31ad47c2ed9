"""Opening a database: SQLite in a file, or PostgreSQL; every commit is on the disk when it returns.

SQLite runs in write-ahead mode with `synchronous=FULL`: `NORMAL` may lose the last commits of a
machine that loses power. Every transaction begins as a writer (`BEGIN IMMEDIATE`): Python's
driver opens none on a SELECT, and what was read could change before it is written.

What was to be written is in no error's text: it may be a face-down card or the hash of a password.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from headsup.house.store.house_chain import forget_links, write_links
from headsup.house.store.same_file import FileIdentity

BUSY_MS = 10_000  # how long a writer waits for another
# A server that is stopped in the middle of a transaction holds its rows. They are free after this,
# before its lease has run out, so that others can take its floors.
IDLE_MS = 4_000
# Connections of a server: for everybody, and for those alone who keep floors and their leases.
MAX_SHARED_CONNECTIONS, MAX_FLOOR_CONNECTIONS = 15, 5
# A database that has gone silent is given up after this; its own machine answers at once.
DATABASE_TIMEOUT_SECONDS = 5
# The first is for the connecting, the second for what was sent and is not acknowledged. While an
# answer is waited for nothing is sent: then the connection is tried every second.
TIMEOUT_ARGUMENTS = {
    "connect_timeout": DATABASE_TIMEOUT_SECONDS,
    "tcp_user_timeout": DATABASE_TIMEOUT_SECONDS * 1_000,
    "keepalives": 1,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": DATABASE_TIMEOUT_SECONDS - 2,
}


class UnusableDatabase(ValueError):
    """The address names no database that can keep a floor."""


def open_engines(address: str) -> tuple[Engine, Engine]:
    """`sqlite:///path` or `postgresql://user@host/name`, twice, each with connections of its own:
    those who wait for one of the first, however many they are, keep nobody waiting who needs one of
    the second."""
    url = _url(address)
    if url.get_backend_name() == "sqlite":
        file = FileIdentity(url.database or "")
        return _sqlite(url, file), _sqlite(url, file)
    return _postgresql(url, MAX_SHARED_CONNECTIONS), _postgresql(url, MAX_FLOOR_CONNECTIONS)


def public_address(address: str) -> str:
    """The address as it may be shown: what stands before @ or behind ? may be a password."""
    kind, _, rest = address.partition("://")
    return f"{kind}://{rest.rpartition('@')[2].partition('?')[0]}" if rest else kind


def sqlite_file(address: str) -> Path | None:
    """The file in which the database is, where it is one."""
    url = _url(address)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def database_location(address: str) -> str:
    """Where a person finds the database: its file, or the address of its server."""
    file = sqlite_file(address)
    return public_address(address) if file is None else str(file.absolute())


def check_durable(connection: Connection) -> None:
    """Refuse a server that answers before what it was told is on its disk."""
    if connection.dialect.name != "postgresql":
        return
    for setting in ("synchronous_commit", "fsync", "full_page_writes"):
        value = connection.execute(text(f"SHOW {setting}")).scalar_one()
        if value in ("off", "local") and not (setting == "synchronous_commit" and value == "local"):
            raise UnusableDatabase(f"the server has {setting} = {value}: a commit could be lost")


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError:
        raise UnusableDatabase(f"{address.split('@')[-1]} is no database address") from None
    match url.get_backend_name():
        case "sqlite":
            return url.set(drivername="sqlite+pysqlite")
        case "postgresql":
            return url.set(drivername="postgresql+psycopg")
        case other:
            raise UnusableDatabase(f"{other}: a floor is kept in SQLite or PostgreSQL")


def _postgresql(url: URL, most: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=min(most, 5),
        max_overflow=most - min(most, 5),
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args=TIMEOUT_ARGUMENTS,
        hide_parameters=True,
    )

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if not connection.get_execution_options().get("reading"):
            connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = {IDLE_MS}")

    _link_records(engine)
    return engine


def _sqlite(url: URL, file: FileIdentity) -> Engine:
    engine = create_engine(url, connect_args={"check_same_thread": False}, hide_parameters=True)
    # Rows in one statement: after each that is carried out its thread waits for the interpreter,
    # for as long as the one that decides and tells has something to do.
    engine.dialect.use_insertmanyvalues_wo_returning = True

    @event.listens_for(engine, "do_connect")
    def connecting(*_: Any) -> None:
        if url.database:
            file.make()

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in (
            f"busy_timeout = {BUSY_MS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        file.opened()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        file.check()
        connection.exec_driver_sql(
            "BEGIN" if connection.get_execution_options().get("reading") else "BEGIN IMMEDIATE"
        )

    @event.listens_for(engine, "commit")
    def committing(_: Connection) -> None:
        file.check()  # it may have gone since the transaction began

    _link_records(engine)
    return engine


def _link_records(engine: Engine) -> None:
    """What is a record of the house's own is written with its link, as the last of all."""
    event.listen(engine, "begin", forget_links)
    event.listen(engine, "commit", write_links)
