"""Prints the result of `headsup simulate`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    SimulatedSessions,
    Simulation,
    WagerEstimate,
    has_rounded_pays,
    meter_growth,
    omitted_wagers,
    summarize,
)
from headsup.cli.options.output_files import print_file_names
from headsup.cli.screens.style import console
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, format_micros, show_dollars, show_micro_dollars
from headsup.report.json.simulation import QUANTILES
from headsup.report.plots.simulation import about_simulation


def print_simulation(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    simulation: Simulation,
    written: Sequence[Path] = (),
) -> None:
    screen = console()
    screen.print(rules.book.title, style="bold")
    played, stakes = about_simulation(rules, bets, simulation)
    screen.print(played, style="dim")
    screen.print(f"{stakes}\n", style="dim")
    _print_wagers(screen, rules, simulation)
    if len(simulation.seats) > 1:
        _print_seats(screen, simulation)
    _print_hold(screen, simulation)
    for name, sessions in simulation.sessions:
        _print_sessions(screen, f"Sessions of {sessions.rounds:,} rounds, {name}", sessions)
    if simulation.table_sessions is not None and len(simulation.seats) > 1:
        title = f"House win from the table over {simulation.table_sessions.rounds:,} rounds"
        _print_sessions(screen, title, simulation.table_sessions)
    if simulation.meter is not None:
        _print_meter(screen, rules, simulation.meter)
    if has_rounded_pays(rules, bets):
        screen.print(
            "Some pays on these stakes are rounded to chips. The exact values allow for that; the "
            "par sheet does not.",
            style="dim",
        )
    for wager in omitted_wagers(rules, bets):
        screen.print(f"Left out: {wager}", style="dim")
    print_file_names(screen, written)


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _row(table: Table, name: str, estimate: WagerEstimate) -> None:
    low, high = estimate.interval
    exact = "unknown" if estimate.exact is None else f"{float(estimate.exact):+.4%}"
    z = "" if estimate.z is None else f"{estimate.z:+.2f}"
    table.add_row(name, f"{estimate.mean:+.4%}", f"{low:+.4%} to {high:+.4%}", exact, z)


def _print_wagers(screen: Console, rules: TableRules, simulation: Simulation) -> None:
    table = _table("wager", "mean", "95% interval", "exact", "z")
    for estimate in simulation.wagers:
        if estimate.wager is not None:
            main = (
                (Wager.ANTE, Wager.ODDS, Wager.RAISE)
                if estimate.wager is Wager.ANTE
                else (estimate.wager,)
            )
            _row(table, ", ".join(rules.book.label(wager) for wager in main), estimate)
    _row(table, "All wagers", simulation.everything)
    screen.print(table)


def _print_seats(screen: Console, simulation: Simulation) -> None:
    table = _table("\nseat", "\nmean", "\n95% interval", "\nexact", "\nz")
    for seat in simulation.seats:
        _row(table, f"{seat.seat} {seat.style}", seat.everything)
    screen.print(table)


def _print_hold(screen: Console, simulation: Simulation) -> None:
    hold = -simulation.everything.mean
    screen.print(
        f"\nThe table holds {hold:.4%} of {show_dollars(simulation.wagered)} wagered: "
        f"{show_dollars(simulation.won)}",
        highlight=False,
    )
    if simulation.meter is not None:
        growth = show_micro_dollars(meter_growth(simulation.meter))
        screen.print(f"of which {growth} is on the meter")
    if simulation.seat_correlation is not None:
        pairs = [
            correlation
            for seat, row in enumerate(simulation.seat_correlations)
            for other, correlation in enumerate(row)
            if other < seat
        ]
        screen.print(
            f"Correlation of two seats: {simulation.seat_correlation:.4f} for the main game, "
            f"{sum(pairs) / len(pairs):.4f} for all wagers",
            highlight=False,
        )


def _print_sessions(screen: Console, title: str, sessions: SimulatedSessions) -> None:
    screen.print(f"\n{title}: {sessions.count:,}")
    exact = sessions.exact
    table = _table("at most", "simulated", *([sessions.exactness] if exact else []))
    for chance, net in zip(QUANTILES, sessions.quantiles(QUANTILES), strict=True):
        table.add_row(
            f"{chance:.0%}",
            show_dollars(net),
            *([show_dollars(exact.quantile(chance))] if exact else []),
        )
    table.add_row("ahead", f"{sessions.ahead:.3%}", *([f"{exact.ahead:.3%}"] if exact else []))
    screen.print(table)


def _print_meter(screen: Console, rules: TableRules, meter: MeterHistory) -> None:
    label = rules.book.label(Wager.PROGRESSIVE)
    start, now = show_micro_dollars(meter.start), show_micro_dollars(meter.now)
    screen.print(
        f"\n{label}: from {start} to {now}, "
        f"{show_micro_dollars(meter.average)} on average (used for the exact value); "
        f"${format_micros(meter.contribution)} of each wager; reset to "
        f"{show_micro_dollars(meter.meter_seed)}",
        highlight=False,
    )
    screen.print(awards_sentence(meter))
    if not meter.gaps:
        return
    table = _table("", "minimum", "median", "maximum", "mean")
    gaps, hits = summarize(meter.gaps), summarize(meter.at_hit)
    shown = ("least", "0.50", "most", "mean")
    table.add_row("rounds between jackpots", *(f"{gaps[key]:,}" for key in shown))
    table.add_row("meter when hit", *(show_micro_dollars(hits[key]) for key in shown))
    screen.print(table)


def awards_sentence(meter: MeterHistory) -> str:
    paid = f"{show_micro_dollars(meter.awarded)} paid from it"
    return f"{paid}: the whole {_times(len(meter.gaps))}, a share {_times(meter.shares)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
