"""What each viewer is told about an event; `builder` builds the view they see afterwards.

Every event names its audience in its class, and every audience has a case for every kind of viewer,
or the type checker complains: nothing is announced by default. A deal is announced without its
cards. A decision is announced at once where players act in turn, otherwise together with the cards
that follow the street. Settlement results come with the view.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from headsup.game.record.chain import canonical_json
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.message_codec import event_text, write_event
from headsup.game.round.audience import (
    AmountHidden,
    AtTheTable,
    Audience,
    ConsoleOnly,
    DecisionOf,
    HeadlineOnly,
    Nobody,
    PlayerOnly,
    SeatOnly,
    StaffOnly,
    TableAndDisplay,
)
from headsup.game.round.decision import Decision
from headsup.game.round.events import (
    CardsDealt,
    CardsLaid,
    DealerRevealed,
    FlopRevealed,
    IrregularityReported,
    TurnAndRiverRevealed,
)
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Street
from headsup.game.table.events import Event
from headsup.game.table.meter_control import BonusPrizeSet
from headsup.game.table.opening import BonusCellSet
from headsup.game.table.state import Floor, Table
from headsup.game.values.cards import Cards
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.views.builder import is_current_players_hand, meter_view
from headsup.game.views.model import MeterView
from headsup.game.views.posted import bonus_notices
from headsup.game.views.round_view import decisions_on, may_see_hole
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import decision_text, write_meter


@dataclass(frozen=True, slots=True)
class FullEvent:
    """The event with all its fields."""

    event: Event


@dataclass(frozen=True, slots=True)
class NameOnly:
    """Only the fact that the event happened."""

    event: str


@dataclass(frozen=True, slots=True)
class ChipsAnnouncement:
    """A player bought in or cashed out; the amount is private."""

    event: str
    seat: int


@dataclass(frozen=True, slots=True)
class DealAnnouncement:
    """The places that received cards, in dealing order, and the hole cards that the viewer sees."""

    event: str
    places: tuple[str, ...]
    holes: Mapping[int, Cards] | None


@dataclass(frozen=True, slots=True)
class RevealAnnouncement:
    """The cards after a street, with every seat's decision on it, which was hidden until now."""

    event: FlopRevealed | TurnAndRiverRevealed | DealerRevealed
    chosen: Mapping[int, Decision]


@dataclass(frozen=True, slots=True)
class IrregularityAnnouncement:
    event: str
    cause: Cause
    seat: int | None
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class BonusPrizeAnnouncement:
    """The posted prize changed; `notices` must stand beside it on a display (R83)."""

    event: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BonusPrizeDetails:
    """The same with all details, for the dealer's console."""

    order: BonusPrizeSet | BonusCellSet
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeterMoved:
    """An event at another table changed the shared meter, or ended it."""

    meter: MeterView | None


Announcement: TypeAlias = (
    FullEvent
    | NameOnly
    | ChipsAnnouncement
    | DealAnnouncement
    | RevealAnnouncement
    | IrregularityAnnouncement
    | BonusPrizeAnnouncement
    | BonusPrizeDetails
    | MeterMoved
)


def announcement_for(
    viewer: Viewer, floor: Floor, table_id: str, event: Event
) -> Announcement | None:
    """What the viewer is told of the event, or None. `floor` is the floor after the event."""
    table = floor.tables[table_id]
    if isinstance(event, CardsDealt | CardsLaid):
        return _deal_announcement(viewer, table, event)
    if isinstance(event, FlopRevealed | TurnAndRiverRevealed | DealerRevealed):
        return _reveal_announcement(viewer, table, event)
    if isinstance(event, IrregularityReported):
        return _irregularity_announcement(viewer, event)
    if isinstance(event, BonusPrizeSet | BonusCellSet):
        return _bonus_prize_announcement(viewer, table, event)
    return _announcement_to(event.audience, viewer, table, event)


def _announcement_to(
    audience: Audience, viewer: Viewer, table: Table, event: Event
) -> Announcement | None:
    match audience:
        case AtTheTable():
            return _public_event(viewer, event)
        case TableAndDisplay():
            return _public_event(viewer, event) or NameOnly(_name(event))
        case StaffOnly():
            return FullEvent(event) if _is_staff(viewer) else NameOnly(_name(event))
        case HeadlineOnly():
            return NameOnly(_name(event))
        case ConsoleOnly():
            return FullEvent(event) if _is_staff(viewer) else None
        case Nobody():
            return None
        case SeatOnly(seat):
            return _private_event(viewer, event, seat)
        case PlayerOnly(player):
            seats = [seat for seat, name in table.players.items() if name == player]
            return _private_event(viewer, event, *seats)
        case AmountHidden(seat):
            if full := _private_event(viewer, event, seat):
                return full
            at_the_table = _public_event(viewer, event) is not None
            return ChipsAnnouncement(_name(event), seat) if at_the_table else None
        case DecisionOf(seat):
            in_turn = table.round is not None and table.round.clockwise
            is_known = in_turn or _seat_of(viewer, table) == seat
            return _public_event(viewer, event) if is_known else None
        case _:
            assert_never(audience)


def linked_meter_announcement(before: Floor, after: Floor, table_id: str) -> MeterMoved | None:
    """What everyone at this table is told when an event at another table changes a linked meter.

    The figure must be accurate at each table of the meter (NY (k)(2), R78).
    """
    old = meter_view(before, before.tables[table_id])
    new = meter_view(after, after.tables[table_id])
    return None if new == old else MeterMoved(new)


def _name(event: Event) -> str:
    return type(event).__name__


def _public_event(viewer: Viewer, event: Event) -> Announcement | None:
    """Everybody at the table sees it; the display does not show the felt."""
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            return FullEvent(event)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _private_event(viewer: Viewer, event: Event, *seats: int) -> Announcement | None:
    """Only these seats and the dealer see it."""
    match viewer:
        case SeatViewer(seat):
            return FullEvent(event) if seat in seats else None
        case Watcher.DEALER:
            return FullEvent(event)
        case Watcher.RAIL | Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _is_staff(viewer: Viewer) -> bool:
    return viewer is Watcher.DEALER


def _deal_announcement(
    viewer: Viewer, table: Table, event: CardsDealt | CardsLaid
) -> Announcement | None:
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            viewer_seat = _seat_of(viewer, table)
            round = table.round
            holes = {
                number: seat.hole
                for number, seat in (sorted(round.seats.items()) if round else ())
                if round is not None and may_see_hole(round, number, viewer_seat)
            }
            return DealAnnouncement(_name(event), event.places, holes or None)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


_RevealEvent: TypeAlias = FlopRevealed | TurnAndRiverRevealed | DealerRevealed


def _reveal_announcement(viewer: Viewer, table: Table, event: _RevealEvent) -> Announcement | None:
    match event:
        case FlopRevealed():
            street = Street.POCKET
        case TurnAndRiverRevealed():
            street = Street.FLOP
        case DealerRevealed():
            street = Street.RIVER
        case _:
            assert_never(event)
    decisions = {} if table.round is None else decisions_on(table.round, street)
    if viewer is Watcher.TABLEVISION or not decisions:
        return _public_event(viewer, event)
    return RevealAnnouncement(event, decisions)


def _seat_of(viewer: Viewer, table: Table) -> int | None:
    """The seat whose hand belongs to the viewer, if any."""
    return (
        viewer.seat
        if isinstance(viewer, SeatViewer) and is_current_players_hand(table, viewer.seat)
        else None
    )


def _irregularity_announcement(viewer: Viewer, event: IrregularityReported) -> Announcement | None:
    """Only staff see who reported and approved it, and their note."""
    match viewer:
        case Watcher.DEALER:
            return FullEvent(event)
        case SeatViewer() | Watcher.RAIL:
            return IrregularityAnnouncement(_name(event), event.cause, event.seat, event.resolution)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _bonus_prize_announcement(
    viewer: Viewer, table: Table, event: BonusPrizeSet | BonusCellSet
) -> Announcement:
    notices = bonus_notices(table.rules)
    match viewer:
        case Watcher.DEALER:
            return BonusPrizeDetails(event, notices)
        case SeatViewer() | Watcher.RAIL | Watcher.TABLEVISION:
            return BonusPrizeAnnouncement(_name(event), notices)
        case _:
            assert_never(viewer)


def announced_event_name(announcement: Announcement) -> str:
    match announcement:
        case FullEvent(event) | RevealAnnouncement(event):
            return _name(event)
        case BonusPrizeDetails(order):
            return _name(order)
        case MeterMoved():
            return "MeterMoved"
        case (
            NameOnly(event=name)
            | ChipsAnnouncement(event=name)
            | DealAnnouncement(event=name)
            | IrregularityAnnouncement(event=name)
            | BonusPrizeAnnouncement(event=name)
        ):
            return name
        case _:
            assert_never(announcement)


# JSON.

_CODECS = CodecRegistry()


def _write_record(announcement: Announcement) -> dict[str, Any]:
    text = _CODECS.codec_for(type(announcement)).text(announcement)
    written: dict[str, Any] = json.loads(text)
    return written


def write_announcement(announcement: Announcement) -> dict[str, Any]:
    """`{"event": "Raised", "seat": 1, …}`, with the fields that the viewer may see."""
    match announcement:
        case FullEvent(event):
            return write_event(event)
        case BonusPrizeDetails(order, notices):
            return {**write_event(order), "notices": list(notices)}
        case RevealAnnouncement(event, chosen):
            texts = {str(seat): decision_text(decision) for seat, decision in chosen.items()}
            return {**write_event(event), "chosen": texts}
        case MeterMoved(meter):
            return {"event": "MeterMoved", "meter": write_meter(meter)}
        case NameOnly(name):
            return {"event": name}
        case ChipsAnnouncement(name, seat):
            return {"event": name, "seat": seat}
        case DealAnnouncement(holes=None):
            written = _write_record(announcement)
            return {key: item for key, item in written.items() if key != "holes"}
        case DealAnnouncement() | IrregularityAnnouncement() | BonusPrizeAnnouncement():
            return _write_record(announcement)
        case _:
            assert_never(announcement)


# Most viewers get the same event.
_cached_event_text = IdentityCache(event_text, 256)


def announcement_text(announcement: Announcement) -> str:
    """The announcement as JSON text."""
    return (
        _cached_event_text(announcement.event)
        if type(announcement) is FullEvent
        else canonical_json(write_announcement(announcement))
    )
