"""The commands and events by which staff change a table's meter."""

from typing import assert_never

from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import (
    correct_meter,
    discontinue,
    freeze_meter,
    plan_closing,
    refuse_undocumented_prize,
    set_prize,
    transfer_pool,
    unfreeze_meter,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    MeterCommand,
    PlanMeterClosing,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.events import (
    Answer,
    BonusEnded,
    BonusPrizeSet,
    MeterClosingPlanned,
    MeterCorrected,
    MeterEvent,
    MeterFrozen,
    MeterUnfrozen,
    PoolTransferred,
)
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import Floor, Table, with_meter, with_table, with_transfers


def decide_meter(floor: Floor, table: Table, command: MeterCommand) -> Answer:
    if table.meter not in floor.meters:
        if isinstance(command, EndBonus) and table.rules.bonus_jackpot:
            return _end_fixed(table, command)
        return refusal(Code.NO_SUCH_METER, "of_table", table=table.id)
    if refused := _refuse_while_playing(floor, table, command):
        return refused
    event = _event_for(command)
    result = evolve_meter(floor, table, event)
    return result if isinstance(result, Refusal) else (event,)


def _end_fixed(table: Table, command: EndBonus) -> Answer:
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
        if meter is not None and meter.playing:
            return refusal(Code.ROUND_OPEN, "shared_meter", meter=name, playing=meter.playing)
    return None


def _event_for(command: MeterCommand) -> MeterEvent:
    match command:
        case CorrectMeter(amount, reason, approvals):
            return MeterCorrected(amount, reason, approvals)
        case FreezeMeter(reason):
            return MeterFrozen(reason) if reason.strip() else MeterUnfrozen()
        case PlanMeterClosing(date, approval, to):
            return MeterClosingPlanned(date, approval, to)
        case TransferPool(to):
            return PoolTransferred(to)
        case SetBonusPrize(prize, reason, by):
            return BonusPrizeSet(prize, reason, by)
        case EndBonus(reason, by):
            return BonusEnded(reason, by)
        case _:
            assert_never(command)


def evolve_meter(floor: Floor, table: Table, event: MeterEvent) -> Floor | Refusal:
    """The floor after the change, or why the meter does not allow it."""
    if isinstance(event, BonusEnded) and not table.meter:
        return with_table(floor, table._replace(discontinued=True))
    meter = floor.meters[table.meter]
    changed: Meter | Refusal
    match event:
        case MeterCorrected(amount, reason, approvals):
            corrected = correct_meter(meter, amount, reason, approvals, posting_reference(table))
            if isinstance(corrected, Refusal):
                return corrected
            meter, transfers = corrected
            return with_meter(with_transfers(floor, transfers), meter)
        case PoolTransferred(to):
            return _transfer_to(floor, meter, to)
        case MeterUnfrozen():
            changed = unfreeze_meter(meter)
        case MeterFrozen(reason):
            changed = freeze_meter(meter, reason)
        case MeterClosingPlanned(date, approval, to):
            if to not in floor.meters:
                return refusal(Code.NO_SUCH_METER, "named", meter=to)
            changed = plan_closing(meter, date, approval, floor.meters[to])
        case BonusPrizeSet(prize, reason, by):
            changed = set_prize(meter, prize, reason, by)
        case BonusEnded(reason, by):
            changed = discontinue(meter, reason, by)
        case _:
            assert_never(event)
    return changed if isinstance(changed, Refusal) else with_meter(floor, changed)


def _transfer_to(floor: Floor, meter: Meter, name: str) -> Floor | Refusal:
    to = floor.meters.get(name)
    if to is None:
        return refusal(Code.NO_SUCH_METER, "named", meter=name)
    transferred = transfer_pool(meter, to)
    if isinstance(transferred, Refusal):
        return transferred
    old, new, transfers = transferred
    return with_meter(with_meter(with_transfers(floor, transfers), old), new)
