"""The state of a progressive meter or a posted bonus prize. `meter_changes` changes it.

Amounts are micro-dollars, as in the ledger. This always holds exactly:

    pool + reserve = seeded + contributed − awarded + adjusted

A **progressive** is the players' money: the house seeds it, wagers add to it, and it is held in
escrow where the document says so (Washington App. D note 6). It falls only for the reasons in the
ledger's routes. A **bonus** is the house's money: a posted prize that takes no contributions, is
paid in full to each winner, and can be changed or ended at any time, on record (R82).

Fixed prizes are paid from the table's tray and do not touch the meter (R75).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from headsup.game.bank.awards import floor_to_cent
from headsup.game.bank.ledger import Account, AccountKind
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.values.money import MAX_METER_MICROS, Cents, Micros
from headsup.game.values.str_enum import TextEnum

# No document sets these amounts (R77). These defaults are for a game at home without an operator.
HOME_SEED_MICROS: Micros = 25_000_000_000
HOME_CONTRIBUTION_MICROS: Micros = 250_000


class Regime(TextEnum):
    PROGRESSIVE = "progressive"
    BONUS = "bonus"


class BrokenMeter(RuntimeError):
    """The meter does not add up. This is a bug, never a refusal."""


@dataclass(frozen=True, slots=True)
class MeterRules:
    """What the operator sets before the first wager; the documents set no amounts (R77)."""

    name: str
    meter_seed: Micros  # for a bonus: the posted prize
    contribution: Fraction | Micros = 0  # a share of the stake, or micro-dollars per wager
    maximum: Micros = MAX_METER_MICROS  # contributions above it go to the reserve (R85)
    regime: Regime = Regime.PROGRESSIVE
    escrow: bool = False
    linkable: bool = True  # False in New York: (k)(2) speaks of the pool "at such table" (R78)
    reseed_floor: bool = False  # the house tops up a pool that an award took below its seed

    def contribution_of(self, stake: Micros) -> Micros:
        """What one wager adds to the pool, rounded down to the micro-dollar."""
        if isinstance(self.contribution, Fraction):
            return stake * self.contribution.numerator // self.contribution.denominator
        return self.contribution


def refuse_meter_rules(rules: MeterRules) -> Refusal | None:
    """The refusal of impossible rules, or None."""
    share = rules.contribution if isinstance(rules.contribution, Fraction) else 0
    has_maximum = rules.maximum != MAX_METER_MICROS
    checks = {
        "seed_below_zero": rules.meter_seed < 0,
        "contribution_below_zero": rules.contribution < 0,
        "contribution_above_stake": share > 1,
        "maximum_below_seed": rules.maximum < rules.meter_seed,
        "too_large": rules.maximum > MAX_METER_MICROS,
        "funded_bonus": rules.regime is Regime.BONUS
        and (rules.contribution != 0 or has_maximum or rules.escrow),
    }
    for case, is_wrong in checks.items():
        if is_wrong:
            return refusal(Code.METER_RULES, case, where=rules.name)
    return None


class PoolPlace(TextEnum):
    """Where the pool of a Progressive that ends goes (R84)."""

    THIS_FLOOR = "this_floor"  # to another meter of the same floor
    OTHER_FLOOR = "other_floor"  # to a meter of another floor of the house
    OUTSIDE = "outside"  # to a game outside this system


@dataclass(frozen=True, slots=True)
class Active:
    pass


@dataclass(frozen=True, slots=True)
class Closing:
    """There is an approved plan to end the wager (New York (k)(5)).

    The wager is offered until the date; then it is `due`, and the pool waits to be moved.
    """

    date: str  # anticipated, like 2026-12-31
    approval: str
    to: str  # the meter or game that receives the pool
    place: PoolPlace = PoolPlace.THIS_FLOOR
    floor: str = ""  # of that meter, if it is another one
    due: bool = False

    @property
    def target(self) -> str:
        """The meter or game that receives the pool, as people are told."""
        return f"{self.to}, floor {self.floor}" if self.floor else self.to


@dataclass(frozen=True, slots=True)
class Transferred:
    date: str
    approval: str
    to: str
    place: PoolPlace = PoolPlace.THIS_FLOOR
    floor: str = ""


@dataclass(frozen=True, slots=True)
class Discontinued:
    """The house has ended the bonus."""


Standing: TypeAlias = Active | Closing | Transferred | Discontinued


class AdjustmentKind(TextEnum):
    CORRECTED = "corrected"
    TRANSFERRED = "transferred"
    PRIZE_SET = "prize_set"
    DISCONTINUED = "discontinued"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A documented change other than a seed, contribution or award: how much, why and by whom."""

    kind: AdjustmentKind
    amount: Micros
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter's amounts and standing.

    Of all adjustments it holds only their sum and the last, so that it does not grow; the log has
    the rest.
    """

    rules: MeterRules
    pool: Micros
    reserve: Micros = 0
    seeded: Micros = 0
    contributed: Micros = 0
    awarded: Micros = 0
    adjusted: Micros = 0
    last_adjustment: Adjustment | None = None
    standing: Standing = Active()
    halted: str = ""  # why the staff froze it
    down: int = 0  # how many of its tables have equipment that is down
    down_for: str = ""  # the last reason given
    frozen_figure: Micros = 0  # what the display shows while frozen
    playing: int = 0  # how many of its tables have a round open
    awards: int = 0  # how many have left the pool
    pending: tuple[tuple[str, Cents], ...] = ()  # held at its tables: the table and the amount

    def __post_init__(self) -> None:
        total = self.seeded + self.contributed - self.awarded + self.adjusted
        if total != self.pool + self.reserve or self.pool < 0 or self.reserve < 0:
            raise BrokenMeter(f"{self.rules.name}: {self.pool} + {self.reserve} ≠ {total}")

    @property
    def frozen_reason(self) -> str:
        """Why wagers do not move the display (R88), or "" while it runs. The pool always grows."""
        return self.halted or (self.down_for if self.down else "")

    @property
    def is_ended(self) -> bool:
        """Whether it is no longer played for: the pool was moved, or the bonus ended."""
        return isinstance(self.standing, Transferred | Discontinued)

    @property
    def is_offered(self) -> bool:
        """Whether tables take its wager: until it ends, or until the day of its plan comes."""
        due = isinstance(self.standing, Closing) and self.standing.due
        return not (self.is_ended or due)

    @property
    def takes_contributions(self) -> bool:
        """Whether wagers add to it."""
        return self.rules.regime is Regime.PROGRESSIVE and not self.is_ended

    @property
    def displayed(self) -> Micros:
        """The figure on the display, rounded down to the cent."""
        stands_still = self.frozen_reason and self.rules.regime is Regime.PROGRESSIVE
        return floor_to_cent(self.frozen_figure if stands_still else self.pool)

    @property
    def account(self) -> Account:
        """The pool's account. A bonus has no pool: its account shows what the house paid out."""
        if self.rules.regime is Regime.BONUS:
            return Account(AccountKind.BONUS, self.rules.name)
        kind = AccountKind.ESCROW if self.rules.escrow else AccountKind.METER
        return Account(kind, self.rules.name)

    @property
    def reserve_account(self) -> Account:
        return Account(AccountKind.RESERVE, self.rules.name)
