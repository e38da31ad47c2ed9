"""`headsup solve`: solves the main game exactly for any rules."""

import json
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.shell.command import Command, option

if TYPE_CHECKING:
    from headsup.analysis.advice.lessons import Lessons
    from headsup.analysis.solver.solution import Solution
    from headsup.game.rulebook.table_rules import TableRules


@click.command(cls=Command)
@rules_option
@sets_option
@json_option
@option("--no-cache", is_flag=True, help="Solve again without using the cache.")
def solve(rules: str, sets: tuple[str, ...], as_json: bool, no_cache: bool) -> None:
    """Solve the game exactly: house edge, risk, frequencies and the pocket chart."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import open_workbench
    from headsup.report.json.main_game import main_json

    chosen = read_rules(rules, sets)
    payoffs, workbench = compile_payoffs(chosen), open_workbench()
    solution = workbench.solve(payoffs) if no_cache else workbench.strategy(payoffs).solution
    lessons = None if no_cache else workbench.lessons(payoffs)
    if as_json:
        warn_player_edge(solution)
        print(json.dumps(main_json(chosen, solution, lessons)))
    else:
        _print(chosen, solution, lessons)


def warn_player_edge(solution: "Solution") -> None:
    """Warn on standard error too, so that programs that read the JSON can log it."""
    from headsup.cli.options.workbench import print_notice

    if solution.house_edge < 0:
        print_notice("these rules favour the player: with best play the house loses on every Ante")


# Printing.


def _print(rules: "TableRules", solution: "Solution", lessons: "Lessons | None") -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.exact_numbers import decimal_text, percent, root_text
    from headsup.cli.screens.par_sheet import print_pocket_chart, print_section
    from headsup.cli.screens.style import console, key_to_words
    from headsup.report.words.main_game import lessons_section

    screen = console()
    screen.print(rules.book.title, style="bold")
    tables = ", ".join(f"{key_to_words(key)} {table.id}" for key, table in _main_tables(rules))
    screen.print(f"{tables}; dealer qualifies: {key_to_words(rules.qualifier)}\n", style="dim")
    facts = Table.grid(padding=(0, 3))
    facts.add_column()
    facts.add_column(justify="right")
    facts.add_row("House edge, per Ante", Text(percent(solution.house_edge), style="bold"))
    facts.add_row("Element of risk", percent(solution.element_of_risk))
    facts.add_row("Average wager, in Antes", decimal_text(solution.average_wager, 4))
    facts.add_row("Standard deviation", root_text(solution.variance))
    for key, value in solution.frequencies.items():
        facts.add_row(key_to_words(key).capitalize(), percent(value))
    screen.print(facts)
    if solution.house_edge < 0:
        warning = Text("\nWarning: these rules favour the player.", style="bold yellow")
        screen.print(
            Text.assemble(warning, " With best play the house loses on every Ante."),
        )
    screen.print()
    print_pocket_chart(screen, solution)
    if lessons is not None:
        screen.print()
        print_section(screen, lessons_section(lessons))


def _main_tables(rules: "TableRules") -> list[tuple[str, Any]]:
    return [(key, rules.paytables[key]) for key in ("odds", "bad_beat") if key in rules.paytables]
