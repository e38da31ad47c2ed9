"""Audits the house's log and the tables derived from it: cash, accounts and significant events."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from headsup.game.record.chain import (
    Head,
    Link,
    NonCanonicalJson,
    canonical_json,
    make_link_from_text,
)
from headsup.game.record.journal import LOG_FORMAT
from headsup.game.values.amounts import show_count
from headsup.house.audit.differences import Differences
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.database import Database, read_head, read_links
from headsup.house.store.house_log import project_fact, read_identity
from headsup.house.store.rebuild import Rebuild


@dataclass(frozen=True, slots=True)
class HouseLogAudit:
    """The result of auditing the house's log, up to its first bad entry."""

    head: Head
    differences: tuple[str, ...]
    anchors: int
    anchors_met: int
    ends_early: bool  # intact, but shorter than when it was last anchored


def audit_house_log(database: Database, anchors: Iterable[Head] = ()) -> HouseLogAudit:
    """Read everything in one consistent snapshot, and rebuild the tables from it."""
    differences, walk = Differences("the house", "its log"), _Walk(frozenset(anchors))
    with database.consistent_connection() as connection:
        stored, rebuild = read_head(connection, HOUSE_LOG), Rebuild(connection, HOUSE_LOG)
        walk.house = read_identity(connection)
        with closing(read_links(connection, HOUSE_LOG)) as links:
            error = walk.read(links, rebuild)
        error = error or walk.check_end(stored)
        if not error:
            differences.compare_tables(rebuild)
    errors = (error,) if error else ()
    anchored = len(walk.anchors), walk.anchors_met, not error and walk.was_longer
    return HouseLogAudit(walk.head, (*errors, *differences.sentences), *anchored)


class _BadEntry(Exception):
    """Raised and caught in this module only."""


class _Walk:
    """Follows the log entry by entry until one is bad."""

    def __init__(self, anchors: frozenset[Head]) -> None:
        self.anchors, self.head, self.anchors_met, self.house = anchors, Head(), 0, ""
        self._anchored: dict[int, list[str]] = {}  # hashes by length of the log
        for anchor in anchors:
            self._anchored.setdefault(anchor.count, []).append(anchor.hash)

    def read(self, links: Iterable[Link], rebuild: Rebuild) -> str:
        """Add every entry to the rebuild. Returns what is wrong with the first bad one, or ""."""
        for link in links:
            try:
                self._verify(link)
                if link.index:
                    rebuild.add(project_fact(link.index, _parse_entry(link.text)))
            except (_BadEntry, ValueError, LookupError, TypeError) as bad:
                why = str(bad) if isinstance(bad, _BadEntry) else "it is unreadable"
                return f"the house's log is broken at entry {link.index}: {why}"
            self.head = link.head
            self.anchors_met += self.head in self.anchors
        return ""

    def _verify(self, link: Link) -> None:
        count = self.head.count
        if link.index != count:
            raise _BadEntry(f"entry {count} is missing")
        entry = _parse_entry(link.text)
        if link.hash != make_link_from_text(self.head, link.text).hash:
            raise _BadEntry("it does not match its hash")
        if any(hash != link.hash for hash in self._anchored.get(count + 1, ())):
            raise _BadEntry("it differs from its anchor")
        whose = {"floor": HOUSE_LOG, "format": LOG_FORMAT, "house": self.house}
        if count == 0 and {**entry, **whose} != entry:
            raise _BadEntry("it is not the header of this house's log")

    @property
    def was_longer(self) -> bool:
        return max(self._anchored, default=0) > self.head.count

    def check_end(self, stored: Head | None) -> str:
        if stored is None:
            return "the end of the house's log is not stored"
        if stored == self.head:
            return ""
        entries = show_count(self.head.count, "entry", "entries")
        return f"the house's log has {entries}, its head says {stored.count:,}"


def _parse_entry(text: str) -> dict[str, Any]:
    try:
        entry = Link(0, "", text).entry
        if isinstance(entry, dict) and canonical_json(entry) == text:
            return entry
    except (NonCanonicalJson, ValueError, RecursionError):
        pass
    raise _BadEntry("it is unreadable")
