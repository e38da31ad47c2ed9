"""`headsup simulate`: whole tables dealt by chance, beside the exact values."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.choice import JsonOption, RulesOption, SetOption, chosen_rules
from headsup.cli.counts import read_count
from headsup.cli.par import read_bets, read_meter
from headsup.cli.strategies import read_strategy
from headsup.cli.streams import REFUSED
from headsup.cli.workforce import (
    SchedulerOption,
    ThreadsOption,
    WorkersOption,
    chosen_workforce,
)
from headsup.game.refusal import Code, Refused
from headsup.game.wagers import Wager

if TYPE_CHECKING:
    from headsup.analysis.running import Workforce
    from headsup.analysis.simulation import DealtTable, SimulationRun
    from headsup.analysis.strategies.written import WrittenStrategy
    from headsup.game.rulebook.tablerules import TableRules

MOST_ROUNDS = 10**12
MOST_SEATS = 6
MOST_SEED = 2**63 - 1
BEST = "best"


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
    as_json: JsonOption = False,
) -> None:
    """Deal tables by chance: every wager, seat, session and the meter, beside exact values."""
    count = read_count(rounds, MOST_ROUNDS)
    for where, number, least, most in (
        ("--seats", seats, 1, MOST_SEATS),
        ("--seed", seed, 0, MOST_SEED),
        ("--strategy", len(strategy), 0, seats),
    ):
        if not least <= number <= most:
            case = "strategies" if where == "--strategy" else "number"
            raise Refused(Code.BAD_ARGUMENTS, case, where=where, least=least, most=most)
    length = 0 if session is None else read_count(session, count, "--session")
    chosen = chosen_rules(rules, sets)
    with chosen_workforce(threads, workers, scheduler) as workforce:
        table = _table(chosen, seats, strategy, bets, meter, length)
        _deal(table, seed, count, workforce, as_json)


def _table(
    rules: "TableRules", seats: int, names: list[str], bets: str | None, meter: str | None,
    session: int,
) -> "DealtTable":  # fmt: skip
    from headsup.analysis.seating import seated
    from headsup.analysis.simulation import DealtTable
    from headsup.cli.solutions import counts_of, say_first_run, strategy_for

    stakes = read_bets(rules, bets)
    if not stakes.get(Wager.ANTE):
        raise Refused(Code.BAD_BETS, "no_ante", where="--bets")
    start = read_meter(meter)
    if start is not None and Wager.PROGRESSIVE not in stakes:
        raise Refused(Code.BAD_METER, "no_progressive", where="--meter", rules=rules.id)
    written = {name: _written(name) for name in names}
    plays = [(name, written[name]) for name in names] or [(BEST, None)]
    plays += plays[-1:] * (seats - len(plays))
    say_first_run()
    return DealtTable(seated(rules, stakes, plays, strategy_for, counts_of), session, start)


def _written(name: str) -> "WrittenStrategy | None":
    return None if name == BEST else read_strategy(name)


def _deal(
    table: "DealtTable", seed: int, rounds: int, workforce: "Workforce", as_json: bool
) -> None:
    """Answer with what is there also when it is stopped: the first rounds, and no others.

    A refusal that comes with rounds is a part of their answer, so that programs read one object.
    """
    from headsup.analysis.simulation import SimulationRun
    from headsup.cli.progress import progress_bar, short_count
    from headsup.cli.solutions import tell

    run = SimulationRun(table, seed)
    try:
        with progress_bar(f"Dealing {short_count(rounds)} rounds", "rounds") as progress:
            run.deal(rounds, workforce, progress)
    except (KeyboardInterrupt, Refused) as stopped:
        if not run.rounds:
            raise
        refused = stopped if isinstance(stopped, Refused) else None
        _answer(run, rounds, as_json, refused)
        tell(f"stopped: this is of the first {run.rounds:,} rounds of {rounds:,}")
        if refused is None:
            raise
        tell(refused.message)
        raise typer.Exit(REFUSED) from None
    _answer(run, rounds, as_json)


def _answer(
    run: "SimulationRun", asked: int, as_json: bool, refused: Refused | None = None
) -> None:
    from headsup.analysis.simulated import simulation

    style = run.table.seats[0]
    found = simulation(run)
    if as_json:
        from headsup.analysis.printout.simulationjson import simulation_json

        answer = simulation_json(style.rules, style.bets, found, asked)
        if refused is not None:
            answer["error"] = {"code": refused.code, "message": refused.message}
        typer.echo(json.dumps(answer))
    else:
        from headsup.cli.simulationscreen import show_simulation

        show_simulation(style.rules, style.bets, found)
