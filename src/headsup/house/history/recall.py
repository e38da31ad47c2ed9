"""Replays past rounds (A22; R95); `store/rounds.py` finds them.

Players can replay their last ten rounds, without anybody else's cards. Staff can search all rounds.
A replay is computed from the log with the same views that were shown at the time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from headsup.game.record.journal import Journal
from headsup.game.record.replay import AppliedEvent, ViewerStep, replay_steps, settled_round_texts
from headsup.game.table.sealing import PublishedShuffle
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.house.fairness.published_rounds import find_published
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.floor.snapshots import load_latest_snapshot
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.rounds import HandRecord, RoundLocation

# Permissions.


def may_recall(
    person: Person, viewer: Viewer, location: RoundLocation, hands: list[HandRecord]
) -> bool:
    """Whether a person may see a round as this viewer saw it.

    Players may see it from their own seat, dealers as the console showed it. Other staff settle
    disputes, so they may see it from any seat once the round is closed.
    """
    if person.role is Role.PLAYER:
        own_seats = {hand.seat for hand in hands if hand.player == person.name}
        return isinstance(viewer, SeatViewer) and viewer.seat in own_seats
    if isinstance(viewer, Watcher):
        return True
    return location.last is not None and person.role is not Role.DEALER


# Replays.


@dataclass(frozen=True, slots=True)
class RoundReplay:
    """A round step by step as one viewer saw it, with the proof of its shuffle."""

    location: RoundLocation
    viewer: Viewer
    steps: tuple[ViewerStep, ...]
    published: PublishedShuffle | None


def replay_round(database: Database, location: RoundLocation, viewer: Viewer) -> RoundReplay:
    moments = round_moments(database, location)
    steps = tuple(replay_steps(moments, viewer, location.table, location.number))
    return RoundReplay(location, viewer, steps, _published_shuffle(database, location))


def _published_shuffle(database: Database, location: RoundLocation) -> PublishedShuffle | None:
    if location.last is None:
        return None
    return find_published(database, location.floor, location.table, location.number, location.last)


def round_notation(database: Database, location: RoundLocation) -> str | None:
    """The round in notation, with all cards; None if nothing was settled."""
    moments = round_moments(database, location)
    first = next(moments, None)
    if first is None:
        return None
    choice = first.floor.tables[location.table].rules.choice
    rule_names = {} if choice is None else {location.table: choice.rules}

    def table_moments() -> Iterator[AppliedEvent]:
        yield first
        yield from (moment for moment in moments if moment.table == location.table)

    notation = next(settled_round_texts(table_moments(), rule_names), None)
    return None if notation is None else notation.text


def round_moments(database: Database, location: RoundLocation) -> Iterator[AppliedEvent]:
    """All events of the floor, other tables' included, from the round's first entry to its last."""
    journal = _journal_before(database, location)
    end = None if location.last is None else location.last + 1
    texts = database.entry_texts(location.floor, location.first, end)
    for entry in apply_entries(location.floor, journal, texts):
        for event, floor in entry.steps:
            yield AppliedEvent(entry.table, event, floor, entry.time)


def _journal_before(database: Database, location: RoundLocation) -> Journal:
    """The floor when the round opened: the nearest snapshot, then entry by entry."""
    journal = load_latest_snapshot(database, location.floor, location.first)
    texts = database.entry_texts(location.floor, journal.head.count, location.first)
    for entry in apply_entries(location.floor, journal, texts):
        journal = entry.journal
    if journal.head.count != location.first:
        raise BrokenLog(f"the log of {location.floor} ends before round {location.number}")
    return journal
