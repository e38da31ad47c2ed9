"""Ends a Progressive by an approved plan: its day comes, and its pool goes where the plan says.

New York (k)(5), R84. Like the other changes of a meter, each returns the new meter and the
transfers that go with it, or a refusal.
"""

from dataclasses import replace
from typing import assert_never

from headsup.game.bank.ledger import Account, AccountKind, Reason, Transfer, Transfers
from headsup.game.bank.meter import (
    Active,
    AdjustmentKind,
    Closing,
    Meter,
    PoolPlace,
    Regime,
    Transferred,
)
from headsup.game.bank.meter_changes import (
    MeterChange,
    adjust,
    level_reserve,
    refuse_bonus,
    refuse_unless_two_people,
    release_reserve,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.values.dates import is_iso_date
from headsup.game.values.money import MAX_METER_MICROS, Micros


def plan_closing(meter: Meter, plan: Closing, target: Meter | None) -> Meter | Refusal:
    """Record the approved plan to end the wager. A later plan with a new approval replaces it.

    `target` is the meter that receives the pool, if it is on this floor.
    """
    if refused := refuse_bonus(meter):
        return refused
    before, approval = meter.standing, plan.approval.strip()
    if meter.is_ended or (isinstance(before, Closing) and before.approval == approval):
        return refusal(Code.METER_PHASE, "closing", meter=meter.rules.name)
    return (
        _refuse_incomplete(plan)
        or (_refuse_target(meter, target) if target is not None else None)
        or replace(meter, standing=replace(plan, approval=approval))
    )


def mark_due(meter: Meter) -> Meter:
    """The day of the plan has come: no new wagers."""
    if not isinstance(meter.standing, Closing):
        return meter
    return replace(meter, standing=replace(meter.standing, due=True))


def refuse_before_plan(meter: Meter, day: str) -> Refusal | None:
    """The pool stays until the day of the plan. Moving it earlier takes a plan with another
    approval."""
    plan = meter.standing
    if isinstance(plan, Closing) and day < plan.date:  # days sort as text
        return refusal(Code.METER_PHASE, "too_early", meter=meter.rules.name, day=plan.date)
    return None


def refuse_after_plan(meter: Meter, day: str) -> Refusal | None:
    """No wager is taken from the day of the plan on, even if no round has begun on it yet."""
    plan = meter.standing
    if isinstance(plan, Closing) and plan.date <= day:
        return refusal(Code.METER_ENDED, "due", meter=meter.rules.name, day=plan.date)
    return None


def refuse_pool_left(meter: Meter) -> Refusal | None:
    """A table whose pool has not been moved cannot be closed (R84)."""
    if meter.rules.regime is Regime.BONUS or meter.is_ended:
        return None
    left = meter.pool + meter.reserve
    return (
        refusal(Code.METER_PHASE, "pool_left", meter=meter.rules.name, left=left) if left else None
    )


def transfer_pool(meter: Meter, target: Meter) -> tuple[Meter, Meter, Transfers] | Refusal:
    """Carry out a plan on one floor: move pool and reserve to the other meter."""
    plan = _plan_to(meter, target.rules.name, PoolPlace.THIS_FLOOR)
    if isinstance(plan, Refusal):
        return plan
    if refused := _refuse_target(meter, target):
        return refused
    amount = meter.pool + meter.reserve
    closed, entries = _empty(meter, plan, target.account)
    if amount == 0:
        return closed, target, ()
    by = (plan.approval,)
    received = adjust(target, AdjustmentKind.TRANSFERRED, amount, meter.rules.name, by)
    received, transfers = level_reserve(received, entries, plan.approval)
    return closed, received, transfers


def send_pool(meter: Meter, to: str, approvals: tuple[str, str]) -> MeterChange | Refusal:
    """Carry out a plan whose pool leaves the floor; two people sign for it."""
    plan = _plan_to(meter, to)
    if isinstance(plan, Refusal):
        return plan
    if refused := refuse_unless_two_people(approvals):
        return refused
    kind = AccountKind.TRANSIT if plan.place is PoolPlace.OTHER_FLOOR else AccountKind.OUTSIDE
    return _empty(meter, plan, Account(kind, plan.target), approvals)


def receive_pool(
    meter: Meter, sender: str, amount: Micros, approval: str, approvals: tuple[str, str]
) -> MeterChange | Refusal:
    """Take in a pool that was sent from another floor; two people sign for it."""
    if refused := (
        refuse_bonus(meter)
        or _refuse_unsigned(sender, approval)
        or refuse_unless_two_people(approvals)
    ):
        return refused
    if not isinstance(meter.standing, Active):
        return refusal(Code.METER_ENDED, "closing", meter=meter.rules.name)
    if not 0 < amount <= MAX_METER_MICROS - meter.pool:
        return refusal(Code.METER_AMOUNT, "received", most=MAX_METER_MICROS)
    by = (approval, *approvals)
    received = adjust(meter, AdjustmentKind.TRANSFERRED, amount, sender, by)
    transit = Account(AccountKind.TRANSIT, sender)
    entry = Transfer(transit, meter.account, amount, Reason.METER_TRANSFER, approval)
    return level_reserve(received, (entry,), approval)


def _plan_to(meter: Meter, to: str, place: PoolPlace | None = None) -> Closing | Refusal:
    """The plan of this meter, if the pool may now go there."""
    plan = meter.standing
    if not isinstance(plan, Closing):
        return refusal(Code.METER_PHASE, "no_plan", meter=meter.rules.name)
    if meter.frozen_reason:
        return refusal(Code.METER_FROZEN, meter=meter.rules.name, reason=meter.frozen_reason)
    if to != plan.to or (place is not None and plan.place is not place):
        return refusal(Code.METER_TARGET, "not_planned", meter=to, planned=plan.target)
    return plan


def _empty(meter: Meter, plan: Closing, receiver: Account, by: tuple[str, ...] = ()) -> MeterChange:
    """The meter at exactly 0, and the entries that move pool and reserve to the receiver."""
    amount = meter.pool + meter.reserve
    whole = replace(meter, pool=amount, reserve=0)
    signed = (plan.approval, *by)
    emptied = adjust(whole, AdjustmentKind.TRANSFERRED, -amount, plan.target, signed)
    standing = Transferred(plan.date, plan.approval, plan.to, plan.place, plan.floor)
    closed = replace(emptied, standing=standing)
    if amount == 0:
        return closed, ()
    entry = Transfer(meter.account, receiver, amount, Reason.METER_TRANSFER, plan.approval)
    return closed, (*release_reserve(meter, meter.reserve, plan.approval), entry)


# Refusals: each function returns None if nothing is wrong.


def _refuse_incomplete(plan: Closing) -> Refusal | None:
    if not plan.date.strip():
        return refusal(Code.METER_RECORD, "plan_date")
    if not is_iso_date(plan.date):
        return refusal(Code.METER_RECORD, "no_date", value=plan.date)
    if not plan.approval.strip():
        return refusal(Code.METER_RECORD, "plan_approval")
    if not plan.to.strip() or bool(plan.floor.strip()) is not _is_on_other_floor(plan.place):
        return refusal(Code.METER_RECORD, "plan_target")
    return None


def _is_on_other_floor(place: PoolPlace) -> bool:
    match place:
        case PoolPlace.OTHER_FLOOR:
            return True
        case PoolPlace.THIS_FLOOR | PoolPlace.OUTSIDE:
            return False
        case _:
            assert_never(place)


def _refuse_unsigned(sender: str, approval: str) -> Refusal | None:
    if not sender.strip():
        return refusal(Code.METER_RECORD, "sender")
    return None if approval.strip() else refusal(Code.METER_RECORD, "plan_approval")


def _refuse_target(meter: Meter, to: Meter) -> Refusal | None:
    if refused := refuse_bonus(to):
        return refused
    is_suitable = (
        to.rules.name != meter.rules.name
        and to.rules.escrow == meter.rules.escrow
        and isinstance(to.standing, Active)
    )
    return None if is_suitable else refusal(Code.METER_TARGET, meter=to.rules.name)
