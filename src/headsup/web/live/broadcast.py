"""Builds the JSON messages about a table, once for all viewers who may see the same."""

from collections.abc import Iterable
from functools import cached_property

from headsup.game.record.codec.base import quote_json
from headsup.game.record.journal import Journal
from headsup.game.views.announcements import (
    Announcement,
    MeterMoved,
    announcement_for,
    announcement_text,
)
from headsup.game.views.view_cache import ViewCache
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wording import words_for
from headsup.game.words.english import ENGLISH
from headsup.house.dealing.pace import TimeLeft
from headsup.house.floor.host import FloorUpdate


class Broadcast:
    """The messages about one table after one entry of the log.

    The clock and the reason for a pause are those at the moment it is made.
    """

    def __init__(
        self,
        journal: Journal,
        table: str,
        time_left: tuple[TimeLeft, ...],
        pause_reason: str,
        previous: "Broadcast | None" = None,
        update: FloorUpdate | MeterMoved | None = None,
    ) -> None:
        """`previous` is an earlier broadcast of this table, whose texts can be reused. `update` is
        what happened, here or at another table that plays for the same meter."""
        self._journal, self._table = journal, table
        self._time_left, self._pause_reason = time_left, pause_reason
        self._events = update.events if isinstance(update, FloorUpdate) else ()
        self._meter_moved = update if isinstance(update, MeterMoved) else None
        previous_views: ViewCache | None = previous._views if previous else None
        self._views: ViewCache = ViewCache(journal.floor, table, previous_views)
        self.floor = journal.floor
        self.players, self.posted = self._views.players, self._views.posted
        self._event_messages: dict[tuple[Watcher, bool], str] = {}
        self._event_texts: dict[Viewer, str] = {}

    def view_message(self, viewer: Viewer) -> str:
        """A `shown` message: the whole view."""
        view, index = (
            self._views.text(viewer, paused=self._pause_reason),
            self._journal.head.count - 1,
        )
        return (
            f'{{"type":"shown","table":{quote_json(self._table)},"index":{index},'
            f'"view":{view},"clock":{self._clock(viewer)}}}'
        )

    def event_message(self, viewer: Viewer, with_posted: bool) -> str:
        """A `happened` message: the events, and the view after them."""
        if isinstance(viewer, SeatViewer):  # no two seats get the same view
            return self._compose(viewer, with_posted)
        key = viewer, with_posted
        if (text := self._event_messages.get(key)) is None:
            text = self._event_messages[key] = self._compose(viewer, with_posted)
        return text

    def _compose(self, viewer: Viewer, with_posted: bool) -> str:
        view = self._views.text(viewer, with_posted, self._pause_reason)
        events, clock = self._events_for(viewer), self._clock(viewer)
        return f'{self._head}{events}],"view":{view},"clock":{clock}}}'

    @cached_property
    def _head(self) -> str:
        return (
            f'{{"type":"happened","table":{quote_json(self._table)},'
            f'"index":{self._journal.head.count - 1},"at":"{self._journal.time}","events":['
        )

    def _events_for(self, viewer: Viewer) -> str:
        """The events as this viewer may know them."""
        if self._meter_moved is not None:
            return self._announced(viewer, self._meter_moved)
        if (text := self._event_texts.get(viewer)) is None:
            announcements = [
                announcement_for(viewer, self.floor, self._table, event) for event in self._events
            ]
            text = ",".join(
                [self._announced(viewer, item) for item in announcements if item is not None]
            )
            self._event_texts[viewer] = text
        return text

    def _announced(self, viewer: Viewer, announcement: Announcement) -> str:
        """The announcement with its sentence."""
        say = ENGLISH.say(words_for(announcement, viewer, self.floor, self._table))
        return f'{announcement_text(announcement)[:-1]},"say":{quote_json(say)}}}'

    def _clock(self, viewer: Viewer) -> str:
        """The time left, for those who see in their view that it is running.

        Times are not part of the view itself, because a view follows from the log alone.
        """
        if not self._time_left:
            return "[]"
        if viewer is Watcher.TABLEVISION:
            return _times_text(time for time in self._time_left if time.seat is None)
        if isinstance(viewer, SeatViewer) and self._views.shows_decision_owed(viewer, viewer.seat):
            return _times_text(
                time
                for time in self._time_left
                if time.seat == viewer.seat or self._is_public(time)
            )
        return self._public_clock

    @cached_property
    def _public_clock(self) -> str:
        """The clock for everyone who has nothing to decide."""
        return _times_text(time for time in self._time_left if self._is_public(time))

    def _is_public(self, time: TimeLeft) -> bool:
        """Whether everyone at the table sees that this bet or decision is awaited."""
        return time.seat is None or self._views.shows_decision_owed(Watcher.RAIL, time.seat)


def _times_text(times: Iterable[TimeLeft]) -> str:
    return f"[{','.join([_time_text(time) for time in times])}]"


def _time_text(time: TimeLeft) -> str:
    seat = "null" if time.seat is None else time.seat
    return (
        f'{{"what":"{time.kind.value}","seat":{seat},'
        f'"left":{round(time.seconds, 1)},"of":{float(time.total)}}}'
    )
