"""The time that players have left, beside what they see."""

from typing import Any

from headsup.house.host import Host


def clock_shown(host: Host, table: str, view: dict[str, Any]) -> list[dict[str, Any]]:
    """Times are the web's to tell: they are no part of a view, which follows from the log alone.
    Whose decision is awaited is told where the view shows that it is."""
    seats = (view.get("round") or {}).get("seats", {})
    owing = {int(seat) for seat, held in seats.items() if held["decision"] == "owes"}
    return [
        {"what": one.what.value, "seat": one.seat, "left": round(one.left, 1), "of": one.of}
        for one in host.clock(table)
        if one.seat is None or one.seat in owing
    ]
