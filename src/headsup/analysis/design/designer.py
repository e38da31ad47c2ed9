"""A design as it is asked for: the wager, the goal, the rows; and for a progressive its meter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from headsup.analysis.design.meters import (
    MeterPlan,
    meter_plan,
    other_seeds,
    solve_contribution,
    solve_seed,
)
from headsup.analysis.design.paytables import (
    DesignedTable,
    DesignResult,
    GameSolver,
    design_main,
    design_side,
    refuse_unmet,
)
from headsup.analysis.design.rows import MAIN, RowName, design_keys, design_rows
from headsup.analysis.design.search import Goal
from headsup.analysis.par.par_sheet import MICROS_PER_DOLLAR
from headsup.analysis.solver.chunks import Progress
from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, Micros

DESIGNABLE_TABLES = (*PAYTABLE_KEYS, MAIN)


@dataclass(frozen=True)
class DesignRequest:
    """What is to be designed. Without `seed` or `contribution` a progressive has its own."""

    rules: TableRules
    what: str  # one of `DESIGNABLE_TABLES`
    goal: Goal
    rows: Mapping[RowName, Sequence[Fraction]] = field(default_factory=dict)
    most: int = 6
    ordered: bool = True
    seed: Micros | None = None
    contribution: Micros | None = None


@dataclass(frozen=True)
class DesignAnswer:
    """What was found; `meter` is that of the best table of a progressive."""

    asked: DesignRequest
    found: DesignResult
    meter: MeterPlan | None = None
    seeds: tuple[MeterPlan, ...] = ()  # the same edge with other seeds
    before: MeterPlan | None = None  # the present pays with the present meter
    kept: MeterPlan | None = None  # the present pays with the new meter

    @property
    def best(self) -> DesignedTable:
        """Of the tables that meet the goal, the one that changes least."""
        return self.found.found[0]

    @property
    def options(self) -> dict[str, str]:
        """What the new book sets besides its table."""
        if self.meter is None:
            return {}
        return {
            "meter_seed": _amount(self.meter.seed),
            "meter_contribution": _amount(self.meter.contribution),
        }


def _amount(dollars: Fraction) -> str:
    micros = round(dollars * MICROS_PER_DOLLAR)
    return f"{micros // MICROS_PER_DOLLAR}.{micros % MICROS_PER_DOLLAR:06d}"


def design_tables(
    asked: DesignRequest, solving: GameSolver, progress: Progress | None = None
) -> DesignAnswer:
    """Tables that meet the goal; where there are none, a refusal that says how near one gets."""
    _check(asked)
    answer = _design(asked, solving, progress)
    refuse_unmet(answer.found)
    return answer


def _check(asked: DesignRequest) -> None:
    if asked.what not in DESIGNABLE_TABLES:
        meant = closest_name(asked.what, DESIGNABLE_TABLES)
        raise Refused(
            Code.BAD_DESIGN, "table", table=asked.what, known=DESIGNABLE_TABLES, meant=meant
        )
    if not any(key in asked.rules.paytables for key in design_keys(asked.what)):
        raise Refused(Code.BAD_DESIGN, "not_offered", rules=asked.rules.id, table=asked.what)
    metered = asked.seed is not None or asked.contribution is not None
    if metered and asked.what != Wager.PROGRESSIVE:
        raise Refused(Code.BAD_DESIGN, "meter", table=asked.what)
    stake = asked.rules.progressive_stake
    if asked.contribution is not None and asked.contribution > stake * MICROS_PER_CENT:
        adds = asked.contribution
        raise Refused(Code.BAD_DESIGN, "contribution", contribution=adds, stake=stake)


def _design(asked: DesignRequest, solving: GameSolver, progress: Progress | None) -> DesignAnswer:
    rules, goal = asked.rules, asked.goal
    if asked.what == Wager.PROGRESSIVE:
        return _progressive(asked)
    rows = design_rows(rules, asked.what, asked.rows, goal.hit_frequency is not None)
    for wager in SIDE_WAGERS:
        if wager == asked.what:
            found = design_side(rules, wager, rows, goal, asked.most, asked.ordered)
            return DesignAnswer(asked, found)
    found = design_main(rules, asked.what, rows, goal, asked.most, solving, asked.ordered, progress)
    return DesignAnswer(asked, found)


def _progressive(asked: DesignRequest) -> DesignAnswer:
    """Rows that are named are designed at the meter's average; else the meter itself is."""
    rules, goal = asked.rules, asked.goal
    before = meter_plan(rules, None, None)
    now = meter_plan(rules, asked.seed, asked.contribution)
    rows = design_rows(rules, asked.what, asked.rows)
    if asked.rows or (asked.seed is not None and asked.contribution is not None):
        plan, seeds = now, []
    else:
        wanted = solve_seed if asked.contribution is not None else solve_contribution
        plan = wanted(now, goal.house_edge)
        rows, seeds = tuple(row.kept() for row in rows), other_seeds(plan)
    metered = replace(
        rules,
        meter_seed=round(plan.seed * MICROS_PER_DOLLAR),
        meter_contribution=round(plan.contribution * MICROS_PER_DOLLAR),
    )
    found = design_side(
        *(metered, Wager.PROGRESSIVE, rows, goal, asked.most, asked.ordered),
        *(plan.average_micros, before.average_micros),
    )
    best = meter_plan(found.found[0].rules, metered.meter_seed, metered.meter_contribution)
    return DesignAnswer(asked, found, best, tuple(seeds), before, plan)
