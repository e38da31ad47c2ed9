"""A record once more, event by event, as any viewer saw it; and its rounds as text."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.notation.model import WrittenReport
from headsup.game.notation.writer import write_round
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.events import HandResolved, IrregularityReported, RoundEvent
from headsup.game.table.events import (
    Event,
    RoundOpened,
    SeedAdded,
    ShuffleOpened,
    ShuffleSealed,
    TableOpened,
)
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


class AppliedEvent(NamedTuple):
    """One event, and the floor after it."""

    table: str
    event: Event
    floor: Floor
    at: str = ""


class ViewerStep(NamedTuple):
    """What a viewer learns at one moment."""

    number: int
    table: str
    news: Announcement
    view: View
    floor: Floor
    at: str


def write_step(item: ViewerStep) -> dict[str, object]:
    return {
        "step": item.number,
        "event": write_announcement(item.news),
        "view": write_view(item.view),
    }


def replay_steps(
    moments: Iterator[AppliedEvent], viewer: Viewer, table: str = "", round: int = 0
) -> Iterator[ViewerStep]:
    """What the viewer is told, moment by moment; what is hidden from them is no step."""
    number, before = 0, None
    for moment in moments:
        if is_selected(moment, table, round):
            at, news = (
                moment.table,
                announcement_for(viewer, moment.floor, moment.table, moment.event),
            )
        else:
            at, news = table, _linked_meter_news(before, moment, table, round)
        before = moment.floor
        if news is not None:
            number += 1
            view = view_for(viewer, moment.floor, at)
            yield ViewerStep(number, at, news, view, moment.floor, moment.at)


def _linked_meter_news(
    before: Floor | None, moment: AppliedEvent, table: str, number: int
) -> Announcement | None:
    """What something at another table changes on the display of the one that is watched."""
    if before is None or table not in before.tables or moment.table == table:
        return None
    watched = moment.floor.tables[table]
    if number and not (watched.playing and watched.rounds == number):
        return None
    return linked_meter_announcement(before, moment.floor, table)


class RoundText(NamedTuple):
    """A settled round as text."""

    table: str
    number: int
    text: str


def settled_round_texts(
    moments: Iterator[AppliedEvent], named: Mapping[str, str] = MappingProxyType({})
) -> Iterator[RoundText]:
    """The text of each round when its last hand is settled; `named` are the rules of the tables
    that were opened before."""
    names: dict[str, str] = dict(named)
    reports: dict[str, list[WrittenReport]] = {}  # of the round now open at each table
    for moment in moments:
        event, round = moment.event, moment.floor.tables[moment.table].round
        if isinstance(event, TableOpened):
            names[moment.table] = event.rules
        if round is None:
            continue
        match event:
            case RoundOpened():
                reports[moment.table] = []
            case IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
                report = ReportIrregularity(cause, dealer, supervisor, seat, resolution, note)
                reports.setdefault(moment.table, []).append(WrittenReport(round.phase, report))
            case HandResolved() if not round.unresolved():
                name = names.get(moment.table, "")
                players = moment.floor.tables[moment.table].players
                known = reports.get(moment.table, [])
                text = write_round(round, known, name, moment.table, players)
                yield RoundText(moment.table, round.number, text)


def is_selected(moment: AppliedEvent, table: str, number: int) -> bool:
    return table in ("", moment.table) and (not number or _is_of_round(moment, number))


def _is_of_round(moment: AppliedEvent, number: int) -> bool:
    at, event = moment.floor.tables[moment.table], moment.event
    if isinstance(event, ShuffleSealed | ShuffleOpened):
        return event.round == number
    if isinstance(event, SeedAdded):
        return at.sealed is not None and at.sealed.round == number
    within = isinstance(event, RoundEvent | RoundOpened)
    return within and at.round is not None and at.round.number == number
