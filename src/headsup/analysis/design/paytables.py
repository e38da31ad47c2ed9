"""Paytables that meet a goal: steered by what each pay is worth, every one confirmed exactly.

A side wager is confirmed by counting, a main game by solving it. A game that was solved makes the
steering better, so it goes on until all the tables told of are solved ones.
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
from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.chunks import Progress
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, SideWager
from headsup.game.values.money import Micros

# Solves several games; progress is told of all of them together.
GameSolver = Callable[[Sequence[Payoffs], Progress | None], Sequence[Solution]]
MAX_SEARCH_TURNS = 12  # of solving what is told of and looking again


@dataclass(frozen=True, repr=False)
class DesignedTable:
    """One table with its exact figures, per unit staked (per Ante in the main game)."""

    rules: TableRules = field(compare=False)
    pays: Mapping[RowName, Fraction]
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction
    change: float = 0.0
    miss: float = 0.0  # of the worst target, in allowances
    merits: tuple[Merit, ...] = ()  # none of the present table

    @property
    def merit(self) -> Merit | None:
        """The first of its merits."""
        return self.merits[0] if self.merits else None

    @property
    def meets(self) -> bool:
        return self.miss <= 1.0

    def __repr__(self) -> str:
        pays = ", ".join(f"{outcome} {pay}" for (_, outcome), pay in self.pays.items())
        return f"<house edge {percent(self.house_edge)}: {pays}>"


@dataclass(frozen=True)
class TableSample:
    """The tables that were looked at, in figures: a sample, for pictures."""

    edges: Doubles
    deviations: Doubles
    misses: Doubles
    change: Doubles


@dataclass(frozen=True)
class DesignResult:
    """What a design came to; `found` are the least changed first."""

    what: str
    goal: Goal
    rows: tuple[DesignRow, ...]
    present: DesignedTable
    found: tuple[DesignedTable, ...]
    considered: int
    meeting: int
    solved: int  # main games that were solved on the way
    as_if_never_folded: bool  # a fold forfeits the wager, and is left out: the edge is higher
    cloud: TableSample = field(repr=False, compare=False)


def design_side(
    rules: TableRules,
    wager: SideWager,
    rows: Sequence[DesignRow],
    goal: Goal,
    most: int,
    ordered: bool = True,
    meter: Micros = 0,
    meter_now: Micros = 0,
) -> DesignResult:
    """A progressive is counted at an average `meter`, the present one at that of `meter_now`."""
    ends = [row.ends() for row in rows]
    weights = row_weights(ends, side_moments(rules, wager, ends, meter))
    rows = limit_rows(rows, weights, ordered)
    worth = side_moments(rules, wager, rows, meter)
    space = _space(rows, ordered)

    def table(pays: Mapping[RowName, Fraction], stands: Micros = meter) -> DesignedTable:
        changed = with_pays(rules, pays)
        sheet = side_sheet(changed, wager, stands)
        return DesignedTable(changed, pays, sheet.house_edge, sheet.hit_frequency, sheet.variance)

    weighed = SpaceFigures.of(space, [worth], goal)
    told = best_tables(space, weighed, most)
    tables = {at: table(space.pays(at)) for _, at in told}
    present = table({row.name: row.now for row in rows}, meter_now)
    return _make_result(wager.value, goal, space, weighed, told, tables, present, 0)


def design_main(
    rules: TableRules,
    what: str,
    rows: Sequence[DesignRow],
    goal: Goal,
    most: int,
    solving: GameSolver,
    ordered: bool = True,
    progress: Progress | None = None,
) -> DesignResult:
    (present,) = solving([compile_payoffs(rules)], progress)
    ends = [row.ends() for row in rows]
    weights = row_weights(ends, main_moments(MainPays.of(rules, ends), present))
    rows = limit_rows(rows, weights, ordered)
    pays = MainPays.of(rules, rows)
    space = _space(rows, ordered)
    pieces: list[PayMoments] = [main_moments(pays, present)]
    tables: dict[int, DesignedTable] = {}
    for _ in range(MAX_SEARCH_TURNS):
        weighed = SpaceFigures.of(space, pieces, goal)
        told = best_tables(space, weighed, most)
        fresh = [at for _, at in told if at not in tables]
        if not fresh:
            break
        changed = [with_pays(rules, space.pays(at)) for at in fresh]
        solutions = solving([compile_payoffs(one) for one in changed], progress)
        for at, one, solution in zip(fresh, changed, solutions, strict=True):
            tables[at] = _solved_table(one, space.pays(at), solution)
            pieces.append(main_moments(pays, solution))
    now = _solved_table(rules, {row.name: row.now for row in rows}, present)
    return _make_result(what, goal, space, weighed, told, tables, now, len(tables) + 1)


def _solved_table(
    rules: TableRules, pays: Mapping[RowName, Fraction], solution: Solution
) -> DesignedTable:
    wins = sum(one.deals for one in solution.results if one.net > 0)
    hits = Fraction(wins, solution.deals)
    return DesignedTable(rules, pays, solution.house_edge, hits, solution.variance)


def _space(rows: Sequence[DesignRow], ordered: bool) -> DesignSpace:
    space = DesignSpace.of(rows, ordered)
    if not len(space.picks):
        raise Refused(Code.BAD_DESIGN, "order")
    return space


def _make_result(
    what: str,
    goal: Goal,
    space: DesignSpace,
    weighed: SpaceFigures,
    told: list[Candidate],
    tables: Mapping[int, DesignedTable],
    present: DesignedTable,
    solved: int,
) -> DesignResult:
    found = tuple(
        replace(
            tables[at],
            change=float(space.change[at]),
            miss=_miss(goal, tables[at]),
            merits=merits,
        )
        for merits, at in told
        if at in tables
    )
    return DesignResult(
        what,
        goal,
        space.rows,
        replace(present, miss=_miss(goal, present)),
        found,
        considered=len(space.picks),
        meeting=int((weighed.misses <= 1.0).sum()),
        solved=solved,
        as_if_never_folded=any(
            not present.rules.after_fold[wager] for wager in SIDE_WAGERS if wager == what
        ),
        cloud=_sample_tables(space, weighed, told),
    )


def _miss(goal: Goal, table: DesignedTable) -> float:
    return goal.miss(table.house_edge, table.hit_frequency, table.variance)


MAX_PLOT_POINTS = 1_200  # points of a picture, near the goal and anywhere else
NEAR_TOLERANCES = 6.0  # allowances from the goal


def _sample_tables(space: DesignSpace, weighed: SpaceFigures, told: list[Candidate]) -> TableSample:
    near = np.flatnonzero(weighed.misses <= max(NEAR_TOLERANCES, 2 * weighed.misses[told[0][1]]))
    best = near[pareto_front(weighed.misses[near], space.change[near])]
    some = np.unique(
        np.concatenate([best, _thin_out(near), _thin_out(np.arange(len(space.picks)))])
    )
    return TableSample(
        weighed.edges[some], weighed.deviations[some], weighed.misses[some], space.change[some]
    )


def _thin_out(places: NDArray[np.int64]) -> NDArray[np.int64]:
    return places[:: max(1, -(-len(places) // MAX_PLOT_POINTS))]


def refuse_unmet(found: DesignResult) -> None:
    """Where no table meets the goal: say how near one gets."""
    nearest = found.found[0]
    if nearest.meets:
        return
    raise Refused(
        Code.OUT_OF_REACH,
        "table",
        table=found.what,
        edge=percent(found.goal.house_edge),
        within=percent(found.goal.within, 3),
        nearest=percent(nearest.house_edge),
        hits=percent(nearest.hit_frequency),
        deviation=f"{float(nearest.variance) ** 0.5:.4f}",
        pays=tuple(
            f"{row_text(found.what, row.name)} {printed_pay(nearest.pays[row.name])}"
            for row in found.rows
        ),
    )
