"""Audits the house chain and the rows it covers.

Those are the records outside every floor's log: cash moves at the cage, and significant events
that no decision caused.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, select

from headsup.game.record.chain import (
    Head,
    Link,
    NonCanonicalJson,
    canonical_json,
    make_link_from_text,
)
from headsup.game.values.amounts import show_count
from headsup.game.values.money import format_cents
from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.store.database import Database
from headsup.house.store.house_chain import FIRST_LINK, read_house_head
from headsup.house.store.schema import HOUSE_ENTRIES, INCIDENTS, WALLET_MOVES

LINKS_PER_BATCH = 500
_RECORDS = {table.name: table for table in (WALLET_MOVES, INCIDENTS)}


@dataclass(frozen=True, slots=True)
class ChainAudit:
    """The result of auditing the house chain, up to its first broken link."""

    head: Head
    differences: tuple[str, ...]
    anchors: int
    anchors_met: int
    ends_early: bool  # intact, but shorter than when it was last anchored


def audit_house_chain(database: Database, anchors: Iterable[Head] = ()) -> ChainAudit:
    """Read everything in one consistent snapshot, a batch of links at a time."""
    differences, walk = Differences("the house", "its chain"), _Walk(frozenset(anchors))
    with database.consistent_connection() as connection:
        all_links = select(HOUSE_ENTRIES).order_by(HOUSE_ENTRIES.c.index)
        with closing(_stream_rows(connection, all_links)) as links:
            while batch := list(walk.intact_entries(islice(links, LINKS_PER_BATCH))):
                _compare(connection, batch, differences)
        walk.finish(read_house_head(connection))
        for table in _RECORDS.values():
            for row in _rows_without_link(connection, table):
                differences.extra(_record_name(table.name, row))
    sentences = (*walk.errors, *differences.sentences)
    anchored = len(walk.anchors), walk.anchors_met, not walk.errors and walk.was_longer
    return ChainAudit(walk.head, sentences, *anchored)


def chain_end_difference(connection: Connection) -> str:
    """What is wrong with the end of the chain, or "". Compares only its last link and its head."""
    head = read_house_head(connection)
    row = HOUSE_ENTRIES.c
    newest = connection.execute(select(row.index, row.hash).order_by(row.index.desc()).limit(1))
    last = newest.one_or_none()
    if head == (Head() if last is None else Head(last[0] + 1, last[1])):
        return ""
    return "the house's chain does not end where its head says"


class _BrokenLink(Exception):
    """Raised and caught in this module only."""


class _Walk:
    """Follows the chain link by link until one is broken."""

    def __init__(self, anchors: frozenset[Head]) -> None:
        self.anchors, self.head, self.anchors_met = anchors, Head(), 0
        self.errors: list[str] = []
        self._anchored: dict[int, list[str]] = {}  # hashes by length of the chain
        for anchor in anchors:
            self._anchored.setdefault(anchor.count, []).append(anchor.hash)

    def intact_entries(self, links: Iterable[StoredRow]) -> Iterator[StoredRow]:
        """The content of each link, up to the first broken one."""
        for row in () if self.errors else links:
            try:
                entry = self._read_link(row)
            except _BrokenLink as broken:
                position = self.head.count
                self.errors.append(f"the house's chain is broken at link {position}: {broken}")
                return
            yield entry

    def _read_link(self, row: StoredRow) -> StoredRow:
        count, text = self.head.count, str(row["entry"])
        if row["index"] != count:
            raise _BrokenLink(f"link {row['index']} is in its place")
        entry = _parse_entry(text)
        link = Link(count, str(row["hash"]), text)
        if link.hash != make_link_from_text(self.head, text).hash:
            raise _BrokenLink("it does not match its hash")
        for hash in self._anchored.get(count + 1, ()):
            if hash != link.hash:
                raise _BrokenLink("it differs from its anchor")
        self.anchors_met += link.head in self.anchors
        if count == 0:
            if entry != FIRST_LINK:
                raise _BrokenLink("it is not the first link of a house's chain")
            entry = {"record": "", "row": {"number": 0}}
        if (row["record"], row["number"]) != (entry.get("record"), _row_of(entry).get("number")):
            raise _BrokenLink("it is stored under another record")
        self.head = link.head
        return entry

    @property
    def was_longer(self) -> bool:
        return max(self._anchored, default=0) > self.head.count

    def finish(self, head: Head | None) -> None:
        if self.errors:
            return
        count = self.head.count
        if head is None:
            self.errors.append("the end of the house's chain is not stored")
        elif head != self.head:
            links = show_count(count, "link")
            self.errors.append(f"the house's chain has {links}, its head says {head.count:,}")


def _parse_entry(text: str) -> Mapping[str, Any]:
    try:
        entry = Link(0, "", text).entry
        if isinstance(entry, dict) and canonical_json(entry) == text:
            return entry
    except (NonCanonicalJson, ValueError, RecursionError):
        pass
    raise _BrokenLink("it is unreadable")


def _row_of(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    row = entry.get("row")
    return row if isinstance(row, dict) else {}


def _compare(connection: Connection, entries: list[StoredRow], differences: Differences) -> None:
    for name, table in _RECORDS.items():
        expected = {
            row["number"]: row
            for entry in entries
            if entry["record"] == name
            if (row := _row_of(entry))
        }
        query = select(table).where(table.c.number.in_(expected))
        stored = {row.number: dict(row._mapping) for row in connection.execute(query)}
        for number, row in expected.items():
            if number in stored:
                columns = {key: value for key, value in row.items() if key in table.c}
                differences.compare(_record_name(name, row), stored[number], columns)
            else:
                differences.missing(_record_name(name, row))


def _rows_without_link(connection: Connection, table: Table) -> Iterator[StoredRow]:
    """Rows that belong neither to a floor's log nor to the chain."""
    row, link = table.c, HOUSE_ENTRIES.c
    unbound: ColumnElement[bool] = row.floor == "" if table is WALLET_MOVES else row.index == 0
    same = and_(link.record == table.name, link.number == row.number)
    query = select(table).outerjoin(HOUSE_ENTRIES, same).where(unbound, link.index.is_(None))
    return _stream_rows(connection, query.order_by(row.number))


def _stream_rows(connection: Connection, query: Select[Any]) -> Generator[StoredRow, None, None]:
    with connection.execute(query, execution_options={"stream_results": True}) as rows:
        for row in rows:
            yield dict(row._mapping)


def _record_name(record: str, row: StoredRow) -> str:
    if record == INCIDENTS.name:
        return f"event {row['number']}, {row['kind']} of {row['at']},"
    cents = row["cents"]
    amount = format_cents(cents) if isinstance(cents, int) else str(cents)
    return f"move {row['number']}, {row['reason']} of {row['person']}, {amount},"
