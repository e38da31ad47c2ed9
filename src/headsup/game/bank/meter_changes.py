"""The changes to a meter: contributions, awards and what the staff do to it.

Each returns the new meter and the transfers that go with it, or a refusal. Nothing is changed in
place.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from headsup.game.bank.ledger import Account, AccountKind, Reason, Transfer, Transfers
from headsup.game.bank.meter import (
    Adjustment,
    AdjustmentKind,
    Discontinued,
    Meter,
    MeterRules,
    Regime,
    refuse_meter_rules,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.values.money import MAX_METER_MICROS, Micros

MeterChange: TypeAlias = tuple[Meter, Transfers]


def open_meter(rules: MeterRules, reference: str) -> MeterChange | Refusal:
    """A new meter with the house's seed in it. A bonus only posts its prize."""
    if refused := refuse_meter_rules(rules):
        return refused
    if rules.regime is Regime.BONUS:
        return Meter(rules, pool=rules.meter_seed, seeded=rules.meter_seed), ()
    return _add_seed(Meter(rules, pool=0), rules.meter_seed, Reason.SEED, reference)


# Contributions and awards.


def contribute(meter: Meter, wagers: int, stake: Micros, reference: str) -> MeterChange | Refusal:
    """Add the contributions of several wagers of one stake.

    This happens when bets close, before the first card, so that a winner's own contribution is in
    the pool (R72). A frozen meter takes them too; only its display waits (R88).
    """
    if (
        refused := refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_contribution(meter, wagers, stake)
    ):
        return refused
    amount = wagers * meter.rules.contribution_of(stake)
    if amount == 0:
        return meter, ()
    increased = replace(meter, pool=meter.pool + amount, contributed=meter.contributed + amount)
    entry = Transfer(_accrual(meter), meter.account, amount, Reason.CONTRIBUTION, reference)
    return level_reserve(increased, (entry,), reference)


def reverse_contribution(
    meter: Meter, wagers: int, stake: Micros, reference: str
) -> MeterChange | Refusal:
    """Take back the contributions of void wagers (R94).

    If the pool was won at another table meanwhile, the house bears what is missing.
    """
    if (
        refused := refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_contribution(meter, wagers, stake)
    ):
        return refused
    amount = min(wagers * meter.rules.contribution_of(stake), meter.pool)
    if amount == 0:
        return meter, ()
    reduced = replace(meter, pool=meter.pool - amount, contributed=meter.contributed - amount)
    reason = Reason.CONTRIBUTION_REVERSED
    entry = Transfer(meter.account, _accrual(meter), amount, reason, reference)
    return level_reserve(reduced, (entry,), reference)


def award(
    meter: Meter, winners: Sequence[tuple[Account, Micros]], resets: bool, reference: str
) -> MeterChange | Refusal:
    """Pay each winner the award that settlement computed; after a 100 % award reset to the seed.

    Fractions of a cent stay on the meter through the reset (R79). A frozen meter pays awards too,
    and shows what is left. A bonus is paid by the house, and its prize stays posted.
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
    paid = replace(
        meter, pool=meter.pool - won, awarded=meter.awarded + won, awards=meter.awards + (won > 0)
    )
    if resets:
        seeded = _add_seed(paid, meter.rules.meter_seed, Reason.RESEED, reference)
        return _show_pool(*_prepend(entries, seeded))
    return _show_pool(*_top_up(*level_reserve(paid, entries, reference), reference))


def return_award(
    meter: Meter, winner: Account, amount: Micros, reference: str
) -> MeterChange | Refusal:
    """Put an award that has not reached its winner back into the pool: the hand is void.

    After a 100 % award the house's new seed stays in the pool, too.
    """
    if refused := _refuse_ended(meter):
        return refused
    entries = (Transfer(winner, meter.account, amount, Reason.AWARD_RETURNED, reference),)
    if meter.rules.regime is Regime.BONUS:
        return meter, entries
    returned = replace(meter, pool=meter.pool + amount, awarded=meter.awarded - amount)
    return _show_pool(*level_reserve(returned, entries, reference))


def refuse_award(
    meter: Meter, held: Account, amount: Micros, reseed: Micros, reference: str
) -> MeterChange | Refusal:
    """Put a held award back that was refused, and give the house the seed that replaced it."""
    change = return_award(meter, held, amount, reference)
    if isinstance(change, Refusal) or not reseed:
        return change
    returned, entries = change
    lowered = replace(returned, pool=returned.pool - reseed, seeded=returned.seeded - reseed)
    house = Account(AccountKind.SEED, meter.rules.name)
    back = Transfer(meter.account, house, reseed, Reason.RESEED_RETURNED, reference)
    return _show_pool(*level_reserve(lowered, (*entries, back), reference))


# What the staff do. All but a freeze happens between rounds.


def correct_meter(
    meter: Meter, amount: Micros, reason: str, approvals: tuple[str, str], reference: str
) -> MeterChange | Refusal:
    """Raise or lower the pool by a documented amount."""
    if refused := (
        refuse_bonus(meter)
        or _refuse_ended(meter)
        or _refuse_blank(reason, "correction")
        or refuse_unless_two_people(approvals)
        or _refuse_correction(meter, amount)
    ):
        return refused
    changed = adjust(meter, AdjustmentKind.CORRECTED, amount, reason, approvals)
    house, pool = _accrual(meter), meter.account
    debit, credit = (house, pool) if amount > 0 else (pool, house)
    entry = Transfer(debit, credit, abs(amount), Reason.METER_CORRECTION, reference)
    return _show_pool(*level_reserve(changed, (entry,), reference))


def freeze_meter(meter: Meter, reason: str) -> Meter | Refusal:
    """Stop wagers from moving the display, and mark it (R88)."""
    refused = _refuse_ended(meter) or _refuse_blank(reason, "freeze")
    return refused or _stop_display(meter, replace(meter, halted=reason))


def unfreeze_meter(meter: Meter) -> Meter:
    return replace(meter, halted="")


def mark_table_down(meter: Meter, reason: str) -> Meter:
    """Note that the equipment of one of its tables is down, which freezes the display."""
    return _stop_display(meter, replace(meter, down=meter.down + 1, down_for=reason))


def mark_table_up(meter: Meter) -> Meter:
    """Note that the equipment of one of its tables works again."""
    return replace(meter, down=meter.down - 1)


def _stop_display(before: Meter, frozen: Meter) -> Meter:
    """A meter that is frozen for a second reason goes on showing the same figure."""
    return frozen if before.frozen_reason else replace(frozen, frozen_figure=before.pool)


def _show_pool(meter: Meter, entries: Transfers) -> MeterChange:
    """Put the pool on a frozen display: an award or a correction must not leave an old figure."""
    return replace(meter, frozen_figure=meter.pool) if meter.frozen_reason else meter, entries


def set_prize(meter: Meter, prize: Micros, reason: str, by: str) -> Meter | Refusal:
    """Post another Bonus Jackpot prize. No money moves (Washington App. D note 5)."""
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
    return refuse_undocumented_prize(reason, by) or adjust(
        meter, kind, prize - meter.pool, reason, (by,)
    )


# Pool, reserve and seed.


def _add_seed(meter: Meter, amount: Micros, reason: Reason, reference: str) -> MeterChange:
    """Add house money to the pool, then top it up from the reserve to the maximum."""
    seeded = replace(meter, pool=meter.pool + amount, seeded=meter.seeded + amount)
    house = Account(AccountKind.SEED, meter.rules.name)
    entries = (Transfer(house, meter.account, amount, reason, reference),) if amount else ()
    return level_reserve(seeded, entries, reference)


def _top_up(meter: Meter, entries: Transfers, reference: str) -> MeterChange:
    """After a share was won, refill the pool to its seed if the operator chose that (R74)."""
    missing = meter.rules.meter_seed - meter.pool
    if not meter.rules.reseed_floor or missing <= 0:
        return meter, entries
    return _prepend(entries, _add_seed(meter, missing, Reason.RESEED, reference))


def level_reserve(meter: Meter, entries: Transfers, reference: str) -> MeterChange:
    """Move what exceeds the maximum from the pool to the reserve, or back if there is room (R85).

    The reserve is the players' money. It comes on top of the seed, which the house pays in any
    case, and never replaces it.
    """
    excess = max(meter.pool - meter.rules.maximum, -meter.reserve)
    if excess == 0:
        return meter, entries
    level = replace(meter, pool=meter.pool - excess, reserve=meter.reserve + excess)
    if excess > 0:
        entry = Transfer(meter.account, meter.reserve_account, excess, Reason.OVERFLOW, reference)
        return level, (*entries, entry)
    return level, entries + release_reserve(meter, -excess, reference)


def release_reserve(meter: Meter, amount: Micros, reference: str) -> Transfers:
    if amount == 0:
        return ()
    reason = Reason.RESERVE_RELEASED
    return (Transfer(meter.reserve_account, meter.account, amount, reason, reference),)


def _prepend(entries: Transfers, change: MeterChange) -> MeterChange:
    meter, later = change
    return meter, entries + later


def adjust(
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


# Refusals: each function returns None if nothing is wrong.


def refuse_unless_two_people(approvals: tuple[str, str]) -> Refusal | None:
    names = {name.strip().casefold() for name in approvals} - {""}
    return None if len(names) == 2 else refusal(Code.METER_APPROVALS)


def refuse_undocumented_prize(reason: str, by: str) -> Refusal | None:
    """A change of the prize needs a reason and the name of the person who makes it."""
    return _refuse_blank(reason, "prize_reason") or _refuse_blank(by, "prize_by")


def _refuse_blank(text: str, case: str) -> Refusal | None:
    return None if text.strip() else refusal(Code.METER_RECORD, case)


def _refuse_ended(meter: Meter) -> Refusal | None:
    return refusal(Code.METER_ENDED, meter=meter.rules.name) if meter.is_ended else None


def refuse_bonus(meter: Meter) -> Refusal | None:
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
