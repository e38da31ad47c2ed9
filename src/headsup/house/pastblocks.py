"""The hashes that are kept of tables' pasts, held against the record.

One that is another than the record makes is a difference. One that is not kept is none: an older
server may have played while it became complete, and a round is shown without it (`recalled`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from headsup.game.record.journal import Journal
from headsup.house.pastrounds import past_blocks, past_rounds
from headsup.house.store.database import Database
from headsup.house.store.notes import BLOCK_HEIGHT
from headsup.house.store.schema import FLOORS, PAST_BLOCKS

_Place = tuple[int, int]  # its height, and among those of this height
_Kept = dict[_Place, tuple[int, str]]  # the last round and the hash


@dataclass(frozen=True, slots=True)
class ComparedBlocks:
    """Those of one table: how many are not as the record makes them, and how many are not there."""

    floor: str
    table: str
    wrong: int
    missing: int

    @property
    def difference(self) -> str:
        return f"floor {self.floor}: what is kept of the past of table {self.table} is not its own"

    @property
    def remark(self) -> str:
        many = "1 hash" if self.missing == 1 else f"{self.missing} hashes"
        return (
            f"floor {self.floor}: {many} of the past of table {self.table} not kept; "
            "made anew after the next start, or when a round of it is shown"
        )


def compared_blocks(
    database: Database, journals: Mapping[str, Journal]
) -> Iterator[ComparedBlocks]:
    """Of these floors, each as far as its journal goes."""
    for floor, journal in journals.items():
        kept, length = _kept(database, floor)
        tables = journal.floor.tables
        long = {id for id, table in tables.items() if table.past.rounds >> BLOCK_HEIGHT}
        names = sorted({*kept, *long})
        rounds = past_rounds(database, floor, [tables[id] for id in names if id in tables])
        for id in names:
            held = kept.get(id, {})
            if length != journal.head.count and id in tables:  # it has gone on meanwhile
                held = _until(held, tables[id].past.rounds)
            blocks = past_blocks(id, rounds.get(id, ()))
            made = {(one.height, one.place): (one.number, one.hash) for one in blocks}
            wrong = sum(made.get(place) != row for place, row in held.items())
            yield ComparedBlocks(floor, id, wrong, len(made.keys() - held.keys()))


def _kept(database: Database, floor: str) -> tuple[dict[str, _Kept], int | None]:
    """By table, and how long the log is by now."""
    row = PAST_BLOCKS.c
    query = select(row.table, row.height, row.place, row.number, row.hash).where(row.floor == floor)
    kept: dict[str, _Kept] = {}
    with database.reading() as connection:
        for table, height, place, number, hash in connection.execute(query):
            kept.setdefault(table, {})[height, place] = number, hash
        length = select(FLOORS.c.length).where(FLOORS.c.id == floor)
        return kept, connection.execute(length).scalar_one_or_none()


def _until(held: _Kept, rounds: int) -> _Kept:
    return {place: row for place, row in held.items() if place[1] + 1 << place[0] <= rounds}
