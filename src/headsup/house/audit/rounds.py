"""Where rounds begin and end and who played them for how much, held against the log.

They are compared some hundred at a time, by table and number: a table's numbers follow one another,
so between two looks no row is passed by.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, select

from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.audit.streams import stream_rows
from headsup.house.store.projection_tables import (
    Projection,
    hand_rows,
    round_end_row,
    round_start_row,
)
from headsup.house.store.schema import HANDS, ROUNDS, ROUNDS_ENDED

ROWS_PER_BATCH = 500  # rows; a query for as many costs little more than one for a single row

_Key = tuple[Any, ...]


@dataclass(slots=True)
class _TableComparison:
    """One table of the database: by the floor's tables, what the log gave since it was last looked
    at, and how far that was."""

    table: Table
    key: tuple[str, ...]
    name: Callable[[StoredRow], str]
    made: dict[str, dict[_Key, StoredRow]] = field(default_factory=dict)
    through: dict[str, int] = field(default_factory=dict)

    def add(self, row: StoredRow) -> None:
        self.made.setdefault(str(row["table"]), {})[self.key_of(row)] = row

    def key_of(self, row: StoredRow) -> _Key:
        return tuple(row[name] for name in self.key)


class RoundsAudit:
    """Of one floor; what it holds at a time does not grow with the log."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._connection, self._floor, self._differences = connection, floor, differences
        self._begun = _TableComparison(
            ROUNDS, ("number",), _row_namer("the beginning of round {number}")
        )
        self._ended = _TableComparison(
            ROUNDS_ENDED, ("number",), _row_namer("the end of round {number}")
        )
        hand = _row_namer("the hand of seat {seat} in round {number}")
        self._hands = _TableComparison(HANDS, ("number", "seat"), hand)
        self._waiting = 0

    def take(self, notes: Projection) -> None:
        for begun in notes.begun:
            self._begun.add(round_start_row(self._floor, begun))
        for ended in notes.ended:
            self._ended.add(round_end_row(self._floor, ended))
            for hand in hand_rows(self._floor, ended):
                self._hands.add(hand)
        self._waiting += len(notes.begun) + len(notes.ended)
        if self._waiting >= ROWS_PER_BATCH:
            self._compare()

    def finish(self) -> None:
        """The log has ended: no more rows may be there."""
        self._compare()
        for kept in self._all:
            of_floor = kept.table.c.floor == self._floor
            names = self._connection.execute(select(kept.table.c.table).where(of_floor).distinct())
            for table in sorted(names.scalars(), key=str):
                for row in self._rows(kept, table):
                    self._differences.extra(kept.name(row))

    @property
    def _all(self) -> tuple[_TableComparison, ...]:
        return self._begun, self._ended, self._hands

    def _compare(self) -> None:
        for kept in self._all:
            for table, made in kept.made.items():
                last = max(int(str(row["number"])) for row in made.values())
                self._compare_table(kept, table, made, last)
                kept.through[table] = last
            kept.made = {}
        self._waiting = 0

    def _compare_table(
        self, kept: _TableComparison, table: str, made: dict[_Key, StoredRow], last: int
    ) -> None:
        for row in self._rows(kept, table, last):
            due = made.pop(kept.key_of(row), None)
            if due is None:
                self._differences.extra(kept.name(row))
            else:
                self._differences.compare(kept.name(row), row, due)
        for due in made.values():
            self._differences.missing(kept.name(due))

    def _rows(
        self, kept: _TableComparison, table: str, last: int | None = None
    ) -> Iterator[StoredRow]:
        """Those of a table that were not looked at yet, up to a round."""
        column = kept.table.c
        query = select(kept.table).where(column.floor == self._floor, column.table == table)
        if (through := kept.through.get(table)) is not None:
            query = query.where(column.number > through)
        if last is not None:
            query = query.where(column.number <= last)
        query = query.order_by(*(column[name] for name in kept.key))
        return stream_rows(self._connection, query)


def _row_namer(words: str) -> Callable[[StoredRow], str]:
    return lambda row: f"table {row['table']}: {words.format(**row)}"
