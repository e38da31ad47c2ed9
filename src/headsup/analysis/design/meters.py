"""Works out the seed and contribution that give a Progressive its long-run house edge.

Each wager adds c to the meter M. A row with probability p that wins a share s takes s·M from it,
and a full share, with probability q, resets it to the seed S. So M changes by c − k·M + q·S on
average, where k is the sum of p·s, and its long-run average is (c + q·S) / k. Players get back the
fixed pays and c + q·S per wager, which is all the money that reaches the meter. This assumes one
player, and a meter without a maximum (R85) that is not topped up after smaller shares (R74).
"""

from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.par.par_sheet import side_sheet
from headsup.game.bank.meter import HOME_CONTRIBUTION_MICROS, HOME_SEED_MICROS
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_DOLLAR, Micros

SEED_CHOICES = (5_000, 10_000, 25_000, 50_000, 100_000)  # dollars, offered as alternatives


@dataclass(frozen=True)
class MeterPlan:
    """A meter's seed and the contribution of each wager, in dollars, with the resulting figures."""

    seed: Fraction
    contribution: Fraction
    stake: Fraction
    fixed_return: Fraction  # per dollar staked
    coefficient: Fraction  # k above, per dollar staked
    full: Fraction  # probability of a full share

    @property
    def average_meter(self) -> Fraction:
        return (self.contribution + self.full * self.seed) / (self.coefficient * self.stake)

    @property
    def house_edge(self) -> Fraction:
        """The long-run edge per dollar staked."""
        added = (self.contribution + self.full * self.seed) / self.stake
        return 1 - self.fixed_return - added

    @property
    def break_even_meter(self) -> Fraction:
        return (1 - self.fixed_return) / self.coefficient

    @property
    def wagers_per_full_award(self) -> Fraction | None:
        return 1 / self.full if self.full else None

    @property
    def average_micros(self) -> Fraction:
        """The average meter in micros. Not rounded, so that its edge is the long-run edge."""
        return self.average_meter * MICROS_PER_DOLLAR


def meter_plan(rules: TableRules, seed: Micros | None, contribution: Micros | None) -> MeterPlan:
    """The meter the rules set, with the values of a home table where they set none."""
    sheet = side_sheet(rules, Wager.PROGRESSIVE)
    if sheet.pool is None or not sheet.pool.meter_coefficient:
        raise Refused(Code.BAD_DESIGN, "no_share", table=sheet.paytable)
    full_shares = (
        row.probability
        for row in sheet.outcomes
        if row.pay.kind is PayKind.POOL and row.pay.amount == 1
    )
    seed_micros = seed if seed is not None else rules.meter_seed or HOME_SEED_MICROS
    contribution_micros = contribution if contribution is not None else rules.meter_contribution
    if contribution is None and not contribution_micros:
        contribution_micros = HOME_CONTRIBUTION_MICROS
    return MeterPlan(
        Fraction(seed_micros, MICROS_PER_DOLLAR),
        Fraction(contribution_micros, MICROS_PER_DOLLAR),
        Fraction(rules.progressive_stake, 100),
        sheet.pool.fixed_return,
        sheet.pool.meter_coefficient,
        sum(full_shares, Fraction()),
    )


def solve_contribution(plan: MeterPlan, edge: Fraction) -> MeterPlan:
    """The contribution that gives this long-run edge, to the millionth of a dollar."""
    contribution = plan.stake * (1 - plan.fixed_return - edge) - plan.full * plan.seed
    return _feasible_plan(plan, edge, plan.seed, contribution)


def solve_seed(plan: MeterPlan, edge: Fraction) -> MeterPlan:
    """The seed that gives this long-run edge."""
    if not plan.full:
        raise Refused(Code.BAD_DESIGN, "no_reseed")
    reseeded = plan.stake * (1 - plan.fixed_return - edge) - plan.contribution
    return _feasible_plan(plan, edge, reseeded / plan.full, plan.contribution)


def _feasible_plan(
    plan: MeterPlan, edge: Fraction, seed: Fraction, contribution: Fraction
) -> MeterPlan:
    """Refuse a negative seed or contribution, or a contribution above the stake.

    The refusal names the nearest edge that is possible.
    """
    nearest = MeterPlan(
        _round_to_micros(max(seed, Fraction(0))),
        _round_to_micros(min(max(contribution, Fraction(0)), plan.stake)),
        *(plan.stake, plan.fixed_return, plan.coefficient, plan.full),
    )
    if seed < 0 or not 0 <= contribution <= plan.stake:
        raise Refused(
            Code.OUT_OF_REACH,
            "meter",
            edge=f"{float(edge):.4%}",
            nearest=f"{float(nearest.house_edge):.4%}",
            seed=round(nearest.seed * 100),
            contribution=f"{float(nearest.contribution):.4f}",
        )
    return nearest


def _round_to_micros(dollars: Fraction) -> Fraction:
    return Fraction(round(dollars * MICROS_PER_DOLLAR), MICROS_PER_DOLLAR)


def other_seeds(plan: MeterPlan) -> list[MeterPlan]:
    """The same edge with each of `SEED_CHOICES`, where a possible contribution gives it."""
    plans = []
    for seed in SEED_CHOICES:
        contribution = plan.contribution + plan.full * (plan.seed - seed)
        if 0 <= contribution <= plan.stake:
            plans.append(
                MeterPlan(
                    Fraction(seed),
                    _round_to_micros(contribution),
                    *(plan.stake, plan.fixed_return, plan.coefficient, plan.full),
                )
            )
    return plans
