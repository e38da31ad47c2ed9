"""Rebuilds a floor from its log, and checks each entry against the chain and the state digest.

Servers use this to make sure that nothing was lost or changed. It does not check that the
decisions were right: the auditor (`game/record/audit/auditor.py`) decides every command again.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from headsup.game.record.chain import Link, make_link_from_text
from headsup.game.record.digest import digest
from headsup.game.record.journal import Journal, is_header
from headsup.game.record.message_codec import read_event
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.house.store.database import Database


class BrokenLog(RuntimeError):
    """The log is damaged: the floor is not opened, and somebody has to audit it."""

    def __init__(self, reason: str, is_shorter: bool = False) -> None:
        super().__init__(reason)
        self.is_shorter = is_shorter  # entries are missing, not changed


@dataclass(frozen=True, slots=True)
class LogStep:
    """One entry replayed: its table, time and events, and the journal after it."""

    journal: Journal
    table: str
    at: str
    events: tuple[Event, ...]


def apply_entry(journal: Journal, hash: str, text: str, check_state: bool = True) -> LogStep:
    """Apply the next entry of the log, given its hash and canonical text. `checked=False` skips
    the comparison with the state's digest, which takes most of the time."""
    link = make_link_from_text(journal.head, text)
    if link.hash != hash:
        raise BrokenLog(f"entry {link.index} does not fit its hash")
    try:
        return _apply(journal, link, json.loads(text), check_state)
    except BrokenLog:
        raise
    except Exception as error:  # a server never stores an entry that cannot be applied
        why = type(error).__name__
        raise BrokenLog(f"entry {link.index} cannot be applied ({why})") from error


def _apply(journal: Journal, link: Link, entry: Any, checked: bool) -> LogStep:
    if link.index == 0:
        if not is_header(entry):
            raise BrokenLog("the log has no header")
        return LogStep(Journal(journal.floor, link.head, ""), "", "", ())
    floor, events = journal.floor, tuple(read_event(raw) for raw in entry["events"])
    for event in events:
        floor = evolve(floor, entry["table"], event)
    if checked and digest(floor) != entry["state"]:
        raise BrokenLog(f"entry {link.index} leads to a different state than it records")
    return LogStep(Journal(floor, link.head, entry["at"]), entry["table"], entry["at"], events)


def apply_entries(journal: Journal, texts: Iterable[tuple[str, str]]) -> Iterator[LogStep]:
    """Apply the entries that follow a journal, one by one."""
    for hash, text in texts:
        step = apply_entry(journal, hash, text)
        journal = step.journal
        yield step


def replay_to_end(database: Database, floor: str, journal: Journal) -> Iterator[LogStep]:
    """Apply all entries after a journal, and check that the log ends where its floor's row says.
    Entries that another server adds meanwhile are left for later."""
    end = database.log_end(floor)
    if end is None:
        raise BrokenLog(f"floor {floor} is gone", True)
    head, stored_count = end
    if head.count < journal.head.count:
        raise BrokenLog(f"the log of {floor} is shorter than it was", True)
    texts = database.entry_texts(floor, journal.head.count, head.count)
    for step in apply_entries(journal, texts):
        journal = step.journal
        yield step
    if stored_count != head.count or journal.head != head:
        is_shorter = min(stored_count, journal.head.count) < head.count
        raise BrokenLog(f"the log of {floor} does not end where its floor says", is_shorter)
