"""Designing paytables: the main game in solves of the same run, a side wager in par sheets.

The peer of the side wager is what one would do without steering: the exact sheet of every table
looked at, measured on one. Processor time of all threads.
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
SOLVES = 20.0  # for a main game whose every told table is solved


def rows() -> list[tuple[str, str, str, str]]:
    rules = table_rules("galaxy")
    payoffs = compile_payoffs(rules)
    main = DesignRequest(rules, "main", Goal(Fraction(3, 100), WITHIN), most=5)
    side = DesignRequest(rules, "trips_plus", Goal(Fraction(35, 1000), WITHIN), most=5)
    solve(payoffs)  # compiles
    one = min(_time(lambda: solve(payoffs)) for _ in range(3))
    solves = _time(lambda: design_tables(main, solve_many)) / one
    looked_at = design_tables(side, solve_many).found.considered
    each = _time(lambda: design_tables(side, solve_many)) / looked_at
    sheet = min(_time(lambda: side_sheet(rules, Wager.TRIPS_PLUS)) for _ in range(5))
    return [
        (
            "design main, five tables confirmed",
            f"{solves:.1f} solves",
            f"goal {SOLVES:.0f}",
            f"{SOLVES / solves:.1f}×",
        ),
        (
            f"design trips_plus, each of {looked_at:,} tables",
            f"{each * 1e6:.2f} µs",
            f"its par sheet {sheet * 1e6:,.0f} µs",
            f"{sheet / each:,.0f}×",
        ),
    ]


def _time(call: Callable[[], object]) -> float:
    start = process_time()
    call()
    return process_time() - start
