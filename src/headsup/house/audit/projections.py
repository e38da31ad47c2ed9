"""Audits the tables derived from a floor's log: each row must be what the log leads to.

Every class here is fed the decisions of one floor in order (`check`), compares rows as it goes,
and reports rows left over at the end (`finish`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, select
from sqlalchemy import Table as SqlTable

from headsup.game.table.state import Table
from headsup.game.values.amounts import show_count
from headsup.game.values.dates import is_before
from headsup.game.values.money import format_cents
from headsup.house.audit.differences import Differences, StoredRow, match_rows
from headsup.house.audit.streams import RowsByEntry, RowStream, stream_rows
from headsup.house.store.projection_rows import (
    MIN_HASH_HEIGHT,
    HistoryHash,
    Incident,
    Projection,
    Taking,
)
from headsup.house.store.projection_tables import (
    FIGURES,
    hand_rows,
    incident_row,
    round_end_row,
    round_start_row,
)
from headsup.house.store.protocol import WalletMove
from headsup.house.store.schema import (
    HANDS,
    INCIDENTS,
    PAST_BLOCKS,
    ROUNDS,
    ROUNDS_ENDED,
    TAKINGS,
    WALLET_MOVES,
)


class IncidentsAudit:
    """Checks the significant events that follow from decisions.

    For an hour around a change of the reporting thresholds a server may have used the old or the
    new ones, so an event that only one of them calls for may be there or not.
    """

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._floor, self._differences = floor, differences
        row = INCIDENTS.c
        # Index 0 is the log's header, so events there belong to no entry.
        self._rows = RowsByEntry(connection, INCIDENTS, row.floor == floor, row.index != 0)

    def check(
        self,
        index: int,
        required: tuple[Incident, ...],
        optional: Callable[[], tuple[Incident, ...]],
    ) -> None:
        """Check one entry's events: all of `required`, and any of those in `optional`."""
        stored = [(_incident_name(row), row) for row in self._rows.until(index)]
        if not stored and not required:
            return
        expected = list(self._expected_rows(required))
        for pair in self._expected_rows(optional()):
            row = pair[1]
            if pair not in expected and any(
                all(found[name] == row[name] for name in row) for _, found in stored
            ):
                expected.append(pair)
        match_rows(self._differences, stored, expected)

    def close(self) -> None:
        self._rows.close()

    def finish(self) -> None:
        for row in self._rows.until():
            self._differences.extra(_incident_name(row))

    def _expected_rows(self, incidents: tuple[Incident, ...]) -> Iterator[tuple[str, StoredRow]]:
        for incident in incidents:
            row = incident_row(self._floor, incident)
            yield _incident_name(row), row


def _incident_name(row: StoredRow) -> str:
    round = f", round {row['round']}" if row["round"] else ""
    return f"table {row['table']}{round}: the event {row['kind']} of entry {row['index']}"


# Rounds and hands. A table's rounds are numbered in order, so they are compared in batches:
# each query takes up where the one before ended.

ROWS_PER_BATCH = 500  # a query for 500 rows costs little more than one for a single row

_Key = tuple[Any, ...]


@dataclass(slots=True)
class _TableComparison:
    """The rows expected in one database table, and how far each gaming table was compared."""

    table: SqlTable
    key: tuple[str, ...]
    name: Callable[[StoredRow], str]
    # Both by gaming table: rows expected since the last batch, and the last round compared.
    expected: dict[str, dict[_Key, StoredRow]] = field(default_factory=dict)
    through: dict[str, int] = field(default_factory=dict)

    def add(self, row: StoredRow) -> None:
        self.expected.setdefault(str(row["table"]), {})[self.key_of(row)] = row

    def key_of(self, row: StoredRow) -> _Key:
        return tuple(row[name] for name in self.key)


class RoundsAudit:
    """Checks round starts, round ends and hands. Memory does not grow with the log."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._connection, self._floor, self._differences = connection, floor, differences
        self._starts = _TableComparison(
            ROUNDS, ("number",), _row_namer("the start of round {number}")
        )
        self._ends = _TableComparison(
            ROUNDS_ENDED, ("number",), _row_namer("the end of round {number}")
        )
        hand = _row_namer("the hand of seat {seat} in round {number}")
        self._hands = _TableComparison(HANDS, ("number", "seat"), hand)
        self._waiting = 0

    def check(self, projection: Projection) -> None:
        for start in projection.round_starts:
            self._starts.add(round_start_row(self._floor, start))
        for end in projection.round_ends:
            self._ends.add(round_end_row(self._floor, end))
            for hand in hand_rows(self._floor, end):
                self._hands.add(hand)
        self._waiting += len(projection.round_starts) + len(projection.round_ends)
        if self._waiting >= ROWS_PER_BATCH:
            self._compare()

    def finish(self) -> None:
        """Compare the last batch and report all rows that come after it."""
        self._compare()
        for comparison in self._comparisons:
            column = comparison.table.c
            query = select(column.table).where(column.floor == self._floor).distinct()
            names = self._connection.execute(query)
            for table in sorted(names.scalars(), key=str):
                for row in self._rows(comparison, table):
                    self._differences.extra(comparison.name(row))

    @property
    def _comparisons(self) -> tuple[_TableComparison, ...]:
        return self._starts, self._ends, self._hands

    def _compare(self) -> None:
        for comparison in self._comparisons:
            for table, expected in comparison.expected.items():
                last = max(int(str(row["number"])) for row in expected.values())
                self._compare_table(comparison, table, expected, last)
                comparison.through[table] = last
            comparison.expected = {}
        self._waiting = 0

    def _compare_table(
        self, comparison: _TableComparison, table: str, expected: dict[_Key, StoredRow], last: int
    ) -> None:
        for row in self._rows(comparison, table, last):
            expected_row = expected.pop(comparison.key_of(row), None)
            if expected_row is None:
                self._differences.extra(comparison.name(row))
            else:
                self._differences.compare(comparison.name(row), row, expected_row)
        for expected_row in expected.values():
            self._differences.missing(comparison.name(expected_row))

    def _rows(
        self, comparison: _TableComparison, table: str, last: int | None = None
    ) -> Iterator[StoredRow]:
        """A gaming table's rows that were not compared yet, up to round `last`."""
        column = comparison.table.c
        query = select(comparison.table).where(column.floor == self._floor, column.table == table)
        if (through := comparison.through.get(table)) is not None:
            query = query.where(column.number > through)
        if last is not None:
            query = query.where(column.number <= last)
        query = query.order_by(*(column[name] for name in comparison.key))
        return stream_rows(self._connection, query)


def _row_namer(template: str) -> Callable[[StoredRow], str]:
    return lambda row: f"table {row['table']}: {template.format(**row)}"


# Wallets.

MAX_BATCH_COMMANDS = 1_000  # commands that a floor decides together (`Host`)
_COMPARED_COLUMNS = ("person", "cents", "reason", "table", "by")


class WalletMovesAudit:
    """Checks moves between wallets and the floor against buy-ins, cash-outs and corrections.

    Older servers stored a move under the first entry of its batch, so a row may have to wait
    for the entry that it belongs to.
    """

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._differences = differences
        self._rows = RowsByEntry(connection, WALLET_MOVES, WALLET_MOVES.c.floor == floor)
        self._waiting: list[StoredRow] = []
        self._last = ""  # the time of the entry before

    def check(self, index: int, at: str, moves: Iterable[WalletMove]) -> None:
        rows = list(self._rows.until(index))
        unmatched = [
            expected
            for move in moves
            if not self._take_match(expected := _expected_row(move, at), rows)
        ]
        for expected in unmatched:
            # A row of this entry with the same reason is most likely the same move, altered.
            row = next((row for row in rows if row["reason"] == expected["reason"]), None)
            if row is None or row["index"] != index:
                self._differences.missing(_move_name(expected, index))
            else:
                rows.remove(row)
                self._differences.compare(_move_name(expected, index), row, expected)
        self._waiting += rows
        self._last = at
        self._report_extra([row for row in self._waiting if not _may_belong_later(row, index)])

    def close(self) -> None:
        self._rows.close()

    def finish(self) -> None:
        self._report_extra([*self._waiting, *self._rows.until()])

    def _take_match(self, expected: StoredRow, new_rows: list[StoredRow]) -> bool:
        """Remove the stored row that matches, and return whether there was one."""
        for rows in (new_rows, self._waiting):
            for row in rows:
                same = all(row[name] == expected[name] for name in _COMPARED_COLUMNS)
                if same and self._is_time_valid(row, expected):
                    rows.remove(row)
                    return True
        return False

    def _is_time_valid(self, row: StoredRow, expected: StoredRow) -> bool:
        """Rows have the clock's time, even after it was set back; the log's never goes back."""
        stored, at = row["at"], str(expected["at"])
        return stored == at or (self._last == at and is_before(str(stored), at))

    def _report_extra(self, rows: list[StoredRow]) -> None:
        for row in rows:
            self._differences.extra(_move_name(row, row["index"]))
        self._waiting = [row for row in self._waiting if row not in rows]


def _expected_row(move: WalletMove, at: str) -> StoredRow:
    return {
        "person": move.person,
        "cents": move.cents,
        "reason": move.reason,
        "table": move.table,
        "by": "",
        "at": at,
    }


def _may_belong_later(row: StoredRow, index: int) -> bool:
    """Whether a row may belong to an entry after this one."""
    first = row["index"]
    return isinstance(first, int) and 0 <= first <= index < first + MAX_BATCH_COMMANDS


def _move_name(row: StoredRow, index: object) -> str:
    cents = row["cents"]
    amount = format_cents(cents) if isinstance(cents, int) else str(cents)
    return f"table {row['table']}: {row['reason']} of {row['person']}, {amount} with entry {index},"


# Takings.

_TakingKey = tuple[str, str]  # table and heading


class TakingsAudit:
    """Checks what the tables took each day. The log is in order, so one day is summed at a time."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._differences = differences
        self._rows = _rows_by_day(connection, floor)
        self._next = next(self._rows, None)
        self._day = ""
        self._sums: dict[_TakingKey, list[int]] = {}

    def check(self, takings: tuple[Taking, ...]) -> None:
        for taking in takings:
            if taking.day != self._day:
                self._compare()
                self._day = taking.day
            sums = self._sums.setdefault((taking.table, taking.what), [0] * len(FIGURES))
            for i, figure in enumerate(taking.figures):
                sums[i] += figure

    def finish(self) -> None:
        self._compare()
        while self._next is not None:
            self._report_extra(self._next)

    def close(self) -> None:
        self._rows.close()

    def _compare(self) -> None:
        """Compare the day that has ended; rows of earlier days that are still here are extra."""
        while self._next is not None and str(self._next["day"]) <= self._day:
            row = self._next
            key = str(row["table"]), str(row["what"])
            if row["day"] != self._day or key not in self._sums:
                self._report_extra(row)
                continue
            sums = dict(zip(FIGURES, self._sums.pop(key), strict=True))
            self._differences.compare(_taking_name(row), row, sums)
            self._next = next(self._rows, None)
        for table, heading in self._sums:
            self._differences.missing(
                _taking_name({"table": table, "what": heading, "day": self._day})
            )
        self._sums = {}

    def _report_extra(self, row: StoredRow) -> None:
        self._differences.extra(_taking_name(row))
        self._next = next(self._rows, None)


def _rows_by_day(connection: Connection, floor: str) -> RowStream:
    row = TAKINGS.c
    day: ColumnElement[str] = row.day
    if connection.dialect.name == "postgresql":
        day = day.collate("C")  # the order of Python's string comparison
    query = select(TAKINGS).where(row.floor == floor).order_by(day, row.table, row.what)
    return stream_rows(connection, query)


def _taking_name(row: StoredRow) -> str:
    return f"table {row['table']}: the row of takings for {row['day']} under {row['what']}"


# History hashes.


class HistoryHashAudit:
    """Checks the stored Merkle hashes of the tables' histories; one is due every 64 rounds.

    A wrong hash is a difference. A missing one is only a remark: an older server does not store
    them, and `prove_round` does without.
    """

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._connection, self._floor, self._differences = connection, floor, differences
        self.missing: dict[str, int] = {}  # by table

    def check(self, hashes: tuple[HistoryHash, ...]) -> None:
        row = PAST_BLOCKS.c
        for expected in hashes:
            query = select(PAST_BLOCKS).where(
                row.floor == self._floor,
                row.table == expected.table,
                row.height == expected.height,
                row.place == expected.place,
            )
            found = self._connection.execute(query).one_or_none()
            if found is None:
                self.missing[expected.table] = self.missing.get(expected.table, 0) + 1
            else:
                stored = dict(found._mapping)
                expected_row = {"number": expected.number, "hash": expected.hash}
                self._differences.compare(_hash_name(stored), stored, expected_row)

    def finish(self, tables: Mapping[str, Table]) -> None:
        """Report hashes of blocks that the tables' histories do not have."""
        query = select(PAST_BLOCKS).where(PAST_BLOCKS.c.floor == self._floor)
        for row in stream_rows(self._connection, query):
            table = tables.get(str(row["table"]))
            if table is None or not _is_complete(table.past.rounds, row["height"], row["place"]):
                self._differences.extra(_hash_name(row))

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(
            f"floor {self._floor}: {show_count(count, 'history hash', 'history hashes')} of table "
            f"{table} not stored; they are computed after the next start, or when a payout of "
            "the table is corrected"
            for table, count in sorted(self.missing.items())
        )


def _is_complete(rounds: int, height: object, place: object) -> bool:
    if not isinstance(height, int) or not isinstance(place, int) or height > rounds.bit_length():
        return False
    return height >= MIN_HASH_HEIGHT and place >= 0 and place + 1 << height <= rounds


def _hash_name(row: StoredRow) -> str:
    return f"table {row['table']}: history hash {row['place']} of height {row['height']}"
