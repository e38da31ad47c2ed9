"""Views as JSON, for tests that read them as a client does.

Sockets send texts assembled from cached pieces; everything else sends JSON values. The helpers here
compare both.
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

# By table, the last view cache.
_LAST: dict[str, ViewCache] = {}


def next_view_cache(floor: Floor, table: str) -> ViewCache:
    """A view cache that reuses unchanged pieces of the table's last one."""
    _LAST[table] = ViewCache(floor, table, _LAST.get(table))
    return _LAST[table]


def view_json(floor: Floor, table: str, viewer: Viewer) -> dict[str, Any]:
    values = write_view(builder.view_for(viewer, floor, table))
    assert json.loads(next_view_cache(floor, table).text(viewer)) == values
    posted = values.pop("posted")
    assert json.loads(ViewCache(floor, table).text(viewer, False, "the dealer is ill")) == {
        **values,
        "paused": "the dealer is ill",
    }
    return {**values, "posted": posted}


def check_shared_views(floor: Floor, table: str, viewers: Iterable[Viewer]) -> None:
    """Check that views that share cached pieces are still right for each viewer."""
    moment = next_view_cache(floor, table)
    for viewer in viewers:
        view = builder.view_for(viewer, floor, table)
        assert json.loads(moment.text(viewer)) == write_view(view), viewer
        for seat in floor.tables[table].players:
            shown = view.round.seats.get(seat) if isinstance(view.round, RoundView) else None
            owes = shown is not None and isinstance(shown.decision, OwedDecision)
            assert moment.shows_decision_owed(viewer, seat) == owes, (viewer, seat)


def announcement_json(news: Announcement) -> dict[str, Any]:
    values = write_announcement(news)
    assert json.loads(announcement_text(news)) == values
    return values


def for_seat(floor: Floor, table: str, seat: int) -> dict[str, Any]:
    return view_json(floor, table, SeatViewer(seat))


def for_dealer(floor: Floor, table: str) -> dict[str, Any]:
    return view_json(floor, table, Watcher.DEALER)


def for_rail(floor: Floor, table: str) -> dict[str, Any]:
    return view_json(floor, table, Watcher.RAIL)


def for_tablevision(floor: Floor, table: str) -> dict[str, Any]:
    return view_json(floor, table, Watcher.TABLEVISION)
