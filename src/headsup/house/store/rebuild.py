"""Rebuilds the tables derived from a floor's log, and compares them with the stored ones.

The rows are derived and written by the functions that the server uses, but into temporary tables
of the audit's own connection. The database then compares both: what is stored and not in the log,
and what is in the log and not stored. Two rows with the same key are one altered row.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, TypeAlias

from sqlalchemy import (
    Column,
    CompoundSelect,
    Connection,
    MetaData,
    Select,
    Table,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    union_all,
)
from sqlalchemy.schema import CreateTable

from headsup.game.record.chain import Head
from headsup.game.values.amounts import show_count
from headsup.house.store.projection_rows import AccountState, Projection
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.schema import (
    ANSWERS,
    ENTRIES,
    FLOORS,
    HANDS,
    INCIDENTS,
    PEOPLE,
    ROUNDS,
    ROUNDS_ENDED,
    SLIPS,
    TABLES,
    TAKINGS,
    WALLET_MOVES,
)

PROJECTIONS_PER_BATCH = 2_000
StoredRow: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DerivedTable:
    """A table whose rows follow from a floor's log, and the key that names a row of one floor."""

    table: Table
    key: tuple[str, ...]
    singular: str
    plural: str
    log: str = "floor"  # the column with the name of the log; empty for the house's own tables

    @property
    def columns(self) -> tuple[str, ...]:
        """All that the log decides: no password, and not the order of commits, by which rows of
        entries are paged through."""
        left_out = {"number", "password", "failures"} - set(self.key)
        return tuple(column.name for column in self.table.c if column.name not in left_out)

    def name(self, row: StoredRow) -> str:
        """A row's name in reports, such as `hands, table T1 round 5 seat 4`."""
        parts = (f"{_LABELS.get(name, name)} {row[name]}".strip() for name in self.key)
        return f"{self.table.name}, {' '.join(parts)}"


# Where a column's own name does not say it; a heading of the takings says what it is.
_LABELS = {"number": "round", "index": "entry", "what": "", "command": ""}
_OF_AN_ENTRY = ("index", "part")

DERIVED_TABLES = (
    DerivedTable(ANSWERS, ("command",), "answer", "answers"),
    DerivedTable(TABLES, ("id",), "table", "tables"),
    DerivedTable(ROUNDS, ("table", "number"), "round start", "round starts"),
    DerivedTable(ROUNDS_ENDED, ("table", "number"), "round end", "round ends"),
    DerivedTable(HANDS, ("table", "number", "seat"), "hand", "hands"),
    DerivedTable(TAKINGS, ("table", "day", "what"), "row of takings", "rows of takings"),
    DerivedTable(WALLET_MOVES, _OF_AN_ENTRY, "wallet move", "wallet moves"),
    DerivedTable(SLIPS, ("table", "slip"), "slip", "slips"),
    DerivedTable(INCIDENTS, _OF_AN_ENTRY, "significant event", "significant events", "log"),
)
_ACCOUNTS = DerivedTable(PEOPLE, ("name",), "account", "accounts", "")


class Rebuild:
    """The derived tables of one floor, built again from its log.

    The connection must show one consistent state. When its transaction is rolled back, the
    temporary tables are gone.
    """

    def __init__(self, connection: Connection, floor: str) -> None:
        self._connection, self._floor = connection, floor
        self._waiting: list[Projection] = []
        # Tables with more rows, or fewer, than the log leads to, though all rows are the same.
        self.copied_rows: list[tuple[DerivedTable, int, int]] = []
        if connection.dialect.name == "postgresql":
            self._temporary = "pg_temp"
            self._stored = str(connection.execute(text("SELECT current_schema()")).scalar_one())
        else:
            self._temporary, self._stored = "temp", "main"
        self._tables = DERIVED_TABLES if floor else (*DERIVED_TABLES, _ACCOUNTS)
        for derived in self._tables:
            connection.execute(CreateTable(_without_answers_key(derived, self._temporary)))
        self._use(self._stored)

    def _use(self, schema: str) -> None:
        """Say which tables are meant by names without a schema: by default the temporary ones."""
        self._connection.execution_options(schema_translate_map={None: schema})

    def add(self, projection: Projection) -> None:
        self._waiting.append(projection)
        if len(self._waiting) >= PROJECTIONS_PER_BATCH:
            self._write()

    def _write(self) -> None:
        self._use(self._temporary)
        write_projections(self._connection, ((self._floor, one) for one in self._waiting))
        self._write_accounts(
            {one.id: one for projection in self._waiting for one in projection.accounts}
        )
        self._use(self._stored)
        self._waiting.clear()

    def _write_accounts(self, accounts: Mapping[str, AccountState]) -> None:
        """A server writes an account before it records it; here only its last state counts."""
        if accounts:
            self._connection.execute(delete(PEOPLE).where(PEOPLE.c.id.in_(accounts)))
            rows = [{**asdict(one), "password": "", "failures": 0} for one in accounts.values()]
            self._connection.execute(insert(PEOPLE), rows)

    def differing_rows(self) -> "Iterator[tuple[DerivedTable, list[StoredRow], list[StoredRow]]]":
        """Rows with the same key that differ: the stored ones, and those of the log. Where there
        are none, an exact copy of a row could still be stored: see `copied_rows`."""
        self._write()
        for derived in self._tables:
            stored = self._rows(derived, self._stored)
            rebuilt = self._rows(derived, self._temporary)
            differ = False
            for rows in self._differing_rows(derived, stored, rebuilt):
                yield (derived, *rows)
                differ = True
            if not differ:
                self._count(derived, stored, rebuilt)

    def _rows(self, derived: DerivedTable, schema: str) -> Select[Any]:
        column = _in_schema(derived.table, schema).c
        query = select(*(column[name] for name in derived.columns))
        return query.where(column[derived.log] == self._floor) if derived.log else query

    def _differing_rows(
        self, derived: DerivedTable, stored: Select[Any], rebuilt: Select[Any]
    ) -> Iterator[tuple[list[StoredRow], list[StoredRow]]]:
        both = union_all(
            _with_source(stored.except_(rebuilt), is_stored=True),
            _with_source(rebuilt.except_(stored), is_stored=False),
        ).subquery()
        ordered = select(both).order_by(*(both.c[name] for name in derived.key))
        with self._connection.execute(ordered, execution_options={"stream_results": True}) as found:
            rows = (dict(row._mapping) for row in found)
            for _, same in groupby(rows, lambda row: [row[name] for name in derived.key]):
                sides: tuple[list[StoredRow], list[StoredRow]] = [], []
                for row in same:
                    sides[not row.pop("is_stored")].append(row)
                yield sides

    def _count(self, derived: DerivedTable, stored: Select[Any], rebuilt: Select[Any]) -> None:
        """Find exact copies of rows, which can be there only if somebody dropped a key."""
        counts = (select(func.count()).select_from(rows.subquery()) for rows in (stored, rebuilt))
        there, expected = (self._connection.execute(query).scalar_one() for query in counts)
        if there != expected:
            self.copied_rows.append((derived, there, expected))


def _in_schema(table: Table, schema: str) -> Table:
    return table.to_metadata(MetaData(), schema=schema)


def _without_answers_key(derived: DerivedTable, schema: str) -> Table:
    """The table, but a log that somebody forged may carry out the same command twice."""
    if derived.table is not ANSWERS:
        return _in_schema(derived.table, schema)
    columns = (Column(column.name, column.type) for column in ANSWERS.c)
    return Table(ANSWERS.name, MetaData(), *columns, schema=schema)


def _with_source(rows: CompoundSelect[Any], is_stored: bool) -> Select[Any]:
    return select(literal(is_stored).label("is_stored"), rows.subquery())


def stray_rows(connection: Connection, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Rows of floors that do not exist: the floor, and how many rows of what."""
    floors = {*known, *connection.execute(select(FLOORS.c.id)).scalars()}
    for derived in DERIVED_TABLES:
        log = derived.table.c[derived.log]
        query = select(log, func.count()).group_by(log).order_by(log)
        for floor, count in connection.execute(query):
            if floor not in floors:
                yield floor, show_count(count, derived.singular, derived.plural)


def count_entries_after(connection: Connection, floor: str, head: Head) -> int:
    """How many entries are stored after the end of a log."""
    entry = ENTRIES.c
    query = select(func.count()).where(entry.floor == floor, entry.index >= head.count)
    return connection.execute(query).scalar_one()
