"""Views as JSON: what `wire.write_view` gives, as text that is put together of pieces.

Those who look at the same moment see the same in most of it. A piece is made once for all of them,
and known again by identity.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias, get_args

from headsup.game.remembered import Remembered
from headsup.game.views.model import LegalAction, PlayerView, RoundView, SeatView, View
from headsup.game.views.wire import LEFT_OUT, VIEWS

MOST_PIECES = 64  # of one kind: the tables that are told of at the same moment
_OF_EACH_SEAT = frozenset({"you", "chips"})

Texts: TypeAlias = Mapping[str, Callable[[Any], str]]


def view_text(view: View, with_posted: bool = True, paused: str = "") -> str:
    """What is posted may be left out where it is known; why a table is paused stands beside what
    the game says of it."""
    texts = _FIELDS[type(view)](view)  # what is posted is the last of them
    if not with_posted:
        texts.pop()
    if paused:
        texts.append(f'"paused":{_TEXT(paused)}')
    return "{" + ",".join(texts) + "}"


def _fields(texts: Texts) -> Callable[[Any], list[str]]:
    """Each field as `"name":…`, without those that say nothing."""
    get = attrgetter(*texts)
    heads = tuple((f'"{name}":', text, name in LEFT_OUT) for name, text in texts.items())

    def written(value: Any) -> list[str]:
        return [
            head + text(held)
            for (head, text, is_left_out), held in zip(heads, get(value), strict=True)
            if held is not None or not is_left_out
        ]

    return written


def _fields_of(kind: type[Any]) -> Callable[[View], list[str]]:
    texts: dict[str, Callable[[Any], str]] = {
        name: form.text if name in _OF_EACH_SEAT else Remembered(form.text, MOST_PIECES)
        for name, form in VIEWS.fields_of(kind).items()
    }
    if kind is PlayerView:
        texts["round"], texts["legal"] = _round_text, _legal_text
    elif "tabulator" in texts:  # the felt, as everyone sees it; the display has none
        texts["round"] = Remembered(_round_text, MOST_PIECES)
    posted = texts.pop("posted")
    return _fields({**texts, "posted": posted})


def _round_text(round: RoundView | None) -> str:
    return "null" if round is None else "{" + ",".join(_ROUND(round)) + "}"


def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    return "[" + ",".join(["{" + ",".join(_ACTION(action)) + "}" for action in legal]) + "]"


def _seats_text(seats: Mapping[int, SeatView]) -> str:
    return "{" + ",".join([f'"{number}":{_SEAT(seat)}' for number, seat in seats.items()]) + "}"


_TEXT = VIEWS.of(str).text
_SEAT = VIEWS.of(SeatView).text
_ACTION = _fields({name: form.text for name, form in VIEWS.fields_of(LegalAction).items()})
_ROUND = _fields(
    {
        **{
            name: Remembered(form.text, MOST_PIECES)
            for name, form in VIEWS.fields_of(RoundView).items()
        },
        "seats": _seats_text,
    }
)
_FIELDS = {kind: _fields_of(kind) for kind in get_args(View)}
