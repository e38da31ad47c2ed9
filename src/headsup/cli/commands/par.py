"""`headsup par`: the par sheet of a whole table, on screen, as JSON, page, PDF or CSV."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.output_files import check_writable, print_file_names, write_files
from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents, Micros
    from headsup.report.words.printout import Printout

OptionalPath = Path | None


def par(
    context: typer.Context,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    meter: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", help="Where the progressive stands; else its seed, or $25,000.00."
        ),
    ] = None,
    bets: Annotated[
        str | None,
        typer.Option(metavar="WAGER=AMOUNT,…", help="Stakes of a round: ante=10,trips_plus=5."),
    ] = None,
    as_json: JsonOption = False,
    html: Annotated[
        OptionalPath, typer.Option("--html", metavar="FILE", help="A page with charts.")
    ] = None,
    pdf: Annotated[
        OptionalPath, typer.Option("--pdf", metavar="FILE", help="The same on paper.")
    ] = None,
    csv: Annotated[
        OptionalPath, typer.Option("--csv", metavar="FILE", help="Every outcome of every wager.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Compare every paytable of every document.")
    ] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Solve afresh, and keep nothing.")
    ] = False,
) -> None:
    """The par sheet: exact edge, hit frequency and volatility of every wager of a table."""
    from headsup.game.rulebook.wagers import Wager

    paths = {"html": html, "pdf": pdf, "csv": csv}
    wanted = {kind: path for kind, path in paths.items() if path is not None}
    check_writable(wanted.values())
    if every:
        _refuse_choices(context)
        from headsup.cli.screens.comparison import compare_all

        compare_all(read_meter(meter), as_json, wanted)
        return
    chosen = read_rules(rules, sets)
    if meter is not None and not chosen.offers(Wager.PROGRESSIVE):
        raise Refused(Code.BAD_METER, "no_progressive", rules=chosen.id)
    _answer(chosen, read_bets(chosen, bets), read_meter(meter), no_cache, as_json, wanted)


def _refuse_choices(context: typer.Context) -> None:
    for option, name in (("rules", "--rules"), ("sets", "--set"), ("bets", "--bets")):
        source = context.get_parameter_source(option)
        if source is not None and source.name != "DEFAULT":  # also where it names the default
            raise Refused(Code.BAD_CHOICE, "every_paytable", option=name)


def _answer(
    rules: "TableRules", stakes: "dict[Wager, Cents]", meter: "Micros | None",
    no_cache: bool, as_json: bool, wanted: dict[str, Path],
) -> None:  # fmt: skip
    from headsup.cli.commands.solve import warn_player_edge
    from headsup.cli.options.solutions import get_lessons
    from headsup.house.clock import now
    from headsup.report.files.par_files import par_files
    from headsup.report.json.par_sheet import par_json
    from headsup.report.words.par_sheet import par_printout

    today = now()[:10]
    sheet = _sheet(rules, stakes, meter, no_cache)
    learnt = None if no_cache else get_lessons(sheet.solution.payoffs)
    printout = par_printout(sheet, stakes, today, learnt)
    write_files(par_files(sheet, printout, wanted))
    if as_json:
        warn_player_edge(sheet.solution)
        typer.echo(json.dumps(par_json(sheet, stakes, today, learnt)))
    else:
        _print(sheet, printout, list(wanted.values()))


def _sheet(
    rules: "TableRules", stakes: "dict[Wager, Cents]", meter: "Micros | None", no_cache: bool
) -> "ParSheet":
    from headsup.analysis.par.table_par import table_par
    from headsup.cli.options.solutions import (
        count_combined_bets,
        get_combined_bets,
        get_strategy,
        solve_strategy,
    )

    if no_cache:
        return table_par(rules, stakes, meter, solve_strategy, count_combined_bets)
    return table_par(rules, stakes, meter, get_strategy, get_combined_bets)


def _print(sheet: "ParSheet", printout: "Printout", written: list[Path]) -> None:
    from headsup.cli.screens.par_sheet import print_par_sheet
    from headsup.cli.screens.style import console

    screen = console()
    print_par_sheet(screen, printout, sheet)
    print_file_names(screen, written)
