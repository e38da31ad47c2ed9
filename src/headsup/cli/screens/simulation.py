"""A simulation on the screen."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import SimulatedSessions, Simulation, WagerEstimate
from headsup.cli.options.output_files import print_file_names
from headsup.cli.screens.style import console
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, format_micros, show_dollars, show_micro_dollars
from headsup.report.json.simulation import (
    QUANTILES,
    has_rounded_pays,
    meter_growth,
    omitted_wagers,
    summarize,
)
from headsup.report.plots.simulation import about_simulation


def print_simulation(
    rules: TableRules, bets: Mapping[Wager, Cents], found: Simulation, written: Sequence[Path] = ()
) -> None:
    screen = console()
    screen.print(rules.book.title, style="bold")
    played, stakes = about_simulation(rules, bets, found)
    screen.print(played, style="dim")
    screen.print(f"{stakes}\n", style="dim")
    _print_wagers(screen, rules, found)
    if len(found.seats) > 1:
        _print_seats(screen, found)
    _print_hold(screen, found)
    for name, sessions in found.sessions:
        _print_sessions(screen, f"Sessions of {sessions.rounds:,} rounds, {name}", sessions)
    if found.table_sessions is not None and len(found.seats) > 1:
        title = f"What the house wins from the table in {found.table_sessions.rounds:,} rounds"
        _print_sessions(screen, title, found.table_sessions)
    if found.meter is not None:
        _print_meter(screen, rules, found.meter)
    if has_rounded_pays(rules, bets):
        screen.print(
            "Some pays on these stakes are rounded to chips; the exact values are of these stakes, "
            "not the par sheet's",
            style="dim",
        )
    for one in omitted_wagers(rules, bets):
        screen.print(f"Left out: {one}", style="dim")
    print_file_names(screen, written)


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _row(table: Table, name: str, one: WagerEstimate) -> None:
    low, high = one.interval
    exact = "unknown" if one.exact is None else f"{float(one.exact):+.4%}"
    z = "" if one.z is None else f"{one.z:+.2f}"
    table.add_row(name, f"{one.mean:+.4%}", f"{low:+.4%} to {high:+.4%}", exact, z)


def _print_wagers(screen: Console, rules: TableRules, found: Simulation) -> None:
    table = _table("wager", "mean", "95% between", "exact", "z")
    for one in found.wagers:
        if one.wager is not None:
            main = (
                (Wager.ANTE, Wager.ODDS, Wager.RAISE) if one.wager is Wager.ANTE else (one.wager,)
            )
            _row(table, ", ".join(rules.book.label(wager) for wager in main), one)
    _row(table, "All that is wagered", found.everything)
    screen.print(table)


def _print_seats(screen: Console, found: Simulation) -> None:
    table = _table("\nseat", "\nmean", "\n95% between", "\nexact", "\nz")
    for seat in found.seats:
        _row(table, f"{seat.seat} {seat.style}", seat.everything)
    screen.print(table)


def _print_hold(screen: Console, found: Simulation) -> None:
    hold = -found.everything.mean
    screen.print(
        f"\nThe table holds {hold:.4%} of {show_dollars(found.wagered)} wagered: "
        f"{show_dollars(found.won)}",
        highlight=False,
    )
    if found.meter is not None:
        more = show_micro_dollars(meter_growth(found.meter))
        screen.print(f"of which {more} stands on the meter")
    if found.seat_correlation is not None:
        pairs = [
            one
            for seat, row in enumerate(found.seat_correlations)
            for other, one in enumerate(row)
            if other < seat
        ]
        screen.print(
            f"Two seats' main games correlate by {found.seat_correlation:.4f}, "
            f"all their wagers by {sum(pairs) / len(pairs):.4f}",
            highlight=False,
        )


def _print_sessions(screen: Console, title: str, found: SimulatedSessions) -> None:
    screen.print(f"\n{title}: {found.count:,}")
    exact = found.known
    table = _table("at most", "simulated", *([found.exactness] if exact else []))
    for chance, net in zip(QUANTILES, found.quantiles(QUANTILES), strict=True):
        table.add_row(
            f"{chance:.0%}",
            show_dollars(net),
            *([show_dollars(exact.quantile(chance))] if exact else []),
        )
    table.add_row("ahead", f"{found.ahead:.3%}", *([f"{exact.ahead:.3%}"] if exact else []))
    screen.print(table)


def _print_meter(screen: Console, rules: TableRules, meter: MeterHistory) -> None:
    label = rules.book.label(Wager.PROGRESSIVE)
    start, now = show_micro_dollars(meter.start), show_micro_dollars(meter.now)
    screen.print(
        f"\n{label}: from {start} to {now}, "
        f"{show_micro_dollars(meter.average)} on average, where its "
        f"exact value is taken; ${format_micros(meter.contribution)} of each wager, back to "
        f"{show_micro_dollars(meter.meter_seed)}",
        highlight=False,
    )
    screen.print(awards_sentence(meter))
    if not meter.gaps:
        return
    table = _table("", "least", "median", "most", "mean")
    gaps, hits = summarize(meter.gaps), summarize(meter.at_hit)
    shown = ("least", "0.50", "most", "mean")
    table.add_row("rounds between jackpots", *(f"{gaps[key]:,}" for key in shown))
    table.add_row("meter when hit", *(show_micro_dollars(hits[key]) for key in shown))
    screen.print(table)


def awards_sentence(meter: MeterHistory) -> str:
    paid = f"{show_micro_dollars(meter.awarded)} paid from it"
    return f"{paid}: {_times(len(meter.gaps))} the whole, {_times(meter.shares)} a share"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
