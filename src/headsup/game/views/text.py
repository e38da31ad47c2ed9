"""Views as JSON: what `wire.write_view` gives, as text that is put together of pieces.

Those who look at a table at the same moment see the same in most of it: all but what is their own,
and of the round all but the hands. What they have alike is written once for all of them.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from headsup.game.views.model import (
    DealerView,
    LegalAction,
    PlayerView,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
    View,
)
from headsup.game.views.posted import PostedView
from headsup.game.views.wire import LEFT_OUT, VIEWS

_Fields: TypeAlias = Callable[[Any], list[str]]


class SameMoment:
    """Writes views of one table, all of the same moment."""

    def __init__(self) -> None:
        self._alike: list[str] = []  # fields that all views have alike
        self._round: list[str] = []  # and those of the round

    def text(self, view: View, with_posted: bool = True, paused: str = "") -> str:
        """What is posted may be left out where it is known; why a table is paused stands beside
        what the game says of it."""
        if isinstance(view, TableVisionView):
            texts = _DISPLAY(view)
        else:
            self._alike = self._alike or _ALIKE(view)
            texts = [*self._alike, self._round_text(view.round), *_OWN[type(view)](view)]
        if with_posted:
            texts.append(f'"posted":{_POSTED(view.posted)}')
        if paused:
            texts.append(f'"paused":{_TEXT(paused)}')
        return "{" + ",".join(texts) + "}"

    def _round_text(self, round: RoundView | None) -> str:
        if round is None:
            return '"round":null'
        self._round = self._round or _ROUND(round)
        seats = ",".join([f'"{number}":{_SEAT(seat)}' for number, seat in round.seats.items()])
        return '"round":{' + ",".join(self._round) + ',"seats":{' + seats + "}}"


def _fields(
    kind: type[Any], without: frozenset[str], **own: Callable[[Any], str]
) -> Callable[[Any], list[str]]:
    """Each field as `"name":…`, without those that say nothing."""
    forms = VIEWS.fields_of(kind)
    texts = {name: form.text for name, form in forms.items() if name not in without} | own
    heads = tuple((f'"{name}":', text, name in LEFT_OUT) for name, text in texts.items())
    gets = tuple(map(attrgetter, texts))

    def written(value: Any) -> list[str]:
        found = [get(value) for get in gets]
        return [
            head + text(held)
            for (head, text, is_left_out), held in zip(heads, found, strict=True)
            if held is not None or not is_left_out
        ]

    return written


def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    return "[" + ",".join(["{" + ",".join(_ACTION(action)) + "}" for action in legal]) + "]"


_NONE: frozenset[str] = frozenset()
_POSTED = VIEWS.of(PostedView).text
_TEXT = VIEWS.of(str).text
_SEAT = VIEWS.of(SeatView).text
_ACTION = _fields(LegalAction, _NONE)
_ROUND = _fields(RoundView, frozenset({"seats"}))
_DISPLAY = _fields(TableVisionView, frozenset({"posted"}))

_EVERYONES = frozenset(VIEWS.fields_of(TableView))
_ALIKE = _fields(TableView, frozenset({"round", "posted"}))
_OWN: Mapping[type[Any], _Fields] = {
    TableView: lambda _: [],
    DealerView: _fields(DealerView, _EVERYONES),
    PlayerView: _fields(PlayerView, _EVERYONES, legal=_legal_text),
}
