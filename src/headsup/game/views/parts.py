"""Builds the parts of a table's view: those that everybody sees, and those of one viewer.

Public parts are made by functions that know no viewer, and a viewer's own by functions that are
given one seat, so a secret cannot get into a part that somebody else is sent. A part whose value
did not change is the same object as before: streams compare parts by identity.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, assert_never
from zlib import crc32

from headsup.game.round.commands import Raise
from headsup.game.round.decide import legal_actions
from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Result, Wager
from headsup.game.settlement import Line, SeatSettlement
from headsup.game.table.sealing import write_published
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.cards import format_cards
from headsup.game.values.hands import strength
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import (
    fair_view,
    is_current_players_hand,
    meter_view,
)
from headsup.game.views.model import (
    HandView,
    HiddenDecision,
    MeterView,
    OwedDecision,
    RoundView,
    SeatView,
    VisibleDecision,
    VoidView,
)
from headsup.game.views.parts_model import (
    ClockPart,
    CouponPart,
    DecisionPart,
    LastPart,
    LinePart,
    MadeHand,
    MeterPart,
    ResultPart,
    RoundPart,
    SeatPart,
    TablePart,
    TabulatorPart,
    VoidedPart,
    WagerPart,
    WhyPart,
    YouPart,
)
from headsup.game.views.posted import PostedView, offered_wagers, posted_view
from headsup.game.views.round_view import (
    build_round_view,
    last_round,
    own_seat_view,
    result_view,
    seat_view,
)
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wire import PART_CODECS
from headsup.game.views.wording import special_pay
from headsup.game.words.catalogue import Catalogue

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class ViewPart(NamedTuple):
    """A part as it is sent. `sum` is the CRC-32 of `name:text`."""

    name: str
    value: Any
    wire: str
    sum: int


Parts: TypeAlias = Mapping[str, ViewPart]


def make_part(name: str, value: Any, before: Parts | None = None) -> ViewPart:
    """The part with this value, or the part before if it has the same text."""
    text = _encode(value)
    wire = f'"{name}":{text}'
    if before is not None and (old := before.get(name)) is not None and old.wire == wire:
        return old
    return ViewPart(name, value, wire, crc32(f"{name}:{text}".encode()))


def sum_of(parts: Iterable[ViewPart]) -> int:
    """The checksum of a view: the sums of all its parts, combined by exclusive or."""
    total = 0
    for part in parts:
        total ^= part.sum
    return total


class TableMoment:
    """The parts of one table in one state, in one language.

    What did not change since `before`, an earlier moment of the same table, is taken from there.
    """

    def __init__(
        self,
        floor: Floor,
        table_id: str,
        catalogue: Catalogue,
        before: "TableMoment | None" = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """`extra` are public parts that the game does not know, such as a pause and the clocks."""
        self.floor, self.catalogue = floor, catalogue
        self.table = floor.tables[table_id]
        self._old: Parts = {} if before is None else before.public
        # The viewed objects that seat and result parts were made from.
        self._sources: dict[str, object] = {}
        self._old_sources = {} if before is None else before._sources
        self.extra = extra or {}
        self.public: Parts = self._make_public()
        self.public_sum = sum_of(self.public.values())
        self._old, self._old_sources = {}, {}  # earlier moments are not kept alive

    def _make_public(self) -> Parts:
        table, floor = self.table, self.floor
        jackpot_open = not floor.jackpot_ended(table.id)
        posted = posted_view(table.rules, jackpot_open)
        parts = {
            "table": _table_part(table.id, table.rules, table.shuffle, table.clockwise),
            "wagers": _wagers_part(table.rules, jackpot_open, table.tabulator is not None),
            "posted": _posted_part(posted),
            "players": self._cached("players", table.players, _players),
        }
        if table.felt.guests:
            parts["guests"] = self._cached("guests", table.felt.guests, _players)
        meter = meter_view(floor, table)
        if meter is not None:
            parts["meter"] = self._cached("meter", meter, write_meter_part)
        if table.tabulator is not None:
            parts["tabulator"] = self._cached("tabulator", table.tabulator, _tabulator)
        if fair_view(table) is not None:
            source = (table.sealed, table.opened)
            parts["fair"] = self._cached_equal("fair", source, lambda _: _fair(table))
        if table.closed:
            closed: WhyPart = {"why": table.closed}
            parts["closed"] = self._made("closed", closed)
        if table.round is not None:
            self._add_round(parts, table.round)
        for name, value in self.extra.items():
            parts[name] = self._made(name, value)
        return parts

    def _add_round(self, parts: dict[str, ViewPart], round: Round) -> None:
        key = (*round[:_SEATS_INDEX], *round[_SEATS_INDEX + 1 :])
        parts["round"] = self._cached_equal(
            "round",
            key,
            lambda _: write_round_part(build_round_view(round, {}), round, self.catalogue),
        )
        for number in sorted(round.seats):
            name, view = f"seat.{number}", seat_view(round, number)
            parts[name] = self._cached(name, view, self._seat)
        settlement = round.settlement
        if settlement is not None:
            for number in round.resolved:
                name = f"result.{number}"
                parts[name] = self._cached(name, settlement.seat(number), write_result_part)

    def _seat(self, view: SeatView) -> SeatPart:
        return write_seat_part(view, self.table, self.catalogue)

    # One viewer's own parts.

    def seat(self, seat: int, clock: ClockPart | None = None) -> YouPart:
        """What only this seat sees: its cards, chips and decision."""
        table, round = self.table, self.table.round
        you: YouPart = {"seat": seat, "chips": self.floor.chips_of_seat(table, seat)}
        if table.rules.coupons:
            you["coupons"] = coupons_part(table.coupons.of(table.players[seat]))
        if round is None or seat not in round.seats or not is_current_players_hand(table, seat):
            return you
        view = own_seat_view(round, seat)
        if view is None:
            return you
        if view.hole:
            you["hole"] = format_cards(view.hole)
        if decision := write_decision(view.decision, view, table, self.catalogue):
            you["decision"] = decision
        if view.reads is not None:
            you["reads"] = write_hand(view.reads, self.catalogue)
        if view.draws:
            you["draws"] = list(view.draws)
        ante = round.seats[seat].stakes[Wager.ANTE]
        label = table.rules.book.label(Wager.RAISE)
        beyond = [
            choice.multiple
            for choice in legal_actions(round, seat)
            if isinstance(choice, Raise) and choice.multiple * ante > you["chips"]
        ]
        if beyond:
            you["beyond"] = [
                {
                    "multiple": multiple,
                    "label": self.catalogue.fill_label("may/Raise", label=label, multiple=multiple),
                    "amount": multiple * ante,
                }
                for multiple in beyond
            ]
        if clock is not None and you.get("decision", {}).get("action") == "owes":
            you["clock"] = clock
        return you

    # Reuse.

    def _made(self, name: str, value: Any) -> ViewPart:
        return make_part(name, value, self._old)

    def _cached(self, name: str, source: object, write: Any) -> ViewPart:
        """The old part if it was made from the same object, else a new one."""
        self._sources[name] = source
        if self._old_sources.get(name) is source and name in self._old:
            return self._old[name]
        return self._made(name, write(source))

    def _cached_equal(self, name: str, source: object, write: Any) -> ViewPart:
        self._sources[name] = source
        if name in self._old and self._old_sources.get(name) == source:
            return self._old[name]
        return self._made(name, write(source))


def viewer_parts(viewer: Viewer, moment: TableMoment) -> Parts:
    """All parts that follow from the log alone, as a viewer saw them: for replays."""
    match viewer:
        case SeatViewer(seat):
            if seat not in moment.table.players:
                return moment.public
            return {**moment.public, "you": make_part("you", moment.seat(seat))}
        case Watcher.TABLEVISION:
            return display_parts(moment)
        case Watcher.DEALER | Watcher.RAIL:
            return moment.public
        case _:
            assert_never(viewer)


def changed_parts(before: Parts, after: Parts) -> dict[str, Any]:
    """The values of the parts that differ; None for a part that is gone."""
    changed = {
        name: part.value
        for name, part in after.items()
        if name not in before or before[name].wire != part.wire
    }
    return changed | {name: None for name in before if name not in after}


def display_parts(moment: TableMoment) -> Parts:
    """What the display above the table shows: no felt, and the last round's results."""
    shown = {name: part for name, part in moment.public.items() if name in _ON_DISPLAY}
    round = moment.table.round
    if round is not None:
        text = moment.catalogue.label("phase", round.phase)
        value = {"number": round.number, "phase": round.phase.value, "text": text}
        shown["round"] = make_part("round", value)
    if (last := last_round(round)) is not None:
        part: LastPart = {
            "number": last.number,
            "dealer": last.dealer.key,
            "hands": [
                {"seat": hand.seat, "category": hand.category.key, "result": hand.result.value}
                | ({"award": hand.award} if hand.award else {})  # type: ignore[misc]
                for hand in last.hands
            ],
        }
        if last.qualifies is False:
            part["unqualified"] = True
        shown["last"] = make_part("last", part)
    return shown


_SEATS_INDEX = Round._fields.index("seats")
_ON_DISPLAY = frozenset(
    {"table", "wagers", "posted", "meter", "fair", "closed", "paused", "clocks"}
)


# Values of parts.


@lru_cache(maxsize=1024)
def _table_part(id: str, rules: TableRules, shuffle: ShuffleSource, clockwise: bool) -> ViewPart:
    value: TablePart = {
        "id": id,
        "rules": rules.id,
        "title": rules.book.title,
        "seats": rules.book.seats,
        "cards": "entered" if shuffle is ShuffleSource.ENTERED else "house",
    }
    if clockwise:
        value["in_turn"] = True
    return make_part("table", value)


# Where a wager's circle is at a seat, and its key. A wager that is not listed gets the next place
# in the upper row.
_SPOTS = {Wager.ANTE: [1, 0], Wager.ODDS: [1, 1], Wager.RAISE: [2, 0]}
_SHORTCUTS = {
    Wager.ANTE: "a",
    Wager.ODDS: "o",
    Wager.TRIPS_PLUS: "t",
    Wager.POCKET_BONUS: "p",
    Wager.ALL_6: "6",
    Wager.PROGRESSIVE: "g",
}
_TOGETHER = {Wager.ANTE: Wager.ODDS, Wager.ODDS: Wager.ANTE}


@lru_cache(maxsize=1024)
def _wagers_part(rules: TableRules, jackpot_open: bool, counted: bool) -> ViewPart:
    offered = offered_wagers(rules, jackpot_open)
    sides: list[Wager] = [wager for wager in offered if wager in SIDE_WAGERS]
    wagers = [wager for wager in Wager if wager in offered or wager is Wager.RAISE]
    return make_part("wagers", [_wager(wager, sides, rules, counted) for wager in wagers])


def _wager(wager: Wager, sides: Sequence[Wager], rules: TableRules, counted: bool) -> WagerPart:
    label = rules.book.label(wager)
    spot = _SPOTS.get(wager) or [0, sides.index(wager)]
    short = label if wager not in SIDE_WAGERS else wager.value.replace("_", " ").title()
    part: WagerPart = {"key": wager.value, "label": label, "short": short, "spot": spot}
    if wager in SIDE_WAGERS:
        part["side"] = True
    if wager is Wager.RAISE:
        part["later"] = True
        return part
    if wager in _TOGETHER:
        part["with"] = _TOGETHER[wager].value
    if wager in _SHORTCUTS:
        part["shortcut"] = _SHORTCUTS[wager]
    if wager is Wager.PROGRESSIVE:
        part["price"] = rules.progressive_stake
        if counted:
            part["light"] = True
        return part
    limit = rules.limits.get(Wager.ANTE if wager is Wager.ODDS else wager)
    maxima = [limit.max] if limit is not None and limit.max else []
    if rules.single_wager_max:
        maxima.append(rules.single_wager_max)
    if limit is not None and limit.min:
        part["min"] = limit.min
    if maxima:
        part["max"] = min(maxima)
    if limit is not None and limit.step:
        part["step"] = limit.step
    return part


_LEFT_TO_WAGERS = ("labels", "progressive_stake")


@lru_cache(maxsize=1024)
def _posted_part(posted: PostedView) -> ViewPart:
    written = json.loads(PART_CODECS.codec_for(PostedView).text(posted))
    return make_part(
        "posted", {key: item for key, item in written.items() if key not in _LEFT_TO_WAGERS}
    )


def _players(players: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): players[seat] for seat in sorted(players)}


def write_meter_part(meter: MeterView) -> MeterPart:
    part: MeterPart = {
        "shows": meter.shows // MICROS_PER_CENT,
        "prize": meter.prize.value,
        "notices": list(meter.notices),
    }
    if meter.frozen:
        part["frozen"] = meter.frozen
    return part


def _tabulator(tabulator: Tabulator) -> TabulatorPart:
    part: TabulatorPart = {
        "lights": {wager.value: list(seats) for wager, seats in tabulator.lights.items()},
        "counts": {wager.value: count for wager, count in tabulator.counts.items()},
    }
    if tabulator.down:
        part["down"] = tabulator.down
    return part


def _fair(table: Table) -> dict[str, Any]:
    fair: dict[str, Any] = {}
    if table.sealed is not None:
        seeds = {str(seat): text for seat, text in sorted(table.sealed.seeds.items())}
        fair["sealed"] = {
            "round": table.sealed.round,
            "commitment": table.sealed.commitment,
            "seeds": seeds,
        }
    if table.opened is not None:
        fair["opened"] = write_published(table.opened)
    return fair


def write_round_part(view: RoundView, round: Round, catalogue: Catalogue) -> RoundPart:
    part: RoundPart = {
        "number": view.number,
        "phase": view.phase.value,
        "text": catalogue.label("phase", view.phase),
    }
    if view.phase is Phase.BETTING:
        part["open"] = True
    if view.phase not in (Phase.BETTING, Phase.NO_MORE_BETS):
        part["dealt"] = True
    if view.phase is Phase.CLOSED:
        part["over"] = True
    if view.board:
        part["board"] = format_cards(view.board)
    if view.board_down:
        part["board_down"] = view.board_down
    if view.dealer:
        part["dealer"] = format_cards(view.dealer)
    if view.dealer_hand is not None:
        part["dealer_hand"] = write_hand(view.dealer_hand, catalogue)
    if view.dealer_qualifies is False:
        part["unqualified"] = True
    if view.all_6:
        part["all_6"] = format_cards(view.all_6)
    if round.resolved:
        part["resolved"] = list(round.resolved)
    if view.void is not None and view.voided is not None:
        part["void"] = view.void.value
        part["void_text"] = catalogue.label("cause", view.void)
        part["voided"] = _voided(view.voided)
    return part


def _voided(view: VoidView) -> VoidedPart:
    part: VoidedPart = {
        "clause": view.clause,
        "settles": [wager.value for wager in view.settles],
    }
    if view.house_rule:
        part["house_rule"] = True
    return part


def write_seat_part(view: SeatView, table: Table, catalogue: Catalogue) -> SeatPart:
    part: SeatPart = {"stakes": {wager.value: cents for wager, cents in view.stakes.items()}}
    if view.coupons:
        part["coupons"] = {wager.value: number for wager, number in view.coupons.items()}
    if view.hole:
        part["hole"] = format_cards(view.hole)
    if decision := write_decision(view.decision, view, table, catalogue):
        part["decision"] = decision
    if view.hand is not None:
        part["hand"] = write_hand(view.hand, catalogue)
    if view.void is not None and view.voided is not None:
        part["void"] = view.void.value
        part["void_text"] = catalogue.label("cause", view.void)
        part["voided"] = _voided(view.voided)
    return part


def write_decision(
    decision: VisibleDecision, view: SeatView, table: Table, catalogue: Catalogue
) -> DecisionPart | None:
    """The decision with its text; None before there is any."""
    match decision:
        case HasRaised(street, multiple):
            label = table.rules.book.label(Wager.RAISE)
            named = catalogue.label("street", street)
            text = catalogue.fill_label(
                "decision/raise", label=label, multiple=multiple, street=named
            )
            return {
                "action": "raise",
                "text": text,
                "street": street.value,
                "multiple": multiple,
                "amount": multiple * view.stakes[Wager.ANTE],
            }
        case HasFolded():
            return {"action": "fold", "text": catalogue.label("decision", "fold")}
        case HasChecked():
            return {"action": "check", "text": catalogue.label("decision", "check")}
        case OwedDecision():
            return {"action": "owes", "text": catalogue.label("decision", "owes")}
        case HiddenDecision():
            return {"action": "hidden", "text": catalogue.label("decision", "hidden")}
        case Undecided():
            return None


def write_hand(hand: HandView, catalogue: Catalogue) -> MadeHand:
    name = catalogue.hands.named(hand.name, strength(hand.best))
    return {"name": name, "best": format_cards(hand.best)}


def write_result_part(settled: SeatSettlement) -> ResultPart:
    """How a hand settled, with what the dealer pays, takes and returns."""
    view = result_view(settled)
    part: ResultPart = {
        "result": settled.result.value,
        "net": settled.net,
        "lines": [_line(line, view) for line in settled.lines],
    }
    if special := special_pay(view):
        part["special"] = special
    return part


def _line(line: Line, result: Any) -> LinePart:
    view = result.wagers[line.wager]
    lost = line.result is Result.LOSE or line.kept
    part: LinePart = {
        "wager": line.wager.value,
        "stake": line.stake,
        "result": line.result.value,
        "net": line.net,
        "pays": line.net if not lost else line.net + (0 if line.coupon else line.stake),
        "returns": 0 if lost or line.coupon else line.stake,
        "why": line.why,
        "clause": line.clause,
        "outcome": line.outcome.value,
    }
    if view.table is not None:
        part["table"] = view.table
    if line.award:
        part["award"] = line.award
    if view.gesture is not None:
        part["gesture"] = view.gesture.value
    return part


def coupons_part(coupons: Mapping[int, Any]) -> list[CouponPart]:
    return [
        {
            "coupon": number,
            "player": coupon.player,
            "wager": coupon.wager.value,
            "amount": coupon.amount,
            "expires": coupon.expires,
        }
        for number, coupon in sorted(coupons.items())
    ]
