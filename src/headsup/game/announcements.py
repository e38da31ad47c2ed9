"""What each viewer is told when something happens; `views` says what they see afterwards.

Nothing is told that the viewer's view does not show: a deck is announced as who received cards,
a decision only when its street is closed or it is one's own, a settlement by its results.
"""

import re
from dataclasses import dataclass
from typing import Any

from headsup.game.record.events import write_event
from headsup.game.refusal import Refused
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
from headsup.game.views import View, for_dealer, for_rail, for_seat, for_tablevision


@dataclass(frozen=True, slots=True)
class Viewer:
    """A seat, the dealer, the rail or TableVision."""

    kind: str
    seat: int = 0

    def __str__(self) -> str:
        return f"seat {self.seat}" if self.kind == "seat" else self.kind


RAIL = Viewer("rail")


_SEAT = re.compile(r"seat[ :=-]*([1-9]\d?)", re.ASCII)


def parse_viewer(text: str) -> Viewer:
    if text in ("dealer", "rail", "tablevision"):
        return Viewer(text)
    if seat := _SEAT.fullmatch(text):
        return Viewer("seat", int(seat[1]))
    raise Refused("unknown_viewer", f"'{text[:40]}' is not seat N, dealer, rail or tablevision")


def seen(viewer: Viewer, floor: Floor, table_id: str) -> View:
    """The viewer's view of a table."""
    match viewer.kind:
        case "seat":
            return for_seat(floor, table_id, viewer.seat)
        case "dealer":
            return for_dealer(floor, table_id)
        case "tablevision":
            return for_tablevision(floor, table_id)
        case _:
            return for_rail(floor, table_id)


def told(viewer: Viewer, floor: Floor, table_id: str, event: Event) -> dict[str, Any] | None:
    """The event as this viewer may know it, `floor` being the one after it; None for nothing."""
    whole = write_event(event)
    own = viewer.kind == "seat" and getattr(event, "seat", None) == viewer.seat
    staff = viewer.kind == "dealer"
    if viewer.kind == "tablevision":
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
