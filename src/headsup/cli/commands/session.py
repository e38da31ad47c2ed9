"""`headsup session`: the exact distribution of the result of many rounds."""

import json
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
from headsup.cli.options.output_files import check_writable, print_file_names, write_files
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import parse_count, show_count

if TYPE_CHECKING:
    from headsup.analysis.session.report import SessionReport
    from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents

SessionRow = tuple[str, str]  # a label and its figure


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
    paths = [path for path in (html, svg) if path is not None]
    check_writable(paths)
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
    write_files(_files(report, html, svg))
    if as_json:
        from headsup.report.json.session import session_json

        print(json.dumps(session_json(report)))
    else:
        _print(report, paths)


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


# Printing.


def _groups(report: "SessionReport") -> list[tuple[str, list[SessionRow]]]:
    """Rows under headings. Only the first group allows for a bankroll that runs out early."""
    from headsup.game.values.money import show_dollars

    if report.bankroll is None:
        return [("", [*_result_rows(report), *_house_rows(report), *_error_rows(report)])]
    heading = f"With a bankroll of {show_dollars(report.bankroll)}"
    if report.target is not None:
        heading += f" and a target of {show_dollars(report.target)}"
    return [
        (heading, _fortune_rows(report)),
        (
            "If all rounds are played, regardless of bankroll",
            [*_result_rows(report), *_error_rows(report)],
        ),
        ("The house, if all rounds are played", _house_rows(report)),
    ]


def _result_rows(report: "SessionReport") -> list[SessionRow]:
    from headsup.game.values.money import show_dollars
    from headsup.report.formats import format_dollars
    from headsup.report.json.session import QUANTILES

    round, totals = report.round_nets, report.totals
    return [
        ("Expected result", format_dollars(round.mean * totals.rounds / 100)),
        ("Standard deviation", f"${float(round.variance * totals.rounds) ** 0.5 / 100:,.2f}"),
        ("Ahead / even / behind", f"{totals.ahead:.2%} / {totals.even:.2%} / "
         f"{1 - totals.ahead - totals.even:.2%}"),
        *(
            (f"{q:.0%} of sessions end at or below", show_dollars(totals.quantile(q)))
            for q in QUANTILES
        ),
        (f"Expected per hour at {report.pace} rounds",
         format_dollars(round.mean * report.pace / 100)),
    ]  # fmt: skip


def _fortune_rows(report: "SessionReport") -> list[SessionRow]:
    from headsup.game.values.money import show_dollars

    rows: list[SessionRow] = []
    if report.session_ruin is not None:
        rows.append(
            (f"Ruined (below {show_dollars(report.round_cost)})", f"{report.session_ruin.ruin:.4%}")
        )
        if report.session_ruin.target:
            rows.append(("Target reached", f"{report.session_ruin.target:.4%}"))
        rows.append(("Rounds played on average", f"{report.session_ruin.rounds:,.1f}"))
    if report.ultimate_ruin is not None:
        rows += _final_rows(report.ultimate_ruin)
    return rows


def _house_rows(report: "SessionReport") -> list[SessionRow]:
    from headsup.analysis.exact_numbers import percent

    hold = report.hold
    about = "" if hold.shows is None or hold.shows.exact else "about "
    shows = "never" if hold.rounds_to_show is None else f"{hold.rounds_to_show:,} rounds"
    return [
        ("House: theoretical hold, of the average wager", percent(hold.theoretical)),
        *(
            (f"House: hold with {float(level):.0%}", f"{low:+.3%} to {high:+.3%}")
            for level, (low, high) in hold.bands.items()
        ),
        ("House: volatility index", f"{hold.volatility_index:.3f}"),
        (f"House: 95% certain to be ahead after {about}".rstrip(), shows),
    ]


def _error_rows(report: "SessionReport") -> list[SessionRow]:
    if not report.exact:
        return [("All 6's cards are treated as from another deck", "probabilities are approximate")]
    return [("Probabilities are accurate to", f"{report.totals.error:.0e}")]


def _final_rows(final: "UltimateRuin | UnknownRuin") -> list[SessionRow]:
    from headsup.analysis.session.ruin import UnknownRuin

    if isinstance(final, UnknownRuin):
        return [
            ("If play never ends", f"unknown: too many balances to follow ({final.grid_points:,})")
        ]
    if final.rounds is None:
        certain = "certain" if final.ruin == 1 else f"{final.ruin:.4%}"
        return [("Ruined, if play never ends", certain)]
    return [
        ("Target before ruin, however long it takes", f"{final.target:.4%}"),
        ("Rounds until either", f"{final.rounds:,.1f}"),
    ]


def _about(report: "SessionReport") -> str:
    from headsup.game.values.money import show_dollars

    stakes = ", ".join(
        f"{report.rules.book.label(wager)} {show_dollars(cents)}"
        for wager, cents in report.stakes.items()
    )
    rounds = show_count(report.totals.rounds, "round")
    return f"{rounds}, {report.play}; {stakes}"


def _files(report: "SessionReport", html: Path | None, svg: Path | None) -> dict[Path, bytes]:
    from headsup.report.plots.session import ruin_plot, session_page, session_plot
    from headsup.report.plots.svg import svg_file

    contents: dict[Path, bytes] = {}
    if html is None and svg is None:
        return contents
    plots = [session_plot(report.totals, ignores_bankroll=report.session_ruin is not None)]
    if svg is not None:
        contents[svg] = svg_file(plots[0]).encode()
    if html is not None:
        if report.session_ruin is not None:
            plots.append(ruin_plot(report.session_ruin))
        title = report.rules.book.title
        contents[html] = session_page(title, _about(report), plots, _groups(report)).encode()
    return contents


def _print(report: "SessionReport", written: list[Path]) -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screens.style import console

    screen = console()
    screen.print(report.rules.book.title, style="bold")
    screen.print(f"{_about(report)}\n", style="dim")
    table = Table.grid(padding=(0, 3))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    for heading, rows in _groups(report):
        if table.row_count:
            table.add_row()
        if heading:
            table.add_row(Text(heading, style="bold"))
        for row in rows:
            table.add_row(*row)
    screen.print(table)
    print_file_names(screen, written)
