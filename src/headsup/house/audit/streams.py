"""Reads rows from the database one at a time, without loading a whole table."""

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, select

from headsup.house.audit.differences import StoredRow

RowStream = Generator[StoredRow, None, None]  # close it unless it was read to the end


def stream_rows(connection: Connection, query: Select[Any]) -> RowStream:
    with connection.execute(query, execution_options={"stream_results": True}) as rows:
        for row in rows:
            yield dict(row._mapping)


class RowsByEntry:
    """The rows of a floor that belong to log entries, in the order of the log."""

    def __init__(
        self, connection: Connection, table: Table, *conditions: ColumnElement[bool]
    ) -> None:
        self._rows = _read(connection, table, conditions)
        self._next = next(self._rows, None)

    def until(self, index: int | None = None) -> Iterator[StoredRow]:
        """The rows not yet returned, up to and including this entry's; without an index, all."""
        while (row := self._next) is not None and (index is None or _index(row) <= index):
            self._next = next(self._rows, None)
            yield row

    def close(self) -> None:
        self._rows.close()


def _read(
    connection: Connection, table: Table, conditions: Iterable[ColumnElement[bool]]
) -> RowStream:
    query = select(table).where(*conditions).order_by(table.c.index, table.c.number)
    return stream_rows(connection, query)


def _index(row: StoredRow) -> int:
    index = row["index"]
    return index if isinstance(index, int) else -1  # SQLite stores a value of any type
