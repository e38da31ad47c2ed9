"""The commands and events by which staff change a table's meter."""

from dataclasses import dataclass
from typing import assert_never

from headsup.game.bank.meter import Closing, Meter, PoolPlace
from headsup.game.bank.meter_changes import (
    MeterChange,
    correct_meter,
    discontinue,
    freeze_meter,
    refuse_undocumented_prize,
    set_prize,
    unfreeze_meter,
)
from headsup.game.bank.meter_closing import (
    mark_due,
    plan_closing,
    receive_pool,
    send_pool,
    transfer_pool,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import StaffOnly, TableAndDisplay
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import (
    Floor,
    Table,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.values.money import Micros


@dataclass(frozen=True, slots=True)
class CorrectMeter:
    """Correct the meter; the correction is documented and approved by two people."""

    amount: Micros
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class FreezeMeter:
    """Freeze the display of the meter; an empty reason lets it run again. Both need a dealer and a
    supervisor. The pool goes on growing meanwhile (R88).
    """

    reason: str


@dataclass(frozen=True, slots=True)
class PlanMeterClosing:
    """Record the approved plan to end the wager: its date, and where the pool goes (NY (k)(5)).

    `to` is a meter of this floor, a meter of the floor named in `floor`, or a game outside this
    system. From that date on the table takes no Progressive wagers (R84).
    """

    date: str  # like 2026-12-31
    approval: str
    to: str
    place: PoolPlace = PoolPlace.THIS_FLOOR
    floor: str = ""


@dataclass(frozen=True, slots=True)
class TransferPool:
    """Carry out the approved plan: move the whole pool where it says (New York (k)(5)).

    Two people sign for a pool that leaves the floor.
    """

    to: str
    approvals: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class ReceivePool:
    """Take in the pool of a meter on another floor, as the approved plan there says (R84)."""

    sender: str  # the floor and meter that sent it
    amount: Micros
    approval: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SetBonusPrize:
    """Post a new Bonus Jackpot prize (Washington App. D note 5)."""

    prize: Micros
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class EndBonus:
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class MeterCorrected:
    amount: Micros
    reason: str
    approvals: tuple[str, str]

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class MeterFrozen:
    reason: str

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class MeterUnfrozen:
    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class MeterClosingPlanned:
    date: str
    approval: str
    to: str
    place: PoolPlace
    floor: str

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class MeterClosingDue:
    """The day of the plan has come: the table takes no more Progressive wagers."""

    audience = TableAndDisplay()


@dataclass(frozen=True, slots=True)
class PoolTransferred:
    to: str
    amount: Micros
    approvals: tuple[str, str]

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class PoolReceived:
    sender: str
    amount: Micros
    approval: str
    approvals: tuple[str, str]

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class BonusPrizeSet:
    prize: Micros
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class BonusEnded:
    reason: str
    by: str

    audience = StaffOnly()


MeterCommand = (
    CorrectMeter
    | FreezeMeter
    | PlanMeterClosing
    | TransferPool
    | ReceivePool
    | SetBonusPrize
    | EndBonus
)
MeterEvent = (
    MeterCorrected
    | MeterFrozen
    | MeterUnfrozen
    | MeterClosingPlanned
    | MeterClosingDue
    | PoolTransferred
    | PoolReceived
    | BonusPrizeSet
    | BonusEnded
)
MeterAnswer = tuple[MeterEvent, ...] | Refusal


def decide_meter(floor: Floor, table: Table, command: MeterCommand) -> MeterAnswer:
    if table.meter not in floor.meters:
        if isinstance(command, EndBonus) and table.rules.bonus_jackpot:
            return _end_fixed(table, command)
        return refusal(Code.NO_SUCH_METER, "of_table", table=table.id)
    if refused := _refuse_while_playing(floor, table, command):
        return refused
    event = _event_for(floor.meters[table.meter], command)
    result = _change_meter(floor, table, event)
    return result if isinstance(result, Refusal) else (event,)


def _end_fixed(table: Table, command: EndBonus) -> MeterAnswer:
    """A Bonus Jackpot that pays only fixed prizes has no meter to end."""
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "meter", table=table.id)
    if table.discontinued:
        return refusal(Code.METER_ENDED, meter=f"the Bonus Jackpot of {table.id}")
    return refuse_undocumented_prize(command.reason, command.by) or (
        BonusEnded(command.reason, command.by),
    )


def _refuse_while_playing(floor: Floor, table: Table, command: MeterCommand) -> Refusal | None:
    """A meter changes only while none of its tables has an open round; a freeze cannot wait."""
    if isinstance(command, FreezeMeter):
        return None
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "meter", table=table.id)
    names = [table.meter, *([command.to] if isinstance(command, TransferPool) else [])]
    for name in names:
        meter = floor.meters.get(name)
        if meter is not None and meter.pending:
            if isinstance(command, TransferPool):
                return refusal(Code.AWARD_STATE, "pool", meter=name)
            if isinstance(command, EndBonus):
                return refusal(Code.AWARD_STATE, "bonus", meter=name)
        if meter is not None and meter.playing:
            return refusal(Code.ROUND_OPEN, "shared_meter", meter=name, playing=meter.playing)
    return None


def _event_for(meter: Meter, command: MeterCommand) -> MeterEvent:
    match command:
        case CorrectMeter(amount, reason, approvals):
            return MeterCorrected(amount, reason, approvals)
        case FreezeMeter(reason):
            return MeterFrozen(reason) if reason.strip() else MeterUnfrozen()
        case PlanMeterClosing(date, approval, to, place, target_floor):
            return MeterClosingPlanned(date, approval, to, place, target_floor)
        case TransferPool(to, approvals):
            return PoolTransferred(to, meter.pool + meter.reserve, approvals)
        case ReceivePool(sender, amount, approval, approvals):
            return PoolReceived(sender, amount, approval, approvals)
        case SetBonusPrize(prize, reason, by):
            return BonusPrizeSet(prize, reason, by)
        case EndBonus(reason, by):
            return BonusEnded(reason, by)
        case _:
            assert_never(command)


def evolve_meter(floor: Floor, table: Table, event: MeterEvent) -> Floor:
    return unwrap_change(_change_meter(floor, table, event), table.id)


def _change_meter(floor: Floor, table: Table, event: MeterEvent) -> Floor | Refusal:
    """The floor after the change, or why the meter does not allow it."""
    if isinstance(event, BonusEnded) and not table.meter:
        return with_table(floor, table._replace(discontinued=True))
    meter = floor.meters[table.meter]
    changed: Meter | Refusal
    match event:
        case MeterCorrected(amount, reason, approvals):
            reference = posting_reference(table)
            return _post(floor, correct_meter(meter, amount, reason, approvals, reference))
        case PoolTransferred(to, amount, approvals):
            return _transfer_to(floor, meter, to, amount, approvals)
        case PoolReceived(sender, amount, approval, approvals):
            return _post(floor, receive_pool(meter, sender, amount, approval, approvals))
        case MeterClosingDue():
            changed = mark_due(meter)
        case MeterUnfrozen():
            changed = unfreeze_meter(meter)
        case MeterFrozen(reason):
            changed = freeze_meter(meter, reason)
        case MeterClosingPlanned(date, approval, to, place, target_floor):
            is_here = place is PoolPlace.THIS_FLOOR
            if is_here and to not in floor.meters:
                return refusal(Code.NO_SUCH_METER, "named", meter=to)
            plan = Closing(date, approval, to, place, target_floor)
            changed = plan_closing(meter, plan, floor.meters[to] if is_here else None)
        case BonusPrizeSet(prize, reason, by):
            changed = set_prize(meter, prize, reason, by)
        case BonusEnded(reason, by):
            changed = discontinue(meter, reason, by)
        case _:
            assert_never(event)
    return changed if isinstance(changed, Refusal) else with_meter(floor, changed)


def _post(floor: Floor, change: MeterChange | Refusal) -> Floor | Refusal:
    if isinstance(change, Refusal):
        return change
    meter, transfers = change
    return with_meter(with_transfers(floor, transfers), meter)


def _transfer_to(
    floor: Floor, meter: Meter, name: str, amount: Micros, approvals: tuple[str, str]
) -> Floor | Refusal:
    if amount != meter.pool + meter.reserve:
        return refusal(Code.METER_AMOUNT, "not_whole", meter=meter.rules.name)
    plan = meter.standing
    if isinstance(plan, Closing) and plan.place is not PoolPlace.THIS_FLOOR:
        return _post(floor, send_pool(meter, name, approvals))
    to = floor.meters.get(name)
    if to is None:
        return refusal(Code.NO_SUCH_METER, "named", meter=name)
    transferred = transfer_pool(meter, to)
    if isinstance(transferred, Refusal):
        return transferred
    old, new, transfers = transferred
    return with_meter(with_meter(with_transfers(floor, transfers), old), new)
