"""Those who look at one table through this server: told together what happens there.

Most of what they are told is the same for all of them, and of the rest most is as it was the moment
before; so one telling is made for all, from the one before it.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar

from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.game.views.announcements import MeterMoved, linked_meter_announcement
from headsup.game.views.viewers import Viewer, Watcher
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.log import short_traceback
from headsup.house.people.accounts import Person
from headsup.web.live.broadcast import Broadcast
from headsup.web.live.visibility import may_view
from headsup.web.server.log import log

SocketT = TypeVar("SocketT", bound=Hashable)


class Subscription:
    """From where one socket looks at a table, and what it was told of it last."""

    __slots__ = ("_as", "_person", "_players", "_posted", "_put", "_table", "viewer")

    def __init__(
        self, table: str, person: Person, viewer: Viewer, put: Callable[[str], None]
    ) -> None:
        self._table, self._person, self.viewer, self._put = table, person, viewer, put
        self._posted: object = None
        # As whom it was seen last, and who sat at the table then.
        self._as: Viewer = Watcher.RAIL
        self._players: Mapping[int, str] | None = None

    def show(self, telling: Broadcast) -> None:
        """The whole table."""
        self._posted = telling.posted
        self._put(telling.shown(self._seen_as(telling.floor, telling.players)))

    def tell(self, telling: Broadcast) -> None:
        """What happened; what is posted is told again where it is another."""
        before, self._posted = self._posted, telling.posted
        viewer = self._seen_as(telling.floor, telling.players)
        self._put(telling.happened(viewer, self._posted is not before))

    def _seen_as(self, floor: Floor, players: Mapping[int, str]) -> Viewer:
        """Who has left the seat looks on. It is looked at again only when somebody has come or
        gone: nothing else decides it."""
        if players is not self._players:
            allowed = may_view(self._person, self.viewer, floor, self._table)
            self._as, self._players = (self.viewer if allowed else Watcher.RAIL), players
        return self._as


class Gallery(Generic[SocketT]):
    """`paused` says why nothing is dealt at the table; empty while it is."""

    def __init__(self, host: FloorHost, table: str, paused: Callable[[str], str]) -> None:
        self.host, self.table, self._paused = host, table, paused
        self._places: dict[SocketT, Subscription] = {}
        self._last: Broadcast | None = None
        self._stop = host.watch(self._happened, table)

    def add(self, who: SocketT, place: Subscription) -> None:
        self._places[who] = place

    def remove(self, who: SocketT) -> bool:
        """Whether nobody is left, and the gallery has ended."""
        self._places.pop(who, None)
        if not self._places:
            self._stop()
        return not self._places

    def __iter__(self) -> Iterator[SocketT]:
        return iter(tuple(self._places))

    def telling(self, journal: Journal, news: FloorUpdate | MeterMoved | None = None) -> Broadcast:
        """The table at that moment, with the time left and the reason for a pause of now."""
        left, paused = self.host.clock(self.table), self._paused(self.table)
        return Broadcast(journal, self.table, left, paused, self._last, news)

    def meter_moved(self, before: Floor, journal: Journal) -> None:
        """Something happened at another table: told where it moved the meter that is played for
        here as well (R78)."""
        if moved := linked_meter_announcement(before, journal.floor, self.table):
            self._tell(journal, moved)

    def _happened(self, news: FloorUpdate) -> None:
        self._tell(news.journal, news)

    def _tell(self, journal: Journal, news: FloorUpdate | MeterMoved) -> None:
        try:
            telling = self._last = self.telling(journal, news)
        except Exception as error:  # a bug; what happens next is told all the same
            log.error("nobody was told", table=self.table, at=short_traceback(error))
            self._last = None
            return
        for who, place in tuple(self._places.items()):
            try:
                place.tell(telling)
            except Exception as error:  # nobody else at the table notices
                log.error("a watcher failed", table=self.table, at=short_traceback(error))
                self._places.pop(who, None)


class LinkedMeterNotifier(Generic[SocketT]):
    """Tells those at the other tables of a floor whose meter one of them has moved."""

    def __init__(self, host: FloorHost) -> None:
        self._floor = host.journal.floor
        self.galleries: dict[str, Gallery[SocketT]] = {}  # of this floor alone
        host.watch(self._happened)

    def _happened(self, news: FloorUpdate) -> None:
        before, now = self._floor, news.journal.floor
        self._floor = now
        if before.meters is now.meters:  # most of what happens moves none
            return
        for table, gallery in tuple(self.galleries.items()):
            if table == news.table or table not in before.tables:
                continue
            if before.meter_of(table) is not now.meter_of(table):
                gallery.meter_moved(before, news.journal)


def is_linked(floor: Floor, table: str) -> bool:
    """Whether another table plays for the same meter."""
    meter = floor.tables[table].meter
    others = (other for other in floor.tables if other != table)
    return bool(meter) and any(floor.tables[other].meter == meter for other in others)
