"""Derives the rows stored beside a decision: rounds, hands, takings, incidents, wallet moves.

They follow from the decision's events and the floor before and after it, so an auditor can derive
them again and compare.
"""

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
from headsup.game.round.state import Round
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
    CouponIssued,
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
    SealLost,
    TableClosed,
    TableOpened,
    WagersCountedByHand,
)
from headsup.game.table.state import Floor, Table
from headsup.game.values.hands import category_of
from headsup.game.values.money import Cents, format_cents, format_micros
from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.projection_rows import (
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
from headsup.house.store.protocol import WalletMove

CONTRIBUTION, CORRECTION, ROUND = "contribution", "correction", "round"
BUY_IN, CASH_OUT = "buy_in", "cash_out"


@dataclass(frozen=True, slots=True)
class FloorDecision:
    """One decision of a floor: what the projections are derived from."""

    floor_before: Floor
    journal: Journal
    table_id: str
    by: Actor
    events: tuple[Event, ...]
    thresholds: ReportingThresholds = DEFAULT_THRESHOLDS

    @property
    def table(self) -> Table:
        return self.journal.floor.tables[self.table_id]

    @property
    def index(self) -> int:
        return self.journal.head.count - 1

    @property
    def day(self) -> str:
        return self.journal.time[:10]

    @property
    def actor_name(self) -> str:
        """The name of the member of staff, or of the player in the seat before or after."""
        if not isinstance(self.by, PlayerAt):
            return self.by.name
        seat, before = self.by.seat, self.floor_before.tables.get(self.table_id)
        players = {**self.table.players, **(before.players if before else {})}
        return players.get(seat, f"seat {seat}")


def project_decision(decision: FloorDecision) -> Projection:
    started = tuple(
        RoundStart(decision.table_id, event.number, decision.index, decision.journal.time)
        for event in decision.events
        if isinstance(event, RoundOpened)
    )
    is_closed = any(isinstance(event, RoundClosed) for event in decision.events)
    ended = (_round_end(decision),) if is_closed else ()
    takings, incidents = tuple(_takings(decision)), tuple(_incidents(decision))
    return Projection(started, ended, takings, incidents, tuple(_history_hashes(decision)))


# Rounds.


def _round_end(decision: FloorDecision) -> RoundEnd:
    round = decision.table.round
    if round is None:
        raise RuntimeError(f"table {decision.table_id} closed a round that it does not have")
    settled = round.settlement.seats if round.settlement is not None else ()
    hands = tuple(_hand_result(decision.table, seat) for seat in settled)
    void = round.void.cause.value if round.void is not None else ""
    at, index = decision.journal.time, decision.index
    return RoundEnd(decision.table_id, round.number, index, at, void, hands)


def _history_hashes(decision: FloorDecision) -> Iterator[HistoryHash]:
    """Hashes of blocks in the table's round history that this decision completed."""
    past, before = decision.table.past, decision.floor_before.tables.get(decision.table_id)
    if before is None or past.last is None or past.rounds == before.past.rounds:
        return
    for height, hash in enumerate(before.past.new_hashes(past.last)):
        if height >= MIN_HASH_HEIGHT:
            position = (past.rounds >> height) - 1
            yield HistoryHash(decision.table_id, height, position, past.last.number, hash)


def _hand_result(table: Table, settled: SeatSettlement) -> HandResult:
    return HandResult(
        settled.seat,
        table.players.get(settled.seat, ""),
        sum(_cash_stake(line) for line in settled.lines),
        settled.net,
        sum(line.award for line in settled.lines),
        category_of(settled.strength).key if settled.strength else "",
        settled.result,
    )


def _cash_stake(line: Line) -> Cents:
    """The stake in the player's own money; nothing for a coupon."""
    return 0 if line.coupon else line.stake


# Takings.


def _takings(decision: FloorDecision) -> Iterator[Taking]:
    table, day = decision.table_id, decision.day
    for event in decision.events:
        match event:
            case BoughtIn(_, amount):
                yield Taking(table, day, BUY_IN, 1, amount)
            case CashedOut(_, amount):
                yield Taking(table, day, CASH_OUT, 1, amount)
            case PayoutCorrected(_, amount):
                yield Taking(table, day, CORRECTION, 1, 0, net=amount)
            case RoundClosed():
                yield from _round_takings(decision.table, day)
            case _:
                pass
    if contributed := _meter_contribution(decision):
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
                figures = stake, stake * stake, line.net, line.award
                yield Taking(table.id, day, line.wager.value, 1, *figures)


def _meter_contribution(decision: FloorDecision) -> int:
    """Micro-dollars this decision added to the table's meter, or took back with a void."""
    before, after = decision.floor_before, decision.journal.floor
    if decision.table_id not in before.tables:
        return 0
    old, new = before.meter_of(decision.table_id), after.meter_of(decision.table_id)
    return 0 if old is None or new is None else new.contributed - old.contributed


# Significant events.


def _incidents(decision: FloorDecision) -> Iterator[Incident]:
    for event in decision.events:
        for kind, details in _incidents_of_event(decision, event):
            yield Incident(
                kind,
                decision.journal.time,
                decision.actor_name,
                json.dumps(details, sort_keys=True, separators=(",", ":")),
                decision.table_id,
                _round_of(decision.table, event),
                decision.index,
            )


def _round_of(table: Table, event: Event) -> int:
    if isinstance(event, PayoutCorrected):
        return event.round
    return table.round.number if table.round is not None and table.is_playing else 0


_IncidentParts = tuple[IncidentKind, dict[str, object]]


def _incidents_of_event(decision: FloorDecision, event: Event) -> Iterator[_IncidentParts]:
    match event:
        case TableOpened():
            yield _opening_incident(decision.table.rules.book, event)
        case BetsPlaced(seat) | Raised(seat):
            yield from _large_wager(decision, seat)
        case HandResolved(seat):
            yield from _large_win(decision, seat)
        case CouponIssued(coupon, player, wager, amount):
            if amount >= decision.thresholds.transaction:
                yield (
                    IncidentKind.LARGE_TRANSACTION,
                    {
                        "act": type(event).__name__,
                        "coupon": coupon,
                        "player": player,
                        "wager": wager.value,
                        "amount": format_cents(amount),
                    },
                )
        case BoughtIn(seat, amount) | CashedOut(seat, amount):
            if amount >= decision.thresholds.transaction:
                details = {
                    "act": type(event).__name__,
                    "seat": seat,
                    "amount": format_cents(amount),
                }
                yield IncidentKind.LARGE_TRANSACTION, details
        case _:
            yield from _staff_incidents(event)


def _staff_incidents(event: Event) -> Iterator[_IncidentParts]:
    act: dict[str, object] = {"act": type(event).__name__}
    match event:
        case TableClosed(reason):
            yield IncidentKind.CONFIGURATION, {**act, "reason": reason}
        case IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
            people = {"dealer": dealer, "supervisor": supervisor, "note": note}
            details = {"cause": cause.value, "resolution": resolution.value, "seat": seat, **people}
            yield IncidentKind.OVERRIDE, {**act, **details}
        case FlagCorrected(seat, wager, wagered, reason):
            details = {"seat": seat, "wager": wager.value, "wagered": wagered, "reason": reason}
            yield IncidentKind.OVERRIDE, {**act, **details}
        case WagersCountedByHand(counts):
            named = {wager.value: count for wager, count in counts.items()}
            yield IncidentKind.OVERRIDE, {**act, "counts": named}
        case EquipmentRestored(approvals):
            yield IncidentKind.OVERRIDE, {**act, "approvals": list(approvals)}
        case SealLost(round, commitment, reason, approvals):
            details = {"round": round, "commitment": commitment, "reason": reason}
            yield IncidentKind.OVERRIDE, {**act, **details, "approvals": list(approvals)}
        case EquipmentWentDown(reason):
            yield IncidentKind.UNAVAILABLE, {**act, "reason": reason}
        case PayoutCorrected(seat, amount, _, reason, _, _, player):
            details = {"seat": seat, "player": player, "amount": format_cents(amount)}
            yield IncidentKind.ADJUSTMENT, {**act, **details, "reason": reason}
        case MeterCorrected(amount, reason):
            details = {"amount": format_micros(amount), "reason": reason}
            yield IncidentKind.JACKPOT, {**act, **details}
        case MeterFrozen(reason) | BonusEnded(reason):
            yield IncidentKind.JACKPOT, {**act, "reason": reason}
        case MeterUnfrozen():
            yield IncidentKind.JACKPOT, act
        case MeterClosingPlanned(date, approval, to):
            yield IncidentKind.JACKPOT, {**act, "date": date, "approval": approval, "to": to}
        case PoolTransferred(to):
            yield IncidentKind.JACKPOT, {**act, "to": to}
        case BonusPrizeSet(prize, reason):
            details = {"prize": format_micros(prize), "reason": reason}
            yield IncidentKind.GAME_PARAMETERS, {**act, **details}
        case BonusCellSet(key, outcome, pay, reason):
            details = {"key": key, "outcome": outcome, "pay": pay, "reason": reason}
            yield IncidentKind.GAME_PARAMETERS, {**act, **details}
        case _:
            pass


def _opening_incident(book: RuleBook, event: TableOpened) -> _IncidentParts:
    details: dict[str, object] = {
        "act": type(event).__name__,
        "rules": book.id,  # the log has the whole text of an operator's own book
        "title": book.title,
        "paytables": dict(event.paytables),
        "fingerprint": event.fingerprint,
        "meter": event.meter,
    }
    return IncidentKind.CONFIGURATION, details


def _large_wager(decision: FloorDecision, seat: int) -> Iterator[_IncidentParts]:
    round = decision.table.round
    if round is None:
        return
    bets = round.seats[seat]
    raised = bets.decision.multiple if isinstance(bets.decision, HasRaised) else 0
    total = sum(bets.chip_stakes.values()) + raised * bets.stakes[Wager.ANTE]
    if total >= decision.thresholds.wager:
        yield IncidentKind.LARGE_WAGER, {"seat": seat, "amount": format_cents(total)}


def _large_win(decision: FloorDecision, seat: int) -> Iterator[_IncidentParts]:
    round: Round | None = decision.table.round
    if round is None or round.settlement is None:
        return
    settled = round.settlement.seat(seat)
    award = sum(line.award for line in settled.lines)
    if award or settled.net >= decision.thresholds.win:
        details = {"seat": seat, "net": format_cents(settled.net), "award": format_cents(award)}
        yield IncidentKind.LARGE_WIN, details


# Wallet moves.


def wallet_moves(
    before: Floor, table_id: str, events: tuple[Event, ...], index: int
) -> list[WalletMove]:
    """What the events of entry `index` move between wallets and chips. `before` is the floor on
    which they were decided."""
    moves = []
    for event in events:
        match event:
            case BoughtIn(seat, amount):
                player = before.tables[table_id].players[seat]
                moves.append(WalletMove(player, -amount, BUY_IN, table_id, index))
            case CashedOut(seat, amount):
                player = before.tables[table_id].players[seat]
                moves.append(WalletMove(player, amount, CASH_OUT, table_id, index))
            case PayoutCorrected(amount=amount, player=player):
                if (
                    player not in before.tables[table_id].players.values()
                ):  # no longer seated: paid to the wallet
                    moves.append(WalletMove(player, amount, CORRECTION, table_id, index))
            case _:
                pass
    return moves
