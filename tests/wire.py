"""Views as they go over the wire, for tests that read them as a program does."""

from typing import Any

from headsup.game import views
from headsup.game.table.state import Floor
from headsup.game.views.wire import write_view


def for_seat(floor: Floor, table: str, seat: int) -> dict[str, Any]:
    return write_view(views.for_seat(floor, table, seat))


def for_dealer(floor: Floor, table: str) -> dict[str, Any]:
    return write_view(views.for_dealer(floor, table))


def for_rail(floor: Floor, table: str) -> dict[str, Any]:
    return write_view(views.for_rail(floor, table))


def for_tablevision(floor: Floor, table: str) -> dict[str, Any]:
    return write_view(views.for_tablevision(floor, table))
