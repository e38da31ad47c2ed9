"""Floors in a database: one transaction keeps what many floors decided at the same moment.

`keep` is all or nothing for each floor. A floor's row names its owner, its fence and the head of
its log; an append changes that row only if all three are as the writer believes, so two servers
that both think they own a floor cannot both write it.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, text, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from headsup.game.record.chain import GENESIS, Head, Link
from headsup.house.store.engine import check_durable, open_engines
from headsup.house.store.file_lock import FileLock
from headsup.house.store.house_chain import read_house_head, read_identity
from headsup.house.store.paces import write_pace
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    PartialCommit,
    StoredAnswer,
    StoreLost,
)
from headsup.house.store.rows import answer_rows, entry_rows, head_row, move_rows
from headsup.house.store.schema import ANSWERS, ENTRIES, FLOORS, SECRETS, WALLET_MOVES, WALLETS
from headsup.house.store.signals import Signal, notify

MIGRATIONS = Path(__file__).with_name("migrations")
PAGE = 200  # entries read at a time
_MIGRATION_LOCK = 0x68656164  # any number, the same for all servers
_NAME_LOCK = 0x6E616D65  # another, for the names of tables


class _AppendRejected(Exception):
    def __init__(self, why: AppendResult) -> None:
        self.why = why


_TAKE_HEAD = (
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
_ENTER, _ANSWER = insert(ENTRIES), insert(ANSWERS)
_MOVE = (
    update(WALLETS)
    .where(WALLETS.c.person == bindparam("b_person"), WALLETS.c.cents + bindparam("add") >= 0)
    .values(cents=WALLETS.c.cents + bindparam("add"))
)


class Database:
    """A store of floors. Its methods block: call them from a thread of their own."""

    def __init__(self, address: str) -> None:
        # `keeping` is for floors and their leases alone: whoever reads, however many and however
        # slowly, keeps no table waiting.
        self.engine: Engine
        self.keeping: Engine
        self.engine, self.keeping = open_engines(address)
        # No other server can be at a file: what its last one left over is dead.
        self.alone = self.engine.dialect.name == "sqlite"
        self._claim: FileLock | None = None

    def claim(self) -> None:
        """Keep other servers from the same file until `close`; a server of databases needs none,
        since there each floor has its owner."""
        if self.alone and self._claim is None and (file := self.engine.url.database):
            self._claim = FileLock(Path(file))

    def migrate(self) -> None:
        """Bring the database to the newest shape; servers that start together take turns."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            check_durable(connection)
            if connection.dialect.name == "postgresql":
                lock = text("SELECT pg_advisory_xact_lock(:number)")
                connection.execute(lock, {"number": _MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def is_older(self) -> bool:
        """Whether it is of a shape before the newest; what cannot be asked is not."""
        scripts = ScriptDirectory(str(MIGRATIONS))
        try:
            with self.reading() as connection:
                found = MigrationContext.configure(connection).get_current_revision()
        except (SQLAlchemyError, CommandError, OSError):
            return False
        known = {script.revision for script in scripts.walk_revisions()}
        return found in known and found != scripts.get_current_head()

    def close(self) -> None:
        self.engine.dispose()
        self.keeping.dispose()
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    # Ownership.

    def open_floor(self, floor: str) -> None:
        """Make room for a floor's log, if there is none."""
        row = {"id": floor, "owner": "", "fence": 0, "lease_until": 0, "length": 0, "hash": GENESIS}
        with suppress(IntegrityError), self.engine.begin() as connection:
            connection.execute(insert(FLOORS), row)

    def floors(self) -> list[str]:
        with self.reading() as connection:
            return list(connection.execute(select(FLOORS.c.id).order_by(FLOORS.c.id)).scalars())

    def free(self, owner: str) -> frozenset[str]:
        """The floors that a server may take: those whose lease has run out, and its own."""
        with self.reading(self.keeping) as connection:
            free = (FLOORS.c.lease_until < self.now(connection)) | (FLOORS.c.owner == owner)
            return frozenset(connection.execute(select(FLOORS.c.id).where(free)).scalars())

    def take(self, floor: str, owner: str, microseconds: int, force: bool = False) -> Lease | None:
        """Become the owner of a floor whose lease has run out; None while it has another."""
        with self.keeping.begin() as connection:
            now = self.now(connection)
            free = (FLOORS.c.lease_until < now) | (FLOORS.c.owner == owner)
            # A row that somebody holds at this moment is not waited for: an owner who was stopped
            # in the middle of a commit must not stop those who look after the other floors.
            open_row = (
                select(FLOORS.c.id)
                .where(FLOORS.c.id == floor, free | force)
                .with_for_update(skip_locked=True)
            )
            row = connection.execute(
                update(FLOORS)
                .where(FLOORS.c.id == open_row.scalar_subquery())
                .values(owner=owner, fence=FLOORS.c.fence + 1, lease_until=now + microseconds)
                .returning(FLOORS.c.fence)
            ).one_or_none()
        return None if row is None else Lease(floor, owner, row.fence)

    def renew(self, leases: Sequence[Lease], microseconds: int) -> list[Lease]:
        """The leases that are still held, each good for so much longer."""
        held = []
        with self.keeping.begin() as connection:
            until = self.now(connection) + microseconds
            for lease in sorted(leases, key=lambda lease: lease.floor):
                result = connection.execute(
                    update(FLOORS)
                    .where(
                        FLOORS.c.id == lease.floor,
                        FLOORS.c.owner == lease.owner,
                        FLOORS.c.fence == lease.fence,
                    )
                    .values(lease_until=until)
                )
                if result.rowcount:
                    held.append(lease)
        return held

    def holds(self, lease: Lease) -> bool:
        """Whether nobody has taken the floor since."""
        query = select(FLOORS.c.fence).where(FLOORS.c.id == lease.floor)
        with self.reading(self.keeping) as connection:
            return connection.execute(query).scalar_one_or_none() == lease.fence

    def release(self, leases: Sequence[Lease]) -> None:
        """Let others take these floors at once."""
        self.renew(leases, -1)
        with self.keeping.begin() as connection:
            notify(connection, [(Signal.FREED, lease.floor) for lease in leases])

    # Writing.

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Keep what several floors decided in one commit; what cannot be kept leaves no trace.

        `StoreLost` where the database is the trouble; `PartialCommit` where some were kept and
        others raised; at any other error none was.
        """
        try:
            self._commit(appends)
        except (_AppendRejected, IntegrityError):
            return self._keep_apart(appends)
        return [AppendResult.KEPT] * len(appends)

    def _keep_apart(self, appends: Sequence[Append]) -> list[AppendResult]:
        kept: list[AppendResult] = []
        outcomes: list[AppendResult | Exception] = []
        for append in appends:
            try:
                kept.append(self._keep_alone(append))
                outcomes.append(kept[-1])
            except StoreLost as lost:  # the others would wait for it in vain
                outcomes += [lost] * (len(appends) - len(outcomes))
                break
            except Exception as error:
                outcomes.append(error)
        if len(kept) < len(appends):
            raise PartialCommit(outcomes)
        return kept

    def _keep_alone(self, append: Append) -> AppendResult:
        try:
            self._commit((append,))
        except _AppendRejected as not_kept:
            return not_kept.why
        except IntegrityError:
            if self._is_answered(append):
                return AppendResult.ANSWERED
            raise
        return AppendResult.KEPT

    def _is_answered(self, append: Append) -> bool:
        try:
            return any(self.answer(append.lease.floor, one.command) for one in append.answers)
        except (SQLAlchemyError, OSError) as error:
            raise StoreLost(_reason(error)) from error

    def _commit(self, appends: Sequence[Append]) -> None:
        try:
            with self.keeping.begin() as connection:
                self._write(connection, appends)
        except (IntegrityError, DataError, ProgrammingError):
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreLost(_reason(error)) from error

    def _write(self, connection: Connection, appends: Sequence[Append]) -> None:
        """Rows are held in the same order by everyone, so that nobody waits for each other."""
        appends = sorted(appends, key=lambda append: append.lease.floor)
        taken = connection.execute(_TAKE_HEAD, [head_row(append) for append in appends])
        if taken.rowcount != len(appends):
            raise _AppendRejected(AppendResult.NOT_OWNER)
        entries = [row for append in appends for row in entry_rows(append)]
        answers = [row for append in appends for row in answer_rows(append)]
        moves = [row for append in appends for row in move_rows(append)]
        if entries:
            connection.execute(_ENTER, entries)
        if answers:
            connection.execute(_ANSWER, answers)
        for move in sorted(moves, key=lambda move: str(move["person"])):
            values = {"b_person": move["person"], "add": move["cents"]}
            if connection.execute(_MOVE, values).rowcount != 1:
                raise _AppendRejected(AppendResult.WALLET_SHORT)
        if moves:
            connection.execute(insert(WALLET_MOVES), moves)
        write_projections(
            connection,
            ((append.lease.floor, notes) for append in appends for notes in append.notes),
        )
        for table, pace in (one for append in appends for one in append.paces):
            write_pace(connection, table, pace)
        notify(connection, [(Signal.GREW, append.lease.floor) for append in appends])

    # Reading.

    def head(self, floor: str) -> Head:
        with self.reading() as connection:
            return read_head(connection, floor) or Head()

    def heads(self) -> dict[str, Head]:
        """Where the log of every floor ends."""
        query = select(FLOORS.c.id, FLOORS.c.length, FLOORS.c.hash)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(FLOORS.c.id)).all()
        return {row.id: Head(row.length, row.hash) for row in rows}

    def house_head(self) -> Head:
        """Where the house's own chain ends."""
        with self.reading() as connection:
            return read_house_head(connection) or Head()

    def identity(self) -> str:
        """Which house this is; empty where nothing has happened in it yet."""
        with self.reading() as connection:
            return read_identity(connection)

    def texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """The hash and canonical text of each entry from `start` on, in order."""
        for link in self._pages(floor, start, end):
            yield link.hash, link.text

    def links(self, floor: str, start: int = 0, end: int | None = None) -> Iterator[Link]:
        """The same as links of a chain, each with the place at which it stands here; no further
        than the log reaches when they are asked for."""
        if end is None:
            last = select(func.max(ENTRIES.c.index)).where(ENTRIES.c.floor == floor)
            with self.reading() as connection:
                end = (connection.execute(last).scalar_one() or 0) + 1
        yield from self._pages(floor, start, end)

    def _pages(self, floor: str, start: int, end: int | None) -> Iterator[Link]:
        """A page at a time: between two of them no connection is held, however slowly they are
        read. What a log holds stays as it is."""
        entry = ENTRIES.c
        query = select(entry.index, entry.hash, entry.entry).where(entry.floor == floor)
        if end is not None:
            query = query.where(entry.index < end)
        query = query.order_by(entry.index).limit(PAGE)
        full = True
        while full:
            with self.reading() as connection:
                rows = connection.execute(query.where(entry.index >= start)).all()
            for index, hash, entered in rows:
                yield Link(index, hash, entered)
                start = index + 1
            full = len(rows) == PAGE

    def answer(self, floor: str, command_id: str) -> StoredAnswer | None:
        with self.reading(self.keeping) as connection:
            row = connection.execute(
                select(ANSWERS.c.digest, ANSWERS.c.answer).where(
                    ANSWERS.c.floor == floor, ANSWERS.c.command == command_id
                )
            ).one_or_none()
        return None if row is None else StoredAnswer(command_id, row.digest, row.answer)

    def wallet(self, person: str) -> int:
        with self.reading() as connection:
            query = select(WALLETS.c.cents).where(WALLETS.c.person == person)
            return connection.execute(query).scalar_one_or_none() or 0

    def wallets(self) -> dict[str, int]:
        """What every player's wallet holds."""
        with self.reading() as connection:
            return {row.person: row.cents for row in connection.execute(select(WALLETS))}

    def secret(self, name: str, fresh: Callable[[], bytes]) -> bytes:
        """The house's secret of that name; the first who asks makes it, for all servers."""
        with suppress(IntegrityError), self.engine.begin() as connection:
            connection.execute(insert(SECRETS), {"name": name, "secret": fresh()})
        with self.reading() as connection:
            query = select(SECRETS.c.secret).where(SECRETS.c.name == name)
            return bytes(connection.execute(query).scalar_one())

    def keep_secret(self, name: str, secret: bytes, instead_of: str = "") -> None:
        """One more secret of the house, in the place of another that is of no use any more."""
        with self.engine.begin() as connection:
            connection.execute(delete(SECRETS).where(SECRETS.c.name == instead_of))
            connection.execute(insert(SECRETS), {"name": name, "secret": secret})

    def kept_secret(self, name: str) -> bytes | None:
        """The house's secret of that name, if there is one."""
        with self.reading() as connection:
            query = select(SECRETS.c.secret).where(SECRETS.c.name == name)
            found = connection.execute(query).scalar_one_or_none()
        return None if found is None else bytes(found)

    def hold_name(self, table: str) -> Connection | None:
        """The right to open a table of this name, on whatever floor, until the connection is
        closed; None while another server has it."""
        connection = self.reading()
        if connection.dialect.name == "postgresql":
            lock = text("SELECT pg_try_advisory_xact_lock(:space, hashtext(:name))")
            held = connection.execute(lock, {"space": _NAME_LOCK, "name": table}).scalar_one()
            if not held:
                connection.close()
                return None
        return connection

    def reading(self, engine: Engine | None = None) -> Connection:
        """A connection that only reads, and so waits for no writer."""
        return (engine or self.engine).connect().execution_options(reading=True)

    def at_one_moment(self) -> Connection:
        """The same, and all that is read belongs together, whatever is written meanwhile."""
        connection = self.reading()
        if connection.dialect.name == "postgresql":
            return connection.execution_options(isolation_level="REPEATABLE READ")
        return connection

    def now(self, connection: Connection) -> int:
        """Microseconds by the database's own clock: servers may disagree about the time."""
        if connection.dialect.name == "postgresql":
            clock = func.extract("epoch", func.clock_timestamp()) * 1_000_000
            return int(connection.execute(select(clock)).scalar_one())
        seconds = connection.execute(text("SELECT (julianday('now') - 2440587.5) * 86400.0"))
        return int(seconds.scalar_one() * 1_000_000)


def read_head(connection: Connection, floor: str) -> Head | None:
    """Where the floor's row says that its log ends; None where it has no row."""
    query = select(FLOORS.c.length, FLOORS.c.hash).where(FLOORS.c.id == floor)
    row = connection.execute(query).one_or_none()
    return None if row is None else Head(row.length, row.hash)


def read_links(
    connection: Connection, floor: str, start: int = 0, end: int | None = None
) -> Generator[Link, None, None]:
    """Entries of a log as they stand there, read as they are asked for; who may stop before the
    end closes it."""
    query = select(ENTRIES.c.index, ENTRIES.c.hash, ENTRIES.c.entry).where(
        ENTRIES.c.floor == floor, ENTRIES.c.index >= start
    )
    if end is not None:
        query = query.where(ENTRIES.c.index < end)
    streamed = {"stream_results": True}
    ordered = query.order_by(ENTRIES.c.index)
    with connection.execute(ordered, execution_options=streamed) as rows:
        for row in rows:
            yield Link(*row)


def _reason(error: Exception) -> str:
    """The database's own words, without the statement and what was in it."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return (said.strip().splitlines() or [type(error).__name__])[0]
