"""Decides who may watch a table as which viewer."""

from dataclasses import dataclass

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.state import Floor
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher, parse_viewer
from headsup.house.people.person import Person, Role
from headsup.web.live.protocol import AskMessage, OpenMessage


@dataclass(frozen=True, slots=True)
class TicketBinding:
    """A ticket bound to one table and viewer. A terminal at a seat can do nothing else, whoever
    holds it."""

    table: str
    viewer: Viewer

    def __str__(self) -> str:
        return f"{self.viewer}@{self.table}"

    @property
    def refusal(self) -> Refusal:
        return refusal(Code.NOT_ALLOWED, "place", viewer=str(self.viewer), table=self.table)

    def may_watch(self, table: str, viewer: Viewer) -> bool:
        return (table, viewer) == (self.table, self.viewer)

    def may_submit(self, message: AskMessage | OpenMessage) -> bool:
        """A seat may command for itself, the dealer for the table, a watcher nothing."""
        if message.table != self.table or isinstance(message, OpenMessage):
            return False
        if isinstance(self.viewer, SeatViewer):
            return (message.command or {}).get("seat") == self.viewer.seat
        return self.viewer is Watcher.DEALER


def parse_ticket_binding(text: str) -> TicketBinding | None:
    """The binding as stored with a ticket; None for a ticket without one."""
    viewer, _, table = text.partition("@")
    return TicketBinding(table, parse_viewer(viewer)) if text else None


DISPLAY_ID_PREFIX = "display"  # starts the id of a screen without a log-in


def make_display_person(link_key: str) -> Person:
    """The person that stands for a display, named by its link and not by who made it.

    It sees TableVision only, may do as little as an auditor, and replaces no person's socket.
    """
    return Person(f"{DISPLAY_ID_PREFIX} {link_key}", DISPLAY_ID_PREFIX, Role.AUDITOR)


def is_display(person: Person) -> bool:
    return person.id.startswith(f"{DISPLAY_ID_PREFIX} ")


def may_deal(person: Person) -> bool:
    return person.role in (Role.DEALER, Role.SUPERVISOR)


def may_view(person: Person, viewer: Viewer, floor: Floor, table: str) -> bool:
    """A seat is visible to its player, the console to staff, the rest to everyone."""
    if is_display(person):
        return viewer is Watcher.TABLEVISION
    match viewer:
        case SeatViewer(seat):
            return floor.tables[table].players.get(seat) == person.name
        case Watcher.DEALER:
            return person.role is not Role.PLAYER
        case Watcher.RAIL | Watcher.TABLEVISION:
            return True
