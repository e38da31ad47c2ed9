"""The cost of designing paytables: a main game in solves, a side wager in par sheets.

The peer of the side wager is a search without steering: one exact par sheet for every table
considered. Times are processor time of all threads.
"""

from collections.abc import Callable
from fractions import Fraction
from time import process_time

from headsup.analysis.design.designer import DesignRequest, design_tables
from headsup.analysis.design.search import Goal
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve, solve_many
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager

WITHIN = Fraction(1, 2000)
MAX_SOLVES = 20.0  # for a main game, including the exact solve of each table shown


def rows() -> list[tuple[str, str, str, str]]:
    rules = table_rules("galaxy")
    payoffs = compile_payoffs(rules)
    main = DesignRequest(rules, "main", Goal(Fraction(3, 100), WITHIN), max_tables=5)
    side = DesignRequest(rules, "trips_plus", Goal(Fraction(35, 1000), WITHIN), max_tables=5)
    solve(payoffs)  # compiles
    solve_time = min(_time(lambda: solve(payoffs)) for _ in range(3))
    solves = _time(lambda: design_tables(main, solve_many)) / solve_time
    considered = design_tables(side, solve_many).result.considered
    each = _time(lambda: design_tables(side, solve_many)) / considered
    sheet = min(_time(lambda: side_sheet(rules, Wager.TRIPS_PLUS)) for _ in range(5))
    return [
        (
            "design main, five tables confirmed",
            f"{solves:.1f} solves",
            f"goal {MAX_SOLVES:.0f}",
            f"{MAX_SOLVES / solves:.1f}×",
        ),
        (
            f"design trips_plus, each of {considered:,} tables",
            f"{each * 1e6:.2f} µs",
            f"its par sheet {sheet * 1e6:,.0f} µs",
            f"{sheet / each:,.0f}×",
        ),
    ]


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
