"""`headsup session`: how the result of many rounds is distributed, exactly."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.analysis.session.limits import (
    DEFAULT_ROUNDS_PER_HOUR,
    MAX_BANKROLL_ROUNDS,
    MAX_ROUNDS_PER_HOUR,
    MAX_SESSION_ROUNDS,
)
from headsup.analysis.strategies.examples import BEST
from headsup.cli.options.amounts import read_cents, read_meter
from headsup.cli.options.output_files import check_writable, print_file_names, write_files
from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import parse_count, show_count

if TYPE_CHECKING:
    from headsup.analysis.session.report import SessionReport
    from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents

SessionRow = tuple[str, str]  # a label and its figure
AmountOption = Annotated[str | None, typer.Option(metavar="AMOUNT")]


def session(
    rounds: Annotated[str, typer.Option(metavar="N", help="Rounds played.")] = "1000",
    ante: Annotated[str, typer.Option(metavar="AMOUNT", help="With as much on Odds.")] = "10",
    trips_plus: AmountOption = None,
    pocket_bonus: AmountOption = None,
    all_6: AmountOption = None,
    progressive: AmountOption = None,
    meter: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="Where the progressive stands.")
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="For the chance of ruin.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="With --bankroll: stop when reached.")
    ] = None,
    pace: Annotated[
        int, typer.Option(metavar="N", help="Rounds in an hour.")
    ] = DEFAULT_ROUNDS_PER_HOUR,
    strategy: Annotated[
        str, typer.Option(metavar="FILE|NAME", help="As written there; else best play.")
    ] = BEST,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with plots.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="The plot alone.")] = None,
) -> None:
    """A session of many rounds: chance to be ahead, quantiles, ruin, the table's hold."""
    count = parse_count(
        rounds, "--rounds", MAX_SESSION_ROUNDS if bankroll is None else MAX_BANKROLL_ROUNDS
    )
    _check(pace, bankroll, target)
    wanted = [path for path in (html, svg) if path is not None]
    check_writable(wanted)
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
    sitting = _compute_report(chosen, stakes, count, pace, meter, bankroll, target, strategy)
    write_files(_files(sitting, html, svg))
    if as_json:
        from headsup.report.json.session import session_json

        typer.echo(json.dumps(session_json(sitting)))
    else:
        _print(sitting, wanted)


def _check(pace: int, bankroll: str | None, target: str | None) -> None:
    parse_count(pace, "--pace", MAX_ROUNDS_PER_HOUR)
    if target is not None and bankroll is None:
        raise Refused(Code.BAD_ARGUMENTS, "target", where="--target")


def _stakes(rules: "TableRules", ante: str, sides: dict[str, str | None]) -> "dict[Wager, Cents]":
    """In cents, checked as the table would."""
    from headsup.game.round.stakes import refuse_stakes
    from headsup.game.rulebook.wagers import Wager

    stakes = {Wager.ANTE: read_cents(ante, "--ante")}
    for name, amount in sides.items():
        if amount is not None:
            stakes[Wager(name)] = read_cents(amount, f"--{name.replace('_', '-')}")
    if unfit := refuse_stakes(rules, {**stakes, Wager.ODDS: stakes[Wager.ANTE]}):
        raise Refused.of(unfit)
    return stakes


def _compute_report(
    rules: "TableRules", stakes: "dict[Wager, Cents]", rounds: int, pace: int, meter: str | None,
    bankroll: str | None, target: str | None, strategy: str,
) -> "SessionReport":  # fmt: skip
    from headsup.analysis.par.table_par import meter_or_seed
    from headsup.analysis.session.report import report_session
    from headsup.cli.options.solutions import get_joint
    from headsup.cli.screens.progress import progress_bar

    own = None if bankroll is None else read_cents(bankroll, "--bankroll")
    goal = None if target is None else read_cents(target, "--target")
    joint = get_joint(rules, stakes, meter_or_seed(rules, read_meter(meter)), strategy)
    names = "--bankroll", "--target"
    with progress_bar("Playing every round") as progress:
        return report_session(
            rules, stakes, joint, rounds, pace, own, goal, progress, names, strategy
        )


# For people.


def _groups(sitting: "SessionReport") -> list[tuple[str, list[SessionRow]]]:
    """Rows under headings. A bankroll ends a session early, and only its own rows count that."""
    from headsup.game.values.money import show_dollars

    if sitting.bankroll is None:
        return [("", [*_result_rows(sitting), *_house_rows(sitting), *_error_rows(sitting)])]
    purse = f"With a bankroll of {show_dollars(sitting.bankroll)}"
    if sitting.target is not None:
        purse += f" and a target of {show_dollars(sitting.target)}"
    return [
        (purse, _fortune_rows(sitting)),
        (
            "Were all rounds played, whatever the bankroll",
            [*_result_rows(sitting), *_error_rows(sitting)],
        ),
        ("The house, were all rounds played", _house_rows(sitting)),
    ]


def _result_rows(sitting: "SessionReport") -> list[SessionRow]:
    from headsup.game.values.money import show_dollars
    from headsup.report.json.session import QUANTILES
    from headsup.report.words.numbers import format_dollars

    one, totals = sitting.one, sitting.totals
    return [
        ("Expected result", format_dollars(one.mean * totals.rounds / 100)),
        ("Standard deviation", f"${float(one.variance * totals.rounds) ** 0.5 / 100:,.2f}"),
        ("Ahead / even / behind", f"{totals.ahead:.2%} / {totals.even:.2%} / "
         f"{1 - totals.ahead - totals.even:.2%}"),
        *(
            (f"{q:.0%} of sessions end at most at", show_dollars(totals.quantile(q)))
            for q in QUANTILES
        ),
        (f"Expected per hour at {sitting.pace} rounds",
         format_dollars(one.mean * sitting.pace / 100)),
    ]  # fmt: skip


def _fortune_rows(sitting: "SessionReport") -> list[SessionRow]:
    from headsup.game.values.money import show_dollars

    rows: list[SessionRow] = []
    if sitting.fortune is not None:
        rows.append(
            (f"Ruined (below {show_dollars(sitting.needed)})", f"{sitting.fortune.ruin:.4%}")
        )
        if sitting.fortune.target:
            rows.append(("Target reached", f"{sitting.fortune.target:.4%}"))
        rows.append(("Rounds played on average", f"{sitting.fortune.rounds:,.1f}"))
    if sitting.final is not None:
        rows += _final_rows(sitting.final)
    return rows


def _house_rows(sitting: "SessionReport") -> list[SessionRow]:
    from headsup.analysis.par.exact_numbers import percent

    hold = sitting.hold
    about = "" if hold.shows is None or hold.shows.exact else "about "
    shows = "never" if hold.rounds_to_show is None else f"{hold.rounds_to_show:,} rounds"
    return [
        ("House: theoretical hold of what is staked on average", percent(hold.theoretical)),
        *(
            (f"House: hold with {float(level):.0%}", f"{low:+.3%} to {high:+.3%}")
            for level, (low, high) in hold.bands.items()
        ),
        ("House: volatility index", f"{hold.volatility_index:.3f}"),
        (f"House: ahead with 95% after {about}".rstrip(), shows),
    ]


def _error_rows(sitting: "SessionReport") -> list[SessionRow]:
    if not sitting.exact:
        return [("All 6's four cards are taken as of another deck", "chances are near ones")]
    return [("No chance here is wrong by more than", f"{sitting.totals.error:.0e}")]


def _final_rows(final: "UltimateRuin | UnknownRuin") -> list[SessionRow]:
    from headsup.analysis.session.ruin import UnknownRuin

    if isinstance(final, UnknownRuin):
        return [("Played without end", f"not known: {final.places:,} sums to follow")]
    if final.rounds is None:
        certain = "certain" if final.ruin == 1 else f"{final.ruin:.4%}"
        return [("Ruined, were it played without end", certain)]
    return [
        ("Target before ruin, however long it takes", f"{final.target:.4%}"),
        ("Rounds until one of them", f"{final.rounds:,.1f}"),
    ]


def _about(sitting: "SessionReport") -> str:
    from headsup.game.values.money import show_dollars

    stakes = ", ".join(
        f"{sitting.rules.book.label(wager)} {show_dollars(cents)}"
        for wager, cents in sitting.stakes.items()
    )
    rounds = show_count(sitting.totals.rounds, "round")
    return f"{rounds}, {sitting.play}; {stakes}"


def _files(sitting: "SessionReport", html: Path | None, svg: Path | None) -> dict[Path, bytes]:
    from headsup.report.plots.session import ruin_plot, session_page, session_plot

    contents: dict[Path, bytes] = {}
    if html is None and svg is None:
        return contents
    plots = [session_plot(sitting.totals, whatever=sitting.fortune is not None)]
    if svg is not None:
        contents[svg] = plots[0].encode()
    if html is not None:
        if sitting.fortune is not None:
            plots.append(ruin_plot(sitting.fortune))
        title = sitting.rules.book.title
        contents[html] = session_page(title, _about(sitting), plots, _groups(sitting)).encode()
    return contents


def _print(sitting: "SessionReport", written: list[Path]) -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screens.style import console

    screen = console()
    screen.print(sitting.rules.book.title, style="bold")
    screen.print(f"{_about(sitting)}\n", style="dim")
    table = Table.grid(padding=(0, 3))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    for heading, rows in _groups(sitting):
        if table.row_count:
            table.add_row()
        if heading:
            table.add_row(Text(heading, style="bold"))
        for row in rows:
            table.add_row(*row)
    screen.print(table)
    print_file_names(screen, written)
