"""The hashes that are kept of tables' pasts, held against the log.

One that is another than the log makes is a difference. One that is not kept is none: an older
server may have played while it became complete, and a round is shown without it (`recalled`).
"""

from collections.abc import Mapping

from sqlalchemy import Connection, select

from headsup.game.table.state import Table
from headsup.game.values.counts import show_count
from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.audit.streams import stream_rows
from headsup.house.store.projection_tables import MIN_HASH_HEIGHT, HistoryHash
from headsup.house.store.schema import PAST_BLOCKS


class HistoryHashAudit:
    """Of one floor: one of 64 rounds has such a hash, and few have more than one."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._connection, self._floor, self._differences = connection, floor, differences
        self.missing: dict[str, int] = {}  # by table

    def take(self, blocks: tuple[HistoryHash, ...]) -> None:
        row = PAST_BLOCKS.c
        for made in blocks:
            query = select(PAST_BLOCKS).where(
                row.floor == self._floor,
                row.table == made.table,
                row.height == made.height,
                row.place == made.place,
            )
            found = self._connection.execute(query).one_or_none()
            if found is None:
                self.missing[made.table] = self.missing.get(made.table, 0) + 1
            else:
                due = {"number": made.number, "hash": made.hash}
                kept = dict(found._mapping)
                self._differences.compare(_hash_name(kept), kept, due)

    def finish(self, tables: Mapping[str, Table]) -> None:
        """Whatever a past is made of was looked at; there is no other."""
        query = select(PAST_BLOCKS).where(PAST_BLOCKS.c.floor == self._floor)
        for row in stream_rows(self._connection, query):
            table = tables.get(str(row["table"]))
            if table is None or not _is_complete(table.past.rounds, row["height"], row["place"]):
                self._differences.extra(_hash_name(row))

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(
            f"floor {self._floor}: {show_count(many, 'hash', 'hashes')} of the past of table "
            f"{table} not kept; made anew after the next start, or when a round of it is shown"
            for table, many in sorted(self.missing.items())
        )


def _is_complete(rounds: int, height: object, place: object) -> bool:
    if not isinstance(height, int) or not isinstance(place, int) or height > rounds.bit_length():
        return False
    return height >= MIN_HASH_HEIGHT and place >= 0 and place + 1 << height <= rounds


def _hash_name(row: StoredRow) -> str:
    return f"table {row['table']}: hash {row['place']} of height {row['height']} of its past"
