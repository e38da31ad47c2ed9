"""`headsup solve`: solves the main game exactly for any rules."""

from typing import TYPE_CHECKING

import click

from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.shell.command import Command, option

if TYPE_CHECKING:
    from headsup.analysis.solver.solution import Solution


@click.command(cls=Command)
@rules_option
@sets_option
@json_option
@option("--no-cache", is_flag=True, help="Solve again without using the cache.")
def solve(rules: str, sets: tuple[str, ...], as_json: bool, no_cache: bool) -> None:
    """Solve the game exactly: house edge, risk, frequencies and the pocket chart."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import open_workbench
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.main_game import solve_sheet

    chosen = read_rules(rules, sets)
    payoffs, workbench = compile_payoffs(chosen), open_workbench()
    solution = workbench.solve(payoffs) if no_cache else workbench.strategy(payoffs).solution
    lessons = None if no_cache else workbench.lessons(payoffs)
    if as_json:
        warn_player_edge(solution)
    show_sheet(solve_sheet(chosen, solution, lessons), as_json)


def warn_player_edge(solution: "Solution") -> None:
    """Warn on standard error too, so that programs that read the JSON can log it."""
    from headsup.cli.options.workbench import print_notice

    if solution.house_edge < 0:
        print_notice("these rules favour the player: with best play the house loses on every Ante")
