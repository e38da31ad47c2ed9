"""What tables took on each day, held against the log: its days follow one another, so only one of
them is added up at a time."""

from sqlalchemy import ColumnElement, Connection, select

from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.audit.streams import RowStream, stream_rows
from headsup.house.store.projection_tables import FIGURES, Taking
from headsup.house.store.schema import TAKINGS

_TakingKey = tuple[str, str]  # table and heading


class TakingsAudit:
    """Of one floor."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._differences = differences
        self._rows = _rows_by_day(connection, floor)
        self._next = next(self._rows, None)
        self._day = ""
        self._made: dict[_TakingKey, list[int]] = {}

    def take(self, takings: tuple[Taking, ...]) -> None:
        for taking in takings:
            if taking.day != self._day:
                self._compare()
                self._day = taking.day
            held = self._made.setdefault((taking.table, taking.what), [0] * len(FIGURES))
            for number, more in enumerate(taking.figures):
                held[number] += more

    def finish(self) -> None:
        self._compare()
        while self._next is not None:
            self._extra(self._next)

    def close(self) -> None:
        self._rows.close()

    def _compare(self) -> None:
        """The day that has ended in the log, and those before it that have nothing in it."""
        while self._next is not None and str(self._next["day"]) <= self._day:
            row = self._next
            made = self._made.pop((str(row["table"]), str(row["what"])), None)
            if row["day"] != self._day or made is None:
                self._extra(row)
                continue
            self._differences.compare(_taking_name(row), row, dict(zip(FIGURES, made, strict=True)))
            self._next = next(self._rows, None)
        for table, what in self._made:
            self._differences.missing(
                _taking_name({"table": table, "what": what, "day": self._day})
            )
        self._made = {}

    def _extra(self, row: StoredRow) -> None:
        self._differences.extra(_taking_name(row))
        self._next = next(self._rows, None)


def _rows_by_day(connection: Connection, floor: str) -> RowStream:
    row = TAKINGS.c
    day: ColumnElement[str] = row.day
    if connection.dialect.name == "postgresql":
        day = day.collate("C")  # as texts are compared here, whatever is written there
    query = select(TAKINGS).where(row.floor == floor).order_by(day, row.table, row.what)
    return stream_rows(connection, query)


def _taking_name(row: StoredRow) -> str:
    return f"table {row['table']}: what it took on {row['day']} under {row['what']}"
