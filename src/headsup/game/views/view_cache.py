"""Builds the JSON text of every viewer's view of one table, the same as `wire.write_view` gives.

Viewers share most of a view, and an event changes little of it. So parts that viewers share, or
that did not change since the last event, are written only once.
"""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, assert_never

from headsup.game.bank.balances import home_of
from headsup.game.round.state import Round, Seat
from headsup.game.table.state import Floor, Table
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.values.money import Cents
from headsup.game.views.builder import (
    PrivateView,
    all_coupons,
    private_view,
    seats_owing,
    tablevision_view,
    view_without_round,
    visible_chips,
)
from headsup.game.views.model import (
    CouponView,
    LegalAction,
    OwedDecision,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
)
from headsup.game.views.posted import PostedView
from headsup.game.views.round_view import build_round_view, dealer_hand, results_of, seat_view
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import OMITTED_IF_NONE, VIEW_CODECS


class ViewCache:
    """Writes the views of a table in one state, reusing texts of `before`, its previous state."""

    def __init__(self, floor: Floor, table_id: str, before: "ViewCache | None" = None) -> None:
        table = floor.tables[table_id]
        self._floor, self._table = floor, table
        self.players = table.players
        if before is None:
            self._shared: _TableText = _write_table(floor, table, None)
            self._round: _RoundTexts | None = _write_round(table.round, None)
            self._chips: dict[int, Cents | None] = {}
            self._private: dict[int, _PrivateText] = {}
            self._seat_texts: dict[int, str] = {}  # the whole view from each seat
        else:
            self._shared = _write_table(floor, table, before._shared)
            self._round = _write_round(table.round, before._round)
            self._chips = self._reuse_chips(before)
            self._private = self._reuse_private_texts(before)
            self._seat_texts = self._reuse_seat_texts(before)
        self.posted: PostedView = self._shared.posted

    def text(self, viewer: Viewer, with_posted: bool = True, paused: str = "") -> str:
        """The viewer's view as JSON.

        `posted` may be left out for clients that have it. `paused` is the reason why the house has
        paused the table, which the game itself does not know.
        """
        text = self._text(viewer)
        if with_posted:
            text += f',"posted":{_POSTED(self.posted)}'
        if paused:
            text += f',"paused":{_TEXT(paused)}'
        return f"{{{text}}}"

    def shows_decision_owed(self, viewer: Viewer, seat: int) -> bool:
        """Whether the viewer sees that the seat has a decision to make."""
        if self._round is None or viewer is Watcher.TABLEVISION:
            return False
        is_own = isinstance(viewer, SeatViewer) and viewer.seat == seat
        own_hand = self._private_text(seat).part.hand if is_own else None
        hand = own_hand or self._round.hands.get(seat)
        return hand is not None and isinstance(hand.decision, OwedDecision)

    def _text(self, viewer: Viewer) -> str:
        """The fields of the view, without the braces around them."""
        match viewer:
            case SeatViewer(seat):
                if (text := self._seat_texts.get(seat)) is None:
                    private = self._private_text(seat)
                    round_text = self._round_text(seat, private.hand)
                    text = f"{self._shared.text},{round_text},{private.text}"
                    self._seat_texts[seat] = text
                return text
            case Watcher.DEALER:
                seats = seats_owing(self._table)
                owing = "" if seats is None else f',"owing":{_OWING(seats)}'
                coupons = _coupons_text(all_coupons(self._table))
                return f"{self._shared.text},{self._round_text()}{owing}{coupons}"
            case Watcher.RAIL:
                return f"{self._shared.text},{self._round_text()}"
            case Watcher.TABLEVISION:
                return ",".join(_DISPLAY(tablevision_view(self._floor, self._table.id)).values())
            case _:
                assert_never(viewer)

    def _round_text(self, seat: int = 0, own_hand: str = "") -> str:
        """The round; `own_hand` replaces what others see of the seat."""
        if self._round is None:
            return '"round":null'
        texts = {**self._round.texts, seat: own_hand} if own_hand else self._round.texts
        return f"{self._round.head}{','.join(texts.values())}}}}}"

    def _private_text(self, seat: int) -> "_PrivateText":
        if (text := self._private.get(seat)) is None:
            part = private_view(self._table, seat, self._chips_of_seat(seat))
            text = self._private[seat] = _write_private(part, seat)
        return text

    def _chips_of_seat(self, seat: int) -> Cents | None:
        if seat not in self._chips:
            self._chips[seat] = visible_chips(self._floor, self._table, seat)
        return self._chips[seat]

    # Reuse of what did not change.

    def _reuse_chips(self, before: "ViewCache") -> dict[int, Cents | None]:
        """All chips, if no money moved at this table and nobody came or left."""
        home = home_of(self._table.purse_of(""))
        new, old = (cache._floor.ledger.balances.home(home) for cache in (self, before))
        return before._chips if new is old and self.players is before.players else {}

    def _reuse_private_texts(self, before: "ViewCache") -> "dict[int, _PrivateText]":
        """The private texts of unchanged seats with unchanged chips.

        Where seats act in turn, a seat's legal decisions depend on the others too.
        """
        new, old = self._round, before._round
        if self._shared is not before._shared or new is None or old is None:
            return {}
        if new.rest is not old.rest or self._table.clockwise:
            return {}
        return {
            seat: text
            for seat, text in before._private.items()
            if seat not in new.changed and text.part.chips == self._chips_of_seat(seat)
        }

    def _reuse_seat_texts(self, before: "ViewCache") -> dict[int, str]:
        """The whole views of seats with a reused private text, if the shared parts are the same.

        That is usual: others' decisions stay hidden until the street closes (R34).
        """
        new, old, private = self._round, before._round, self._private
        if not private or new is None or old is None:
            return {}
        if new.texts is not old.texts or new.head is not old.head:
            return {}
        return {seat: text for seat, text in before._seat_texts.items() if seat in private}


class _TableText(NamedTuple):
    """The table without its round."""

    source: tuple[object, ...]  # everything the text depends on
    posted: PostedView
    text: str


def _write_table(floor: Floor, table: Table, before: _TableText | None) -> _TableText:
    source = *table[:_ROUND_INDEX], *table[_ROUND_INDEX + 1 :], floor.meters.get(table.meter)
    if before is not None and before.source == source:
        return before
    view = view_without_round(floor, table)
    return _TableText(source, view.posted, ",".join(_write_shared_fields(view).values()))


class _RoundTexts(NamedTuple):
    """The round as everyone sees it."""

    rest: tuple[object, ...]  # the round's fields except the seats and `resolved`
    seats: Mapping[int, Seat]
    resolved: tuple[int, ...]
    fields: Mapping[str, str]  # `"name":…` for each field except the seats
    head: str  # the text up to the first seat
    hands: Mapping[int, SeatView]
    texts: Mapping[int, str]  # of `hands`, in the same order
    changed: Collection[int]  # the seats that differ from the previous state


def _write_round(round: Round | None, before: _RoundTexts | None) -> _RoundTexts | None:
    if round is None:
        return None
    rest: tuple[object, ...] = (
        *round[:_SEATS_INDEX],
        *round[_SEATS_INDEX + 1 : _RESOLVED_INDEX],
        round.felt,
    )
    seats, resolved = round.seats, round.resolved
    if before is None or before.rest != rest:
        hands, texts = _write_hands(round, seats, {}, {})
        fields: Mapping[str, str] = _ROUND(build_round_view(round, hands))
        return _RoundTexts(rest, seats, resolved, fields, _head(fields), hands, texts, seats)
    changed = _changed_seats(before, round)
    hands, texts = _write_hands(round, changed, before.hands, before.texts)
    fields, head = before.fields, before.head
    if before.resolved != resolved:  # only these fields depend on it
        fields = {
            **fields,
            "results": f'"results":{_RESULTS(results_of(round))}',
            "dealer_hand": f'"dealer_hand":{_DEALER_HAND(dealer_hand(round))}',
        }
        head = _head(fields)
    return _RoundTexts(before.rest, seats, resolved, fields, head, hands, texts, changed)


def _changed_seats(before: _RoundTexts, round: Round) -> Collection[int]:
    """The seats that differ, given that the rest of the round is the same."""
    old, new = before.seats, round.seats
    changed = {number for number in new if new[number] is not old.get(number)}
    if new.keys() != old.keys():
        changed.update(old.keys() - new.keys())
    if before.resolved != round.resolved:
        changed.update(set(before.resolved) ^ set(round.resolved))
    return changed


def _write_hands(
    round: Round,
    changed: Collection[int],
    hands: Mapping[int, SeatView],
    texts: Mapping[int, str],
) -> tuple[Mapping[int, SeatView], Mapping[int, str]]:
    """Replace the hands of changed seats and their texts.

    If no text differs, the same `texts` object is returned, so that whole views can be reused.
    """
    seats = round.seats
    changed_hands = {number: seat_view(round, number) for number in changed if number in seats}
    new_hands = {**hands, **changed_hands}
    changed_texts = {number: _hand_text(number, hand) for number, hand in changed_hands.items()}
    if seats.keys() == texts.keys():
        is_same = all(texts[number] == text for number, text in changed_texts.items())
        return new_hands, (texts if is_same else {**texts, **changed_texts})
    numbers = sorted(seats)
    new_texts = {**texts, **changed_texts}
    return (
        {number: new_hands[number] for number in numbers},
        {number: new_texts[number] for number in numbers},
    )


def _head(fields: Mapping[str, str]) -> str:
    return '"round":{' + ",".join(fields.values()) + ',"seats":{'


class _PrivateText(NamedTuple):
    """What only this seat sees."""

    part: PrivateView
    hand: str
    text: str


def _write_private(part: PrivateView, seat: int) -> _PrivateText:
    chips = "" if part.chips is None else f',"chips":{_CENTS(part.chips)}'
    legal = "" if part.legal is None else f',"legal":{_legal_text(part.legal)}'
    hand = "" if part.hand is None else _hand_text(seat, part.hand)
    coupons = _coupons_text(part.coupons)
    return _PrivateText(part, hand, f'"you":{seat}{chips}{legal}{coupons}')


def _coupons_text(coupons: tuple[CouponView, ...] | None) -> str:
    return "" if coupons is None else f',"coupons":{_COUPONS(coupons)}'


def _field_writer(
    kind: type[Any], without: frozenset[str] = frozenset()
) -> Callable[[Any], dict[str, str]]:
    """A function that writes each field as `"name":…`, except None in `OMITTED_IF_NONE`."""
    codecs = VIEW_CODECS.field_codecs(kind)
    text_functions = {name: codec.text for name, codec in codecs.items() if name not in without}
    writers = tuple(
        (name, f'"{name}":', text, name in OMITTED_IF_NONE) for name, text in text_functions.items()
    )
    get_all = attrgetter(*text_functions)

    def write(value: Any) -> dict[str, str]:
        return {
            name: key + text(item)
            for (name, key, text, can_omit), item in zip(writers, get_all(value), strict=True)
            if item is not None or not can_omit
        }

    return write


def _hand_text(number: int, hand: SeatView) -> str:
    return f'"{number}":{_SEAT(hand)}'


@IdentityCache
def _legal_text(legal: tuple[LegalAction, ...]) -> str:
    """Cached: many seats have the same legal actions, again and again."""
    actions = ["{" + ",".join(_ACTION(action).values()) + "}" for action in legal]
    return "[" + ",".join(actions) + "]"


_ROUND_INDEX = Table._fields.index("round")
_SEATS_INDEX, _RESOLVED_INDEX = (Round._fields.index(name) for name in ("seats", "resolved"))
assert Round._fields[_RESOLVED_INDEX + 1 :] == ("felt",)

_POSTED = VIEW_CODECS.codec_for(PostedView).text
_TEXT = VIEW_CODECS.codec_for(str).text
_SEAT = VIEW_CODECS.codec_for(SeatView).text
_RESULTS = VIEW_CODECS.field_codecs(RoundView)["results"].text
_DEALER_HAND = VIEW_CODECS.field_codecs(RoundView)["dealer_hand"].text
_OWING = VIEW_CODECS.codec_for(tuple[int, ...]).text
_COUPONS = VIEW_CODECS.codec_for(tuple[CouponView, ...]).text
_CENTS = VIEW_CODECS.codec_for(Cents).text
_ACTION = _field_writer(LegalAction)
_ROUND = _field_writer(RoundView, frozenset({"seats"}))
_DISPLAY = _field_writer(TableVisionView, frozenset({"posted"}))
_write_shared_fields = _field_writer(TableView, frozenset({"round", "posted"}))
