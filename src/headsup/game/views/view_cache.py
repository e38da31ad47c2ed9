"""Views as JSON: what `wire.write_view` gives, as text that is put together of pieces.

Those who look at a table at the same moment see the same in most of it: all but what is their own,
and of the round all but the hands. What they have alike is written once for all of them; and what
is as it was the moment before is not written again, since of six seats an event changes one.
"""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, assert_never

from headsup.game.bank.balances import bucket_key
from headsup.game.round.state import Round, Seat
from headsup.game.table.state import Floor, Table
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.values.money import Cents
from headsup.game.views.builder import (
    PrivateView,
    private_view,
    seats_owing,
    tablevision_view,
    view_without_round,
    visible_chips,
)
from headsup.game.views.model import (
    LegalAction,
    OwedDecision,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
)
from headsup.game.views.posted import PostedView
from headsup.game.views.round_view import build_round_view, results_of, seat_view
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import OMITTED_IF_NONE, VIEW_CODECS


class ViewCache:
    """Writes what is seen of one table at one moment; `before` is another of the same table."""

    def __init__(self, floor: Floor, table_id: str, before: "ViewCache | None" = None) -> None:
        table = floor.tables[table_id]
        self._floor, self._table = floor, table
        self.players = table.players
        if before is None:
            self._around: _TableText = _table_text(floor, table, None)
            self._round: _RoundTexts | None = _round(table.round, None)
            self._chips: dict[int, Cents | None] = {}
            self._owns: dict[int, _PrivateText] = {}
            self._seats: dict[int, str] = {}  # what is seen from each
        else:
            self._around = _table_text(floor, table, before._around)
            self._round = _round(table.round, before._round)
            self._chips = self._same_chips(before)
            self._owns = self._still_own(before)
            self._seats = self._still_seen(before)
        # The same for everyone who looks at the table.
        self.posted: PostedView = self._around.posted

    def text(self, viewer: Viewer, with_posted: bool = True, paused: str = "") -> str:
        """What is posted may be left out where it is known; why a table is paused stands beside
        what the game says of it."""
        text = self._text(viewer)
        if with_posted:
            text += f',"posted":{_POSTED(self.posted)}'
        if paused:
            text += f',"paused":{_TEXT(paused)}'
        return f"{{{text}}}"

    def owes(self, viewer: Viewer, seat: int) -> bool:
        """Whether the viewer sees that the seat has a decision to make."""
        if self._round is None or viewer is Watcher.TABLEVISION:
            return False
        is_own = isinstance(viewer, SeatViewer) and viewer.seat == seat
        own = self._own(seat).part.hand if is_own else None
        hand = own or self._round.hands.get(seat)
        return hand is not None and isinstance(hand.decision, OwedDecision)

    def _text(self, viewer: Viewer) -> str:
        """Without what stands around."""
        match viewer:
            case SeatViewer(seat):
                if (text := self._seats.get(seat)) is None:
                    own = self._own(seat)
                    text = f"{self._around.text},{self._round_text(seat, own.hand)},{own.text}"
                    self._seats[seat] = text
                return text
            case Watcher.DEALER:
                owed = seats_owing(self._table)
                more = "" if owed is None else f',"owing":{_OWING(owed)}'
                return f"{self._around.text},{self._round_text()}{more}"
            case Watcher.RAIL:
                return f"{self._around.text},{self._round_text()}"
            case Watcher.TABLEVISION:
                return ",".join(_DISPLAY(tablevision_view(self._floor, self._table.id)).values())
            case _:
                assert_never(viewer)

    def _round_text(self, seat: int = 0, own: str = "") -> str:
        """With the own hand of a seat in place of what others see of it."""
        if self._round is None:
            return '"round":null'
        texts = {**self._round.texts, seat: own} if own else self._round.texts
        return f"{self._round.head}{','.join(texts.values())}}}}}"

    def _own(self, seat: int) -> "_PrivateText":
        if (own := self._owns.get(seat)) is None:
            part = private_view(self._table, seat, self._chips_at(seat))
            own = self._owns[seat] = _private_text(part, seat)
        return own

    def _chips_at(self, seat: int) -> Cents | None:
        if seat not in self._chips:
            self._chips[seat] = visible_chips(self._floor, self._table, seat)
        return self._chips[seat]

    # What is as it was.

    def _same_chips(self, before: "ViewCache") -> dict[int, Cents | None]:
        """Where no money moved at this table and nobody came or went."""
        home, _ = bucket_key(self._table.chips_of(""))
        now, was = (moment._floor.ledger.balances.home(home) for moment in (self, before))
        return before._chips if now is was and self.players is before.players else {}

    def _still_own(self, before: "ViewCache") -> "dict[int, _PrivateText]":
        """Chips are looked up, all else is the same where the table is and the seat has not
        changed. Where players act in turn, what one may do hangs on the others."""
        now, was = self._round, before._round
        if self._around is not before._around or now is None or was is None:
            return {}
        if now.rest is not was.rest or self._table.clockwise:
            return {}
        changed = now.changed
        return {
            seat: own
            for seat, own in before._owns.items()
            if seat not in changed and own.part.chips == self._chips_at(seat)
        }

    def _still_seen(self, before: "ViewCache") -> dict[int, str]:
        """From a seat whose own is the same, where all that everyone sees is: what others decide
        stays hidden until the street closes (R34)."""
        now, was, owns = self._round, before._round, self._owns
        if not owns or now is None or was is None:
            return {}
        if now.texts is not was.texts or now.head is not was.head:
            return {}
        return {seat: text for seat, text in before._seats.items() if seat in owns}


class _TableText(NamedTuple):
    """The table without its round."""

    of: tuple[object, ...]  # all that it is made of
    posted: PostedView
    text: str


def _table_text(floor: Floor, table: Table, before: _TableText | None) -> _TableText:
    of = *table[:_ROUND_AT], *table[_ROUND_AT + 1 :], floor.meters.get(table.meter)
    if before is not None and before.of == of:
        return before
    view = view_without_round(floor, table)
    return _TableText(of, view.posted, ",".join(_write_shared_fields(view).values()))


class _RoundTexts(NamedTuple):
    """The round as everyone sees it."""

    rest: tuple[object, ...]  # all of it but the seats and which are resolved
    seats: Mapping[int, Seat]
    resolved: tuple[int, ...]
    fields: Mapping[str, str]  # the text of each but the hands, `"name":…`
    head: str  # up to the hands
    hands: Mapping[int, SeatView]
    texts: Mapping[int, str]  # of the hands, in their order
    changed: Collection[int]  # the seats that are others than the moment before


def _round(round: Round | None, before: _RoundTexts | None) -> _RoundTexts | None:
    if round is None:
        return None
    rest: tuple[object, ...] = *round[:_SEATS_AT], *round[_SEATS_AT + 1 : _RESOLVED_AT]
    seats, resolved = round.seats, round.resolved
    if before is None or before.rest != rest:
        hands, texts = _hands(round, seats, {}, {})
        fields: Mapping[str, str] = _ROUND(build_round_view(round, hands))
        return _RoundTexts(rest, seats, resolved, fields, _head(fields), hands, texts, seats)
    changed = _changed_seats(before, round)
    hands, texts = _hands(round, changed, before.hands, before.texts)
    fields, head = before.fields, before.head
    if before.resolved != resolved:  # nothing but the results hangs on that
        fields = {**fields, "results": f'"results":{_RESULTS(results_of(round))}'}
        head = _head(fields)
    return _RoundTexts(before.rest, seats, resolved, fields, head, hands, texts, changed)


def _changed_seats(before: _RoundTexts, round: Round) -> Collection[int]:
    """The seats that are not as they were, where the rest of the round is the same."""
    old, new = before.seats, round.seats
    changed = {number for number in new if new[number] is not old.get(number)}
    if new.keys() != old.keys():
        changed.update(old.keys() - new.keys())
    if before.resolved != round.resolved:
        changed.update(set(before.resolved) ^ set(round.resolved))
    return changed


def _hands(
    round: Round,
    changed: Collection[int],
    hands: Mapping[int, SeatView],
    texts: Mapping[int, str],
) -> tuple[Mapping[int, SeatView], Mapping[int, str]]:
    """Each with its text, from those of the moment before; the very same texts where all are."""
    seats = round.seats
    made = {number: seat_view(round, number) for number in changed if number in seats}
    new_hands = {**hands, **made}
    new = {number: _hand_text(number, hand) for number, hand in made.items()}
    if seats.keys() == texts.keys():
        is_same = all(texts[number] == text for number, text in new.items())
        return new_hands, (texts if is_same else {**texts, **new})
    numbers = sorted(seats)
    new_texts = {**texts, **new}
    return (
        {number: new_hands[number] for number in numbers},
        {number: new_texts[number] for number in numbers},
    )


def _head(fields: Mapping[str, str]) -> str:
    return '"round":{' + ",".join(fields.values()) + ',"seats":{'


class _PrivateText(NamedTuple):
    """What a seat alone sees."""

    part: PrivateView
    hand: str
    text: str


def _private_text(part: PrivateView, seat: int) -> _PrivateText:
    chips = "" if part.chips is None else f',"chips":{_CENTS(part.chips)}'
    legal = "" if part.legal is None else f',"legal":{_legal_text(part.legal)}'
    hand = "" if part.hand is None else _hand_text(seat, part.hand)
    return _PrivateText(part, hand, f'"you":{seat}{chips}{legal}')


def _fields(
    kind: type[Any], without: frozenset[str] = frozenset()
) -> Callable[[Any], dict[str, str]]:
    """Each field as `"name":…`, without those that say nothing."""
    forms = VIEW_CODECS.fields_of(kind)
    texts = {name: form.text for name, form in forms.items() if name not in without}
    heads = tuple(
        (name, f'"{name}":', text, name in OMITTED_IF_NONE) for name, text in texts.items()
    )
    get_all = attrgetter(*texts)

    def written(value: Any) -> dict[str, str]:
        return {
            name: head + text(held)
            for (name, head, text, is_left_out), held in zip(heads, get_all(value), strict=True)
            if held is not None or not is_left_out
        }

    return written


def _hand_text(number: int, hand: SeatView) -> str:
    return f'"{number}":{_SEAT(hand)}'


@IdentityCache
def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    """The same actions are there for many, and at the same table again and again."""
    actions = ["{" + ",".join(_ACTION(action).values()) + "}" for action in legal]
    return "[" + ",".join(actions) + "]"


_ROUND_AT = Table._fields.index("round")
_SEATS_AT, _RESOLVED_AT = (Round._fields.index(name) for name in ("seats", "resolved"))
assert len(Round._fields) - 1 == _RESOLVED_AT

_POSTED = VIEW_CODECS.of(PostedView).text
_TEXT = VIEW_CODECS.of(str).text
_SEAT = VIEW_CODECS.of(SeatView).text
_RESULTS = VIEW_CODECS.fields_of(RoundView)["results"].text
_OWING = VIEW_CODECS.of(tuple[int, ...]).text
_CENTS = VIEW_CODECS.of(Cents).text
_ACTION = _fields(LegalAction)
_ROUND = _fields(RoundView, frozenset({"seats"}))
_DISPLAY = _fields(TableVisionView, frozenset({"posted"}))
_write_shared_fields = _fields(TableView, frozenset({"round", "posted"}))
