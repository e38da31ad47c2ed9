"""What each viewer is told when something happens; `views` says what they see afterwards.

Nothing is told that the viewer's view does not show: a deck is announced as who received cards,
a decision only when its street is closed or it is one's own, a settlement by its results.
"""

from typing import Any, assert_never

from headsup.game.record.events import write_event
from headsup.game.round.events import (
    CardsDealt,
    Checked,
    Folded,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundSettled,
)
from headsup.game.table.events import (
    BoughtIn,
    CashedOut,
    Event,
    MeterEvent,
    PayoutCorrected,
    RoundOpened,
    TableOpened,
)
from headsup.game.table.state import Floor
from headsup.game.viewers import AtSeat, Viewer, Watcher
from headsup.game.views import View, for_dealer, for_rail, for_seat, for_tablevision


def seen(viewer: Viewer, floor: Floor, table_id: str) -> View:
    """The viewer's view of a table."""
    match viewer:
        case AtSeat(seat):
            return for_seat(floor, table_id, seat)
        case Watcher.DEALER:
            return for_dealer(floor, table_id)
        case Watcher.TABLEVISION:
            return for_tablevision(floor, table_id)
        case Watcher.RAIL:
            return for_rail(floor, table_id)
        case _:
            assert_never(viewer)


def told(viewer: Viewer, floor: Floor, table_id: str, event: Event) -> dict[str, Any] | None:
    """The event as this viewer may know it, `floor` being the one after it; None for nothing."""
    whole = write_event(event)
    own = isinstance(viewer, AtSeat) and getattr(event, "seat", None) == viewer.seat
    staff = viewer is Watcher.DEALER
    if viewer is Watcher.TABLEVISION:
        shown = isinstance(event, TableOpened | RoundOpened | RoundClosed | MeterEvent)
        return {"event": whole["event"]} if shown else None
    match event:
        case BoughtIn() | CashedOut():
            return whole if own or staff else _only(whole, "seat")
        case CardsDealt():
            return {**_only(whole, "places"), **_holes(viewer, floor, table_id)}
        case Checked(seat) | Raised(seat) | Folded(seat):
            return whole if _decision_shows(viewer, floor, table_id, seat) else None
        case IrregularityReported():
            return whole if staff else _only(whole, "cause", "seat", "resolution")
        case RoundSettled():
            return _only(whole)
        case PayoutCorrected():
            return whole if own or staff else None
        case _ if isinstance(event, MeterEvent):
            return whole if staff else _only(whole)
        case _:
            return whole


def _only(whole: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: whole[key] for key in ("event", *keys)}


def _holes(viewer: Viewer, floor: Floor, table_id: str) -> dict[str, Any]:
    """The hole cards this viewer sees as they are dealt, by seat."""
    round = seen(viewer, floor, table_id)["round"]
    holes = {number: seat["hole"] for number, seat in round["seats"].items() if seat["hole"]}
    return {"holes": holes} if holes else {}


def _decision_shows(viewer: Viewer, floor: Floor, table_id: str, seat: int) -> bool:
    round = seen(viewer, floor, table_id)["round"]
    return bool(round["seats"][str(seat)]["decision"] != "hidden")
