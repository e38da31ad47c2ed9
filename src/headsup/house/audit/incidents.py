"""Significant events that follow from a decision, held against the log.

Which amounts were large then is known from the events about it. For an hour before and after such
a change either may have been known where the decision was made, so what is large by one of them
alone may be there or not.
"""

from collections.abc import Callable, Iterator

from sqlalchemy import Connection

from headsup.house.audit.differences import Differences, StoredRow, match_rows
from headsup.house.audit.rows_by_entry import RowsByEntry
from headsup.house.store.projection_tables import Incident, incident_row
from headsup.house.store.schema import INCIDENTS


class IncidentsAudit:
    """Of one floor."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._floor, self._differences = floor, differences
        row = INCIDENTS.c
        # Of no entry are those at 0, where a log has its header.
        self._rows = RowsByEntry(connection, INCIDENTS, row.floor == floor, row.index != 0)

    def take(
        self,
        index: int,
        surely: tuple[Incident, ...],
        perhaps: Callable[[], tuple[Incident, ...]],
    ) -> None:
        """Of this entry: those that must be there, and with them those that may be."""
        rows = [(_incident_name(row), row) for row in self._rows.until(index)]
        if not rows and not surely:
            return
        made = list(self._made(surely))
        may_be = [one for one in self._made(perhaps()) if one not in made]
        for one in may_be:
            if any(all(row[name] == one[1][name] for name in one[1]) for _, row in rows):
                made.append(one)
        match_rows(self._differences, rows, made)

    def close(self) -> None:
        self._rows.close()

    def finish(self) -> None:
        for row in self._rows.until():
            self._differences.extra(_incident_name(row))

    def _made(self, incidents: tuple[Incident, ...]) -> Iterator[tuple[str, StoredRow]]:
        for one in incidents:
            row = incident_row(self._floor, one)
            yield _incident_name(row), row


def _incident_name(row: StoredRow) -> str:
    round = f", round {row['round']}" if row["round"] else ""
    return f"table {row['table']}{round}: the event {row['kind']} of entry {row['index']}"
