"""Replays a record event by event, as any viewer saw it, and writes its rounds as text."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.notation.model import WrittenReport
from headsup.game.notation.writer import write_round
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.events import HandResolved, IrregularityReported, RoundEvent
from headsup.game.table.events import Event
from headsup.game.table.opening import TableOpened
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.sealed_shuffles import SealEvent, SeedAdded
from headsup.game.table.state import Floor
from headsup.game.views.announcements import (
    Announcement,
    announcement_for,
    linked_meter_announcement,
    write_announcement,
)
from headsup.game.views.builder import view_for
from headsup.game.views.model import View
from headsup.game.views.viewers import Viewer
from headsup.game.views.wire import write_view
from headsup.game.views.wording import words_for
from headsup.game.words.catalogue import Catalogue, Words


class AppliedEvent(NamedTuple):
    """One event, and the floor after it."""

    table: str
    event: Event
    floor: Floor
    time: str = ""


class ViewerStep(NamedTuple):
    """What a viewer is told about one event, and the view after it."""

    number: int
    table: str
    viewer: Viewer
    announcement: Announcement
    view: View
    floor: Floor
    time: str

    def words(self, by_name: bool = True) -> Words:
        """What the step says; without `by_name`, players are named by their seats."""
        return words_for(self.announcement, self.viewer, self.floor, self.table, by_name)


def write_step(step: ViewerStep, catalogue: Catalogue) -> dict[str, object]:
    return {
        "step": step.number,
        "event": write_announcement(step.announcement),
        "say": catalogue.say(step.words()),
        "view": write_view(step.view),
    }


def replay_steps(
    events: Iterator[AppliedEvent], viewer: Viewer, table: str = "", round: int = 0
) -> Iterator[ViewerStep]:
    """The events that the viewer is told about; hidden ones are left out and not numbered."""
    number, before = 0, None
    for applied in events:
        floor = applied.floor
        if is_selected(applied, table, round):
            step_table = applied.table
            announcement = announcement_for(viewer, floor, step_table, applied.event)
        else:
            step_table = table
            announcement = _meter_announcement(before, applied, table, round)
        before = floor
        if announcement is not None:
            number += 1
            view = view_for(viewer, floor, step_table)
            yield ViewerStep(number, step_table, viewer, announcement, view, floor, applied.time)


def _meter_announcement(
    before: Floor | None, applied: AppliedEvent, table: str, number: int
) -> Announcement | None:
    """What an event at another table changes on the meter of the watched table."""
    if before is None or table not in before.tables or applied.table == table:
        return None
    watched = applied.floor.tables[table]
    if number and not (watched.is_playing and watched.rounds == number):
        return None
    return linked_meter_announcement(before, applied.floor, table)


class RoundText(NamedTuple):
    """A settled round as text."""

    table: str
    number: int
    text: str


def settled_round_texts(
    events: Iterator[AppliedEvent], rules_by_table: Mapping[str, str] = MappingProxyType({})
) -> Iterator[RoundText]:
    """The text of each round whose last hand is settled.

    `rules_by_table` has the rules of tables that were opened before the first event.
    """
    rules: dict[str, str] = dict(rules_by_table)
    reports: dict[str, list[WrittenReport]] = {}  # of each table's current round
    for applied in events:
        event, id = applied.event, applied.table
        table = applied.floor.tables[id]
        round = table.round
        if isinstance(event, TableOpened):
            rules[id] = event.rules
        if round is None:
            continue
        match event:
            case RoundOpened():
                reports[id] = []
            case IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
                report = ReportIrregularity(cause, dealer, supervisor, seat, resolution, note)
                reports.setdefault(id, []).append(WrittenReport(round.phase, report))
            case HandResolved() if not round.unresolved_seats():
                round_reports = reports.get(id, [])
                text = write_round(round, round_reports, rules.get(id, ""), id, table.players)
                yield RoundText(id, round.number, text)


def is_selected(applied: AppliedEvent, table: str, number: int) -> bool:
    """Whether the event is of this table and round; "" selects all tables and 0 all rounds."""
    return table in ("", applied.table) and (not number or _is_of_round(applied, number))


def _is_of_round(applied: AppliedEvent, number: int) -> bool:
    table, event = applied.floor.tables[applied.table], applied.event
    if isinstance(event, SeedAdded):
        return table.sealed is not None and table.sealed.round == number
    if isinstance(event, SealEvent):
        return event.round == number
    is_round_event = isinstance(event, RoundEvent | RoundOpened)
    return is_round_event and table.round is not None and table.round.number == number
