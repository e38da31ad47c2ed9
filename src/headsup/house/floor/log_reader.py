"""Replays a floor's log from the database.

Every entry is checked against the chain, and its command is decided again (`game/record/journal`),
so what was lost or changed is found. What an auditor checks besides: anchors, the accounts, and the
tables derived from the log.
"""

from collections.abc import Iterable, Iterator

from headsup.game.record.bad_entry import BadEntry
from headsup.game.record.chain import Link, make_link_from_text
from headsup.game.record.journal import Journal, ReplayedEntry, read_header, replay_entry
from headsup.game.refusal import Refused
from headsup.house.store.database import Database


class BrokenLog(RuntimeError):
    """The log is damaged: the floor is not opened, and somebody has to audit it."""

    def __init__(self, reason: str, is_shorter: bool = False) -> None:
        super().__init__(reason)
        self.is_shorter = is_shorter  # entries are missing, not changed


def apply_entries(
    floor: str, journal: Journal, texts: Iterable[tuple[str, str]]
) -> Iterator[ReplayedEntry]:
    """Apply the entries of a floor's log that follow a journal, given their hashes and texts."""
    for hash, text in texts:
        link = make_link_from_text(journal.head, text)
        if link.hash != hash:
            raise BrokenLog(f"entry {link.index} does not fit its hash")
        entry = _apply(floor, journal, link)
        journal = entry.journal
        yield entry


def _apply(floor: str, journal: Journal, link: Link) -> ReplayedEntry:
    try:
        if link.index == 0 and (name := read_header(link.entry).floor) != floor:
            raise BrokenLog(f"the log of {floor} says that it is the log of {name}")
        return replay_entry(journal, link)
    except BrokenLog:
        raise
    except (BadEntry, Refused) as error:
        raise BrokenLog(f"entry {link.index}: {error}") from error
    except Exception as error:  # a server never stores an entry that cannot be applied
        why = type(error).__name__
        raise BrokenLog(f"entry {link.index} cannot be applied ({why})") from error


def replay_to_end(database: Database, floor: str, journal: Journal) -> Iterator[ReplayedEntry]:
    """Apply all entries after a journal, and check that the log ends where its floor's row says.
    Entries that another server adds meanwhile are left for later."""
    end = database.log_end(floor)
    if end is None:
        raise BrokenLog(f"floor {floor} is gone", True)
    head, stored_count = end
    if head.count < journal.head.count:
        raise BrokenLog(f"the log of {floor} is shorter than it was", True)
    texts = database.entry_texts(floor, journal.head.count, head.count)
    for step in apply_entries(floor, journal, texts):
        journal = step.journal
        yield step
    if stored_count != head.count or journal.head != head:
        is_shorter = min(stored_count, journal.head.count) < head.count
        raise BrokenLog(f"the log of {floor} does not end where its floor says", is_shorter)
