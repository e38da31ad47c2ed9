"""Views as they go over the wire, for tests that read them as a program does.

A socket sends texts that are put together of pieces, all else the JSON values: whoever looks here
has both compared.
"""

import json
from collections.abc import Iterable
from typing import Any

from headsup.game import views
from headsup.game.announcements import Announcement, announcement_text, write_announcement
from headsup.game.table.state import Floor
from headsup.game.viewers import Viewer
from headsup.game.views.model import View
from headsup.game.views.text import SameMoment
from headsup.game.views.wire import write_view


def written(view: View) -> dict[str, Any]:
    values = write_view(view)
    assert json.loads(SameMoment().text(view)) == values
    posted = values.pop("posted")
    assert json.loads(SameMoment().text(view, False, "the dealer is ill")) == {
        **values,
        "paused": "the dealer is ill",
    }
    return {**values, "posted": posted}


def at_the_same_moment(floor: Floor, table: str, viewers: Iterable[Viewer]) -> None:
    """What they have alike is written once, and is each one's own all the same."""
    moment = SameMoment()
    for viewer in viewers:
        view = views.seen(viewer, floor, table)
        assert json.loads(moment.text(view)) == write_view(view), viewer


def announced(news: Announcement) -> dict[str, Any]:
    values = write_announcement(news)
    assert json.loads(announcement_text(news)) == values
    return values


def for_seat(floor: Floor, table: str, seat: int) -> dict[str, Any]:
    return written(views.for_seat(floor, table, seat))


def for_dealer(floor: Floor, table: str) -> dict[str, Any]:
    return written(views.for_dealer(floor, table))


def for_rail(floor: Floor, table: str) -> dict[str, Any]:
    return written(views.for_rail(floor, table))


def for_tablevision(floor: Floor, table: str) -> dict[str, Any]:
    return written(views.for_tablevision(floor, table))
