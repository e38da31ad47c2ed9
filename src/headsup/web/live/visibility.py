"""Who may look at a table from where."""

from dataclasses import dataclass

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.state import Floor
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher, parse_viewer
from headsup.house.people.accounts import Person, Role
from headsup.web.live.protocol import AskMessage, CardsMessage, OpenMessage


@dataclass(frozen=True, slots=True)
class TicketBinding:
    """Where alone a socket is good whose ticket was given for it: a terminal at a seat, whoever
    gets hold of it, is no other seat and no console."""

    table: str
    viewer: Viewer

    def __str__(self) -> str:
        return f"{self.viewer}@{self.table}"

    @property
    def refusal(self) -> Refusal:
        return refusal(Code.NOT_ALLOWED, "place", viewer=str(self.viewer), table=self.table)

    def sees(self, table: str, viewer: Viewer) -> bool:
        return (table, viewer) == (self.table, self.viewer)

    def asks(self, message: AskMessage | CardsMessage | OpenMessage) -> bool:
        """A player for the seat, who deals for the table, who looks on nothing."""
        if message.table != self.table or isinstance(message, OpenMessage):
            return False
        if isinstance(self.viewer, SeatViewer) and isinstance(message, AskMessage):
            return message.command.get("seat") == self.viewer.seat
        return self.viewer is Watcher.DEALER


def parse_ticket_binding(text: str) -> TicketBinding | None:
    """As it is written with a ticket; None where it is good everywhere."""
    viewer, _, table = text.partition("@")
    return TicketBinding(table, parse_viewer(viewer)) if text else None


DISPLAY_ID_PREFIX = "display"  # how the id of a screen that nobody is logged in at begins


def make_display_person(under: str) -> Person:
    """A screen by the link that it was opened under, with nothing of who made that: it sees
    TableVision only, asks as little as an auditor, and replaces no socket of a person."""
    return Person(f"{DISPLAY_ID_PREFIX} {under}", DISPLAY_ID_PREFIX, Role.AUDITOR)


def is_display(person: Person) -> bool:
    return person.id.startswith(f"{DISPLAY_ID_PREFIX} ")


def may_deal(person: Person) -> bool:
    return person.role in (Role.DEALER, Role.SUPERVISOR)


def may_view(person: Person, viewer: Viewer, floor: Floor, table: str) -> bool:
    """A seat is for who sits there, the console for staff, the rest for everyone."""
    if is_display(person):
        return viewer is Watcher.TABLEVISION
    match viewer:
        case SeatViewer(seat):
            return floor.tables[table].players.get(seat) == person.name
        case Watcher.DEALER:
            return person.role is not Role.PLAYER
        case Watcher.RAIL | Watcher.TABLEVISION:
            return True
