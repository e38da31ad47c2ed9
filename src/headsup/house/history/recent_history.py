"""What happened at a table lately, as its watchers saw it: from the record, for a console or a
display that has just been switched on, or whose server has.

Only for who watches from no seat: a seat may have had another player then.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from headsup.game.record.digest import digest
from headsup.game.round.events import HandResolved, RoundSettled
from headsup.game.views.announcements import Announcement, announcement_for
from headsup.game.views.builder import view_for
from headsup.game.views.model import LastRound, View
from headsup.game.views.round_view import last_round
from headsup.game.views.viewers import Watcher
from headsup.house.floor.log_reader import BrokenLog, LogStep, apply_entry
from headsup.house.floor.snapshots import load_latest_snapshot
from headsup.house.store.database import Database
from headsup.house.store.schema import ROUNDS

MAX_RECENT_ROUNDS = 3
MAX_ANNOUNCEMENTS = 80
# Entries of a floor that are folded for it at most: where many tables share one, fewer rounds are
# told than could be.
MAX_REPLAYED_ENTRIES = 2_000
_RESULTS = (RoundSettled, HandResolved)


@dataclass(frozen=True, slots=True)
class PastAnnouncement:
    """With entry `index` of the floor's log. `players` sat there then; `view` is what the viewer
    saw of the table then, where the news alone does not say it: what a hand came to."""

    index: int
    at: str
    news: Announcement
    players: Mapping[int, str]
    view: View | None


@dataclass(frozen=True, slots=True)
class RecentHistory:
    """Results of rounds, the newest first; what was told, the oldest first."""

    rounds: tuple[LastRound, ...] = ()
    told: tuple[PastAnnouncement, ...] = ()


def recent_history(database: Database, table: str, viewer: Watcher) -> RecentHistory:
    """Of the last rounds, the one that is played now among them."""
    rounds: dict[int, LastRound] = {}
    heard: list[PastAnnouncement] = []
    for step in _steps(database, table):
        floor, index = step.journal.floor, step.journal.head.count - 1
        players = floor.tables[table].players
        for event in step.events:
            if (news := announcement_for(viewer, floor, table, event)) is not None:
                shows = viewer is not Watcher.TABLEVISION and isinstance(event, _RESULTS)
                view = view_for(viewer, floor, table) if shows else None
                heard.append(PastAnnouncement(index, step.at, news, players, view))
        if (last := last_round(floor.tables[table].round)) is not None:
            rounds[last.number] = last
    newest = sorted(rounds.values(), key=lambda one: -one.number)
    return RecentHistory(tuple(newest[:MAX_RECENT_ROUNDS]), tuple(heard[-MAX_ANNOUNCEMENTS:]))


def _steps(database: Database, table: str) -> Iterator[LogStep]:
    """What happened at this table from the opening of the first of those rounds on."""
    found = _beginning(database, table)
    if found is None:
        return
    floor_id, first = found
    journal, text = load_latest_snapshot(database, floor_id, first), ""
    for hash, text in database.texts(floor_id, journal.head.count):
        step = apply_entry(journal, hash, text, checked=False)
        journal = step.journal
        if journal.head.count > first and step.table == table:
            yield step
    if text and digest(journal.floor) != json.loads(text).get("state"):
        raise BrokenLog(f"entry {journal.head.count - 1} leads to another state than was written")


def _beginning(database: Database, table: str) -> tuple[str, int] | None:
    """The floor, and the entry that opened the earliest of the rounds that are told."""
    opened = ROUNDS.c
    query = select(opened.floor, opened.index.label("first")).where(opened.table == table)
    with database.reading() as connection:
        newest = query.order_by(opened.number.desc()).limit(MAX_RECENT_ROUNDS + 1)
        rows = connection.execute(newest).all()
    if not rows:
        return None
    end = database.head(rows[0].floor).count
    near = [row for row in rows if end - row.first <= MAX_REPLAYED_ENTRIES]
    return (near[-1].floor, near[-1].first) if near else None
