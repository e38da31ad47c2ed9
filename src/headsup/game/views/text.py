"""Views as JSON: what `wire.write_view` gives, as text that is put together of pieces.

Those who look at a table at the same moment see the same in most of it: all but what is their own,
and of the round all but the hands. What they have alike is written once for all of them; and what
is as it was the moment before is not written again, since of six seats an event changes one.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, assert_never

from headsup.game.money import Cents
from headsup.game.round.state import Round, Seat
from headsup.game.table.state import Floor, Table
from headsup.game.viewers import AtSeat, Viewer, Watcher
from headsup.game.views import OwnPart, around, for_tablevision, owing, own_part
from headsup.game.views.model import (
    LegalAction,
    Owes,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
)
from headsup.game.views.posted import PostedView
from headsup.game.views.rounds import seat_view, with_hands
from headsup.game.views.wire import LEFT_OUT, VIEWS


class SameMoment:
    """Writes what is seen of one table at one moment; `before` is another of the same table."""

    def __init__(self, floor: Floor, table_id: str, before: "SameMoment | None" = None) -> None:
        self._floor, self._table = floor, floor.tables[table_id]
        self._around: _Around = _around(floor, self._table, before._around if before else None)
        self._round: _RoundTexts | None = _round(
            self._table.round, before._round if before else None
        )
        self._owns: dict[int, _Own] = self._still_own(before) if before else {}

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
        return self._around.posted

    def owes(self, viewer: Viewer, seat: int) -> bool:
        """Whether the viewer sees that the seat has a decision to make."""
        if self._round is None or viewer is Watcher.TABLEVISION:
            return False
        is_own = isinstance(viewer, AtSeat) and viewer.seat == seat
        own = self._own(seat).part.hand if is_own else None
        hand = own or self._round.hands.get(seat)
        return hand is not None and isinstance(hand.decision, Owes)

    def _texts(self, viewer: Viewer) -> list[str]:
        match viewer:
            case AtSeat(seat):
                own = self._own(seat)
                return [self._around.text, self._round_text(seat, own.hand), own.text]
            case Watcher.DEALER:
                owed = owing(self._table)
                more = () if owed is None else (f'"owing":{_OWING(owed)}',)
                return [self._around.text, self._round_text(), *more]
            case Watcher.RAIL:
                return [self._around.text, self._round_text()]
            case Watcher.TABLEVISION:
                return _DISPLAY(for_tablevision(self._floor, self._table.id))
            case _:
                assert_never(viewer)

    def _round_text(self, seat: int = 0, own: str = "") -> str:
        """With the own hand of a seat in place of what others see of it."""
        if self._round is None:
            return '"round":null'
        texts = {**self._round.texts, seat: own} if own else self._round.texts
        return self._round.head + ",".join(texts.values()) + "}}"

    def _own(self, seat: int) -> "_Own":
        if (own := self._owns.get(seat)) is None:
            own = self._owns[seat] = _own(own_part(self._floor, self._table, seat), seat)
        return own

    def _still_own(self, before: "SameMoment") -> "dict[int, _Own]":
        """What is as it was of the seats' own: their chips are looked up, all else is the same
        where the table is and the seat has not changed. Where players act in turn, what one may do
        hangs on the others."""
        now, was, round = self._round, before._round, self._table.round
        if self._around is not before._around or now is None or was is None or round is None:
            return {}
        if now.rest is not was.rest or self._table.clockwise:
            return {}
        return {
            seat: own
            for seat, own in before._owns.items()
            if _is_still(was, round, seat) and own.part.chips == self._chips(seat)
        }

    def _chips(self, seat: int) -> Cents | None:
        table = self._table
        return self._floor.chips_at(table, seat) if seat in table.players else None


class _Around(NamedTuple):
    """The table without its round."""

    of: tuple[object, ...]  # all that it is made of
    posted: PostedView
    text: str


def _around(floor: Floor, table: Table, before: _Around | None) -> _Around:
    of = *table[:_ROUND_AT], *table[_ROUND_AT + 1 :], floor.meters.get(table.meter)
    if before is not None and before.of == of:
        return before
    view = around(floor, table)
    return _Around(of, view.posted, ",".join(_ALIKE(view)))


class _RoundTexts(NamedTuple):
    """The round as everyone sees it."""

    rest: tuple[object, ...]  # all of it but the seats and which are resolved
    seats: Mapping[int, Seat]
    resolved: tuple[int, ...]
    head: str  # up to the hands
    hands: Mapping[int, SeatView]
    texts: Mapping[int, str]  # of the hands, in their order


def _round(round: Round | None, before: _RoundTexts | None) -> _RoundTexts | None:
    if round is None:
        return None
    rest: tuple[object, ...] = *round[:_SEATS_AT], *round[_SEATS_AT + 1 : _RESOLVED_AT]
    if before is not None and before.rest == rest:
        rest = before.rest
    else:
        before = None
    hands, texts = {}, {}
    for number in sorted(round.seats):
        if before is not None and _is_still(before, round, number):
            hands[number], texts[number] = before.hands[number], before.texts[number]
        else:
            hands[number] = hand = seat_view(round, number)
            texts[number] = _hand_text(number, hand)
    if before is not None and before.resolved == round.resolved:
        head = before.head
    else:
        head = '"round":{' + ",".join(_ROUND(with_hands(round, hands))) + ',"seats":{'
    return _RoundTexts(rest, round.seats, round.resolved, head, hands, texts)


def _is_still(before: _RoundTexts, round: Round, number: int) -> bool:
    """Whether a seat is seen as it was, where the rest of the round is the same."""
    if round.seats.get(number) is not before.seats.get(number):
        return False
    return (number in round.resolved) == (number in before.resolved)


class _Own(NamedTuple):
    """What a seat alone sees."""

    part: OwnPart
    hand: str
    text: str


def _own(part: OwnPart, seat: int) -> _Own:
    texts = [f'"you":{seat}']
    if part.chips is not None:
        texts.append(f'"chips":{_CENTS(part.chips)}')
    if part.legal is not None:
        texts.append(f'"legal":{_legal_text(part.legal)}')
    hand = "" if part.hand is None else _hand_text(seat, part.hand)
    return _Own(part, hand, ",".join(texts))


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


def _hand_text(number: int, hand: SeatView) -> str:
    return f'"{number}":{_SEAT(hand)}'


def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    return "[" + ",".join(["{" + ",".join(_ACTION(action)) + "}" for action in legal]) + "]"


_ROUND_AT = Table._fields.index("round")
_SEATS_AT, _RESOLVED_AT = (Round._fields.index(name) for name in ("seats", "resolved"))
assert len(Round._fields) - 1 == _RESOLVED_AT

_POSTED = VIEWS.of(PostedView).text
_TEXT = VIEWS.of(str).text
_SEAT = VIEWS.of(SeatView).text
_OWING = VIEWS.of(tuple[int, ...]).text
_CENTS = VIEWS.of(Cents).text
_ACTION = _fields(LegalAction)
_ROUND = _fields(RoundView, frozenset({"seats"}))
_DISPLAY = _fields(TableVisionView, frozenset({"posted"}))
_ALIKE = _fields(TableView, frozenset({"round", "posted"}))
