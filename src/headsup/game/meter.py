"""The progressive meter: every change is a new meter and the transfers that made it.

Amounts are micro-dollars, as in the ledger. Always, to the micro-dollar:

    pool + reserve = seeded + contributed − awarded ± adjustments

A **progressive** is the players' money: seeded by the house, fed by wagers, held in escrow where
the document says so (Washington App. D note 6), and it falls only for the reasons that the
ledger's routes list. A **bonus** is the house's: a posted prize that takes no contributions, is
paid in full to each winner, and is changed or ended at any time with a record (R82).

A fixed prize of either is the table's own payout and no business of the meter (R75).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from headsup.game.awards import WHOLE_POOL, floor_to_cent, split_awards
from headsup.game.ledger import Account, AccountKind, Reason, Transfer
from headsup.game.refusal import Code, Refused
from headsup.game.word import Word


class Regime(Word):
    PROGRESSIVE = "progressive"
    BONUS = "bonus"


class MeterRefused(Refused):
    """The meter stays as it was; `code` is a `Code`."""


class BrokenMeter(RuntimeError):
    """The meter is not what came in less what went out: a bug, never a refusal."""


@dataclass(frozen=True, slots=True)
class MeterRules:
    """What the operator sets before the first wager; the documents give no numbers (R77)."""

    name: str
    tables: tuple[str, ...]
    meter_seed: int  # of a bonus: the posted prize
    contribution: Fraction | int = 0  # a share of the stake, or micro-dollars per wager
    maximum: int | None = None
    regime: Regime = Regime.PROGRESSIVE
    escrow: bool = False
    linkable: bool = True  # New York (k)(2) speaks of the pool "at such table": False there (R78)
    reseed_floor: bool = False  # whether the house tops up a pool that awards took below its seed

    def __post_init__(self) -> None:
        share = self.contribution if isinstance(self.contribution, Fraction) else 0
        funded = self.contribution != 0 or self.maximum is not None or self.escrow
        wrong = (
            (self.meter_seed < 0, "the seed is below zero"),
            (self.contribution < 0, "the contribution is below zero"),
            (share > 1, "the contribution is more than the stake"),
            (self.maximum is not None and self.maximum < self.meter_seed, "maximum below seed"),
            (not self.tables, "a meter needs a table"),
            (len(set(self.tables)) < len(self.tables), "a table is named twice"),
            (len(self.tables) > 1 and not self.linkable, "each table has its own meter here"),
            (self.regime is Regime.BONUS and funded, "a bonus is not funded by wagers"),
        )
        for is_wrong, message in wrong:
            _require(not is_wrong, Code.METER_RULES, f"{self.name}: {message}")

    def contribution_of(self, stake: int) -> int:
        """What one wager adds: the share of its stake, down to the micro-dollar."""
        if isinstance(self.contribution, Fraction):
            return stake * self.contribution.numerator // self.contribution.denominator
        return self.contribution


@dataclass(frozen=True, slots=True)
class Active:
    pass


@dataclass(frozen=True, slots=True)
class Closing:
    """A plan to end the wager, which still plays until the pool has moved (New York (k)(5))."""

    date: str
    approval: str


@dataclass(frozen=True, slots=True)
class Transferred:
    date: str
    approval: str
    to: str


@dataclass(frozen=True, slots=True)
class Discontinued:
    """A bonus that the house has ended."""


Phase: TypeAlias = Active | Closing | Transferred | Discontinued


class Adjusted(Word):
    CORRECTED = "corrected"
    TRANSFERRED = "transferred"
    PRIZE_SET = "prize_set"
    DISCONTINUED = "discontinued"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A documented change that is neither seed, wager nor award: who, why, how much."""

    kind: Adjusted
    amount: int
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    rules: MeterRules
    pool: int
    reserve: int = 0
    seeded: int = 0
    contributed: int = 0
    awarded: int = 0
    adjustments: tuple[Adjustment, ...] = ()
    phase: Phase = Active()
    frozen: str = ""  # why it shows a figure that wagers do not move; empty while it runs

    def __post_init__(self) -> None:
        adjusted = sum(adjustment.amount for adjustment in self.adjustments)
        total = self.seeded + self.contributed - self.awarded + adjusted
        if total != self.pool + self.reserve or self.pool < 0 or self.reserve < 0:
            raise BrokenMeter(f"{self.rules.name}: {self.pool} + {self.reserve} ≠ {total}")

    @property
    def shown(self) -> int:
        """The figure on the display, in whole cents."""
        return floor_to_cent(self.pool)

    @property
    def account(self) -> Account:
        """Where the money of the pool is; a bonus has none, only what the house paid out."""
        if self.rules.regime is Regime.BONUS:
            return Account(AccountKind.BONUS, self.rules.name)
        kind = AccountKind.ESCROW if self.rules.escrow else AccountKind.METER
        return Account(kind, self.rules.name)

    @property
    def reserve_account(self) -> Account:
        return Account(AccountKind.RESERVE, self.rules.name)


Moved: TypeAlias = tuple[Meter, tuple[Transfer, ...]]


def open_meter(rules: MeterRules, reference: str) -> Moved:
    """A new meter at its seed, which is the house's entry; a bonus only posts its prize."""
    if rules.regime is Regime.BONUS:
        return Meter(rules, pool=rules.meter_seed, seeded=rules.meter_seed), ()
    return _seeded(Meter(rules, pool=0), rules.meter_seed, Reason.SEED, reference)


def contribute(meter: Meter, table: str, wagers: int, stake: int, reference: str) -> Moved:
    """Count wagers of one stake. Done when bets close, before the first card, so that a winner's
    own contribution is in the pool (R72)."""
    _require_running(meter, table)
    _require(not meter.frozen, Code.METER_FROZEN, f"{meter.rules.name} is frozen: {meter.frozen}")
    amount = _contribution(meter, wagers, stake)
    if amount == 0:
        return meter, ()
    fed = replace(meter, pool=meter.pool + amount, contributed=meter.contributed + amount)
    entry = Transfer(_accrual(meter), meter.account, amount, Reason.CONTRIBUTION, reference)
    return _levelled(fed, (entry,), reference)


def reverse_contribution(
    meter: Meter, table: str, wagers: int, stake: int, reference: str
) -> Moved:
    """Compensate for wagers that were void (R94); also while frozen.

    Where another table has won the pool since, the house bears what is no longer there.
    """
    _require_running(meter, table)
    amount = min(_contribution(meter, wagers, stake), meter.pool)
    if amount == 0:
        return meter, ()
    less = replace(meter, pool=meter.pool - amount, contributed=meter.contributed - amount)
    reason = Reason.CONTRIBUTION_REVERSED
    entry = Transfer(meter.account, _accrual(meter), amount, reason, reference)
    return _levelled(less, (entry,), reference)


def award(
    meter: Meter,
    winners: Sequence[tuple[Account, Fraction]],
    reference: str,
    sequential: bool = False,
) -> Moved:
    """Pay each winner's share of the pool, in paying order; after a 100 % award, reset to seed.

    What flooring to cents leaves stays on the meter over the reset (R79). Awards are paid while
    the meter is frozen too. A bonus pays each winner the posted prize, which stays posted.
    """
    _require_not_ended(meter)
    shares = [share for _, share in winners]
    if meter.rules.regime is Regime.BONUS:
        amounts = tuple(split_awards(meter.pool, [share])[0][0] for share in shares)
        return meter, _award_entries(meter, winners, amounts, reference)
    amounts, left = split_awards(meter.pool, shares, sequential)
    paid = replace(meter, pool=left, awarded=meter.awarded + sum(amounts))
    entries = _award_entries(meter, winners, amounts, reference)
    if WHOLE_POOL in shares:
        return _and_then(entries, _seeded(paid, meter.rules.meter_seed, Reason.RESEED, reference))
    return _topped_up(*_levelled(paid, entries, reference), reference)


def correct(
    meter: Meter, amount: int, reason: str, approvals: tuple[str, str], reference: str
) -> Moved:
    """Raise or lower the pool by a documented amount, such as wagers counted by hand (R88)."""
    _require_progressive(meter)
    _require_not_ended(meter)
    _require_text(reason, "a correction needs its reason")
    _require_two(approvals)
    _require(
        amount != 0 and meter.pool + amount >= 0,
        Code.METER_AMOUNT,
        f"a meter of {meter.pool} micro-dollars cannot be corrected by {amount}",
    )
    changed = _adjusted(meter, Adjusted.CORRECTED, amount, reason, approvals)
    house, pool = _accrual(meter), meter.account
    debit, credit = (house, pool) if amount > 0 else (pool, house)
    entry = Transfer(debit, credit, abs(amount), Reason.METER_CORRECTION, reference)
    return _levelled(changed, (entry,), reference)


def freeze(meter: Meter, reason: str) -> Meter:
    """Stop counting and mark the display while the equipment is down (R88)."""
    _require_not_ended(meter)
    _require_text(reason, "a frozen meter shows why")
    return replace(meter, frozen=reason)


def unfreeze(meter: Meter) -> Meter:
    return replace(meter, frozen="")


def plan_closing(meter: Meter, date: str, approval: str) -> Meter:
    """Record the approved plan to end the wager, with its date (New York (k)(5), R84)."""
    _require_progressive(meter)
    _require(
        isinstance(meter.phase, Active),
        Code.METER_PHASE,
        f"{meter.rules.name} is closing or closed",
    )
    _require_text(date, "the plan needs the anticipated date")
    _require_text(approval, "the plan needs the reference of its approval")
    return replace(meter, phase=Closing(date, approval))


def transfer_pool(meter: Meter, to: Meter) -> tuple[Meter, Meter, tuple[Transfer, ...]]:
    """Carry out the plan: pool and reserve go to another meter, and this one is exactly 0."""
    plan = meter.phase
    if not isinstance(plan, Closing):
        raise MeterRefused(Code.METER_PHASE, f"{meter.rules.name} has no approved plan to close")
    _require_target(meter, to)
    amount = meter.pool + meter.reserve
    by = (plan.approval,)
    emptied = _adjusted(
        replace(meter, pool=amount, reserve=0), Adjusted.TRANSFERRED, -amount, to.rules.name, by
    )
    moved = Transferred(plan.date, plan.approval, to.rules.name)
    closed = replace(emptied, phase=moved, frozen="")
    if amount == 0:
        return closed, to, ()
    entry = Transfer(meter.account, to.account, amount, Reason.METER_TRANSFER, plan.approval)
    entries = (*_released(meter, meter.reserve, plan.approval), entry)
    richer = _adjusted(to, Adjusted.TRANSFERRED, amount, meter.rules.name, by)
    richer, transfers = _levelled(richer, entries, plan.approval)
    return closed, richer, transfers


def set_prize(meter: Meter, prize: int, reason: str, by: str) -> Meter:
    """Post another Bonus Jackpot prize; no money moves, the record stays (App. D note 5)."""
    _require_bonus(meter)
    _require(prize >= 0, Code.METER_AMOUNT, "the prize is below zero")
    _require_text(reason, "a change of the prize needs its reason")
    _require_text(by, "a change of the prize names who made it")
    return _adjusted(meter, Adjusted.PRIZE_SET, prize - meter.pool, reason, (by,))


def discontinue(meter: Meter, reason: str, by: str) -> Meter:
    """End a Bonus Jackpot at once."""
    ended = set_prize(meter, 0, reason, by)
    last = replace(ended.adjustments[-1], kind=Adjusted.DISCONTINUED)
    return replace(
        ended, adjustments=(*ended.adjustments[:-1], last), phase=Discontinued(), frozen=""
    )


def _seeded(meter: Meter, amount: int, reason: Reason, reference: str) -> Moved:
    """House money into the pool, then what the reserve can add up to the maximum."""
    richer = replace(meter, pool=meter.pool + amount, seeded=meter.seeded + amount)
    house = Account(AccountKind.SEED, meter.rules.name)
    entries = (Transfer(house, meter.account, amount, reason, reference),) if amount else ()
    return _levelled(richer, entries, reference)


def _topped_up(meter: Meter, entries: tuple[Transfer, ...], reference: str) -> Moved:
    """No top-up after a share was won, unless the operator chose a floor (R74)."""
    missing = meter.rules.meter_seed - meter.pool
    if not meter.rules.reseed_floor or missing <= 0:
        return meter, entries
    return _and_then(entries, _seeded(meter, missing, Reason.RESEED, reference))


def _levelled(meter: Meter, entries: tuple[Transfer, ...], reference: str) -> Moved:
    """Keep the pool at its maximum while there is a reserve, and the rest in the reserve (R85).

    The reserve is the players' money. It flows back as soon as an award makes room, above the
    seed that the house pays in any case, and never replaces it.
    """
    if meter.rules.maximum is None:
        return meter, entries
    over = max(meter.pool - meter.rules.maximum, -meter.reserve)
    level = replace(meter, pool=meter.pool - over, reserve=meter.reserve + over)
    if over > 0:
        entry = Transfer(meter.account, meter.reserve_account, over, Reason.OVERFLOW, reference)
        return level, (*entries, entry)
    return level, entries + _released(meter, -over, reference)


def _released(meter: Meter, amount: int, reference: str) -> tuple[Transfer, ...]:
    if amount == 0:
        return ()
    reason = Reason.RESERVE_RELEASED
    return (Transfer(meter.reserve_account, meter.account, amount, reason, reference),)


def _award_entries(
    meter: Meter,
    winners: Sequence[tuple[Account, Fraction]],
    amounts: Sequence[int],
    reference: str,
) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(meter.account, winner, amount, Reason.AWARD, reference)
        for (winner, _), amount in zip(winners, amounts, strict=True)
        if amount
    )


def _and_then(entries: tuple[Transfer, ...], moved: Moved) -> Moved:
    meter, later = moved
    return meter, entries + later


def _adjusted(meter: Meter, kind: Adjusted, amount: int, reason: str, by: tuple[str, ...]) -> Meter:
    adjustment = Adjustment(kind, amount, reason, by)
    return replace(meter, pool=meter.pool + amount, adjustments=(*meter.adjustments, adjustment))


def _contribution(meter: Meter, wagers: int, stake: int) -> int:
    each = meter.rules.contribution_of(stake)
    _require(
        wagers >= 0 and 0 <= each <= stake,
        Code.METER_AMOUNT,
        f"{wagers} wagers of {stake} cannot give {each} micro-dollars each",
    )
    return wagers * each


def _accrual(meter: Meter) -> Account:
    return Account(AccountKind.ACCRUAL, meter.rules.name)


def _require(condition: bool, code: Code, message: str) -> None:
    if not condition:
        raise MeterRefused(code, message)


def _require_text(text: str, message: str) -> None:
    _require(bool(text.strip()), Code.METER_RECORD, message)


def _require_two(approvals: tuple[str, str]) -> None:
    names = {name.strip().casefold() for name in approvals} - {""}
    _require(len(names) == 2, Code.METER_APPROVALS, "two different people approve a correction")


def _require_not_ended(meter: Meter) -> None:
    ended = isinstance(meter.phase, Transferred | Discontinued)
    _require(not ended, Code.METER_ENDED, f"{meter.rules.name} is no longer played for")


def _require_progressive(meter: Meter) -> None:
    wrong = f"{meter.rules.name} is a bonus: the house's own, and no wager adds to it"
    _require(meter.rules.regime is Regime.PROGRESSIVE, Code.METER_REGIME, wrong)


def _require_bonus(meter: Meter) -> None:
    wrong = f"{meter.rules.name} is a progressive: the players' money, not a prize to be set"
    _require(meter.rules.regime is Regime.BONUS, Code.METER_REGIME, wrong)
    _require_not_ended(meter)


def _require_running(meter: Meter, table: str) -> None:
    _require_progressive(meter)
    _require_not_ended(meter)
    elsewhere = f"table {table} does not play for {meter.rules.name}"
    _require(table in meter.rules.tables, Code.METER_TABLE, elsewhere)


def _require_target(meter: Meter, to: Meter) -> None:
    _require_progressive(to)
    fits = (
        to.rules.name != meter.rules.name
        and to.rules.escrow == meter.rules.escrow
        and isinstance(to.phase, Active)
    )
    wrong = f"{to.rules.name} is not another active meter in the same custody"
    _require(fits, Code.METER_TARGET, wrong)
