"""Views as JSON, for tests that read them as a client does.

Replays send whole views, sockets send parts. What a chain of moments reuses must be the same as
what is made afresh.
"""

import json
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from headsup.game.table.state import Floor
from headsup.game.views import builder
from headsup.game.views.announcements import Announcement, announcement_text, write_announcement
from headsup.game.views.parts import Parts, TableMoment, sum_of, viewer_parts
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import write_view
from headsup.game.words.english import ENGLISH

_LAST: dict[str, TableMoment] = {}  # by table, the last one


def parts_of(floor: Floor, table: str, viewer: Viewer) -> Parts:
    """The viewer's parts, in a chain of moments; they are the same as without it."""
    last = _LAST.get(table)
    moment = _LAST[table] = TableMoment(floor, table, ENGLISH, last)
    parts = viewer_parts(viewer, moment)
    fresh = viewer_parts(viewer, TableMoment(floor, table, ENGLISH))
    assert {name: part.wire for name, part in parts.items()} == {
        name: part.wire for name, part in fresh.items()
    }
    return parts


def check_sum(parts: Parts) -> None:
    """A client's checksum, from the values that it reads."""
    read = json.loads("{" + ",".join(part.wire for part in parts.values()) + "}")
    total = 0
    for name, value in read.items():
        assert value is not None
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        total ^= crc32(f"{name}:{text}".encode())
    assert total == sum_of(parts.values())


def view_json(floor: Floor, table: str, viewer: Viewer) -> dict[str, Any]:
    return write_view(builder.view_for(viewer, floor, table))


def check_shared_views(floor: Floor, table: str, viewers: Iterable[Viewer]) -> None:
    """Check that parts that are reused are still right for each viewer."""
    for viewer in viewers:
        check_sum(parts_of(floor, table, viewer))


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
