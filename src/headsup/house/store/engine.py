"""Opens SQLite or PostgreSQL so that every commit is on disk when it returns.

SQLite runs in write-ahead mode with `synchronous=FULL`: `NORMAL` may lose the last commits when the
machine loses power. Transactions that write begin with `BEGIN IMMEDIATE`: Python's driver begins
none for a SELECT, so what was read could change before it is written. Before that, writers of this
process wait for a turn: inside SQLite they would sleep between attempts, and some would starve.

Errors do not show the values of statements: those may be face-down cards or password hashes.
"""

from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from headsup.house.store.sqlite_file import FileIdentity, UnusableDatabase

_WRITING = "has the turn to write"  # in a connection's info
BUSY_MS = 10_000  # how long a SQLite writer waits for another
# A server that is stopped in the middle of a transaction keeps its row locks. PostgreSQL drops them
# after this time, which is less than a lease, so that others can take its floors.
IDLE_MS = 4_000
# Connections per server: shared ones, and those reserved for appends and leases.
MAX_SHARED_CONNECTIONS, MAX_FLOOR_CONNECTIONS = 6, 5
# A silent database is given up after this. A machine that is up refuses connections at once.
DATABASE_TIMEOUT_SECONDS = 5
# The first limits connecting, the second unacknowledged data. While the server waits for an answer
# it sends nothing, so keepalives probe the connection every second.
TIMEOUT_ARGUMENTS = {
    "connect_timeout": DATABASE_TIMEOUT_SECONDS,
    "tcp_user_timeout": DATABASE_TIMEOUT_SECONDS * 1_000,
    "keepalives": 1,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": DATABASE_TIMEOUT_SECONDS - 2,
}


# Never off, but as strict as the server asks where it has standbys.
_SET_SYNCHRONOUS = (
    "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
    "WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)"
)


def open_engines(address: str) -> tuple[Engine, Engine]:
    """Two engines for one address, `sqlite:///path` or `postgresql://user@host/name`. Each has its
    own connections, so that users of the first never keep the second waiting."""
    url = _url(address)
    if url.get_backend_name() == "sqlite":
        file = FileIdentity(url.database or "")
        return (
            _sqlite(url, file, MAX_SHARED_CONNECTIONS),
            _sqlite(url, file, MAX_FLOOR_CONNECTIONS),
        )
    return _postgresql(url, MAX_SHARED_CONNECTIONS), _postgresql(url, MAX_FLOOR_CONNECTIONS)


def public_address(address: str) -> str:
    """The address without the parts before @ and after ?, which may contain a password."""
    kind, _, rest = address.partition("://")
    return f"{kind}://{rest.rpartition('@')[2].partition('?')[0]}" if rest else kind


def sqlite_file(address: str) -> Path | None:
    """The database's file if it is SQLite."""
    url = _url(address)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def database_location(address: str) -> str:
    """Where a person finds the database: the file's path, or the server's address."""
    file = sqlite_file(address)
    return public_address(address) if file is None else str(file.absolute())


def is_not_there_yet(error: OperationalError) -> bool:
    """Whether a database server cannot be reached, or is still starting. Anything else that it says
    is an answer: a wrong password does not become right."""
    cause = error.orig
    if not isinstance(cause, psycopg.OperationalError):
        return False
    return "FATAL" not in str(cause) or "starting up" in str(cause)


def check_durable(connection: Connection) -> None:
    """Refuse a database server that confirms commits before they are on disk."""
    if connection.dialect.name != "postgresql":
        return
    for setting in ("fsync", "full_page_writes"):
        if connection.execute(text(f"SHOW {setting}")).scalar_one() == "off":
            raise UnusableDatabase(
                f"the database server has {setting} = off: it could lose commits. Turn it on"
            )


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError:
        raise UnusableDatabase(f"{address.split('@')[-1]} is not a database address") from None
    match url.get_backend_name():
        case "sqlite":
            return url.set(drivername="sqlite+pysqlite")
        case "postgresql":
            return url.set(drivername="postgresql+psycopg")
        case other:
            raise UnusableDatabase(f"{other} is not supported: use SQLite or PostgreSQL")


def _postgresql(url: URL, max_connections: int) -> Engine:
    engine = create_engine(
        url,
        **_pool(max_connections),
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args=TIMEOUT_ARGUMENTS,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def on_connected(connection: Any, _record: Any) -> None:
        # Set for each connection, or a later change of the server's settings would apply to it.
        connection.execute(_SET_SYNCHRONOUS)
        connection.commit()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("reading"):
            connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = {IDLE_MS}")

    return engine


def _pool(max_connections: int) -> dict[str, int]:
    open_connections = min(max_connections, 5)
    return {"pool_size": open_connections, "max_overflow": max_connections - open_connections}


def _sqlite(url: URL, file: FileIdentity, max_connections: int) -> Engine:
    # A database in memory has one connection, and so no pool.
    sizes = _pool(max_connections) if url.database else {}
    arguments = {"check_same_thread": False}
    engine = create_engine(url, connect_args=arguments, hide_parameters=True, **sizes)
    # Insert several rows with one statement: after each statement the thread waits for the
    # interpreter lock, which the event loop may hold for a while.
    engine.dialect.use_insertmanyvalues_wo_returning = True

    @event.listens_for(engine, "do_connect")
    def on_connecting(*_: Any) -> None:
        if url.database:
            file.create()

    @event.listens_for(engine, "connect")
    def on_connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in (
            f"busy_timeout = {BUSY_MS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        file.remember()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        file.verify()
        if connection.get_execution_options().get("reading"):
            connection.exec_driver_sql("BEGIN")
            return
        if not connection.info.get(_WRITING):
            file.take_turn(BUSY_MS / 1000)
            connection.info[_WRITING] = True
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    @event.listens_for(engine, "checkin")
    def on_checkin(_: Any, record: ConnectionPoolEntry) -> None:
        if record.info.pop(_WRITING, False):
            file.end_turn()

    @event.listens_for(engine, "commit")
    def on_commit(_: Connection) -> None:
        file.verify()  # it may have gone since the transaction began

    return engine
