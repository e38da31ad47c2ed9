"""What sockets are sent of a table, as JSON; made once for all who may know the same."""

from collections.abc import Iterable
from functools import cached_property

from headsup.game.record.codec.base import quote_json
from headsup.game.record.journal import Journal
from headsup.game.views.announcements import MeterMoved, announcement_for, announcement_text
from headsup.game.views.seat_announcements import seats_announced_separately
from headsup.game.views.view_cache import ViewCache
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.house.dealing.pace import TimeLeft
from headsup.house.floor.host import FloorUpdate

_OTHER_SEATS = None  # as a key: those that are all told the same


class Broadcast:
    """A table after one entry of the log, while it is told: the time that is left and why the
    table is paused are of then and of no other time."""

    def __init__(
        self,
        journal: Journal,
        table: str,
        left: tuple[TimeLeft, ...],
        paused: str,
        before: "Broadcast | None" = None,
        news: FloorUpdate | MeterMoved | None = None,
    ) -> None:
        """`before` is any other of this table, best the one just before; `news` is what led to
        this moment, where it is told: at this table, or at another that plays for its meter."""
        self._journal, self._table = journal, table
        self._left, self._paused = left, paused
        self._events = news.events if isinstance(news, FloorUpdate) else ()
        self._moved = announcement_text(news) if isinstance(news, MeterMoved) else ""
        self._seen: ViewCache = ViewCache(journal.floor, table, before._seen if before else None)
        self.floor, self.players, self.posted = journal.floor, self._seen.players, self._seen.posted
        self._happened: dict[tuple[Watcher, bool], str] = {}
        self._told_to: dict[Viewer | None, str] = {}

    def shown(self, viewer: Viewer) -> str:
        """The whole table."""
        view, index = self._seen.text(viewer, paused=self._paused), self._journal.head.count - 1
        return (
            f'{{"type":"shown","table":{quote_json(self._table)},"index":{index},'
            f'"view":{view},"clock":{self._clock(viewer)}}}'
        )

    def happened(self, viewer: Viewer, with_posted: bool) -> str:
        """What happened, and the table after it."""
        if isinstance(viewer, SeatViewer):  # nobody else is told the same
            return self._made(viewer, with_posted)
        key = viewer, with_posted
        if (text := self._happened.get(key)) is None:
            text = self._happened[key] = self._made(viewer, with_posted)
        return text

    def _made(self, viewer: Viewer, with_posted: bool) -> str:
        view = self._seen.text(viewer, with_posted, self._paused)
        events, clock = self._told(viewer), self._clock(viewer)
        return f'{self._head}{events}],"view":{view},"clock":{clock}}}'

    @cached_property
    def _head(self) -> str:
        return (
            f'{{"type":"happened","table":{quote_json(self._table)},'
            f'"index":{self._journal.head.count - 1},"at":"{self._journal.at}","events":['
        )

    def _told(self, viewer: Viewer) -> str:
        """The events, as far as they are told; most are told to all seats alike."""
        if self._moved:
            return self._moved
        key: Viewer | None = viewer
        if isinstance(viewer, SeatViewer) and viewer.seat not in self._apart:
            key = _OTHER_SEATS
        if (text := self._told_to.get(key)) is None:
            found = [
                announcement_for(viewer, self.floor, self._table, event) for event in self._events
            ]
            text = ",".join([announcement_text(one) for one in found if one is not None])
            self._told_to[key] = text
        return text

    @cached_property
    def _apart(self) -> frozenset[int]:
        return frozenset(
            seat
            for event in self._events
            for seat in seats_announced_separately(event, self.players)
        )

    def _clock(self, viewer: Viewer) -> str:
        """Times are the web's to tell: they are no part of a view, which follows from the log
        alone. Whose decision is awaited is told where the view shows that it is."""
        if not self._left:
            return "[]"
        if viewer is Watcher.TABLEVISION:
            return _times_text(one for one in self._left if one.seat is None)
        if isinstance(viewer, SeatViewer) and self._seen.owes(viewer, viewer.seat):
            return _times_text(
                one for one in self._left if one.seat == viewer.seat or self._is_open(one)
            )
        return self._open_clock

    @cached_property
    def _open_clock(self) -> str:
        """For all at the table who have nothing to decide."""
        return _times_text(one for one in self._left if self._is_open(one))

    def _is_open(self, left: TimeLeft) -> bool:
        """Whether all at the table see that it is awaited."""
        return left.seat is None or self._seen.owes(Watcher.RAIL, left.seat)


def _times_text(times: Iterable[TimeLeft]) -> str:
    return f"[{','.join([_time_text(one) for one in times])}]"


def _time_text(left: TimeLeft) -> str:
    seat = "null" if left.seat is None else left.seat
    return (
        f'{{"what":"{left.what.value}","seat":{seat},'
        f'"left":{round(left.left, 1)},"of":{float(left.of)}}}'
    )
