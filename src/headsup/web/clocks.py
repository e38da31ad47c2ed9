"""The time that players have left, beside what they see."""

from collections.abc import Iterable
from typing import Any

from headsup.game.views.model import Owes, RoundView, View
from headsup.house.pace import TimeLeft


def clock_shown(left: Iterable[TimeLeft], view: View) -> list[dict[str, Any]]:
    """Times are the web's to tell: they are no part of a view, which follows from the log alone.
    Whose decision is awaited is told where the view shows that it is."""
    return [
        {"what": one.what.value, "seat": one.seat, "left": round(one.left, 1), "of": one.of}
        for one in left
        if one.seat is None or _owes(view, one.seat)
    ]


def _owes(view: View, seat: int) -> bool:
    seats = view.round.seats if isinstance(view.round, RoundView) else {}
    return seat in seats and isinstance(seats[seat].decision, Owes)
