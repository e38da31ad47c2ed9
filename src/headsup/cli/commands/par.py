"""`headsup par`: the par sheet of a table, on screen or as JSON, HTML, PDF or CSV."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.options.output_files import check_files
from headsup.cli.screens.progress import progress_bar
from headsup.cli.shell.command import Command, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents, Micros


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

    wanted = check_files(html=html, pdf=pdf, csv=csv)
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
    from headsup.cli.screens.sheet import show_sheet
    from headsup.house.clock import now
    from headsup.report.sheets.par_sheet import par_report

    workbench = open_workbench(use_cache=not no_cache)
    figures = workbench.par_sheet(rules, stakes, meter)
    lessons = None if no_cache else workbench.lessons(figures.solution.payoffs)
    sheet = par_report(figures, stakes, now()[:10], lessons)
    if as_json:
        warn_player_edge(figures.solution)
    show_sheet(sheet, as_json, wanted)


# `headsup par --all`: every paytable of every document in one table.


def compare_all(meter: int | None, as_json: bool, wanted: Mapping[str, Path]) -> None:
    from headsup.analysis.par.comparison import compare_paytables
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.sheet import show_sheet
    from headsup.game.bank.meter import HOME_SEED_MICROS
    from headsup.house.clock import now
    from headsup.report.sheets.comparison import comparison_sheet

    meter_micros = HOME_SEED_MICROS if meter is None else meter
    print_notices()
    with progress_bar("Solving every main game") as progress:
        every = compare_paytables(progress, meter_micros)
    show_sheet(comparison_sheet(every, meter_micros, now()[:10]), as_json, wanted)
