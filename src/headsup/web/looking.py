"""Who may look at a table from where."""

from uuid import uuid4

from headsup.game.table.state import Floor
from headsup.game.viewers import AtSeat, Viewer, Watcher
from headsup.house.accounts import Person, Role

DISPLAY = "display"  # how the id of a screen that nobody is logged in at begins


def a_display() -> Person:
    """A screen of its own, with nothing of who made its link: it sees TableVision only, asks as
    little as an auditor, and replaces no socket of a person."""
    return Person(f"{DISPLAY} {uuid4().hex}", DISPLAY, Role.AUDITOR)


def is_display(person: Person) -> bool:
    return person.id.startswith(f"{DISPLAY} ")


def may_deal(person: Person) -> bool:
    return person.role in (Role.DEALER, Role.SUPERVISOR)


def may_view(person: Person, viewer: Viewer, floor: Floor, table: str) -> bool:
    """A seat is for who sits there, the console for staff, the rest for everyone."""
    if is_display(person):
        return viewer is Watcher.TABLEVISION
    match viewer:
        case AtSeat(seat):
            return floor.tables[table].players.get(seat) == person.name
        case Watcher.DEALER:
            return person.role is not Role.PLAYER
        case Watcher.RAIL | Watcher.TABLEVISION:
            return True
