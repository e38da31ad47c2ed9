"""A progressive meter or a posted prize at one moment; `meter_changes` says how it changes.

Amounts are micro-dollars, as in the ledger. Always, to the micro-dollar:

    pool + reserve = seeded + contributed − awarded + adjusted

A **progressive** is the players' money: seeded by the house, fed by wagers, held in escrow where
the document says so (Washington App. D note 6), and it falls only for the reasons that the
ledger's routes list. A **bonus** is the house's: a posted prize that takes no contributions, is
paid in full to each winner, and is changed or ended at any time with a record (R82).

A fixed prize of either is the table's own payout and no business of the meter (R75).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from headsup.game.bank.awards import floor_to_cent
from headsup.game.bank.ledger import Account, AccountKind
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.values.money import MAX_METER_MICROS, Micros
from headsup.game.values.str_enum import TextEnum

# No document gives numbers for a meter (R77); these are for a table at home, where nobody does.
HOME_SEED_MICROS: Micros = 25_000_000_000
HOME_CONTRIBUTION_MICROS: Micros = 250_000


class Regime(TextEnum):
    PROGRESSIVE = "progressive"
    BONUS = "bonus"


class BrokenMeter(RuntimeError):
    """The meter is not what came in less what went out: a bug, never a refusal."""


@dataclass(frozen=True, slots=True)
class MeterRules:
    """What the operator sets before the first wager; the documents give no numbers (R77)."""

    name: str
    meter_seed: Micros  # of a bonus: the posted prize
    contribution: Fraction | Micros = 0  # a share of the stake, or micro-dollars per wager
    maximum: Micros = MAX_METER_MICROS  # above it wagers feed the reserve (R85)
    regime: Regime = Regime.PROGRESSIVE
    escrow: bool = False
    linkable: bool = True  # New York (k)(2) speaks of the pool "at such table": False there (R78)
    reseed_floor: bool = False  # whether the house tops up a pool that awards took below its seed

    def contribution_of(self, stake: Micros) -> Micros:
        """What one wager adds: the share of its stake, down to the micro-dollar."""
        if isinstance(self.contribution, Fraction):
            return stake * self.contribution.numerator // self.contribution.denominator
        return self.contribution


def refuse_meter_rules(rules: MeterRules) -> Refusal | None:
    """Why no meter can have these rules."""
    share = rules.contribution if isinstance(rules.contribution, Fraction) else 0
    bounded = rules.maximum != MAX_METER_MICROS
    wrong = {
        "seed_below_zero": rules.meter_seed < 0,
        "contribution_below_zero": rules.contribution < 0,
        "contribution_above_stake": share > 1,
        "maximum_below_seed": rules.maximum < rules.meter_seed,
        "too_large": rules.maximum > MAX_METER_MICROS,
        "funded_bonus": rules.regime is Regime.BONUS
        and (rules.contribution != 0 or bounded or rules.escrow),
    }
    for case, is_wrong in wrong.items():
        if is_wrong:
            return refusal(Code.METER_RULES, case, where=rules.name)
    return None


@dataclass(frozen=True, slots=True)
class Active:
    pass


@dataclass(frozen=True, slots=True)
class Closing:
    """A plan to end the wager, which still plays until the pool has moved (New York (k)(5))."""

    date: str  # anticipated, like 2026-12-31
    approval: str
    to: str  # the meter that receives the pool


@dataclass(frozen=True, slots=True)
class Transferred:
    date: str
    approval: str
    to: str


@dataclass(frozen=True, slots=True)
class Discontinued:
    """A bonus that the house has ended."""


Standing: TypeAlias = Active | Closing | Transferred | Discontinued


class AdjustmentKind(TextEnum):
    CORRECTED = "corrected"
    TRANSFERRED = "transferred"
    PRIZE_SET = "prize_set"
    DISCONTINUED = "discontinued"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A documented change that is neither seed, wager nor award: who, why, how much."""

    kind: AdjustmentKind
    amount: Micros
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """The record keeps every adjustment; here are their sum and the last of them, so that a meter
    is as small after a million rounds as after one."""

    rules: MeterRules
    pool: Micros
    reserve: Micros = 0
    seeded: Micros = 0
    contributed: Micros = 0
    awarded: Micros = 0
    adjusted: Micros = 0
    last_adjustment: Adjustment | None = None
    standing: Standing = Active()
    halted: str = ""  # why the staff have frozen it
    down: int = 0  # how many of its tables have their equipment down
    down_for: str = ""  # the last reason given
    owed: Micros = 0  # counted while it stood still: goes onto the pool when it runs again
    playing: int = 0  # how many of the tables that play for it have a round open

    def __post_init__(self) -> None:
        total = self.seeded + self.contributed - self.awarded + self.adjusted
        if total != self.pool + self.reserve or self.pool < 0 or self.reserve < 0:
            raise BrokenMeter(f"{self.rules.name}: {self.pool} + {self.reserve} ≠ {total}")

    @property
    def frozen(self) -> str:
        """Why it shows a figure that wagers do not move (R88); empty while it runs."""
        return self.halted or (self.down_for if self.down else "")

    @property
    def ended(self) -> bool:
        """No longer played for: the pool has moved, or the prize is off."""
        return isinstance(self.standing, Transferred | Discontinued)

    @property
    def fed(self) -> bool:
        """Whether wagers add to it: a progressive that is still played for."""
        return self.rules.regime is Regime.PROGRESSIVE and not self.ended

    @property
    def shown(self) -> Micros:
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
