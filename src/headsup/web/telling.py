"""What sockets are sent of a table, as JSON; made once for all who may know the same."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from pydantic_core import to_json

from headsup.game.announcements import announcement_text, told
from headsup.game.record.journal import Journal
from headsup.game.viewers import AtSeat, Viewer, Watcher
from headsup.game.views.posted import PostedView
from headsup.game.views.text import SameMoment
from headsup.house.host import Happened
from headsup.house.pace import TimeLeft


class Telling:
    """A table after one entry of the log, while it is told: the time that is left and why the
    table is paused are of then and of no other time."""

    def __init__(
        self,
        journal: Journal,
        table: str,
        left: tuple[TimeLeft, ...],
        paused: str,
        before: "Telling | None" = None,
    ) -> None:
        """`before` is what the table's watchers were told last."""
        self._journal, self._table = journal, table
        self._left, self._paused = left, paused
        seen_before = before._seen if before else None
        self._seen: SameMoment = SameMoment(journal.floor, table, seen_before)
        self._happened: dict[tuple[Watcher, bool], str] = {}
        self._name = to_json(table).decode()

    @property
    def posted(self) -> PostedView:
        return self._seen.posted

    def shown(self, viewer: Viewer) -> str:
        """The whole table."""
        view, index = self._seen.text(viewer, paused=self._paused), self._journal.head.count - 1
        return (
            f'{{"type":"shown","table":{self._name},"index":{index},'
            f'"view":{view},"clock":{self._clock(viewer)}}}'
        )

    def happened(self, news: Happened, viewer: Viewer, with_posted: bool) -> str:
        """What happened, and the table after it; `news` is what led to this moment."""
        if isinstance(viewer, AtSeat):  # nobody else is told the same
            return self._made(news, viewer, with_posted)
        key = viewer, with_posted
        if (text := self._happened.get(key)) is None:
            text = self._happened[key] = self._made(news, viewer, with_posted)
        return text

    def _made(self, news: Happened, viewer: Viewer, with_posted: bool) -> str:
        floor = news.journal.floor
        announced = [told(viewer, floor, news.table, event) for event in news.events]
        events = ",".join([announcement_text(one) for one in announced if one is not None])
        view = self._seen.text(viewer, with_posted, self._paused)
        return (
            f'{{"type":"happened","table":{self._name},"index":{news.journal.head.count - 1},'
            f'"at":"{news.journal.at}","events":[{events}],'
            f'"view":{view},"clock":{self._clock(viewer)}}}'
        )

    def _clock(self, viewer: Viewer) -> str:
        """Times are the web's to tell: they are no part of a view, which follows from the log
        alone. Whose decision is awaited is told where the view shows that it is."""
        shown = [
            text for seat, text in self._times if seat is None or self._seen.owes(viewer, seat)
        ]
        return f"[{','.join(shown)}]"

    @cached_property
    def _times(self) -> list[tuple[int | None, str]]:
        return [(one.seat, to_json(_time(one)).decode()) for one in self._left]


class LastTold:
    """What was told last of each table that somebody looks at."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[Happened, Telling]] = {}

    def telling(self, news: Happened, begin: Callable[[Telling | None], Telling]) -> Telling:
        """The same for all who are told of an entry, one after the other; begun with what was
        told of the table before."""
        told, telling = self._told.get(news.table, (None, None))
        if telling is None or told is not news:
            telling = begin(telling)
            self._told[news.table] = news, telling
        return telling

    def forget(self, table: str) -> None:
        self._told.pop(table, None)


def _time(left: TimeLeft) -> dict[str, Any]:
    return {
        "what": left.what.value,
        "seat": left.seat,
        "left": round(left.left, 1),
        "of": left.of,
    }
