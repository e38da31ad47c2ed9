"""Designs a paytable for a target house edge, and for a Progressive its meter as well."""

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
from headsup.analysis.workers.executor import Progress
from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, Micros

DESIGNABLE_TABLES = (*PAYTABLE_KEYS, MAIN)


@dataclass(frozen=True)
class DesignRequest:
    """What to design. Without `seed` or `contribution` a Progressive keeps its own."""

    rules: TableRules
    table: str  # one of `DESIGNABLE_TABLES`
    goal: Goal
    rows: Mapping[RowName, Sequence[Fraction]] = field(default_factory=dict)
    max_tables: int = 6
    ordered: bool = True
    seed: Micros | None = None
    contribution: Micros | None = None


@dataclass(frozen=True)
class DesignAnswer:
    """The result of a design. `meter` is the best table's meter, for a Progressive only."""

    request: DesignRequest
    result: DesignResult
    meter: MeterPlan | None = None
    seeds: tuple[MeterPlan, ...] = ()  # other seeds with the same edge
    before: MeterPlan | None = None  # present pays, present meter
    same_pays: MeterPlan | None = None  # present pays, new meter

    @property
    def best(self) -> DesignedTable:
        """The table that meets the goal with the smallest change."""
        return self.result.tables[0]

    @property
    def options(self) -> dict[str, str]:
        """Options that the new rule book sets besides its paytable."""
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
    request: DesignRequest, solve: GameSolver, progress: Progress | None = None
) -> DesignAnswer:
    """Find tables that meet the goal. If there are none, the refusal names the nearest one."""
    _check(request)
    answer = _design(request, solve, progress)
    refuse_unmet(answer.result)
    return answer


def _check(request: DesignRequest) -> None:
    if request.table not in DESIGNABLE_TABLES:
        meant = closest_name(request.table, DESIGNABLE_TABLES)
        raise Refused(
            Code.BAD_DESIGN, "table", table=request.table, known=DESIGNABLE_TABLES, meant=meant
        )
    if not any(key in request.rules.paytables for key in design_keys(request.table)):
        raise Refused(Code.BAD_DESIGN, "not_offered", rules=request.rules.id, table=request.table)
    sets_meter = request.seed is not None or request.contribution is not None
    if sets_meter and request.table != Wager.PROGRESSIVE:
        raise Refused(Code.BAD_DESIGN, "meter", table=request.table)
    stake = request.rules.progressive_stake
    if request.contribution is not None and request.contribution > stake * MICROS_PER_CENT:
        contribution = request.contribution
        raise Refused(Code.BAD_DESIGN, "contribution", contribution=contribution, stake=stake)


def _design(request: DesignRequest, solve: GameSolver, progress: Progress | None) -> DesignAnswer:
    rules, goal = request.rules, request.goal
    if request.table == Wager.PROGRESSIVE:
        return _progressive(request)
    rows = design_rows(rules, request.table, request.rows, goal.hit_frequency is not None)
    for wager in SIDE_WAGERS:
        if wager == request.table:
            result = design_side(rules, wager, rows, goal, request.max_tables, request.ordered)
            return DesignAnswer(request, result)
    result = design_main(
        rules, request.table, rows, goal, request.max_tables, solve, request.ordered, progress
    )
    return DesignAnswer(request, result)


def _progressive(request: DesignRequest) -> DesignAnswer:
    """Design the named rows at the meter's average; without named rows, design the meter itself."""
    rules, goal = request.rules, request.goal
    before = meter_plan(rules, None, None)
    now = meter_plan(rules, request.seed, request.contribution)
    rows = design_rows(rules, request.table, request.rows)
    if request.rows or (request.seed is not None and request.contribution is not None):
        plan, seeds = now, []
    else:
        solve_meter = solve_seed if request.contribution is not None else solve_contribution
        plan = solve_meter(now, goal.house_edge)
        rows, seeds = tuple(row.with_present_pay() for row in rows), other_seeds(plan)
    metered_rules = replace(
        rules,
        meter_seed=round(plan.seed * MICROS_PER_DOLLAR),
        meter_contribution=round(plan.contribution * MICROS_PER_DOLLAR),
    )
    result = design_side(
        *(metered_rules, Wager.PROGRESSIVE, rows, goal, request.max_tables, request.ordered),
        *(plan.average_micros, before.average_micros),
    )
    best = meter_plan(
        result.tables[0].rules, metered_rules.meter_seed, metered_rules.meter_contribution
    )
    return DesignAnswer(request, result, best, tuple(seeds), before, plan)
