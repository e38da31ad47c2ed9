"""`headsup par`: the par sheet of a table, on screen or as JSON, HTML, PDF or CSV."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.options.output_files import (
    check_pdf,
    check_writable,
    print_file_names,
    write_files,
)
from headsup.cli.screens.progress import progress_bar
from headsup.cli.shell.command import Command, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.par.comparison import PaytableFigures
    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents, Micros
    from headsup.report.words.printout import Printout


@click.command(cls=Command)
@click.pass_context
@rules_option
@sets_option
@option(
    "--meter", metavar="AMOUNT", help="The progressive's meter; default: its seed, or $25,000.00."
)
@option("--bets", metavar="WAGER=AMOUNT,…", help="Stakes of a round: ante=10,trips_plus=5.")
@json_option
@option("--html", metavar="FILE", type=Path, help="Write a page with charts.")
@option("--pdf", metavar="FILE", type=Path, help="Write the same as a PDF.")
@option("--csv", metavar="FILE", type=Path, help="Write every outcome of every wager.")
@option("--all", "every", is_flag=True, help="Compare every paytable of every document.")
@option("--no-cache", is_flag=True, help="Solve again without using the cache.")
def par(
    context: click.Context,
    rules: str,
    sets: tuple[str, ...],
    meter: str | None,
    bets: str | None,
    as_json: bool,
    html: Path | None,
    pdf: Path | None,
    csv: Path | None,
    every: bool,
    no_cache: bool,
) -> None:
    """Print the par sheet: exact edge, hit frequency and volatility of every wager of a table."""
    from headsup.game.rulebook.wagers import Wager

    paths = {"html": html, "pdf": pdf, "csv": csv}
    wanted = {kind: path for kind, path in paths.items() if path is not None}
    check_writable(wanted.values())
    check_pdf(pdf)
    if every:
        _refuse_choices(context)
        from headsup.cli.commands.par import compare_all

        compare_all(read_meter(meter), as_json, wanted)
        return
    chosen = read_rules(rules, sets)
    if meter is not None and not chosen.offers(Wager.PROGRESSIVE):
        raise Refused(Code.BAD_METER, "no_progressive", rules=chosen.id)
    _answer(chosen, read_bets(chosen, bets), read_meter(meter), no_cache, as_json, wanted)


def _refuse_choices(context: click.Context) -> None:
    for param, name in (("rules", "--rules"), ("sets", "--set"), ("bets", "--bets")):
        source = context.get_parameter_source(param)
        if source is not None and source.name != "DEFAULT":  # even with the default value
            raise Refused(Code.BAD_CHOICE, "every_paytable", option=name)


def _answer(
    rules: "TableRules", stakes: "dict[Wager, Cents]", meter: "Micros | None",
    no_cache: bool, as_json: bool, wanted: dict[str, Path],
) -> None:  # fmt: skip
    from headsup.cli.commands.solve import warn_player_edge
    from headsup.cli.options.workbench import open_workbench
    from headsup.house.clock import now
    from headsup.report.files.par_files import par_files
    from headsup.report.json.par_sheet import par_json
    from headsup.report.words.par_sheet import par_printout

    today = now()[:10]
    workbench = open_workbench(use_cache=not no_cache)
    sheet = workbench.par_sheet(rules, stakes, meter)
    lessons = None if no_cache else workbench.lessons(sheet.solution.payoffs)
    printout = par_printout(sheet, stakes, today, lessons)
    write_files(par_files(sheet, printout, wanted))
    if as_json:
        warn_player_edge(sheet.solution)
        print(json.dumps(par_json(sheet, stakes, today, lessons)))
    else:
        _print(sheet, printout, list(wanted.values()))


def _print(sheet: "ParSheet", printout: "Printout", written: list[Path]) -> None:
    from headsup.cli.screens.par_sheet import print_par_sheet
    from headsup.cli.screens.style import console

    screen = console()
    print_par_sheet(screen, printout, sheet)
    print_file_names(screen, written)


# `headsup par --all`: every paytable of every document in one table.

COMPARISON_COLUMNS = (
    "rules", "wager", "paytable", "house_edge", "hit_frequency", "standard_deviation",
    "fixed_return", "meter_coefficient", "break_even_meter", "pays", "favours_player",
)  # fmt: skip


def compare_all(meter: int | None, as_json: bool, wanted: Mapping[str, Path]) -> None:
    from headsup.analysis.par.comparison import compare_paytables
    from headsup.cli.options.workbench import warn_first_run
    from headsup.game.bank.meter import HOME_SEED_MICROS
    from headsup.house.clock import now
    from headsup.report.files.par_files import report_files
    from headsup.report.words.comparison import comparison_printout

    meter_micros = HOME_SEED_MICROS if meter is None else meter
    warn_first_run()
    with progress_bar("Solving every main game") as progress:
        every = compare_paytables(progress, meter_micros)
    printout = comparison_printout(every, meter_micros, now()[:10])
    contents = report_files(printout, [COMPARISON_COLUMNS, *map(_csv_row, every)], wanted)
    write_files(contents)
    if as_json:
        print(json.dumps({"paytables": [figures_json(figures) for figures in every]}))
        return
    from headsup.cli.screens.par_sheet import print_par_sheet
    from headsup.cli.screens.style import console

    screen = console()
    print_par_sheet(screen, printout)
    print_file_names(screen, contents)


def figures_json(figures: "PaytableFigures") -> dict[str, Any]:
    from headsup.analysis.exact_numbers import exact_json, root_text
    from headsup.report.json.par_sheet import pool_json
    from headsup.report.words.comparison import summarize_pays

    answer: dict[str, Any] = {
        "rules": figures.book,
        "wager": figures.wager,
        "paytable": figures.paytable,
        "operators": figures.variance is None,
    }
    if figures.house_edge is None or figures.hit_frequency is None or figures.variance is None:
        return answer
    answer |= {
        "house_edge": exact_json(figures.house_edge),
        "hit_frequency": exact_json(figures.hit_frequency),
        "standard_deviation": root_text(figures.variance),
        "variance": exact_json(figures.variance),
        "pays": summarize_pays(figures),
        "favours_player": figures.house_edge < 0,
    }
    if figures.side is not None and figures.side.pool is not None:
        answer |= pool_json(figures.side.pool)
    return answer


def _csv_row(figures: "PaytableFigures") -> list[str]:
    from headsup.report.words.comparison import OPERATORS_CHOICE

    answer = figures_json(figures)
    if answer["operators"]:
        return [*(answer[key] for key in COMPARISON_COLUMNS[:3]), OPERATORS_CHOICE]
    row = []
    for key in COMPARISON_COLUMNS:
        value = answer.get(key, "")
        value = value["decimal"] if isinstance(value, dict) else value
        row.append(str(value).lower() if isinstance(value, bool) else value or "")
    return row
