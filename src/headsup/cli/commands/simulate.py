"""`headsup simulate`: whole tables dealt by chance, beside the exact values."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.analysis.session.limits import MAX_SEATS, MAX_SEED, MAX_SIMULATED_ROUNDS
from headsup.analysis.strategies.examples import BEST
from headsup.cli.options.amounts import read_bets, read_meter
from headsup.cli.options.output_files import check_writable, write_files
from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.cli.options.workers import SchedulerOption, ThreadsOption, WorkersOption, open_executor
from headsup.cli.shell.streams import EXIT_REFUSED
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.counts import parse_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.analysis.simulation.results import Simulation
    from headsup.analysis.workers.executor import Executor
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.values.money import Cents


def simulate(
    rounds: Annotated[str, typer.Option(metavar="N", help="Rounds dealt: 1000000 or 1e9.")] = "1e6",
    seats: Annotated[int, typer.Option(metavar="N", help="1 to 6, sharing the board.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="The same deals the same cards.")] = 1,
    strategy: Annotated[
        list[str],
        typer.Option(metavar="FILE|NAME", help="Of seat 1; again for the next; else best play."),
    ] = [],  # noqa: B006 (Typer copies it)
    bets: Annotated[
        str | None,
        typer.Option(metavar="WAGER=AMOUNT,…", help="Of every seat: ante=10,trips_plus=5."),
    ] = None,
    meter: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="Where the progressive starts.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="N", help="Also the results of every N rounds.")
    ] = None,
    threads: ThreadsOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with plots.")] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The means beside the exact values.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Deal tables by chance: every wager, seat, session and the meter, beside exact values."""
    count = parse_count(rounds, "--rounds", MAX_SIMULATED_ROUNDS)
    parse_count(seats, "--seats", MAX_SEATS)
    parse_count(seed, "--seed", MAX_SEED, least=0)
    if len(strategy) > seats:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="--strategy", most=seats)
    wanted = [path for path in (html, svg) if path is not None]
    check_writable(wanted)
    length = 0 if session is None else parse_count(session, "--session", count)
    chosen = read_rules(rules, sets)
    with open_executor(threads, workers, scheduler) as workforce:
        table = _table(chosen, seats, strategy, bets, meter, length)
        found, refused = _deal_rounds(table, seed, count, workforce)
    _answer(table, found, count, refused, as_json, html, svg)


def _table(
    rules: "TableRules", seats: int, names: list[str], bets: str | None, meter: str | None,
    session: int,
) -> "TableSetup":  # fmt: skip
    from headsup.analysis.joint.seating import seat_profiles
    from headsup.analysis.simulation.dealing import TableSetup
    from headsup.cli.options.solutions import get_round_counts, get_strategy, warn_first_run
    from headsup.library.written import read_strategy_or_best

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
    table: "TableSetup", seed: int, rounds: int, workforce: "Executor"
) -> "tuple[Simulation, BaseException | None]":
    """What was dealt, also when it was stopped: the first rounds, and no others; and by what."""
    from headsup.analysis.simulation.dealing import SimulationRun
    from headsup.analysis.simulation.results import summarise_run
    from headsup.cli.screens.progress import progress_bar, short_count

    run, stopped = SimulationRun(table, seed), None
    try:
        with progress_bar(f"Dealing {short_count(rounds)} rounds", "rounds") as progress:
            run.deal(rounds, workforce, progress)
    except (KeyboardInterrupt, Refused) as reason:
        if not run.rounds:
            raise
        stopped = reason
    return summarise_run(run), stopped


def _answer(
    table: "TableSetup", found: "Simulation", asked: int, stopped: BaseException | None,
    as_json: bool, html: Path | None, svg: Path | None,
) -> None:  # fmt: skip
    """A refusal that comes with rounds is a part of their answer: programs read one object."""
    from headsup.cli.options.solutions import print_notice

    rules, bets = table.seats[0].rules, table.seats[0].bets
    refused = stopped if isinstance(stopped, Refused) else None
    files = _files(rules, bets, found, html, svg)
    write_files(files)
    if as_json:
        from headsup.report.json.simulation import simulation_json

        answer = simulation_json(rules, bets, found, asked)
        if refused is not None:
            answer["error"] = {"code": refused.code, "message": refused.message}
        typer.echo(json.dumps(answer))
    else:
        from headsup.cli.screens.simulation import print_simulation

        print_simulation(rules, bets, found, [*files])
    if stopped is not None:
        print_notice(f"stopped: this is of the first {found.rounds:,} rounds of {asked:,}")
        if refused is None:
            raise stopped
        print_notice(refused.message)
        raise typer.Exit(EXIT_REFUSED)


def _files(
    rules: "TableRules", bets: "Mapping[Wager, Cents]", found: "Simulation",
    html: Path | None, svg: Path | None,
) -> dict[Path, bytes]:  # fmt: skip
    contents: dict[Path, bytes] = {}
    if html is not None:
        from headsup.report.plots.simulation import simulation_page

        contents[html] = simulation_page(rules, bets, found).encode()
    if svg is not None:
        from headsup.report.plots.simulation import wagers_plot

        contents[svg] = wagers_plot(rules, found).encode()
    return contents
