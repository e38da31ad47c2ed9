"""`headsup simulate`: deals random rounds and compares the results with the exact values."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headsup.analysis.limits import MAX_SEATS, MAX_SEED, MAX_SIMULATED_ROUNDS
from headsup.analysis.strategies.examples import BEST
from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.common import (
    json_option,
    open_executor,
    read_rules,
    rules_option,
    scheduler_option,
    sets_option,
    threads_option,
    workers_option,
)
from headsup.cli.options.output_files import check_files
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.cli.shell.streams import EXIT_REFUSED
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_count

if TYPE_CHECKING:
    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.analysis.simulation.results import Simulation
    from headsup.analysis.workers.executor import Executor
    from headsup.game.rulebook.table_rules import TableRules


@click.command(cls=Command)
@option(
    "--rounds",
    metavar="N",
    type=WholeNumber(MAX_SIMULATED_ROUNDS),
    default=10**6,
    help="Number of rounds: 1000000 or 1e9.",
)
@option(
    "--seats",
    metavar="N",
    type=WholeNumber(MAX_SEATS),
    default=1,
    help="Number of seats, 1 to 6; they share the board.",
)
@option(
    "--seed",
    metavar="N",
    type=WholeNumber(MAX_SEED, minimum=0),
    default=1,
    help="Random seed; the same seed deals the same cards.",
)
@option(
    "--strategy",
    metavar="FILE|NAME",
    multiple=True,
    help="Strategy of seat 1; repeat for the next seats. Default: best play.",
)
@option("--bets", metavar="WAGER=AMOUNT,…", help="Bets of every seat: ante=10,trips_plus=5.")
@option("--meter", metavar="AMOUNT", help="The progressive's meter at the start.")
@option("--session", metavar="N", help="Also report sessions of N rounds.")
@threads_option
@workers_option
@scheduler_option
@rules_option
@sets_option
@option("--html", metavar="FILE", type=Path, help="Write a page with plots.")
@option("--svg", metavar="FILE", type=Path, help="Write a plot of means and exact values.")
@json_option
def simulate(
    rounds: int,
    seats: int,
    seed: int,
    strategy: tuple[str, ...],
    bets: str | None,
    meter: str | None,
    session: str | None,
    threads: str | None,
    workers: str | None,
    scheduler: str | None,
    rules: str,
    sets: tuple[str, ...],
    html: Path | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Deal random rounds: results by wager, seat, session and meter, beside the exact values."""
    if len(strategy) > seats:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="--strategy", most=seats)
    wanted = check_files(html=html, svg=svg)
    length = 0 if session is None else parse_count(session, "--session", rounds)
    chosen = read_rules(rules, sets)
    with open_executor(threads, workers, scheduler) as executor:
        table = _table(chosen, seats, strategy, bets, meter, length)
        simulation, stopped = _deal_rounds(table, seed, rounds, executor)
    _answer(table, simulation, rounds, stopped, as_json, wanted)


def _table(
    rules: "TableRules", seats: int, names: tuple[str, ...], bets: str | None, meter: str | None,
    session: int,
) -> "TableSetup":  # fmt: skip
    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.cli.options.workbench import open_workbench
    from headsup.library.strategies import read_strategy_or_best

    stakes = read_bets(rules, bets)
    if not stakes.get(Wager.ANTE):
        raise Refused(Code.BAD_BETS, "no_ante", where="--bets")
    start = read_meter(meter)
    if start is not None and Wager.PROGRESSIVE not in stakes:
        raise Refused(Code.BAD_METER, "no_progressive", where="--meter", rules=rules.id)
    plays = [(name, read_strategy_or_best(name)) for name in names or (BEST,)]
    plays += plays[-1:] * (seats - len(plays))
    return TableSetup(open_workbench().seats(rules, stakes, plays), session, start)


def _deal_rounds(
    table: "TableSetup", seed: int, rounds: int, executor: "Executor"
) -> "tuple[Simulation, BaseException | None]":
    """The results, and what stopped the run early, if anything.

    An interrupted run still gives the results of its first rounds, without gaps.
    """
    from headsup.analysis.simulation.dealing import SimulationRun
    from headsup.analysis.simulation.results import summarise_run
    from headsup.cli.screens.progress import progress_bar, short_count

    run, stopped = SimulationRun(table, seed), None
    try:
        with progress_bar(f"Dealing {short_count(rounds)} rounds", "rounds") as progress:
            run.deal(rounds, executor, progress)
    except (KeyboardInterrupt, Refused) as reason:
        if not run.rounds:
            raise
        stopped = reason
    return summarise_run(run), stopped


def _answer(
    table: "TableSetup", simulation: "Simulation", requested_rounds: int,
    stopped: BaseException | None,
    as_json: bool, wanted: dict[str, Path],
) -> None:  # fmt: skip
    """Print and write the results. A refusal goes into the same JSON object as the results."""
    from headsup.cli.options.workbench import print_notice
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheet import Figure, Section
    from headsup.report.sheets.simulation import simulation_sheet

    rules, bets = table.seats[0].rules, table.seats[0].bets
    refused = stopped if isinstance(stopped, Refused) else None
    sheet = simulation_sheet(rules, bets, simulation, requested_rounds)
    if refused is not None:
        error = Figure("error", "", {"code": refused.code, "message": refused.message})
        sheet = replace(sheet, sections=(*sheet.sections, Section("", "", figures=(error,))))
    show_sheet(sheet, as_json, wanted)
    if stopped is not None:
        print_notice(
            f"stopped: these are the first {simulation.rounds:,} of {requested_rounds:,} rounds"
        )
        if refused is None:
            raise stopped
        print_notice(refused.message)
        raise SystemExit(EXIT_REFUSED)
