"""Derives the rows stored beside a decision: rounds, hands, takings, incidents, wallet moves.

They follow from the decision's events and the floor before and after it, so an auditor can derive
them again and compare.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import assert_never

from headsup.game.record.journal import Journal
from headsup.game.round import events as round_events
from headsup.game.round.decision import HasRaised
from headsup.game.round.state import Round
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatSettlement
from headsup.game.table import (
    coupon_control,
    dealing,
    equipment,
    meter_control,
    opening,
    pacing,
    payout_corrections,
    reporting,
    rounds,
    sealed_shuffles,
    seating,
)
from headsup.game.table.chips import held_awards, shifts
from headsup.game.table.chips.felt import is_guest_name
from headsup.game.table.events import Event
from headsup.game.table.state import Floor, Table
from headsup.game.values.hands import category_of
from headsup.game.values.money import Cents, format_cents, format_micros
from headsup.house.dealing.pace import timings_of
from headsup.house.store.projection_rows import (
    HandResult,
    Incident,
    IncidentKind,
    Projection,
    RoundEnd,
    RoundStart,
    Slip,
    SlipKind,
    StoredAnswer,
    TableName,
    Taking,
    WalletMove,
)

CONTRIBUTION, CORRECTION, ROUND = "contribution", "correction", "round"
BUY_IN, CASH_OUT, AWARD = "buy_in", "cash_out", "award"


@dataclass(frozen=True, slots=True)
class FloorDecision:
    """One decision of a floor: what the projections are derived from."""

    floor_before: Floor
    journal: Journal
    table_id: str
    by: str  # the name of who asked
    events: tuple[Event, ...]
    id: str = ""  # that the sender gave the command, if any

    @property
    def table(self) -> Table:
        return self.journal.floor.tables[self.table_id]

    @property
    def index(self) -> int:
        return self.journal.head.count - 1

    @property
    def day(self) -> str:
        return self.journal.time[:10]


def project_decision(decision: FloorDecision) -> Projection:
    rows = [row for event in decision.events for row in _rows_of_event(decision, event)]
    takings = [row for row in rows if isinstance(row, Taking)]
    if contributed := _meter_contribution(decision):
        takings.append(Taking(decision.table_id, decision.day, CONTRIBUTION, 1, contributed))
    moves = (row for row in rows if isinstance(row, WalletMove))
    incidents = (row for row in rows if isinstance(row, Incident))
    return Projection(
        tuple(row for row in rows if isinstance(row, RoundStart)),
        tuple(row for row in rows if isinstance(row, RoundEnd)),
        tuple(takings),
        tuple(replace(row, part=part) for part, row in enumerate(moves)),
        tuple(replace(row, part=part) for part, row in enumerate(incidents)),
        slips=tuple(row for row in rows if isinstance(row, Slip)),
        answers=(StoredAnswer(decision.id, decision.index),) if decision.id else (),
        tables=tuple(row for row in rows if isinstance(row, TableName)),
    )


_Row = TableName | RoundStart | RoundEnd | Taking | Incident | WalletMove | Slip


def _rows_of_event(decision: FloorDecision, event: Event) -> Iterator[_Row]:
    """All that one event adds to the tables: the one place that says so for every event."""
    table, day, index = decision.table, decision.day, decision.index
    number = table.round.number if table.round is not None and table.is_playing else 0

    def incident(
        kind: IncidentKind, details: Mapping[str, object], round: int = number
    ) -> Incident:
        return _incident(decision, kind, round, {"act": type(event).__name__, **details})

    def cash_rows(seat: int, amount: Cents, what: str) -> Iterator[_Row]:
        """Money between the wallet of the seat's player and their chips, or a guest's cash."""
        player = decision.floor_before.tables[table.id].players[seat]
        if not is_guest_name(player):
            yield WalletMove(player, amount, what, decision.journal.time, table.id, index)
        yield Taking(table.id, day, what, 1, abs(amount))
        if abs(amount) >= decision.table.thresholds.transaction:
            yield incident(
                IncidentKind.LARGE_TRANSACTION, {"seat": seat, "amount": format_cents(abs(amount))}
            )

    def variances(difference: Cents, slip: int) -> Iterator[_Row]:
        """A count that differs from the book is an adjustment of it."""
        if difference:
            yield incident(
                IncidentKind.ADJUSTMENT, {"slip": slip, "amount": format_cents(difference)}
            )

    match event:
        case (
            round_events.Checked()  # the most frequent first
            | round_events.Folded()
            | round_events.BetsWithdrawn()
            | round_events.BetsClosed()
            | round_events.CardsDealt()
            | round_events.CardsLaid()
            | round_events.CardsSeen()
            | round_events.CardsTurned()
            | round_events.CardsCorrected()
            | round_events.DecisionCorrected()
            | round_events.StakesCorrected()
            | round_events.TimeExtended()
            | round_events.FlopRevealed()
            | round_events.TurnAndRiverRevealed()
            | round_events.DealerRevealed()
            | round_events.HandVoided()
            | round_events.RoundVoided()
            | round_events.DecisionReopened()
            | round_events.BoardCompleted()
            | round_events.RoundSettled()
            | round_events.HandSettled()
        ):
            pass
        case rounds.RoundOpened():
            yield RoundStart(table.id, event.number, index, decision.journal.time)
        case round_events.BetsPlaced(seat) | round_events.Raised(seat):
            yield from _large_wager(decision, seat, number)
        case round_events.HandResolved(seat):
            yield from _large_win(decision, seat, number)
        case round_events.RoundClosed():
            yield _round_end(decision)
            yield from _round_takings(table, day)
        case round_events.IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
            yield incident(
                IncidentKind.OVERRIDE,
                {
                    "cause": cause.value,
                    "resolution": resolution.value,
                    "seat": seat,
                    "dealer": dealer,
                    "supervisor": supervisor,
                    "note": note,
                },
            )
        case opening.TableOpened():
            yield TableName(table.id)
            yield incident(
                IncidentKind.CONFIGURATION,
                {
                    "rules": table.rules.book.id,  # the log has the text of an operator's own book
                    "title": table.rules.book.title,
                    "paytables": dict(event.paytables),
                    "fingerprint": event.fingerprint,
                    "meter": event.meter,
                },
            )
        case opening.TableClosed(reason):
            yield incident(IncidentKind.CONFIGURATION, {"reason": reason})
        case opening.BonusCellSet(key, outcome, pay, reason):
            yield incident(
                IncidentKind.GAME_PARAMETERS,
                {"key": key, "outcome": outcome, "pay": pay, "reason": reason},
            )
        case seating.BoughtIn(seat, amount):
            yield from cash_rows(seat, -amount, BUY_IN)
        case seating.CashedOut(seat, amount):
            yield from cash_rows(seat, amount, CASH_OUT)
        case coupon_control.CouponIssued(coupon, player, wager, amount):
            if amount >= decision.table.thresholds.transaction:
                yield incident(
                    IncidentKind.LARGE_TRANSACTION,
                    {
                        "coupon": coupon,
                        "player": player,
                        "wager": wager.value,
                        "amount": format_cents(amount),
                    },
                )
        case payout_corrections.PayoutCorrected(seat, amount, _, reason, player=player):
            yield Taking(table.id, day, CORRECTION, 1, 0, net=amount)
            seated = player in table.players.values()
            if not seated and not is_guest_name(player):  # paid to the wallet
                at = decision.journal.time
                yield WalletMove(player, amount, CORRECTION, at, table.id, index)
            yield incident(
                IncidentKind.ADJUSTMENT,
                {"seat": seat, "player": player, "amount": format_cents(amount), "reason": reason},
                event.round,
            )
        case equipment.FlagCorrected(seat, wager, wagered, reason):
            yield incident(
                IncidentKind.OVERRIDE,
                {"seat": seat, "wager": wager.value, "wagered": wagered, "reason": reason},
            )
        case equipment.WagersCountedByHand(counts):
            named = {wager.value: count for wager, count in counts.items()}
            yield incident(IncidentKind.OVERRIDE, {"counts": named})
        case equipment.EquipmentWentDown(reason):
            yield incident(IncidentKind.UNAVAILABLE, {"reason": reason})
        case equipment.EquipmentRestored(approvals):
            yield incident(IncidentKind.OVERRIDE, {"approvals": list(approvals)})
        case sealed_shuffles.SealLost(round, commitment, reason, approvals):
            details = {"round": round, "commitment": commitment, "reason": reason}
            yield incident(IncidentKind.OVERRIDE, {**details, "approvals": list(approvals)})
        case meter_control.MeterCorrected(amount, reason):
            yield incident(
                IncidentKind.JACKPOT, {"amount": format_micros(amount), "reason": reason}
            )
        case meter_control.MeterFrozen(reason) | meter_control.BonusEnded(reason):
            yield incident(IncidentKind.JACKPOT, {"reason": reason})
        case meter_control.MeterUnfrozen():
            yield incident(IncidentKind.JACKPOT, {})
        case meter_control.MeterClosingPlanned(date, approval, to, place, floor):
            plan = {"date": date, "approval": approval, "to": to, "place": place}
            yield incident(IncidentKind.JACKPOT, {**plan, "floor": floor} if floor else plan)
        case meter_control.MeterClosingDue():
            pass  # its plan is an incident already
        case meter_control.PoolTransferred(to, amount):
            yield incident(IncidentKind.JACKPOT, {"to": to, "amount": format_micros(amount)})
        case meter_control.PoolReceived(sender, amount, approval):
            received = {"from": sender, "amount": format_micros(amount), "approval": approval}
            yield incident(IncidentKind.JACKPOT, received)
        case meter_control.BonusPrizeSet(prize, reason):
            yield incident(
                IncidentKind.GAME_PARAMETERS, {"prize": format_micros(prize), "reason": reason}
            )
        case dealing.DealingSet(paused, by_hand):
            kind = IncidentKind.UNAVAILABLE if paused else IncidentKind.CONFIGURATION
            yield incident(kind, {"act": "attendance", "paused": paused, "by_hand": by_hand})
        case pacing.PaceSet(pace):
            seconds = None if pace is None else asdict(timings_of(pace))
            yield incident(IncidentKind.CONFIGURATION, {"act": "pace", "seconds": seconds})
        case reporting.ThresholdsSet():
            pass  # reported once, where the house sets them for all tables
        case held_awards.AwardHeld(award, seat, player, held_round, amount):
            held = {"award": award, "seat": seat, "player": player, "amount": format_cents(amount)}
            yield incident(IncidentKind.JACKPOT, held, held_round)
        case held_awards.AwardVerified(award, approvals):
            verified = {"award": award, "approvals": list(approvals)}
            yield incident(IncidentKind.JACKPOT, verified)
        case held_awards.AwardRefused(award, reason, approvals, reseed_back):
            refused = {"award": award, "reason": reason, "approvals": list(approvals)}
            back = {"reseed": format_micros(reseed_back)} if reseed_back else {}
            yield incident(IncidentKind.JACKPOT, {**refused, **back})
        case held_awards.AwardPaid(award, seat, player, amount, way, slip, tax_slip, approvals):
            shift = decision.floor_before.tables[table.id].felt.shift
            yield Slip(
                table.id,
                slip,
                SlipKind.AWARD,
                0 if shift is None else shift.number,
                decision.journal.time,
                " / ".join(approvals),
                amount,
                index,
            )
            if way is held_awards.PayWay.ACCOUNT and player not in table.players.values():
                yield WalletMove(player, amount, AWARD, decision.journal.time, table.id, index)
            paid = {"award": award, "seat": seat, "amount": format_cents(amount)}
            yield incident(
                IncidentKind.JACKPOT, {**paid, "way": way.value, "tax_slip": tax_slip, "slip": slip}
            )
        case shifts.FeltSet(settings):
            yield incident(IncidentKind.CONFIGURATION, {"settings": settings._asdict()})
        case shifts.ShiftOpened():
            opened = _slip(decision, SlipKind.OPENING, event, event.pieces)
            yield replace(opened, expected=event.expected, issued=event.issued)
            yield from variances(event.variance, event.slip)
        case shifts.TrayFilled():
            yield _slip(decision, SlipKind.FILL, event, event.pieces)
        case shifts.TrayCredited():
            yield _slip(decision, SlipKind.CREDIT, event, event.pieces)
        case shifts.BoxPulled():
            yield _slip(decision, SlipKind.BOX, event, {})
        case shifts.BoxCounted():
            counted = _slip(decision, SlipKind.BOX_COUNT, event, event.pieces)
            yield replace(counted, expected=event.expected)
            yield from variances(event.variance, event.slip)
        case shifts.ShiftClosed():
            yield replace(
                _slip(decision, SlipKind.CLOSING, event, event.pieces),
                expected=event.expected,
                opening=event.opening,
                fills=event.fills,
                credits=event.credits,
                drop=event.drop,
            )
            yield from variances(event.variance, event.slip)
        case seating.PlayerSat() | seating.GuestSat() | seating.PlayerLeft():
            pass
        case coupon_control.CouponCancelled():
            pass
        case equipment.SensorRead() | equipment.WagersRegistered():
            pass
        case (
            sealed_shuffles.ShuffleSealed()
            | sealed_shuffles.SeedAdded()
            | sealed_shuffles.ShuffleOpened()
        ):
            pass
        case _:
            assert_never(event)


def _incident(
    decision: FloorDecision, kind: IncidentKind, round: int, details: Mapping[str, object]
) -> Incident:
    what = json.dumps(details, sort_keys=True, separators=(",", ":"))
    at, who = decision.journal.time, decision.by
    return Incident(kind, at, who, what, decision.table_id, round, decision.index)


_SlipEvent = (
    shifts.ShiftOpened
    | shifts.TrayFilled
    | shifts.TrayCredited
    | shifts.BoxPulled
    | shifts.BoxCounted
    | shifts.ShiftClosed
)


def _slip(
    decision: FloorDecision, kind: SlipKind, event: _SlipEvent, pieces: Mapping[Cents, int]
) -> Slip:
    text = json.dumps({str(each): number for each, number in sorted(pieces.items())})
    return Slip(
        decision.table_id,
        event.slip,
        kind,
        event.shift,
        decision.journal.time,
        " / ".join(event.approvals),
        event.amount,
        decision.index,
        text,
    )


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


# Large wagers and wins.


def _large_wager(decision: FloorDecision, seat: int, number: int) -> Iterator[Incident]:
    round = decision.table.round
    if round is None:
        return
    bets = round.seats[seat]
    raised = bets.decision.multiple if isinstance(bets.decision, HasRaised) else 0
    total = sum(bets.chip_stakes.values()) + raised * bets.stakes[Wager.ANTE]
    if total >= decision.table.thresholds.wager:
        details = {"seat": seat, "amount": format_cents(total)}
        yield _incident(decision, IncidentKind.LARGE_WAGER, number, details)


def _large_win(decision: FloorDecision, seat: int, number: int) -> Iterator[Incident]:
    round: Round | None = decision.table.round
    if round is None or round.settlement is None:
        return
    settled = round.settlement.seat(seat)
    award = sum(line.award for line in settled.lines)
    if award or settled.net >= decision.table.thresholds.win:
        details = {"seat": seat, "net": format_cents(settled.net), "award": format_cents(award)}
        yield _incident(decision, IncidentKind.LARGE_WIN, number, details)
