"""What each viewer is told when something happens; `builder` says what they see afterwards.

Nothing is told unless a case here grants it, for every event and every kind of viewer: an event
that is not listed does not pass the type checker. A deck is told as who received cards, a decision
only where players act in turn or it is one's own, a settlement by its results in the view. What was
hidden when it was chosen is told once: with the cards that follow the street.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from headsup.game.record.chain import canonical_json
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.event_codec import event_text, write_event
from headsup.game.round.decision import Decision
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.rulebook.irregularity import Cause, Resolution
from headsup.game.rulebook.wagers import Street
from headsup.game.table.events import (
    BonusCellSet,
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    EquipmentRestored,
    EquipmentWentDown,
    Event,
    FlagCorrected,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PlayerLeft,
    PlayerSat,
    PoolTransferred,
    RoundOpened,
    SeedAdded,
    SensorRead,
    ShuffleOpened,
    ShuffleSealed,
    TableClosed,
    TableOpened,
    WagersCountedByHand,
    WagersRegistered,
)
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
    """Everything that the event says."""

    event: Event


@dataclass(frozen=True, slots=True)
class NameOnly:
    """The name of the event and no more."""

    event: str


@dataclass(frozen=True, slots=True)
class ChipsAnnouncement:
    """A player bought in or cashed out; how much is their own business."""

    event: str
    seat: int


@dataclass(frozen=True, slots=True)
class DealAnnouncement:
    """Where cards went, in the order of dealing, and those that this viewer sees."""

    event: str
    places: tuple[str, ...]
    holes: Mapping[int, Cards] | None


@dataclass(frozen=True, slots=True)
class RevealAnnouncement:
    """Cards that follow a street, and what every seat chose on it: until now that was told to
    nobody else."""

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
    """A change of the posted prize, with the words that go with each display of it (R83)."""

    event: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BonusPrizeDetails:
    """The same for the dealer's console, which is told the figure."""

    order: BonusPrizeSet | BonusCellSet
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeterMoved:
    """Another table that plays for the same prize has changed its figure, or it has ended."""

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
    """The event as this viewer may know it, `floor` being the one after it; None for nothing."""
    table = floor.tables[table_id]
    match event:
        case PlayerSat() | PlayerLeft() | BetsPlaced() | BetsWithdrawn():
            return _public_event(viewer, event)
        case DecisionReopened() | TimeExtended():
            return _public_event(viewer, event)
        case FlopRevealed() | TurnAndRiverRevealed() | DealerRevealed():
            return _reveal_announcement(viewer, table, event)
        case BoardCompleted() | HandResolved() | SeedAdded():
            return _public_event(viewer, event)
        case ShuffleSealed() | ShuffleOpened():
            # What is opened are all the cards of a round that is over; the display shows it too.
            return _public_and_display_event(viewer, event)
        case TableOpened() | RoundOpened() | RoundClosed():
            return _public_and_display_event(viewer, event)
        case BetsClosed() | WagersRegistered() | HandVoided() | RoundVoided():
            # Contributions go on the meter at the button, and off it again with a void.
            return _public_and_display_event(viewer, event)
        case WagersCountedByHand():
            return _public_event(viewer, event)
        case SensorRead(seat):
            return _private_event(viewer, event, seat)
        case BoughtIn(seat) | CashedOut(seat):
            return _chips(viewer, event, seat)
        case CardsDealt():
            return _cards(viewer, table, event)
        case Checked(seat) | Raised(seat) | Folded(seat):
            return _decision(viewer, table, event, seat)
        case IrregularityReported():
            return _irregularity(viewer, event)
        case RoundSettled():
            return NameOnly(_name(event))
        case PayoutCorrected():
            return _correction(viewer, table, event)
        case (
            MeterCorrected()
            | MeterFrozen()
            | MeterUnfrozen()
            | MeterClosingPlanned()
            | PoolTransferred()
            | BonusEnded()
            | FlagCorrected()
            | EquipmentWentDown()
            | EquipmentRestored()
            | TableClosed()
        ):
            return _staff_event(viewer, event)
        case BonusPrizeSet() | BonusCellSet():
            return _bonus_prize(viewer, table, event)
        case _:
            assert_never(event)


def linked_meter_announcement(before: Floor, after: Floor, table_id: str) -> MeterMoved | None:
    """What everyone at this table is told when something happened at another: the meter that they
    play for is linked, and its figure must be accurate at each of its tables (NY (k)(2), R78)."""
    old = meter_view(before, before.tables[table_id])
    new = meter_view(after, after.tables[table_id])
    return None if new == old else MeterMoved(new)


def _name(event: Event) -> str:
    return type(event).__name__


def _public_event(viewer: Viewer, event: Event) -> Announcement | None:
    """Done in the open: whoever looks at the felt sees it; the display shows no felt."""
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            return FullEvent(event)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _public_and_display_event(viewer: Viewer, event: Event) -> Announcement:
    """In the open, and the display changes with it."""
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            return FullEvent(event)
        case Watcher.TABLEVISION:
            return NameOnly(_name(event))
        case _:
            assert_never(viewer)


def _chips(viewer: Viewer, event: Event, seat: int) -> Announcement | None:
    match viewer:
        case SeatViewer(own) if own == seat:
            return FullEvent(event)
        case Watcher.DEALER:
            return FullEvent(event)
        case SeatViewer() | Watcher.RAIL:
            return ChipsAnnouncement(_name(event), seat)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _private_event(viewer: Viewer, event: Event, seat: int) -> Announcement | None:
    match viewer:
        case SeatViewer(own):
            return FullEvent(event) if own == seat else None
        case Watcher.DEALER:
            return FullEvent(event)
        case Watcher.RAIL | Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _correction(viewer: Viewer, table: Table, event: PayoutCorrected) -> Announcement | None:
    """For the player it is paid to, wherever that player sits now; not for who has the seat."""
    match viewer:
        case SeatViewer(own):
            return FullEvent(event) if table.players.get(own) == event.player else None
        case Watcher.DEALER:
            return FullEvent(event)
        case Watcher.RAIL | Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _cards(viewer: Viewer, table: Table, event: CardsDealt) -> Announcement | None:
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            own = _seat_of(viewer, table)
            round = table.round
            holes = {
                number: seat.hole
                for number, seat in (sorted(round.seats.items()) if round else ())
                if round is not None and may_see_hole(round, number, own)
            }
            return DealAnnouncement(_name(event), event.places, holes or None)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


_RevealEvent: TypeAlias = FlopRevealed | TurnAndRiverRevealed | DealerRevealed  # a street


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
    chosen = {} if table.round is None else decisions_on(table.round, street)
    if viewer is Watcher.TABLEVISION or not chosen:
        return _public_event(viewer, event)
    return RevealAnnouncement(event, chosen)


def _decision(viewer: Viewer, table: Table, event: Event, seat: int) -> Announcement | None:
    """Where all act at once, also the choice that closes the street is told with the others'
    (R34): told alone it would be told twice."""
    match viewer:
        case SeatViewer() | Watcher.DEALER | Watcher.RAIL:
            in_turn = table.round is not None and table.round.clockwise
            return FullEvent(event) if in_turn or _seat_of(viewer, table) == seat else None
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _seat_of(viewer: Viewer, table: Table) -> int | None:
    """The seat whose hand is the viewer's own."""
    return (
        viewer.seat
        if isinstance(viewer, SeatViewer) and is_current_players_hand(table, viewer.seat)
        else None
    )


def _irregularity(viewer: Viewer, event: IrregularityReported) -> Announcement | None:
    """Who reported and approved it, and what they noted, stays with the staff."""
    match viewer:
        case Watcher.DEALER:
            return FullEvent(event)
        case SeatViewer() | Watcher.RAIL:
            return IrregularityAnnouncement(_name(event), event.cause, event.seat, event.resolution)
        case Watcher.TABLEVISION:
            return None
        case _:
            assert_never(viewer)


def _staff_event(viewer: Viewer, event: Event) -> Announcement:
    """What it changed is in every view; why, and by whom, stays with the staff."""
    match viewer:
        case Watcher.DEALER:
            return FullEvent(event)
        case SeatViewer() | Watcher.RAIL | Watcher.TABLEVISION:
            return NameOnly(_name(event))
        case _:
            assert_never(viewer)


def _bonus_prize(viewer: Viewer, table: Table, event: BonusPrizeSet | BonusCellSet) -> Announcement:
    notices = bonus_notices(table.rules)
    match viewer:
        case Watcher.DEALER:
            return BonusPrizeDetails(event, notices)
        case SeatViewer() | Watcher.RAIL | Watcher.TABLEVISION:
            return BonusPrizeAnnouncement(_name(event), notices)
        case _:
            assert_never(viewer)


def announced_event_name(news: Announcement) -> str:
    """Which event it tells of."""
    match news:
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
            assert_never(news)


# On the wire.

_CODECS = CodecRegistry()


def _record_writer(kind: type[Any]) -> Callable[[Any], dict[str, Any]]:
    write: Callable[[Any], dict[str, Any]] = _CODECS.of(kind).write
    return write


def write_announcement(news: Announcement) -> dict[str, Any]:
    """`{"event": "Raised", "seat": 1, …}`, with those fields that the viewer may know."""
    match news:
        case FullEvent(event):
            return write_event(event)
        case BonusPrizeDetails(order, notices):
            return {**write_event(order), "notices": list(notices)}
        case RevealAnnouncement(event, chosen):
            said = {str(seat): decision_text(decision) for seat, decision in chosen.items()}
            return {**write_event(event), "chosen": said}
        case MeterMoved(meter):
            return {"event": "MeterMoved", "meter": write_meter(meter)}
        case DealAnnouncement(holes=None):
            written = _record_writer(type(news))(news)
            return {key: item for key, item in written.items() if key != "holes"}
        case (
            NameOnly()
            | ChipsAnnouncement()
            | DealAnnouncement()
            | IrregularityAnnouncement()
            | BonusPrizeAnnouncement()
        ):
            return _record_writer(type(news))(news)
        case _:
            assert_never(news)


# The same event is told to many.
_cached_event_text = IdentityCache(event_text, 256)


def announcement_text(news: Announcement) -> str:
    """The same as JSON."""
    return (
        _cached_event_text(news.event)
        if type(news) is FullEvent
        else canonical_json(write_announcement(news))
    )
