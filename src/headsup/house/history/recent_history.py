"""Recent results and announcements of a table, for a console or display that has just connected.

Computed from the log, so it survives a restart of the server. Not for seats: another player may
have been sitting there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headsup.game.record.journal import ReplayedEntry
from headsup.game.round.events import HandResolved, RoundSettled
from headsup.game.views.announcements import Announcement, announcement_for
from headsup.game.views.builder import view_for
from headsup.game.views.model import LastRound, View
from headsup.game.views.round_view import last_round
from headsup.game.views.viewers import Watcher
from headsup.game.views.wording import words_for
from headsup.game.words.catalogue import Words
from headsup.house.floor.log_reader import apply_entries
from headsup.house.floor.snapshots import load_latest_snapshot
from headsup.house.store.database import Database
from headsup.house.store.rounds import latest_round_starts

MAX_RECENT_ROUNDS = 3
MAX_ANNOUNCEMENTS = 80
# A floor with many tables has many entries per round, so fewer rounds fit into this limit.
MAX_REPLAYED_ENTRIES = 2_000
_RESULTS = (RoundSettled, HandResolved)


@dataclass(frozen=True, slots=True)
class PastAnnouncement:
    """An announcement made with entry `index` of the floor's log."""

    index: int
    at: str
    announcement: Announcement
    words: Words  # what it says to the viewer
    players: Mapping[int, str]  # at the time
    view: View | None  # at the time, only for results: announcements do not contain the hands


@dataclass(frozen=True, slots=True)
class RecentHistory:
    """Results of rounds, newest first, and announcements, oldest first."""

    rounds: tuple[LastRound, ...] = ()
    announcements: tuple[PastAnnouncement, ...] = ()


def recent_history(database: Database, table: str, viewer: Watcher) -> RecentHistory:
    """History of the last rounds, including the one being played."""
    rounds: dict[int, LastRound] = {}
    announcements: list[PastAnnouncement] = []
    for step in _steps(database, table):
        floor, index = step.journal.floor, step.index
        players = floor.tables[table].players
        for event in step.events:
            if (news := announcement_for(viewer, floor, table, event)) is not None:
                shows = viewer is not Watcher.TABLEVISION and isinstance(event, _RESULTS)
                view = view_for(viewer, floor, table) if shows else None
                words = words_for(news, viewer, floor, table)
                announcements.append(PastAnnouncement(index, step.time, news, words, players, view))
        if (last := last_round(floor.tables[table].round)) is not None:
            rounds[last.number] = last
    newest = sorted(rounds.values(), key=lambda round: -round.number)
    return RecentHistory(
        tuple(newest[:MAX_RECENT_ROUNDS]), tuple(announcements[-MAX_ANNOUNCEMENTS:])
    )


def _steps(database: Database, table: str) -> Iterator[ReplayedEntry]:
    """The table's log entries from the start of the first of those rounds."""
    start = _first_entry(database, table)
    if start is None:
        return
    floor_id, first = start
    journal = load_latest_snapshot(database, floor_id, first)
    texts = database.entry_texts(floor_id, journal.head.count)
    for entry in apply_entries(floor_id, journal, texts):
        if entry.index >= first and entry.table == table:
            yield entry


def _first_entry(database: Database, table: str) -> tuple[str, int] | None:
    """The floor, and the entry that opened the earliest of the rounds to replay."""
    starts = latest_round_starts(database, table, MAX_RECENT_ROUNDS + 1)
    if not starts:
        return None
    end = database.head(starts[0][0]).count
    in_reach = [start for start in starts if end - start[1] <= MAX_REPLAYED_ENTRIES]
    return in_reach[-1] if in_reach else None
