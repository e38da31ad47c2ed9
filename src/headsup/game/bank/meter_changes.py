"""What changes a meter: every change is a new meter and the transfers that made it, or a refusal
that leaves both as they were."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from headsup.game.bank.ledger import Account, AccountKind, Reason, Transfer, Transfers
from headsup.game.bank.meter import (
    Active,
    Adjustment,
    AdjustmentKind,
    Closing,
    Discontinued,
    Meter,
    MeterRules,
    Regime,
    Transferred,
    refuse_meter_rules,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.values.dates import is_iso_date
from headsup.game.values.money import MAX_METER_MICROS, Micros

MeterChange: TypeAlias = tuple[Meter, Transfers]


def open_meter(rules: MeterRules, reference: str) -> MeterChange | Refusal:
    """A new meter at its seed, which is the house's entry; a bonus only posts its prize."""
    if wrong := refuse_meter_rules(rules):
        return wrong
    if rules.regime is Regime.BONUS:
        return Meter(rules, pool=rules.meter_seed, seeded=rules.meter_seed), ()
    return _add_seed(Meter(rules, pool=0), rules.meter_seed, Reason.SEED, reference)


# Wagers and prizes.


def contribute(meter: Meter, wagers: int, stake: Micros, reference: str) -> MeterChange | Refusal:
    """Count wagers of one stake. Done when bets close, before the first card, so that a winner's
    own contribution is in the pool (R72). A frozen meter shows them when it runs again (R88)."""
    if (
        refused := _refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_contribution(meter, wagers, stake)
    ):
        return refused
    amount = wagers * meter.rules.contribution_of(stake)
    if meter.frozen:
        return replace(meter, owed=meter.owed + amount), ()
    return _add_contribution(meter, amount, reference)


def _add_contribution(meter: Meter, amount: Micros, reference: str) -> MeterChange:
    if amount == 0:
        return meter, ()
    fed = replace(meter, pool=meter.pool + amount, contributed=meter.contributed + amount)
    entry = Transfer(_accrual(meter), meter.account, amount, Reason.CONTRIBUTION, reference)
    return _level_reserve(fed, (entry,), reference)


def reverse_contribution(
    meter: Meter, wagers: int, stake: Micros, reference: str
) -> MeterChange | Refusal:
    """Compensate for wagers that were void (R94); also while frozen.

    Where another table has won the pool since, the house bears what is no longer there.
    """
    if (
        refused := _refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_contribution(meter, wagers, stake)
    ):
        return refused
    amount = wagers * meter.rules.contribution_of(stake)
    not_shown = min(amount, meter.owed)
    meter = replace(meter, owed=meter.owed - not_shown)
    amount = min(amount - not_shown, meter.pool)
    if amount == 0:
        return meter, ()
    less = replace(meter, pool=meter.pool - amount, contributed=meter.contributed - amount)
    reason = Reason.CONTRIBUTION_REVERSED
    entry = Transfer(meter.account, _accrual(meter), amount, reason, reference)
    return _level_reserve(less, (entry,), reference)


def award(
    meter: Meter, winners: Sequence[tuple[Account, Micros]], resets: bool, reference: str
) -> MeterChange | Refusal:
    """Pay what settlement found each winner's share to be; after 100 %, reset to the seed.

    What flooring to cents leaves stays on the meter over the reset (R79). Awards are paid while
    the meter is frozen too. A bonus pays out of the house's pocket, and its prize stays posted.
    """
    if refused := _refuse_ended(meter):
        return refused
    entries = tuple(
        Transfer(meter.account, winner, amount, Reason.AWARD, reference)
        for winner, amount in winners
        if amount
    )
    if meter.rules.regime is Regime.BONUS:
        return meter, entries
    won = sum(amount for _, amount in winners)
    paid = replace(meter, pool=meter.pool - won, awarded=meter.awarded + won)
    if resets:
        return _after(entries, _add_seed(paid, meter.rules.meter_seed, Reason.RESEED, reference))
    return _top_up(*_level_reserve(paid, entries, reference), reference)


# What the staff do, between rounds but for a freeze.


def correct_meter(
    meter: Meter, amount: Micros, reason: str, approvals: tuple[str, str], reference: str
) -> MeterChange | Refusal:
    """Raise or lower the pool by a documented amount, such as wagers counted by hand (R88)."""
    if refused := (
        _refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_blank(reason, "correction")
        or refuse_unless_two_people(approvals)
        or _refuse_correction(meter, amount)
    ):
        return refused
    changed = _adjust(meter, AdjustmentKind.CORRECTED, amount, reason, approvals)
    house, pool = _accrual(meter), meter.account
    debit, credit = (house, pool) if amount > 0 else (pool, house)
    entry = Transfer(debit, credit, abs(amount), Reason.METER_CORRECTION, reference)
    return _level_reserve(changed, (entry,), reference)


def freeze_meter(meter: Meter, reason: str) -> Meter | Refusal:
    """Let the figure stand still, and mark the display (R88)."""
    return _refuse_ended(meter) or _refuse_blank(reason, "freeze") or replace(meter, halted=reason)


def unfreeze_meter(meter: Meter, reference: str) -> MeterChange:
    return _add_owed(replace(meter, halted=""), reference)


def mark_table_down(meter: Meter, reason: str) -> Meter:
    """The equipment of one of its tables is down."""
    return replace(meter, down=meter.down + 1, down_for=reason)


def mark_table_up(meter: Meter, reference: str) -> MeterChange:
    """The equipment of one of its tables counts again."""
    return _add_owed(replace(meter, down=meter.down - 1), reference)


def _add_owed(meter: Meter, reference: str) -> MeterChange:
    """What was counted while the figure stood still goes onto it."""
    if meter.frozen or not meter.owed:
        return meter, ()
    return _add_contribution(replace(meter, owed=0), meter.owed, reference)


def plan_closing(meter: Meter, day: str, approval: str, to: Meter) -> Meter | Refusal:
    """Record the approved plan to end the wager: its date, and the meter that is to receive the
    pool (New York (k)(5), R84). A later plan, approved anew, takes its place."""
    if refused := _refuse_bonus(meter):
        return refused
    plan = meter.standing
    if meter.ended or (isinstance(plan, Closing) and plan.approval == approval.strip()):
        return refusal(Code.METER_PHASE, "closing", meter=meter.rules.name)
    return (
        _refuse_blank(day, "plan_date")
        or _refuse_bad_date(day)
        or _refuse_blank(approval, "plan_approval")
        or _refuse_target(meter, to)
        or replace(meter, standing=Closing(day, approval.strip(), to.rules.name))
    )


def transfer_pool(meter: Meter, to: Meter) -> tuple[Meter, Meter, Transfers] | Refusal:
    """Carry out the plan: pool and reserve go to another meter, and this one is exactly 0."""
    plan = meter.standing
    if not isinstance(plan, Closing):
        return refusal(Code.METER_PHASE, "no_plan", meter=meter.rules.name)
    if meter.frozen:
        return refusal(Code.METER_FROZEN, meter=meter.rules.name, reason=meter.frozen)
    if to.rules.name != plan.to:
        return refusal(Code.METER_TARGET, "not_planned", meter=to.rules.name, planned=plan.to)
    if refused := _refuse_target(meter, to):
        return refused
    amount = meter.pool + meter.reserve
    by = (plan.approval,)
    emptied = _adjust(
        replace(meter, pool=amount, reserve=0),
        AdjustmentKind.TRANSFERRED,
        -amount,
        to.rules.name,
        by,
    )
    moved = Transferred(plan.date, plan.approval, to.rules.name)
    closed = replace(emptied, standing=moved)
    if amount == 0:
        return closed, to, ()
    entry = Transfer(meter.account, to.account, amount, Reason.METER_TRANSFER, plan.approval)
    entries = (*_release_reserve(meter, meter.reserve, plan.approval), entry)
    richer = _adjust(to, AdjustmentKind.TRANSFERRED, amount, meter.rules.name, by)
    richer, transfers = _level_reserve(richer, entries, plan.approval)
    return closed, richer, transfers


def set_prize(meter: Meter, prize: Micros, reason: str, by: str) -> Meter | Refusal:
    """Post another Bonus Jackpot prize; no money moves, the record stays (App. D note 5)."""
    return _change_prize(meter, AdjustmentKind.PRIZE_SET, prize, reason, by)


def discontinue(meter: Meter, reason: str, by: str) -> Meter | Refusal:
    """End a Bonus Jackpot at once."""
    ended = _change_prize(meter, AdjustmentKind.DISCONTINUED, 0, reason, by)
    if isinstance(ended, Refusal):
        return ended
    return replace(ended, standing=Discontinued(), halted="")


def _change_prize(
    meter: Meter, kind: AdjustmentKind, prize: Micros, reason: str, by: str
) -> Meter | Refusal:
    if refused := _refuse_progressive(meter) or _refuse_ended(meter):
        return refused
    if prize < 0:
        return refusal(Code.METER_AMOUNT, "prize_below_zero")
    if prize > MAX_METER_MICROS:
        return refusal(Code.METER_AMOUNT, "too_large", most=MAX_METER_MICROS)
    return refuse_undocumented_prize(reason, by) or _adjust(
        meter, kind, prize - meter.pool, reason, (by,)
    )


# How pool, reserve and seed hang together.


def _add_seed(meter: Meter, amount: Micros, reason: Reason, reference: str) -> MeterChange:
    """House money into the pool, then what the reserve can add up to the maximum."""
    richer = replace(meter, pool=meter.pool + amount, seeded=meter.seeded + amount)
    house = Account(AccountKind.SEED, meter.rules.name)
    entries = (Transfer(house, meter.account, amount, reason, reference),) if amount else ()
    return _level_reserve(richer, entries, reference)


def _top_up(meter: Meter, entries: Transfers, reference: str) -> MeterChange:
    """No top-up after a share was won, unless the operator chose a floor (R74)."""
    missing = meter.rules.meter_seed - meter.pool
    if not meter.rules.reseed_floor or missing <= 0:
        return meter, entries
    return _after(entries, _add_seed(meter, missing, Reason.RESEED, reference))


def _level_reserve(meter: Meter, entries: Transfers, reference: str) -> MeterChange:
    """Keep the pool at its maximum while there is a reserve, and the rest in the reserve (R85).

    The reserve is the players' money. It flows back as soon as an award makes room, above the
    seed that the house pays in any case, and never replaces it.
    """
    over = max(meter.pool - meter.rules.maximum, -meter.reserve)
    if over == 0:
        return meter, entries
    level = replace(meter, pool=meter.pool - over, reserve=meter.reserve + over)
    if over > 0:
        entry = Transfer(meter.account, meter.reserve_account, over, Reason.OVERFLOW, reference)
        return level, (*entries, entry)
    return level, entries + _release_reserve(meter, -over, reference)


def _release_reserve(meter: Meter, amount: Micros, reference: str) -> Transfers:
    if amount == 0:
        return ()
    reason = Reason.RESERVE_RELEASED
    return (Transfer(meter.reserve_account, meter.account, amount, reason, reference),)


def _after(entries: Transfers, moved: MeterChange) -> MeterChange:
    meter, later = moved
    return meter, entries + later


def _adjust(
    meter: Meter, kind: AdjustmentKind, amount: Micros, reason: str, by: tuple[str, ...]
) -> Meter:
    return replace(
        meter,
        pool=meter.pool + amount,
        adjusted=meter.adjusted + amount,
        last_adjustment=Adjustment(kind, amount, reason, by),
    )


def _accrual(meter: Meter) -> Account:
    return Account(AccountKind.ACCRUAL, meter.rules.name)


# Why not: each is a refusal, or nothing.


def refuse_unless_two_people(approvals: tuple[str, str]) -> Refusal | None:
    names = {name.strip().casefold() for name in approvals} - {""}
    return None if len(names) == 2 else refusal(Code.METER_APPROVALS)


def refuse_undocumented_prize(reason: str, by: str) -> Refusal | None:
    """A prize changes only for a reason, and by somebody."""
    return _refuse_blank(reason, "prize_reason") or _refuse_blank(by, "prize_by")


def _refuse_blank(text: str, case: str) -> Refusal | None:
    return None if text.strip() else refusal(Code.METER_RECORD, case)


def _refuse_bad_date(text: str) -> Refusal | None:
    return None if is_iso_date(text) else refusal(Code.METER_RECORD, "no_date", value=text)


def _refuse_ended(meter: Meter) -> Refusal | None:
    return refusal(Code.METER_ENDED, meter=meter.rules.name) if meter.ended else None


def _refuse_bonus(meter: Meter) -> Refusal | None:
    if meter.rules.regime is Regime.PROGRESSIVE:
        return None
    return refusal(Code.METER_REGIME, "bonus", meter=meter.rules.name)


def _refuse_progressive(meter: Meter) -> Refusal | None:
    if meter.rules.regime is Regime.BONUS:
        return None
    return refusal(Code.METER_REGIME, "progressive", meter=meter.rules.name)


def _refuse_contribution(meter: Meter, wagers: int, stake: Micros) -> Refusal | None:
    each = meter.rules.contribution_of(stake)
    if wagers >= 0 and 0 <= each <= stake:
        return None
    return refusal(Code.METER_AMOUNT, "contribution", wagers=wagers, stake=stake, each=each)


def _refuse_correction(meter: Meter, amount: Micros) -> Refusal | None:
    if abs(amount) > MAX_METER_MICROS:
        return refusal(Code.METER_AMOUNT, "too_large", most=MAX_METER_MICROS)
    if amount != 0 and meter.pool + amount >= 0:
        return None
    return refusal(Code.METER_AMOUNT, "correction", pool=meter.pool, amount=amount)


def _refuse_target(meter: Meter, to: Meter) -> Refusal | None:
    if refused := _refuse_bonus(to):
        return refused
    fits = (
        to.rules.name != meter.rules.name
        and to.rules.escrow == meter.rules.escrow
        and isinstance(to.standing, Active)
    )
    return None if fits else refusal(Code.METER_TARGET, meter=to.rules.name)
