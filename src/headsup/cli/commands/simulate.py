"""`headsup simulate`: deals random rounds and compares the results with the exact values."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.analysis.limits import MAX_SEATS, MAX_SEED, MAX_SIMULATED_ROUNDS
from headsup.analysis.strategies.examples import BEST
from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.common import (
    JsonOption,
    RulesOption,
    SchedulerOption,
    SetOption,
    ThreadsOption,
    WorkersOption,
    open_executor,
    read_rules,
)
from headsup.cli.options.output_files import check_writable, write_files
from headsup.cli.shell.streams import EXIT_REFUSED
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.analysis.simulation.results import Simulation
    from headsup.analysis.workers.executor import Executor
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.values.money import Cents


def simulate(
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Number of rounds: 1000000 or 1e9.")
    ] = "1e6",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Number of seats, 1 to 6; they share the board.")
    ] = 1,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Random seed; the same seed deals the same cards.")
    ] = 1,
    strategy: Annotated[
        list[str],
        typer.Option(
            metavar="FILE|NAME",
            help="Strategy of seat 1; repeat for the next seats. Default: best play.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    bets: Annotated[
        str | None,
        typer.Option(metavar="WAGER=AMOUNT,…", help="Bets of every seat: ante=10,trips_plus=5."),
    ] = None,
    meter: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The progressive's meter at the start.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="N", help="Also report sessions of N rounds.")
    ] = None,
    threads: ThreadsOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with plots.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a plot of means and exact values.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Deal random rounds: results by wager, seat, session and meter, beside the exact values."""
    count = parse_count(rounds, "--rounds", MAX_SIMULATED_ROUNDS)
    parse_count(seats, "--seats", MAX_SEATS)
    parse_count(seed, "--seed", MAX_SEED, minimum=0)
    if len(strategy) > seats:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="--strategy", most=seats)
    check_writable([path for path in (html, svg) if path is not None])
    length = 0 if session is None else parse_count(session, "--session", count)
    chosen = read_rules(rules, sets)
    with open_executor(threads, workers, scheduler) as executor:
        table = _table(chosen, seats, strategy, bets, meter, length)
        simulation, stopped = _deal_rounds(table, seed, count, executor)
    _answer(table, simulation, count, stopped, as_json, html, svg)


def _table(
    rules: "TableRules", seats: int, names: list[str], bets: str | None, meter: str | None,
    session: int,
) -> "TableSetup":  # fmt: skip
    from headsup.analysis.joint.seating import seat_profiles
    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.cli.options.solutions import get_round_counts, get_strategy, warn_first_run
    from headsup.library.strategies import read_strategy_or_best

    stakes = read_bets(rules, bets)
    if not stakes.get(Wager.ANTE):
        raise Refused(Code.BAD_BETS, "no_ante", where="--bets")
    start = read_meter(meter)
    if start is not None and Wager.PROGRESSIVE not in stakes:
        raise Refused(Code.BAD_METER, "no_progressive", where="--meter", rules=rules.id)
    plays = [(name, read_strategy_or_best(name)) for name in names or [BEST]]
    plays += plays[-1:] * (seats - len(plays))
    warn_first_run()
    return TableSetup(
        seat_profiles(rules, stakes, plays, get_strategy, get_round_counts), session, start
    )


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
    as_json: bool, html: Path | None, svg: Path | None,
) -> None:  # fmt: skip
    """Print and write the results. A refusal goes into the same JSON object as the results."""
    from headsup.cli.options.solutions import print_notice

    rules, bets = table.seats[0].rules, table.seats[0].bets
    refused = stopped if isinstance(stopped, Refused) else None
    files = _files(rules, bets, simulation, html, svg)
    write_files(files)
    if as_json:
        from headsup.report.json.simulation import simulation_json

        answer = simulation_json(rules, bets, simulation, requested_rounds)
        if refused is not None:
            answer["error"] = {"code": refused.code, "message": refused.message}
        typer.echo(json.dumps(answer))
    else:
        from headsup.cli.screens.simulation import print_simulation

        print_simulation(rules, bets, simulation, [*files])
    if stopped is not None:
        print_notice(
            f"stopped: these are the first {simulation.rounds:,} of {requested_rounds:,} rounds"
        )
        if refused is None:
            raise stopped
        print_notice(refused.message)
        raise typer.Exit(EXIT_REFUSED)


def _files(
    rules: "TableRules", bets: "Mapping[Wager, Cents]", simulation: "Simulation",
    html: Path | None, svg: Path | None,
) -> dict[Path, bytes]:  # fmt: skip
    contents: dict[Path, bytes] = {}
    if html is not None:
        from headsup.report.plots.simulation import simulation_page

        contents[html] = simulation_page(rules, bets, simulation).encode()
    if svg is not None:
        from headsup.report.plots.simulation import wagers_plot
        from headsup.report.plots.svg import svg_file

        contents[svg] = svg_file(wagers_plot(rules, simulation)).encode()
    return contents
