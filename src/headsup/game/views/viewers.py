"""The viewers of a table: seats, the dealer, the rail (spectators) and the TableVision display."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.values.str_enum import TextEnum


@dataclass(frozen=True, slots=True)
class SeatViewer:
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat}"


class Watcher(TextEnum):
    """Viewers without a seat."""

    DEALER = "dealer"
    RAIL = "rail"
    TABLEVISION = "tablevision"


Viewer: TypeAlias = SeatViewer | Watcher

_SEAT = re.compile(r"seat[ :=-]*([1-9]\d?)", re.ASCII)
_WATCHERS = {watcher.value: watcher for watcher in Watcher}
_SUGGESTIONS = ("seat 1", *_WATCHERS)


def parse_viewer(text: str) -> Viewer:
    if text in _WATCHERS:
        return _WATCHERS[text]
    if seat := _SEAT.fullmatch(text):
        return SeatViewer(int(seat[1]))
    raise Refused(Code.UNKNOWN_VIEWER, viewer=text[:40], meant=closest_name(text, _SUGGESTIONS))
