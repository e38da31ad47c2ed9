"""Sends the events of one table to everyone who watches it through this server.

Most of a message is the same for all watchers, and much of the rest is unchanged since the last
one. So one Broadcast is made per event for all of them, and it reuses texts of the one before.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar

from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.game.views.announcements import MeterMoved, linked_meter_announcement
from headsup.game.views.viewers import Viewer, Watcher
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.log import short_traceback
from headsup.house.people.person import Person
from headsup.web.live.broadcast import Broadcast
from headsup.web.live.visibility import may_view
from headsup.web.server.log import log

SocketT = TypeVar("SocketT", bound=Hashable)


class Subscription:
    """One socket's view of a table: as which viewer, and what it was sent last."""

    __slots__ = ("_effective_viewer", "_person", "_players", "_posted", "_send", "_table", "viewer")

    def __init__(
        self, table: str, person: Person, viewer: Viewer, send: Callable[[str], None]
    ) -> None:
        self._table, self._person, self.viewer, self._send = table, person, viewer, send
        self._posted: object = None
        # The viewer at the last message, and the players at the table then.
        self._effective_viewer: Viewer = Watcher.RAIL
        self._players: Mapping[int, str] | None = None

    def send_view(self, broadcast: Broadcast) -> None:
        """Send the whole view."""
        self._posted = broadcast.posted
        self._send(broadcast.view_message(self._viewer_now(broadcast.floor, broadcast.players)))

    def send_events(self, broadcast: Broadcast) -> None:
        """Send the events; the posted rules are sent again only if they changed."""
        previous, self._posted = self._posted, broadcast.posted
        viewer = self._viewer_now(broadcast.floor, broadcast.players)
        self._send(broadcast.event_message(viewer, self._posted is not previous))

    def _viewer_now(self, floor: Floor, players: Mapping[int, str]) -> Viewer:
        """The viewer, or the rail once the player has left the seat.

        Checked again only when the players change, because nothing else decides it.
        """
        if players is not self._players:
            allowed = may_view(self._person, self.viewer, floor, self._table)
            viewer = self.viewer if allowed else Watcher.RAIL
            self._effective_viewer, self._players = viewer, players
        return self._effective_viewer


class Gallery(Generic[SocketT]):
    """The sockets that watch one table.

    `pause_reason` says why nothing is dealt at a table; empty while it plays.
    """

    def __init__(self, host: FloorHost, table: str, pause_reason: Callable[[str], str]) -> None:
        self.host, self.table, self._pause_reason = host, table, pause_reason
        self._subscriptions: dict[SocketT, Subscription] = {}
        self._last: Broadcast | None = None
        self._unsubscribe = host.subscribe(self._on_update, table)

    def add(self, socket: SocketT, subscription: Subscription) -> None:
        self._subscriptions[socket] = subscription

    def remove(self, socket: SocketT) -> bool:
        """Remove a socket. Returns whether it was the last, which ends the gallery."""
        self._subscriptions.pop(socket, None)
        if not self._subscriptions:
            self._unsubscribe()
        return not self._subscriptions

    def __iter__(self) -> Iterator[SocketT]:
        return iter(tuple(self._subscriptions))

    def make_broadcast(
        self, journal: Journal, update: FloorUpdate | MeterMoved | None = None
    ) -> Broadcast:
        """The table as of this journal, with the clock and the pause reason of this moment."""
        time_left, pause_reason = self.host.time_left(self.table), self._pause_reason(self.table)
        return Broadcast(journal, self.table, time_left, pause_reason, self._last, update)

    def meter_moved(self, before: Floor, journal: Journal) -> None:
        """Announce that another table moved the meter that this table plays for as well (R78)."""
        if moved := linked_meter_announcement(before, journal.floor, self.table):
            self._broadcast(journal, moved)

    def _on_update(self, update: FloorUpdate) -> None:
        self._broadcast(update.journal, update)

    def _broadcast(self, journal: Journal, update: FloorUpdate | MeterMoved) -> None:
        try:
            broadcast = self._last = self.make_broadcast(journal, update)
        except Exception as error:  # a bug; later events are still broadcast
            log.error("broadcast failed", table=self.table, at=short_traceback(error))
            self._last = None
            return
        for socket, subscription in tuple(self._subscriptions.items()):
            try:
                subscription.send_events(broadcast)
            except Exception as error:  # the other watchers are not affected
                log.error(
                    "sending to a watcher failed", table=self.table, at=short_traceback(error)
                )
                self._subscriptions.pop(socket, None)


class LinkedMeterNotifier(Generic[SocketT]):
    """Notifies the other tables of a floor when one table moves the meter they share."""

    def __init__(self, host: FloorHost) -> None:
        self._floor = host.journal.floor
        self.galleries: dict[str, Gallery[SocketT]] = {}  # by table, of this floor only
        host.subscribe(self._on_update)

    def _on_update(self, update: FloorUpdate) -> None:
        before, now = self._floor, update.journal.floor
        self._floor = now
        if before.meters is now.meters:  # most events move no meter
            return
        for table, gallery in tuple(self.galleries.items()):
            if table == update.table or table not in before.tables:
                continue
            if before.meter_of(table) is not now.meter_of(table):
                gallery.meter_moved(before, update.journal)


def is_linked(floor: Floor, table: str) -> bool:
    """Whether another table on the floor plays for the same meter."""
    meter = floor.tables[table].meter
    others = (other for other in floor.tables if other != table)
    return bool(meter) and any(floor.tables[other].meter == meter for other in others)
