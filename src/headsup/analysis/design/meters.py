"""A progressive in the long run: what contribution and seed make of its edge.

Each wager adds c to the meter M, and each row with a share s of chance p takes s·M from it; a full
share, of chance q, puts it back to the seed S. So M changes by c − k·M + q·S on average, where k is
the sum of p·s, and in the long run it stands at (c + q·S) / k. Players get back the fixed pays and,
of every wager, c + q·S: all that comes onto the meter. One player is counted on; a meter that is
topped up after a smaller share (R74) or that has a maximum (R85) is not.
"""

from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.par.par_sheet import MICROS_PER_DOLLAR, side_sheet
from headsup.game.bank.meter import HOME_CONTRIBUTION_MICROS, HOME_SEED_MICROS
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Micros

SEED_CHOICES = (5_000, 10_000, 25_000, 50_000, 100_000)  # dollars, to choose from


@dataclass(frozen=True)
class MeterPlan:
    """Seed and contribution of each wager in dollars, and what they come to."""

    seed: Fraction
    contribution: Fraction
    stake: Fraction
    fixed_return: Fraction  # of each dollar staked
    coefficient: Fraction  # k above, per dollar staked
    full: Fraction  # the chance of a full share

    @property
    def average_meter(self) -> Fraction:
        return (self.contribution + self.full * self.seed) / (self.coefficient * self.stake)

    @property
    def house_edge(self) -> Fraction:
        """In the long run, of each dollar staked."""
        fed = (self.contribution + self.full * self.seed) / self.stake
        return 1 - self.fixed_return - fed

    @property
    def break_even_meter(self) -> Fraction:
        return (1 - self.fixed_return) / self.coefficient

    @property
    def wagers_per_full_award(self) -> Fraction | None:
        return 1 / self.full if self.full else None

    @property
    def average_micros(self) -> Micros:
        return round(self.average_meter * MICROS_PER_DOLLAR)


def meter_plan(rules: TableRules, seed: Micros | None, contribution: Micros | None) -> MeterPlan:
    """As the rules have it, or as at a home table where they are silent."""
    sheet = side_sheet(rules, Wager.PROGRESSIVE)
    if sheet.pool is None or not sheet.pool.meter_coefficient:
        raise Refused(Code.BAD_DESIGN, "no_share", table=sheet.paytable)
    full = (
        row.probability
        for row in sheet.outcomes
        if row.pay.kind is PayKind.POOL and row.pay.amount == 1
    )
    stands = seed if seed is not None else rules.meter_seed or HOME_SEED_MICROS
    adds = contribution if contribution is not None else rules.meter_contribution
    if contribution is None and not adds:
        adds = HOME_CONTRIBUTION_MICROS
    return MeterPlan(
        Fraction(stands, MICROS_PER_DOLLAR),
        Fraction(adds, MICROS_PER_DOLLAR),
        Fraction(rules.progressive_stake, 100),
        sheet.pool.fixed_return,
        sheet.pool.meter_coefficient,
        sum(full, Fraction()),
    )


def solve_contribution(plan: MeterPlan, edge: Fraction) -> MeterPlan:
    """The contribution for this edge in the long run, to the millionth of a dollar."""
    wanted = plan.stake * (1 - plan.fixed_return - edge) - plan.full * plan.seed
    return _feasible_plan(plan, edge, plan.seed, wanted)


def solve_seed(plan: MeterPlan, edge: Fraction) -> MeterPlan:
    """The seed for this edge in the long run."""
    if not plan.full:
        raise Refused(Code.BAD_DESIGN, "no_reseed")
    wanted = plan.stake * (1 - plan.fixed_return - edge) - plan.contribution
    return _feasible_plan(plan, edge, wanted / plan.full, plan.contribution)


def _feasible_plan(
    plan: MeterPlan, edge: Fraction, seed: Fraction, contribution: Fraction
) -> MeterPlan:
    """Neither is negative, and no wager adds more than its stake: else say how near one gets."""
    fit = MeterPlan(
        _round_to_micros(max(seed, Fraction(0))),
        _round_to_micros(min(max(contribution, Fraction(0)), plan.stake)),
        *(plan.stake, plan.fixed_return, plan.coefficient, plan.full),
    )
    if seed < 0 or not 0 <= contribution <= plan.stake:
        raise Refused(
            Code.OUT_OF_REACH,
            "meter",
            edge=f"{float(edge):.4%}",
            nearest=f"{float(fit.house_edge):.4%}",
            seed=round(fit.seed * 100),
            contribution=f"{float(fit.contribution):.4f}",
        )
    return fit


def _round_to_micros(dollars: Fraction) -> Fraction:
    return Fraction(round(dollars * MICROS_PER_DOLLAR), MICROS_PER_DOLLAR)


def other_seeds(plan: MeterPlan) -> list[MeterPlan]:
    """The same edge with other seeds, where a contribution makes it so."""
    plans = []
    for seed in SEED_CHOICES:
        needed = plan.contribution + plan.full * (plan.seed - seed)
        if 0 <= needed <= plan.stake:
            plans.append(
                MeterPlan(
                    Fraction(seed),
                    _round_to_micros(needed),
                    *(plan.stake, plan.fixed_return, plan.coefficient, plan.full),
                )
            )
    return plans
