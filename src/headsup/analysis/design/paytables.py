"""Finds paytables that meet a goal. An estimate guides the search; every result is exact.

Side wagers are confirmed by counting, main games by solving them. Each solved game improves the
estimate, so the search repeats until every table it would return has been solved.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.design.pay_values import (
    Doubles,
    MainPays,
    PayMoments,
    main_moments,
    row_weights,
    side_moments,
)
from headsup.analysis.design.rows import (
    DesignRow,
    RowName,
    limit_rows,
    printed_pay,
    row_text,
    with_pays,
)
from headsup.analysis.design.search import (
    Candidate,
    DesignSpace,
    Goal,
    Merit,
    SpaceFigures,
    best_tables,
    pareto_front,
)
from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.workers.executor import Progress
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, SideWager
from headsup.game.values.money import Micros

# Solves several games. The callback counts the progress of all of them together.
GameSolver = Callable[[Sequence[Payoffs], Progress | None], Sequence[Solution]]
MAX_SEARCH_TURNS = 12  # iterations of solving the best tables and estimating again


@dataclass(frozen=True, repr=False)
class DesignedTable:
    """One table with its exact figures, per unit staked (per Ante in the main game)."""

    rules: TableRules = field(compare=False)
    pays: Mapping[RowName, Fraction]
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction
    change: float = 0.0
    miss: float = 0.0  # the worst target's, in tolerances: up to 1 meets the goal
    merits: tuple[Merit, ...] = ()  # empty for the present table

    @property
    def merit(self) -> Merit | None:
        """The first merit."""
        return self.merits[0] if self.merits else None

    @property
    def meets(self) -> bool:
        return self.miss <= 1.0

    def __repr__(self) -> str:
        pays = ", ".join(f"{outcome} {pay}" for (_, outcome), pay in self.pays.items())
        return f"<house edge {percent(self.house_edge)}: {pays}>"


@dataclass(frozen=True)
class TableSample:
    """Figures of a sample of the considered tables, for plots."""

    edges: Doubles
    deviations: Doubles
    misses: Doubles
    change: Doubles


@dataclass(frozen=True)
class DesignResult:
    """The best tables, least changed first, with figures about the search."""

    table: str
    goal: Goal
    rows: tuple[DesignRow, ...]
    present: DesignedTable
    tables: tuple[DesignedTable, ...]
    considered: int
    meeting: int
    solved: int  # main games solved during the search
    as_if_never_folded: bool  # a fold forfeits the wager; ignored here, so the true edge is higher
    sample: TableSample = field(repr=False, compare=False)


def design_side(
    rules: TableRules,
    wager: SideWager,
    rows: Sequence[DesignRow],
    goal: Goal,
    max_tables: int,
    ordered: bool = True,
    meter: Micros | Fraction = 0,
    meter_now: Micros | Fraction = 0,
) -> DesignResult:
    """Design a side wager. A Progressive is valued at the average `meter`, its present table at
    `meter_now`."""
    extremes = [row.extremes() for row in rows]
    weights = row_weights(extremes, side_moments(rules, wager, extremes, meter))
    rows = limit_rows(rows, weights, ordered)
    moments = side_moments(rules, wager, rows, meter)
    space = _space(rows, ordered)

    def exact_table(
        pays: Mapping[RowName, Fraction], meter_micros: Micros | Fraction = meter
    ) -> DesignedTable:
        changed = with_pays(rules, pays)
        sheet = side_sheet(changed, wager, meter_micros)
        return DesignedTable(changed, pays, sheet.house_edge, sheet.hit_frequency, sheet.variance)

    figures = SpaceFigures.of(space, [moments], goal)
    candidates = best_tables(space, figures, max_tables)
    tables = {index: exact_table(space.pays(index)) for _, index in candidates}
    present = exact_table({row.name: row.now for row in rows}, meter_now)
    return _make_result(wager.value, goal, space, figures, candidates, tables, present, 0)


def design_main(
    rules: TableRules,
    table_name: str,
    rows: Sequence[DesignRow],
    goal: Goal,
    max_tables: int,
    solve: GameSolver,
    ordered: bool = True,
    progress: Progress | None = None,
) -> DesignResult:
    (present,) = solve([compile_payoffs(rules)], progress)
    extremes = [row.extremes() for row in rows]
    weights = row_weights(extremes, main_moments(MainPays.of(rules, extremes), present))
    rows = limit_rows(rows, weights, ordered)
    pays = MainPays.of(rules, rows)
    space = _space(rows, ordered)
    pieces: list[PayMoments] = [main_moments(pays, present)]
    tables: dict[int, DesignedTable] = {}
    for _ in range(MAX_SEARCH_TURNS):
        figures = SpaceFigures.of(space, pieces, goal)
        candidates = best_tables(space, figures, max_tables)
        unsolved = [index for _, index in candidates if index not in tables]
        if not unsolved:
            break
        changed = [with_pays(rules, space.pays(index)) for index in unsolved]
        solutions = solve([compile_payoffs(table_rules) for table_rules in changed], progress)
        for index, table_rules, solution in zip(unsolved, changed, solutions, strict=True):
            tables[index] = _solved_table(table_rules, space.pays(index), solution)
            pieces.append(main_moments(pays, solution))
    else:  # not converged: take the best of the solved tables, whose figures are exact
        figures = SpaceFigures.of(space, pieces, goal)
        candidates = best_tables(space, figures.limited_to([*tables]), max_tables)
    present_table = _solved_table(rules, {row.name: row.now for row in rows}, present)
    return _make_result(
        table_name, goal, space, figures, candidates, tables, present_table, len(tables) + 1
    )


def _solved_table(
    rules: TableRules, pays: Mapping[RowName, Fraction], solution: Solution
) -> DesignedTable:
    wins = sum(result.deals for result in solution.results if result.net > 0)
    hits = Fraction(wins, solution.deals)
    return DesignedTable(rules, pays, solution.house_edge, hits, solution.variance)


def _space(rows: Sequence[DesignRow], ordered: bool) -> DesignSpace:
    space = DesignSpace.of(rows, ordered)
    if not len(space.picks):
        raise Refused(Code.BAD_DESIGN, "order")
    return space


def _make_result(
    table_name: str,
    goal: Goal,
    space: DesignSpace,
    figures: SpaceFigures,
    candidates: list[Candidate],
    tables: Mapping[int, DesignedTable],
    present: DesignedTable,
    solved: int,
) -> DesignResult:
    results = tuple(
        replace(
            tables[index],
            change=float(space.change[index]),
            miss=_miss(goal, tables[index]),
            merits=merits,
        )
        for merits, index in candidates
    )
    results = tuple(table for table in results if table.meets) or results
    return DesignResult(
        table_name,
        goal,
        space.rows,
        replace(present, miss=_miss(goal, present)),
        results,
        considered=len(space.picks),
        meeting=int((figures.misses <= 1.0).sum()),
        solved=solved,
        as_if_never_folded=any(
            not present.rules.after_fold[wager] for wager in SIDE_WAGERS if wager == table_name
        ),
        sample=_sample_tables(space, figures, candidates),
    )


def _miss(goal: Goal, table: DesignedTable) -> float:
    return goal.miss(table.house_edge, table.hit_frequency, table.variance)


MAX_PLOT_POINTS = 1_200  # points of a plot: near the goal, and in the whole space
NEAR_TOLERANCES = 6.0  # tolerances from the goal


def _sample_tables(
    space: DesignSpace, figures: SpaceFigures, candidates: list[Candidate]
) -> TableSample:
    near = np.flatnonzero(
        figures.misses <= max(NEAR_TOLERANCES, 2 * figures.misses[candidates[0][1]])
    )
    best = near[pareto_front(figures.misses[near], space.change[near])]
    sample = np.unique(
        np.concatenate([best, _thin_out(near), _thin_out(np.arange(len(space.picks)))])
    )
    return TableSample(
        figures.edges[sample],
        figures.deviations[sample],
        figures.misses[sample],
        space.change[sample],
    )


def _thin_out(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    return indices[:: max(1, -(-len(indices) // MAX_PLOT_POINTS))]


def refuse_unmet(result: DesignResult) -> None:
    """Raise a refusal that names the nearest table, unless one meets the goal."""
    nearest = min(result.tables, key=lambda table: table.miss)
    if nearest.meets:
        return
    raise Refused(
        Code.OUT_OF_REACH,
        "table",
        table=result.table,
        edge=percent(result.goal.house_edge),
        within=percent(result.goal.within, 3),
        nearest=percent(nearest.house_edge),
        hits=percent(nearest.hit_frequency),
        deviation=f"{float(nearest.variance) ** 0.5:.4f}",
        pays=tuple(
            f"{row_text(result.table, row.name)} {printed_pay(nearest.pays[row.name])}"
            for row in result.rows
        ),
    )
