"""What is noted beside a decision, from its events and the floor before and after it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from headsup.game.record.journal import Journal
from headsup.game.round.decision import HasRaised
from headsup.game.round.events import (
    BetsPlaced,
    HandResolved,
    IrregularityReported,
    Raised,
    RoundClosed,
)
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatSettlement
from headsup.game.table.commands import Actor, PlayerAt
from headsup.game.table.events import (
    BonusCellSet,
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    EquipmentRestored,
    EquipmentWentDown,
    Event,
    FlagCorrected,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PoolTransferred,
    RoundOpened,
    TableClosed,
    TableOpened,
    WagersCountedByHand,
)
from headsup.game.table.state import Floor, Table
from headsup.game.values.hands import category_of
from headsup.game.values.money import Cents, format_cents, format_micros
from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.projection_tables import (
    MIN_HASH_HEIGHT,
    HandResult,
    HistoryHash,
    Incident,
    IncidentKind,
    Projection,
    RoundEnd,
    RoundStart,
    Taking,
)

CONTRIBUTION, CORRECTION, ROUND = "contribution", "correction", "round"
BUY_IN, CASH_OUT = "buy_in", "cash_out"


@dataclass(frozen=True, slots=True)
class FloorDecision:
    """One decision of a floor, as far as notes are made of it."""

    before: Floor
    journal: Journal
    table_id: str
    by: Actor
    events: tuple[Event, ...]
    large: ReportingThresholds = DEFAULT_THRESHOLDS

    @property
    def table(self) -> Table:
        return self.journal.floor.tables[self.table_id]

    @property
    def index(self) -> int:
        return self.journal.head.count - 1

    @property
    def day(self) -> str:
        return self.journal.at[:10]

    @property
    def who(self) -> str:
        """A player by name: who sat there before, or has just sat down."""
        if not isinstance(self.by, PlayerAt):
            return self.by.name
        seat, before = self.by.seat, self.before.tables.get(self.table_id)
        players = {**self.table.players, **(before.players if before else {})}
        return players.get(seat, f"seat {seat}")


def project_decision(decided: FloorDecision) -> Projection:
    begun = tuple(
        RoundStart(decided.table_id, event.number, decided.index, decided.journal.at)
        for event in decided.events
        if isinstance(event, RoundOpened)
    )
    closed = any(isinstance(event, RoundClosed) for event in decided.events)
    ended = (_round_end(decided),) if closed else ()
    takings, incidents = tuple(_takings(decided)), tuple(_incidents(decided))
    return Projection(begun, ended, takings, incidents, tuple(_history_hashes(decided)))


# Rounds.


def _round_end(decided: FloorDecision) -> RoundEnd:
    round = decided.table.round
    if round is None:
        raise RuntimeError(f"a round was closed at {decided.table_id} that is not there")
    made = round.settlement.seats if round.settlement is not None else ()
    hands = tuple(_hand(decided.table, round.seats[seat.seat], seat) for seat in made)
    void = round.void.cause.value if round.void is not None else ""
    at, index = decided.journal.at, decided.index
    return RoundEnd(decided.table_id, round.number, index, at, void, hands)


def _history_hashes(decided: FloorDecision) -> Iterator[HistoryHash]:
    """What the past of the table has become complete of with this decision."""
    past, before = decided.table.past, decided.before.tables.get(decided.table_id)
    if before is None or past.last is None or past.rounds == before.past.rounds:
        return
    for height, hash in enumerate(before.past.completed(past.last)):
        if height >= MIN_HASH_HEIGHT:
            place = (past.rounds >> height) - 1
            yield HistoryHash(decided.table_id, height, place, past.last.number, hash)


def _hand(table: Table, held: Seat, seat: SeatSettlement) -> HandResult:
    return HandResult(
        seat.seat,
        table.players.get(seat.seat, ""),
        sum(_cash_stake(line) for line in seat.lines),
        seat.net,
        sum(line.award for line in seat.lines),
        category_of(seat.strength).key if seat.strength else "",
        _result(held, seat),
    )


def _cash_stake(line: Line) -> Cents:
    """In the player's own money: a coupon is none."""
    return 0 if line.coupon else line.stake


def _result(held: Seat, seat: SeatSettlement) -> str:
    if held.void is not None:
        return Result.VOID.value
    lines = {line.wager: line for line in seat.lines}
    ante = lines[Wager.ANTE]
    return "fold" if ante.outcome == "fold" else ante.result.value


# Takings.


def _takings(decided: FloorDecision) -> Iterator[Taking]:
    table, day = decided.table_id, decided.day
    for event in decided.events:
        match event:
            case BoughtIn(_, amount):
                yield Taking(table, day, BUY_IN, 1, amount)
            case CashedOut(_, amount):
                yield Taking(table, day, CASH_OUT, 1, amount)
            case PayoutCorrected(_, amount):
                yield Taking(table, day, CORRECTION, 1, 0, net=amount)
            case RoundClosed():
                yield from _round_takings(decided.table, day)
            case _:
                pass
    if contributed := _meter_contribution(decided):
        yield Taking(table, day, CONTRIBUTION, 1, contributed)


def _round_takings(table: Table, day: str) -> Iterator[Taking]:
    round = table.round
    if round is None or round.settlement is None:
        return
    yield Taking(table.id, day, ROUND, 1, 0)
    for seat in round.settlement.seats:
        for line in seat.lines:
            if line.result is not Result.VOID:
                stake = _cash_stake(line)
                squares = stake * stake // 10_000
                figures = stake, squares, line.net, line.award
                yield Taking(table.id, day, line.wager.value, 1, *figures)


def _meter_contribution(decided: FloorDecision) -> int:
    """What this decision put on the table's meter, or took back with a void; micro-dollars."""
    before, after = decided.before, decided.journal.floor
    if decided.table_id not in before.tables:
        return 0
    was, now = before.meter_of(decided.table_id), after.meter_of(decided.table_id)
    return 0 if was is None or now is None else now.contributed - was.contributed


# Significant events.


def _incidents(decided: FloorDecision) -> Iterator[Incident]:
    for event in decided.events:
        for kind, what in _incidents_of_event(decided, event):
            yield Incident(
                kind,
                decided.journal.at,
                decided.who,
                json.dumps(what, sort_keys=True, separators=(",", ":")),
                decided.table_id,
                _round_of(decided.table, event),
                decided.index,
            )


def _round_of(table: Table, event: Event) -> int:
    if isinstance(event, PayoutCorrected):
        return event.round
    return table.round.number if table.round is not None and table.playing else 0


_IncidentParts = tuple[IncidentKind, dict[str, object]]


def _incidents_of_event(decided: FloorDecision, event: Event) -> Iterator[_IncidentParts]:
    match event:
        case TableOpened():
            yield _opening(decided.table.rules.book, event)
        case BetsPlaced(seat) | Raised(seat):
            yield from _large_wager(decided, seat)
        case HandResolved(seat):
            yield from _large_win(decided, seat)
        case BoughtIn(seat, amount) | CashedOut(seat, amount):
            if amount >= decided.large.transaction:
                said = {"act": type(event).__name__, "seat": seat, "amount": format_cents(amount)}
                yield IncidentKind.LARGE_TRANSACTION, said
        case _:
            yield from _staff_incidents(event)


def _staff_incidents(event: Event) -> Iterator[_IncidentParts]:
    act: dict[str, object] = {"act": type(event).__name__}
    match event:
        case TableClosed(reason):
            yield IncidentKind.CONFIGURATION, {**act, "reason": reason}
        case IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
            people = {"dealer": dealer, "supervisor": supervisor, "note": note}
            said = {"cause": cause.value, "resolution": resolution.value, "seat": seat, **people}
            yield IncidentKind.OVERRIDE, {**act, **said}
        case FlagCorrected(seat, wager, wagered, reason):
            said = {"seat": seat, "wager": wager.value, "wagered": wagered, "reason": reason}
            yield IncidentKind.OVERRIDE, {**act, **said}
        case WagersCountedByHand(counts) | EquipmentRestored(counts):
            held = {wager.value: count for wager, count in counts.items()}
            yield IncidentKind.OVERRIDE, {**act, "counts": held}
        case EquipmentWentDown(reason):
            yield IncidentKind.UNAVAILABLE, {**act, "reason": reason}
        case PayoutCorrected(seat, amount, _, reason, _, _, player):
            said = {"seat": seat, "player": player, "amount": format_cents(amount)}
            yield IncidentKind.ADJUSTMENT, {**act, **said, "reason": reason}
        case MeterCorrected(amount, reason):
            said = {"amount": format_micros(amount), "reason": reason}
            yield IncidentKind.JACKPOT, {**act, **said}
        case MeterFrozen(reason) | BonusEnded(reason):
            yield IncidentKind.JACKPOT, {**act, "reason": reason}
        case MeterUnfrozen():
            yield IncidentKind.JACKPOT, act
        case MeterClosingPlanned(date, approval, to):
            yield IncidentKind.JACKPOT, {**act, "date": date, "approval": approval, "to": to}
        case PoolTransferred(to):
            yield IncidentKind.JACKPOT, {**act, "to": to}
        case BonusPrizeSet(prize, reason):
            said = {"prize": format_micros(prize), "reason": reason}
            yield IncidentKind.GAME_PARAMETERS, {**act, **said}
        case BonusCellSet(key, outcome, pay, reason):
            said = {"key": key, "outcome": outcome, "pay": pay, "reason": reason}
            yield IncidentKind.GAME_PARAMETERS, {**act, **said}
        case _:
            pass


def _opening(book: RuleBook, event: TableOpened) -> _IncidentParts:
    said: dict[str, object] = {
        "act": type(event).__name__,
        "rules": book.id,  # the text of an own book stands whole in the log
        "title": book.title,
        "paytables": dict(event.paytables),
        "fingerprint": event.fingerprint,
        "meter": event.meter,
    }
    return IncidentKind.CONFIGURATION, said


def _large_wager(decided: FloorDecision, seat: int) -> Iterator[_IncidentParts]:
    round = decided.table.round
    if round is None:
        return
    held = round.seats[seat]
    raised = held.decision.multiple if isinstance(held.decision, HasRaised) else 0
    total = sum(held.in_chips.values()) + raised * held.stakes[Wager.ANTE]
    if total >= decided.large.wager:
        yield IncidentKind.LARGE_WAGER, {"seat": seat, "amount": format_cents(total)}


def _large_win(decided: FloorDecision, seat: int) -> Iterator[_IncidentParts]:
    round: Round | None = decided.table.round
    if round is None or round.settlement is None:
        return
    made = round.settlement.seat(seat)
    award = sum(line.award for line in made.lines)
    if award or made.net >= decided.large.win:
        said = {"seat": seat, "net": format_cents(made.net), "award": format_cents(award)}
        yield IncidentKind.LARGE_WIN, said
