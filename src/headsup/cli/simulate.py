"""`headsup simulate`: whole tables dealt by chance, beside the exact values."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.choice import JsonOption, RulesOption, SetOption, chosen_rules
from headsup.cli.counts import read_count
from headsup.cli.workforce import (
    SchedulerOption,
    ThreadsOption,
    WorkersOption,
    chosen_workforce,
)
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.running import Workforce
    from headsup.analysis.simulation import Simulation
    from headsup.game.rulebook.tablerules import TableRules

MOST_ROUNDS = 10**12
MOST_SEATS = 6
MOST_SEED = 2**63 - 1


def simulate(
    rounds: Annotated[str, typer.Option(metavar="N", help="Rounds dealt: 1000000 or 1e9.")] = "1e6",
    seats: Annotated[int, typer.Option(metavar="N", help="1 to 6, sharing the board.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="The same deals the same cards.")] = 1,
    threads: ThreadsOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
) -> None:
    """Deal tables by chance with the solved strategy: means with errors, beside exact values."""
    count = read_count(rounds, MOST_ROUNDS)
    for where, number, least, most in (
        ("--seats", seats, 1, MOST_SEATS),
        ("--seed", seed, 0, MOST_SEED),
    ):
        if not least <= number <= most:
            raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=least, most=most)
    chosen = chosen_rules(rules, sets)
    with chosen_workforce(threads, workers, scheduler) as workforce:
        found = _simulated(chosen, count, seats, seed, workforce)
    if as_json:
        typer.echo(json.dumps(simulation_json(chosen, found)))
    else:
        _print(chosen, found)


def _simulated(
    rules: "TableRules", rounds: int, seats: int, seed: int, workforce: "Workforce"
) -> "Simulation":
    from fractions import Fraction

    from headsup.analysis.compile import compile_payoffs
    from headsup.analysis.par import forfeits_trips_plus
    from headsup.analysis.simulation import PLACES, simulate
    from headsup.analysis.tablepar import usual_bets
    from headsup.cli.progress import progress_bar
    from headsup.cli.solutions import joint_of, say_first_run, strategy_for
    from headsup.game.wagers import Wager

    bets = {wager: cents for wager, cents in usual_bets(rules).items() if wager in PLACES}
    if rules.both_hole_cards:
        bets.pop(Wager.TRIPS_PLUS, None)
    ratio = Fraction(0)
    if forfeits_trips_plus(rules):
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, 0), bets[Wager.ANTE])
    strategy = strategy_for(compile_payoffs(rules, ratio))
    joint = joint_of(rules, bets, 0)
    say_first_run()
    with progress_bar(f"Dealing {rounds:,} rounds") as progress:
        return simulate(rules, strategy, joint, bets, rounds, seats, seed, progress, workforce)


def simulation_json(rules: "TableRules", found: "Simulation") -> dict[str, Any]:
    from headsup.analysis.numbers import decimal
    from headsup.analysis.printout.mainjson import rules_json

    correlation = found.seat_correlation
    return {
        **rules_json(rules),
        "rounds": found.rounds,
        "seats": found.seats,
        "seed": found.seed,
        **{
            one.wager.value: {
                "mean": f"{one.mean:.10f}",
                "standard_error": f"{one.standard_error:.10f}",
                "exact": decimal(one.exact),
                "z": f"{one.z:.4f}",
            }
            for one in found.wagers
        },
        "seat_correlation": None if correlation is None else f"{correlation:.6f}",
    }


def _print(rules: "TableRules", found: "Simulation") -> None:
    from rich.table import Table

    from headsup.cli.screen import console

    screen = console()
    screen.print(rules.book.title, style="bold")
    plural = "seats" if found.seats > 1 else "seat"
    about = f"{found.rounds:,} rounds, {found.seats} {plural}, seed {found.seed}, best play"
    screen.print(f"{about}\n", style="dim")
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("wager")
    for heading in ("mean", "95% between", "exact", "z"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.wagers:
        low, high = (one.mean + side * 1.959964 * one.standard_error for side in (-1, 1))
        table.add_row(
            rules.book.label(one.wager), f"{one.mean:+.4%}", f"{low:+.4%} and {high:+.4%}",
            f"{float(one.exact):+.4%}", f"{one.z:+.2f}",
        )  # fmt: skip
    screen.print(table)
    if found.seat_correlation is not None:
        screen.print(f"\nTwo seats' main games correlate by {found.seat_correlation:.4f}")
