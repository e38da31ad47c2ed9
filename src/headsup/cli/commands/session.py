"""`headsup session`: the exact distribution of the result of many rounds."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from headsup.analysis.limits import (
    DEFAULT_ROUNDS_PER_HOUR,
    MAX_BANKROLL_ROUNDS,
    MAX_ROUNDS_PER_HOUR,
    MAX_SESSION_ROUNDS,
)
from headsup.analysis.strategies.examples import BEST
from headsup.cli.options.amounts import read_cents, read_meter
from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.options.output_files import check_files
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import parse_count

if TYPE_CHECKING:
    from headsup.analysis.session.report import SessionReport
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents


@click.command(cls=Command)
@option("--rounds", metavar="N", default="1000", help="Rounds played.")
@option("--ante", metavar="AMOUNT", default="10", help="The Ante, with the same on Odds.")
@option("--trips-plus", metavar="AMOUNT", help="The Trips Plus wager; default: none.")
@option("--pocket-bonus", metavar="AMOUNT", help="The Pocket Bonus wager; default: none.")
@option("--all-6", metavar="AMOUNT", help="The All 6 wager; default: none.")
@option("--progressive", metavar="AMOUNT", help="The Progressive wager; default: none.")
@option("--meter", metavar="AMOUNT", help="The progressive's meter.")
@option("--bankroll", metavar="AMOUNT", help="Compute the risk of ruin.")
@option("--target", metavar="AMOUNT", help="With --bankroll: stop when reached.")
@option(
    "--pace",
    metavar="N",
    type=WholeNumber(MAX_ROUNDS_PER_HOUR),
    default=DEFAULT_ROUNDS_PER_HOUR,
    help="Rounds per hour.",
)
@option(
    "--strategy", metavar="FILE|NAME", default=BEST, help="A written strategy, or the best play."
)
@rules_option
@sets_option
@json_option
@option("--html", metavar="FILE", type=Path, help="Write a page with plots.")
@option("--svg", metavar="FILE", type=Path, help="Write the plot alone.")
def session(
    rounds: str,
    ante: str,
    trips_plus: str | None,
    pocket_bonus: str | None,
    all_6: str | None,
    progressive: str | None,
    meter: str | None,
    bankroll: str | None,
    target: str | None,
    pace: int,
    strategy: str,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    svg: Path | None,
) -> None:
    """Analyse a session of many rounds: chance to be ahead, quantiles, ruin, the table's hold."""
    count = parse_count(
        rounds, "--rounds", MAX_SESSION_ROUNDS if bankroll is None else MAX_BANKROLL_ROUNDS
    )
    if target is not None and bankroll is None:
        raise Refused(Code.BAD_ARGUMENTS, "target", where="--target")
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.session import session_sheet

    wanted = check_files(html=html, svg=svg)
    chosen = read_rules(rules, sets)
    sides = {
        "trips_plus": trips_plus,
        "pocket_bonus": pocket_bonus,
        "all_6": all_6,
        "progressive": progressive,
    }
    stakes = _stakes(chosen, ante, sides)
    if meter is not None and progressive is None:
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where="--meter", other="--progressive")
    report = _compute_report(chosen, stakes, count, pace, meter, bankroll, target, strategy)
    show_sheet(session_sheet(report), as_json, wanted)


def _stakes(rules: "TableRules", ante: str, sides: dict[str, str | None]) -> "dict[Wager, Cents]":
    """The stakes in cents, checked against the table's rules."""
    from headsup.game.round.stakes import refuse_stakes
    from headsup.game.rulebook.wagers import Wager

    stakes = {Wager.ANTE: read_cents(ante, "--ante")}
    for name, amount in sides.items():
        if amount is not None:
            stakes[Wager(name)] = read_cents(amount, f"--{name.replace('_', '-')}")
    if refusal := refuse_stakes(rules, {**stakes, Wager.ODDS: stakes[Wager.ANTE]}):
        raise Refused.of(refusal)
    return stakes


def _compute_report(
    rules: "TableRules", stakes: "dict[Wager, Cents]", rounds: int, pace: int, meter: str | None,
    bankroll: str | None, target: str | None, strategy: str,
) -> "SessionReport":  # fmt: skip
    from headsup.analysis.par.table_par import meter_or_seed
    from headsup.analysis.session.report import report_session
    from headsup.cli.options.workbench import open_workbench
    from headsup.cli.screens.progress import progress_bar
    from headsup.library.strategies import read_strategy_or_best

    bankroll_cents = None if bankroll is None else read_cents(bankroll, "--bankroll")
    target_cents = None if target is None else read_cents(target, "--target")
    start, play = (
        meter_or_seed(rules, read_meter(meter)),
        (strategy, read_strategy_or_best(strategy)),
    )
    joint = open_workbench().distribution(rules, stakes, start, play)
    names = "--bankroll", "--target"
    with progress_bar("Playing every round") as progress:
        return report_session(
            rules,
            stakes,
            joint,
            rounds,
            pace,
            bankroll_cents,
            target_cents,
            progress,
            names,
            strategy,
        )
