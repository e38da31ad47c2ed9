"""Views as they go over the wire, for tests that read them as a program does.

A socket sends texts that are put together of pieces, all else the JSON values: whoever looks here
has both compared.
"""

import json
from collections.abc import Iterable
from typing import Any

from headsup.game.table.state import Floor
from headsup.game.views import builder
from headsup.game.views.announcements import Announcement, announcement_text, write_announcement
from headsup.game.views.model import OwedDecision, RoundView
from headsup.game.views.view_cache import ViewCache
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import write_view

# By table: what was written last, whatever led from there to the next.
_LAST: dict[str, ViewCache] = {}


def next_moment(floor: Floor, table: str) -> ViewCache:
    """Takes over from the last what is still the same."""
    _LAST[table] = ViewCache(floor, table, _LAST.get(table))
    return _LAST[table]


def written(floor: Floor, table: str, viewer: Viewer) -> dict[str, Any]:
    values = write_view(builder.view_for(viewer, floor, table))
    assert json.loads(next_moment(floor, table).text(viewer)) == values
    posted = values.pop("posted")
    assert json.loads(ViewCache(floor, table).text(viewer, False, "the dealer is ill")) == {
        **values,
        "paused": "the dealer is ill",
    }
    return {**values, "posted": posted}


def at_the_same_moment(floor: Floor, table: str, viewers: Iterable[Viewer]) -> None:
    """What they have alike is written once, and is each one's own all the same."""
    moment = next_moment(floor, table)
    for viewer in viewers:
        view = builder.view_for(viewer, floor, table)
        assert json.loads(moment.text(viewer)) == write_view(view), viewer
        for seat in floor.tables[table].players:
            shown = view.round.seats.get(seat) if isinstance(view.round, RoundView) else None
            owes = shown is not None and isinstance(shown.decision, OwedDecision)
            assert moment.owes(viewer, seat) == owes, (viewer, seat)


def announced(news: Announcement) -> dict[str, Any]:
    values = write_announcement(news)
    assert json.loads(announcement_text(news)) == values
    return values


def for_seat(floor: Floor, table: str, seat: int) -> dict[str, Any]:
    return written(floor, table, SeatViewer(seat))


def for_dealer(floor: Floor, table: str) -> dict[str, Any]:
    return written(floor, table, Watcher.DEALER)


def for_rail(floor: Floor, table: str) -> dict[str, Any]:
    return written(floor, table, Watcher.RAIL)


def for_tablevision(floor: Floor, table: str) -> dict[str, Any]:
    return written(floor, table, Watcher.TABLEVISION)
