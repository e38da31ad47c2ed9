"""Stores floors in a database; one transaction can hold the decisions of many floors.

An append is stored whole or not at all. A floor's row holds its owner, its fence and the head of
its log, and an append succeeds only if all three are as the writer expects. So two servers that
both believe they own a floor cannot both write to it.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_bytes, token_hex

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    true,
    type_coerce,
    union,
    update,
)
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.types import NullType

from headsup.game.record.chain import GENESIS, Head, Link
from headsup.game.table.state import SettledRound
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.engine import check_durable, open_engines
from headsup.house.store.house_log import create_identity, read_identity
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    StoreLost,
)
from headsup.house.store.schema import (
    ANSWERS,
    ENTRIES,
    FLOORS,
    HANDS,
    SECRETS,
    SERVERS,
    TABLES,
    WALLET_SUMS,
    WALLETS,
)
from headsup.house.store.sqlite_file import FileLock, UnusableDatabase

# The rows of an append.


def head_row(append: Append) -> dict[str, object]:
    last = append.links[-1].head if append.links else append.expected_head
    lease = append.lease
    return {
        "b_floor": lease.floor,
        "b_owner": lease.owner,
        "b_fence": lease.fence,
        "b_length": append.expected_head.count,
        "b_hash": append.expected_head.hash,
        "new_length": last.count,
        "new_hash": last.hash,
    }


def entry_rows(append: Append) -> list[dict[str, object]]:
    floor = append.lease.floor
    return [
        {"floor": floor, "index": link.index, "hash": link.hash, "entry": link.text}
        for link in append.links
    ]


MIGRATIONS = Path(__file__).with_name("migrations")
PAGE = 200  # entries to read at a time
_QUERY_BATCH = 500  # numbers of entries in one query
_MIGRATION_LOCK = 0x68656164  # any number, the same for all servers


class _AppendRejected(Exception):
    def __init__(self, result: AppendResult) -> None:
        self.result = result


_MOVE_HEAD = (
    update(FLOORS)
    .where(
        FLOORS.c.id == bindparam("b_floor"),
        FLOORS.c.owner == bindparam("b_owner"),
        FLOORS.c.fence == bindparam("b_fence"),
        FLOORS.c.length == bindparam("b_length"),
        FLOORS.c.hash == bindparam("b_hash"),
    )
    .values(length=bindparam("new_length"), hash=bindparam("new_hash"))
)
_IS_FLOOR = FLOORS.c.id != HOUSE_LOG
_INSERT_ENTRIES = insert(ENTRIES)
_MOVE_MONEY = (
    update(WALLETS)
    .where(WALLETS.c.person == bindparam("b_person"), WALLETS.c.cents + bindparam("add") >= 0)
    .values(cents=WALLETS.c.cents + bindparam("add"))
)


class Database:
    """Stores floors in SQLite or PostgreSQL. Its methods block: call them in a thread."""

    def __init__(self, address: str) -> None:
        # `keeping` is only for appends and leases, so that slow readers never hold up a table.
        self.engine: Engine
        self.floor_engine: Engine
        self.engine, self.floor_engine = open_engines(address)
        # A file has one server at a time, so owners found in it are dead.
        self.is_alone = self.engine.dialect.name == "sqlite"
        self._file_lock: FileLock | None = None

    def claim(self) -> None:
        """Lock a SQLite file until `close`, so that no other server uses it. PostgreSQL needs no
        lock: there every floor has its own owner."""
        if self.is_alone and self._file_lock is None and (file := self.engine.url.database):
            self._file_lock = FileLock(Path(file))

    def migrate(self) -> None:
        """Migrate to the newest schema, or refuse a database of another version. Servers that start
        together take turns."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            check_durable(connection)
            if connection.dialect.name == "postgresql":
                lock = text("SELECT pg_advisory_xact_lock(:number)")
                connection.execute(lock, {"number": _MIGRATION_LOCK})
            _refuse_other_versions(connection)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            create_identity(connection)

    def refuse_other_versions(self) -> None:
        """Refuse a database that another version of this program has made."""
        with self.read_connection() as connection:
            _refuse_other_versions(connection)

    def close(self) -> None:
        self.engine.dispose()
        self.floor_engine.dispose()
        if self._file_lock is not None:
            self._file_lock.release()
            self._file_lock = None

    # Ownership.

    def open_floor(self, floor: str) -> None:
        """Create the floor's row, if there is none."""
        row = {"id": floor, "owner": "", "fence": 0, "length": 0, "hash": GENESIS}
        with suppress(IntegrityError), self.engine.begin() as connection:
            connection.execute(insert(FLOORS), row)

    def floors(self) -> list[str]:
        with self.read_connection() as connection:
            return list(
                connection.execute(
                    select(FLOORS.c.id).where(_IS_FLOOR).order_by(FLOORS.c.id)
                ).scalars()
            )

    def take_lease(self, floor: str, owner: str) -> Lease | None:
        """Become a floor's owner, unless a living server owns it."""
        with self.floor_engine.begin() as connection:
            # Skip a row that is locked: an owner that was stopped in the middle of a commit must
            # not hold up the servers that look after the other floors.
            unlocked_row = (
                select(FLOORS.c.id)
                .where(FLOORS.c.id == floor, self.is_free(connection, owner))
                .with_for_update(skip_locked=True)
            )
            row = connection.execute(
                update(FLOORS)
                .where(FLOORS.c.id == unlocked_row.scalar_subquery())
                .values(owner=owner, fence=FLOORS.c.fence + 1)
                .returning(FLOORS.c.fence)
            ).one_or_none()
        return None if row is None else Lease(floor, owner, row.fence)

    def is_free(self, connection: Connection, taker: str) -> ColumnElement[bool]:
        """The condition that this server may take a floor. A file has one server at a time, so its
        floors are always free."""
        if self.is_alone:
            return true()
        living = select(SERVERS.c.name).where(SERVERS.c.lease_until >= self.now(connection))
        return (FLOORS.c.owner == taker) | FLOORS.c.owner.not_in(living)

    def holds_lease(self, lease: Lease) -> bool:
        """Whether nobody has taken the floor since the lease was given."""
        query = select(FLOORS.c.owner, FLOORS.c.fence).where(FLOORS.c.id == lease.floor)
        with self.read_connection(self.floor_engine) as connection:
            row = connection.execute(query).one_or_none()
        return row is not None and (row.owner, row.fence) == (lease.owner, lease.fence)

    # Writing.

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        """Commit the appends together; if that is rejected or raises, one by one."""
        if len(appends) > 1:
            with suppress(_AppendRejected, IntegrityError, DataError, ProgrammingError):
                return self._commit_together(appends)
        outcomes: list[AppendResult | Exception] = []
        for append in appends:
            outcomes.append(self._commit_single(append))
            if isinstance(lost := outcomes[-1], StoreLost):  # the rest would fail in the same way
                outcomes += [lost] * (len(appends) - len(outcomes))
                break
        return outcomes

    def _commit_together(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        try:
            self._commit(appends)
        except StoreLost as lost:
            return [lost] * len(appends)
        return [AppendResult.STORED] * len(appends)

    def _commit_single(self, append: Append) -> AppendResult | Exception:
        try:
            self._commit((append,))
        except _AppendRejected as rejected:
            return rejected.result
        except IntegrityError as error:
            return self._explain_violated_key(error, append)
        except Exception as error:
            return error
        return AppendResult.STORED

    def _explain_violated_key(self, error: Exception, append: Append) -> AppendResult | Exception:
        """A command was answered before, a table's name is taken, or else the given error."""
        floor, ids = append.lease.floor, [answer.id for answer in append.answers]
        names = [name.table for one in append.projections for name in one.tables]
        try:
            if any(self.find_entry(floor, id) for id in ids):
                return AppendResult.ANSWERED
            is_taken = any(self.floor_of_table(name) for name in names)
        except (SQLAlchemyError, OSError) as lost:
            return StoreLost(_error_text(lost))
        return AppendResult.NAME_TAKEN if is_taken else error

    def _commit(self, appends: Sequence[Append]) -> None:
        try:
            with self.floor_engine.begin() as connection:
                self._write(connection, appends)
        except (IntegrityError, DataError, ProgrammingError):
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreLost(_error_text(error)) from error

    def _write(self, connection: Connection, appends: Sequence[Append]) -> None:
        """Every server locks rows in the same order, so that no two wait for each other."""
        appends = sorted(appends, key=lambda append: append.lease.floor)
        moved = connection.execute(_MOVE_HEAD, [head_row(append) for append in appends])
        if moved.rowcount != len(appends):
            raise _AppendRejected(AppendResult.NOT_OWNER)
        entries = [row for append in appends for row in entry_rows(append)]
        moves = [move for append in appends for move in append.moves]
        if entries:
            connection.execute(_INSERT_ENTRIES, entries)
        # Answers first: a command that is sent again is not refused because of an empty wallet.
        write_projections(
            connection,
            (
                (append.lease.floor, projection)
                for append in appends
                for projection in append.projections
            ),
        )
        for move in sorted(moves, key=lambda move: move.person):
            values = {"b_person": move.person, "add": move.cents}
            if connection.execute(_MOVE_MONEY, values).rowcount != 1:
                raise _AppendRejected(AppendResult.WALLET_SHORT)

    # Reading.

    def head(self, floor: str) -> Head:
        with self.read_connection() as connection:
            return read_head(connection, floor) or Head()

    def log_end(self, floor: str) -> tuple[Head, int] | None:
        """The head according to the floor's row, and the length of the stored log; None without a
        row. One statement reads both, so they never differ just because somebody appends."""
        row, entry = FLOORS.c, ENTRIES.c
        last = select(func.max(entry.index)).where(entry.floor == floor).scalar_subquery()
        query = select(row.length, row.hash, func.coalesce(last + 1, 0)).where(row.id == floor)
        with self.read_connection() as connection:
            found = connection.execute(query).one_or_none()
        return None if found is None else (Head(found[0], found[1]), found[2])

    def heads(self) -> dict[str, Head]:
        """The head of every floor's log."""
        query = select(FLOORS.c.id, FLOORS.c.length, FLOORS.c.hash).where(_IS_FLOOR)
        with self.read_connection() as connection:
            rows = connection.execute(query.order_by(FLOORS.c.id)).all()
        return {row.id: Head(row.length, row.hash) for row in rows}

    def house_head(self) -> Head:
        """The head of the house's log."""
        with self.read_connection() as connection:
            return read_head(connection, HOUSE_LOG) or Head()

    def identity(self) -> str:
        """The house's identity, the same for good and in all copies."""
        with self.read_connection() as connection:
            return read_identity(connection)

    def entry_texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """The hash and canonical text of each entry from `start` on."""
        for link in self._pages(floor, start, end):
            yield link.hash, link.text

    def links(self, floor: str, start: int = 0, end: int | None = None) -> Iterator[Link]:
        """The same as links of a chain, with the index each has in the table; up to where the log
        ends when the reading starts."""
        if end is None:
            last = select(func.max(ENTRIES.c.index)).where(ENTRIES.c.floor == floor)
            with self.read_connection() as connection:
                end = (connection.execute(last).scalar_one() or 0) + 1
        yield from self._pages(floor, start, end)

    def _pages(self, floor: str, start: int, end: int | None) -> Iterator[Link]:
        """Read a page at a time, without holding a connection between pages, since callers may be
        slow. That is safe because entries never change."""
        entry = ENTRIES.c
        query = select(entry.index, entry.hash, entry.entry).where(entry.floor == floor)
        if end is not None:
            query = query.where(entry.index < end)
        query = query.order_by(entry.index).limit(PAGE)
        has_more = True
        while has_more:
            with self.read_connection() as connection:
                rows = connection.execute(query.where(entry.index >= start)).all()
            for index, hash, entry_text in rows:
                yield Link(index, hash, entry_text)
                start = index + 1
            has_more = len(rows) == PAGE

    def find_entry(self, floor: str, id: str) -> Link | None:
        """The entry that a command led to, by the id that its sender made."""
        query = select(ANSWERS.c.index).where(ANSWERS.c.floor == floor, ANSWERS.c.command == id)
        with self.read_connection(self.floor_engine) as connection:
            index = connection.execute(query).scalar_one_or_none()
            if index is None:
                return None
            with closing(read_links(connection, floor, index, index + 1)) as links:
                return next(links, None)

    def find_settled_round(self, floor: str, table: str, number: int) -> SettledRound | None:
        """Who played in a closed round; None if it was not settled."""
        hand = HANDS.c
        query = select(hand.seat, hand.player).where(
            hand.floor == floor, hand.table == table, hand.number == number
        )
        with self.read_connection(self.floor_engine) as connection:
            rows = connection.execute(query.order_by(hand.seat)).all()
        return SettledRound(number, tuple((row.seat, row.player) for row in rows)) if rows else None

    def floor_of_table(self, table: str) -> str:
        """The floor that has a table of this name; empty if none has."""
        query = select(TABLES.c.floor).where(TABLES.c.id == table)
        with self.read_connection() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def wallet(self, person: str) -> int:
        with self.read_connection() as connection:
            query = select(WALLETS.c.cents).where(WALLETS.c.person == person)
            return connection.execute(query).scalar_one_or_none() or 0

    def wallets(self) -> dict[str, int]:
        """By player, the cents in the wallet."""
        with self.read_connection() as connection:
            return {row.person: row.cents for row in connection.execute(select(WALLETS))}

    def get_or_create_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The house's secret of that name. The first server that asks for it makes it."""
        with suppress(IntegrityError), self.engine.begin() as connection:
            connection.execute(insert(SECRETS), {"name": name, "secret": make()})
        with self.read_connection() as connection:
            query = select(SECRETS.c.secret).where(SECRETS.c.name == name)
            return bytes(connection.execute(query).scalar_one())

    def store_secret(self, name: str, secret: bytes, replaces: str = "") -> None:
        """Add a secret and delete the one it replaces."""
        with self.engine.begin() as connection:
            connection.execute(delete(SECRETS).where(SECRETS.c.name == replaces))
            connection.execute(insert(SECRETS), {"name": name, "secret": secret})

    def find_secret(self, name: str) -> bytes | None:
        with self.read_connection() as connection:
            return read_secret(connection, name)

    def read_connection(self, engine: Engine | None = None) -> Connection:
        """A connection for reading; it waits for no writer."""
        return (engine or self.engine).connect().execution_options(reading=True)

    def consistent_connection(self) -> Connection:
        """A connection for reading one consistent state, whatever is written meanwhile."""
        connection = self.read_connection()
        if connection.dialect.name == "postgresql":
            return connection.execution_options(isolation_level="REPEATABLE READ")
        return connection

    def now(self, connection: Connection) -> int:
        """Microseconds by the database's clock, because the clocks of servers may differ."""
        if connection.dialect.name == "postgresql":
            clock = func.extract("epoch", func.clock_timestamp()) * 1_000_000
            return int(connection.execute(select(clock)).scalar_one())
        seconds = connection.execute(text("SELECT (julianday('now') - 2440587.5) * 86400.0"))
        return int(seconds.scalar_one() * 1_000_000)


def _refuse_other_versions(connection: Connection) -> None:
    revision = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    if revision is not None and revision not in {script.revision for script in scripts}:
        raise UnusableDatabase(
            f"it was made by another version of headsup (schema {revision}): use that version, or "
            "start with a new database"
        )


def read_head(connection: Connection, floor: str) -> Head | None:
    """The head of the log according to the floor's row; None if it has no row."""
    query = select(FLOORS.c.length, FLOORS.c.hash).where(FLOORS.c.id == floor)
    row = connection.execute(query).one_or_none()
    return None if row is None else Head(row.length, row.hash)


def read_links(
    connection: Connection, floor: str, start: int = 0, end: int | None = None
) -> Generator[Link, None, None]:
    """The entries of a log, streamed. Close the generator if you do not read it to the end."""
    query = select(ENTRIES.c.index, ENTRIES.c.hash, ENTRIES.c.entry).where(
        ENTRIES.c.floor == floor, ENTRIES.c.index >= start
    )
    if end is not None:
        query = query.where(ENTRIES.c.index < end)
    options = {"stream_results": True}
    ordered = query.order_by(ENTRIES.c.index)
    with connection.execute(ordered, execution_options=options) as rows:
        for row in rows:
            yield Link(*row)


def _error_text(error: Exception) -> str:
    """The first line of the database's message, without the statement and its values."""
    message = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return (message.strip().splitlines() or [type(error).__name__])[0]


# Floors that have left a record.


def recorded_floors(database: Database) -> frozenset[str]:
    """The floors that have left a trace: a row, entries, or money."""
    traces = union(select(FLOORS.c.id), select(ENTRIES.c.floor), select(WALLET_SUMS.c.floor))
    with database.read_connection() as connection:
        return frozenset(connection.execute(traces).scalars()) - {""}


def read_secret(connection: Connection, name: str) -> bytes | None:
    """A stored secret. A value that is not even bytes is none of ours, and reads as no bytes."""
    raw = type_coerce(SECRETS.c.secret, NullType())
    query = select(raw).where(SECRETS.c.name == name)
    secret: object = connection.execute(query).scalar_one_or_none()
    return secret if secret is None or isinstance(secret, bytes) else b""


# The write probe.

# More than a floor writes at a time, in random bytes that do not compress.
_PROBE_BYTES = 32_768


def probe_write(database: Database, server: str) -> None:
    """Write and delete a row in one durable commit; raises the database's error if there is no room
    or it is read-only. Nobody else ever sees the row."""
    # Not in one of the unlogged tables, whose rows do not wait for the disk.
    name = f"room for {server} {token_hex(8)}"
    with database.engine.begin() as connection:
        connection.execute(insert(SECRETS), {"name": name, "secret": token_bytes(_PROBE_BYTES)})
        connection.execute(delete(SECRETS).where(SECRETS.c.name == name))


def read_hashes(
    database: Database, counts_by_log: Mapping[str, Set[int]]
) -> tuple[str, dict[str, dict[int, str]]]:
    """The house's identity, and by log the hash after each of these numbers of entries, as far as
    the logs go. All in one consistent snapshot."""
    with database.consistent_connection() as connection:
        hashes = {log: _hashes(connection, log, counts) for log, counts in counts_by_log.items()}
        return read_identity(connection), hashes


def _hashes(connection: Connection, log: str, counts: Set[int]) -> dict[int, str]:
    entry = ENTRIES.c
    query = select(entry.index, entry.hash).where(entry.floor == log)
    indices, hashes = sorted(count - 1 for count in counts), dict[int, str]()
    for start in range(0, len(indices), _QUERY_BATCH):
        batch = query.where(entry.index.in_(indices[start : start + _QUERY_BATCH]))
        hashes |= {index + 1: hash for index, hash in connection.execute(batch)}
    return hashes
