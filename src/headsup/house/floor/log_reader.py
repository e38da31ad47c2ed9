"""A floor from its log: each entry is folded and must give the state it was written with.

This is for servers, which trust their own decisions and check that nothing was lost or changed;
an auditor (`game/record/audit/auditor.py`) asks every decision again as well.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from headsup.game.record.chain import Link, make_link_from_text
from headsup.game.record.digest import digest
from headsup.game.record.event_codec import read_event
from headsup.game.record.header import is_header
from headsup.game.record.journal import Journal
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.house.store.database import Database


class BrokenLog(RuntimeError):
    """The log does not hold: the floor is not opened, and an auditor is needed."""

    def __init__(self, why: str, shorter: bool = False) -> None:
        super().__init__(why)
        self.shorter = shorter  # entries are gone, rather than changed


@dataclass(frozen=True, slots=True)
class LogStep:
    """One entry folded: where and when, what happened, and the journal after it."""

    journal: Journal
    table: str
    at: str
    events: tuple[Event, ...]


def apply_entry(journal: Journal, hash: str, text: str, checked: bool = True) -> LogStep:
    """The next entry of the log, by its hash and canonical text; not `checked`, the state is not
    held against the one that was written, which takes most of the time."""
    link = make_link_from_text(journal.head, text)
    if link.hash != hash:
        raise BrokenLog(f"entry {link.index} does not fit its hash")
    try:
        return _apply(journal, link, json.loads(text), checked)
    except BrokenLog:
        raise
    except Exception as error:  # nothing that was kept by a server cannot be folded
        why = type(error).__name__
        raise BrokenLog(f"entry {link.index} cannot be followed ({why})") from error


def _apply(journal: Journal, link: Link, entry: Any, checked: bool) -> LogStep:
    if link.index == 0:
        if not is_header(entry):
            raise BrokenLog("the log has no header")
        return LogStep(Journal(journal.floor, link.head, ""), "", "", ())
    floor, events = journal.floor, tuple(read_event(raw) for raw in entry["events"])
    for event in events:
        floor = evolve(floor, entry["table"], event)
    if checked and digest(floor) != entry["state"]:
        raise BrokenLog(f"entry {link.index} leads to another state than was written")
    return LogStep(Journal(floor, link.head, entry["at"]), entry["table"], entry["at"], events)


def apply_entries(journal: Journal, texts: Iterable[tuple[str, str]]) -> Iterator[LogStep]:
    """The entries after a journal, one by one."""
    for hash, text in texts:
        step = apply_entry(journal, hash, text)
        journal = step.journal
        yield step


def replay_to_end(
    database: Database, floor: str, journal: Journal, own: bool = True
) -> Iterator[LogStep]:
    """What the log holds beyond a journal of the same floor, to its very end: where it is our own
    nobody else adds to it, else it must be at least as long as it was before."""
    least = database.head(floor).count
    for step in apply_entries(journal, database.texts(floor, journal.head.count)):
        journal = step.journal
        yield step
    if journal.head.count < least or (own and journal.head != database.head(floor)):
        shorter = journal.head.count < database.head(floor).count
        raise BrokenLog(f"the log of {floor} does not end where it did", shorter)
