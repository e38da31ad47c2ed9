"""What sockets are sent of a table, as JSON; made once for all who may know the same."""

from pydantic_core import to_json

from headsup.game.announcements import announcement_text, told
from headsup.game.record.journal import Journal
from headsup.game.viewers import Viewer
from headsup.game.views import seen
from headsup.game.views.model import View
from headsup.game.views.posted import PostedView
from headsup.game.views.text import SameMoment
from headsup.house.host import Happened
from headsup.house.pace import TimeLeft
from headsup.web.clocks import clock_shown


class Telling:
    """A table after one entry of the log, while it is told: the time that is left and why the
    table is paused are of then and of no other time."""

    def __init__(
        self, journal: Journal, table: str, left: tuple[TimeLeft, ...], paused: str
    ) -> None:
        self._journal, self._table = journal, table
        self._left, self._paused = left, paused
        self._views: dict[Viewer, View] = {}
        self._texts = SameMoment()
        self._happened: dict[tuple[Viewer, bool], str] = {}
        self._name = to_json(table).decode()

    def posted(self, viewer: Viewer) -> PostedView:
        return self._view(viewer).posted

    def shown(self, viewer: Viewer) -> str:
        """The whole table."""
        view, index = self._view(viewer), self._journal.head.count - 1
        return (
            f'{{"type":"shown","table":{self._name},"index":{index},'
            f'"view":{self._texts.text(view, paused=self._paused)},"clock":{self._clock(view)}}}'
        )

    def happened(self, news: Happened, viewer: Viewer, with_posted: bool) -> str:
        """What happened, and the table after it; `news` is what led to this moment."""
        key = viewer, with_posted
        if (text := self._happened.get(key)) is None:
            text = self._happened[key] = self._made(news, viewer, with_posted)
        return text

    def _made(self, news: Happened, viewer: Viewer, with_posted: bool) -> str:
        floor, view = news.journal.floor, self._view(viewer)
        announced = (told(viewer, floor, news.table, event) for event in news.events)
        events = ",".join([announcement_text(one) for one in announced if one is not None])
        shown = self._texts.text(view, with_posted, self._paused)
        return (
            f'{{"type":"happened","table":{self._name},"index":{news.journal.head.count - 1},'
            f'"at":"{news.journal.at}","events":[{events}],'
            f'"view":{shown},"clock":{self._clock(view)}}}'
        )

    def _view(self, viewer: Viewer) -> View:
        if (view := self._views.get(viewer)) is None:
            view = self._views[viewer] = seen(viewer, self._journal.floor, self._table)
        return view

    def _clock(self, view: View) -> str:
        return to_json(clock_shown(self._left, view)).decode() if self._left else "[]"
