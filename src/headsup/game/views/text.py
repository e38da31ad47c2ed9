"""Views as JSON: what `wire.write_view` gives, as text that is put together of pieces.

Those who look at a table at the same moment see the same in most of it: all but what is their own,
and of the round all but the hands. What they have alike is written once for all of them.
"""

from collections.abc import Callable
from functools import cached_property
from operator import attrgetter
from typing import Any, assert_never

from headsup.game.money import Cents
from headsup.game.remembered import Remembered
from headsup.game.table.state import Floor
from headsup.game.viewers import AtSeat, Viewer, Watcher
from headsup.game.views import OwnPart, for_dealer, for_rail, for_tablevision, own_part
from headsup.game.views.model import (
    DealerView,
    LegalAction,
    Owes,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
)
from headsup.game.views.posted import PostedView
from headsup.game.views.wire import LEFT_OUT, VIEWS


class SameMoment:
    """Writes what is seen of one table at one moment."""

    def __init__(self, floor: Floor, table_id: str) -> None:
        self._floor, self._table_id = floor, table_id
        self._owns: dict[int, OwnPart] = {}  # by seat

    def text(self, viewer: Viewer, with_posted: bool = True, paused: str = "") -> str:
        """What is posted may be left out where it is known; why a table is paused stands beside
        what the game says of it."""
        texts = self._texts(viewer)
        if with_posted:
            texts.append(f'"posted":{_POSTED(self.posted)}')
        if paused:
            texts.append(f'"paused":{_TEXT(paused)}')
        return "{" + ",".join(texts) + "}"

    @property
    def posted(self) -> PostedView:
        """The same for everyone who looks at the table."""
        return self._everyones.posted

    def owes(self, viewer: Viewer, seat: int) -> bool:
        """Whether the viewer sees that the seat has a decision to make."""
        round = self._everyones.round
        if round is None or viewer is Watcher.TABLEVISION or seat not in round.seats:
            return False
        own = self._own(viewer.seat).hand if viewer == AtSeat(seat) else None
        return isinstance((own or round.seats[seat]).decision, Owes)

    def _texts(self, viewer: Viewer) -> list[str]:
        match viewer:
            case AtSeat(seat):
                own = f'"you":{seat}', *_own_texts(self._own(seat))
                return [self._alike, self._round(seat), *own]
            case Watcher.DEALER:
                view = for_dealer(self._floor, self._table_id)
                return [self._alike, self._rounds_text, *_DEALERS(view)]
            case Watcher.RAIL:
                return [self._alike, self._rounds_text]
            case Watcher.TABLEVISION:
                return _DISPLAY(for_tablevision(self._floor, self._table_id))
            case _:
                assert_never(viewer)

    # What they have alike.

    @cached_property
    def _everyones(self) -> TableView:
        return for_rail(self._floor, self._table_id)

    @cached_property
    def _alike(self) -> str:
        return ",".join(_ALIKE(self._everyones))

    @cached_property
    def _rounds_head(self) -> str:
        round = self._everyones.round
        return "" if round is None else '"round":{' + ",".join(_ROUND(round)) + ',"seats":{'

    @cached_property
    def _hands(self) -> dict[int, str]:
        round = self._everyones.round
        hands = round.seats.items() if round is not None else ()
        return {number: f'"{number}":{_SEAT(seat)}' for number, seat in hands}

    @cached_property
    def _rounds_text(self) -> str:
        return self._round(None)

    def _round(self, seat: int | None) -> str:
        """As it is seen from a seat, with the own hand in place of what others see of it."""
        if self._everyones.round is None:
            return '"round":null'
        hands = self._hands
        if seat is not None and (own := self._own(seat).hand) is not None:
            hands = {**hands, seat: f'"{seat}":{_SEAT(own)}'}
        return self._rounds_head + ",".join(hands.values()) + "}}"

    # And what is their own.

    def _own(self, seat: int) -> OwnPart:
        if (own := self._owns.get(seat)) is None:
            own = self._owns[seat] = own_part(self._floor, self._table_id, seat)
        return own


def _fields(kind: type[Any], without: frozenset[str] = frozenset()) -> Callable[[Any], list[str]]:
    """Each field as `"name":…`, without those that say nothing."""
    forms = VIEWS.fields_of(kind)
    texts = {name: form.text for name, form in forms.items() if name not in without}
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


@Remembered
def _own_texts(own: OwnPart) -> tuple[str, ...]:
    chips = "" if own.chips is None else f'"chips":{_CENTS(own.chips)}'
    legal = "" if own.legal is None else f'"legal":{_legal_text(own.legal)}'
    return tuple(text for text in (chips, legal) if text)


def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    return "[" + ",".join(["{" + ",".join(_ACTION(action)) + "}" for action in legal]) + "]"


_POSTED = VIEWS.of(PostedView).text
_TEXT = VIEWS.of(str).text
_SEAT = VIEWS.of(SeatView).text
_ACTION = _fields(LegalAction)
_ROUND = _fields(RoundView, frozenset({"seats"}))
_DISPLAY = _fields(TableVisionView, frozenset({"posted"}))
_CENTS = VIEWS.of(Cents).text
_ALIKE = _fields(TableView, frozenset({"round", "posted"}))
_DEALERS = _fields(DealerView, frozenset(VIEWS.fields_of(TableView)))
