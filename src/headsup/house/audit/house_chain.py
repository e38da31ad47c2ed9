"""The house's own chain, and whether the rows it is about are what it says: cash at the cage, and
significant events of no decision."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, select

from headsup.game.record.chain import (
    Head,
    Link,
    NonCanonicalJson,
    canonical_json,
    make_link_from_text,
)
from headsup.game.values.counts import show_count
from headsup.game.values.money import format_cents
from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.audit.streams import stream_rows
from headsup.house.store.database import Database
from headsup.house.store.house_chain import read_house_head
from headsup.house.store.schema import HOUSE_ENTRIES, INCIDENTS, WALLET_MOVES

LINKS_PER_BATCH = 500  # links, with the rows they are about
_RECORDS = {table.name: table for table in (WALLET_MOVES, INCIDENTS)}


@dataclass(frozen=True, slots=True)
class ChainAudit:
    """As far as it holds; `from_before` are the records that were there before the chain was."""

    head: Head
    from_before: int
    differences: tuple[str, ...]
    anchors: int
    anchors_met: int
    ends_early: bool  # nothing is wrong with it, and it was longer when it was anchored last


def audit_house_chain(database: Database, anchors: Iterable[Head] = ()) -> ChainAudit:
    """Read at one moment, some hundred links at a time."""
    found, walk = Differences("the house", "its chain"), _Walk(frozenset(anchors))
    with database.at_one_moment() as connection:
        every = select(HOUSE_ENTRIES).order_by(HOUSE_ENTRIES.c.index)
        with closing(stream_rows(connection, every)) as links:
            while some := list(walk.holding(islice(links, LINKS_PER_BATCH))):
                _compare(connection, some, found)
        walk.finish(read_house_head(connection))
        for table in _RECORDS.values():
            for row in _rows_without_link(connection, table):
                found.extra(_record_name(table.name, row))
    wrong = (*walk.wrong, *found.sentences)
    anchored = len(walk.anchors), walk.met, not walk.wrong and walk.was_longer
    return ChainAudit(walk.head, walk.from_before, wrong, *anchored)


def chain_end_difference(connection: Connection) -> str:
    """Whether the chain's last link is the one where it is said to end; its links are not read."""
    head = read_house_head(connection)
    row = HOUSE_ENTRIES.c
    last = connection.execute(select(row.index, row.hash).order_by(row.index.desc()).limit(1))
    found = last.one_or_none()
    if head == (Head() if found is None else Head(found[0] + 1, found[1])):
        return ""
    return "the house's chain does not end where it is said to end"


class _Broken(Exception):
    """An answer inside this file, not an error."""


class _Walk:
    """From link to link, as long as they hold."""

    def __init__(self, anchors: frozenset[Head]) -> None:
        self.anchors, self.head, self.from_before, self.met = anchors, Head(), 0, 0
        self.wrong: list[str] = []
        self._anchored: dict[int, list[str]] = {}
        for anchor in anchors:
            self._anchored.setdefault(anchor.count, []).append(anchor.hash)

    def holding(self, links: Iterable[StoredRow]) -> Iterator[StoredRow]:
        """What each says: the table and the row. None follows one that does not hold."""
        for row in () if self.wrong else links:
            try:
                said = self._said(row)
            except _Broken as broken:
                at = self.head.count
                self.wrong.append(f"the house's chain does not hold at link {at}: {broken}")
                return
            yield said

    def _said(self, row: StoredRow) -> StoredRow:
        count, text = self.head.count, str(row["entry"])
        if row["index"] != count:
            raise _Broken(f"link {row['index']} stands there")
        said = _read(text)
        link = Link(count, str(row["hash"]), text)
        if link.hash != make_link_from_text(self.head, text).hash:
            raise _Broken("it does not fit its hash")
        for hash in self._anchored.get(count + 1, ()):
            if hash != link.hash:
                raise _Broken("it was anchored otherwise")
        self.met += link.head in self.anchors
        if count == 0:
            self.from_before = _from_before(said)
            said = {"record": "", "row": {"number": 0}}
        if (row["record"], row["number"]) != (said.get("record"), _row_of(said).get("number")):
            raise _Broken("it is kept as one of another record")
        self.head = link.head
        return said

    @property
    def was_longer(self) -> bool:
        return max(self._anchored, default=0) > self.head.count

    def finish(self, head: Head | None) -> None:
        if self.wrong:
            return
        count = self.head.count
        if head is None:
            self.wrong.append("where the house's chain ends is not kept")
        elif head != self.head:
            links = show_count(count, "link")
            self.wrong.append(f"the house's chain has {links}, and is said to have {head.count:,}")


def _read(text: str) -> Mapping[str, Any]:
    try:
        said = Link(0, "", text).entry
        if isinstance(said, dict) and canonical_json(said) == text:
            return said
    except (NonCanonicalJson, ValueError, RecursionError):
        pass
    raise _Broken("it cannot be read")


def _from_before(said: Mapping[str, Any]) -> int:
    counts = said.get("from_before")
    if not isinstance(counts, dict) or not all(isinstance(one, int) for one in counts.values()):
        raise _Broken("it does not begin as a chain of the house does")
    return sum(counts.values())


def _row_of(said: Mapping[str, Any]) -> Mapping[str, Any]:
    row = said.get("row")
    return row if isinstance(row, dict) else {}


def _compare(connection: Connection, said: list[StoredRow], differences: Differences) -> None:
    for name, table in _RECORDS.items():
        made = {
            row["number"]: row for one in said if one["record"] == name if (row := _row_of(one))
        }
        query = select(table).where(table.c.number.in_(made))
        found = {row.number: dict(row._mapping) for row in connection.execute(query)}
        for number, row in made.items():
            if number in found:
                known = {key: value for key, value in row.items() if key in table.c}
                differences.compare(_record_name(name, row), found[number], known)
            else:
                differences.missing(_record_name(name, row))


def _rows_without_link(connection: Connection, table: Table) -> Iterator[StoredRow]:
    """Rows of no entry of a floor's log that have no link either."""
    row, link = table.c, HOUSE_ENTRIES.c
    unbound: ColumnElement[bool] = row.floor == "" if table is WALLET_MOVES else row.index == 0
    same = and_(link.record == table.name, link.number == row.number)
    query = select(table).outerjoin(HOUSE_ENTRIES, same).where(unbound, link.index.is_(None))
    return stream_rows(connection, query.order_by(row.number))


def _record_name(record: str, row: StoredRow) -> str:
    if record == INCIDENTS.name:
        return f"event {row['number']}, {row['kind']} of {row['at']},"
    cents = row["cents"]
    amount = format_cents(cents) if isinstance(cents, int) else str(cents)
    return f"move {row['number']}, {row['reason']} of {row['person']}, {amount},"
