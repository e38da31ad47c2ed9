"""Rows that each belong to an entry of a floor's log, read in its order as the log is gone
through."""

from collections.abc import Iterable, Iterator

from sqlalchemy import ColumnElement, Connection, Table, select

from headsup.house.audit.differences import StoredRow
from headsup.house.audit.streams import RowStream, stream_rows


class RowsByEntry:
    """Of one floor, the first of them at hand."""

    def __init__(self, connection: Connection, table: Table, *which: ColumnElement[bool]) -> None:
        self._rows = _read(connection, table, which)
        self._next = next(self._rows, None)

    def until(self, index: int | None = None) -> Iterator[StoredRow]:
        """Those of entries up to this one that were not given yet; all where none is named."""
        while (row := self._next) is not None and (index is None or _index(row) <= index):
            self._next = next(self._rows, None)
            yield row

    def close(self) -> None:
        self._rows.close()


def _read(connection: Connection, table: Table, which: Iterable[ColumnElement[bool]]) -> RowStream:
    query = select(table).where(*which).order_by(table.c.index, table.c.number)
    return stream_rows(connection, query)


def _index(row: StoredRow) -> int:
    index = row["index"]
    return index if isinstance(index, int) else -1  # SQLite keeps anything
