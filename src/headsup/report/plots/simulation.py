"""Plots a simulation: means beside their exact values, sessions, time between jackpots."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import exp

from headsup.analysis.counts.caps import best_play_label
from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    NORMAL_95,
    SimulatedSessions,
    Simulation,
    WagerEstimate,
    omitted_wagers,
    summarize,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import show_count
from headsup.game.values.money import Cents, show_dollars, show_micro_dollars
from headsup.report.plots.session import format_whole_dollars, session_bars
from headsup.report.plots.svg import (
    BOTTOM_MARGIN,
    TOP_MARGIN,
    Plot,
    html_figures,
    html_page,
    svg_bar,
    svg_curve,
    svg_dot,
    svg_label,
    svg_line,
    svg_text,
    tick_formatter,
)

ROW_HEIGHT = 34
NAMES_WIDTH, FIGURES_WIDTH = 140, 212  # left and right of the plot of wagers
MIN_Z_SPAN = 4.0  # the plot shows at least so many standard errors
GAP_BARS = 24  # in the plot of rounds between jackpots
MIN_JACKPOTS = 20  # for that plot to be drawn


def wager_names(rules: TableRules, simulation: Simulation) -> list[tuple[str, WagerEstimate]]:
    """The estimates of each wager and of all together, with their names."""
    named = [
        (
            "Main game" if estimate.wager is Wager.ANTE else rules.book.label(estimate.wager),
            estimate,
        )
        for estimate in simulation.wagers
        if estimate.wager is not None
    ]
    return [*named, ("All that is wagered", simulation.everything)]


def wagers_plot(rules: TableRules, simulation: Simulation) -> str:
    """Each mean's distance from its exact value in standard errors, with its 95% interval."""
    rows = [
        (label, estimate)
        for label, estimate in wager_names(rules, simulation)
        if estimate.z is not None
    ]
    span = max([MIN_Z_SPAN, *(abs(estimate.z or 0.0) + NORMAL_95 for _, estimate in rows)])
    plot = Plot(
        "Simulated means and exact values",
        (-span, span),
        (0.0, float(len(rows) or 1)),
        ("Standard errors from the exact value", ""),
        height=TOP_MARGIN + BOTTOM_MARGIN + ROW_HEIGHT * (len(rows) or 1),
        left=NAMES_WIDTH,
        right=FIGURES_WIDTH,
    )
    parts = [*plot.x_ticks(tick_formatter(plot.xs), lines=True)]
    parts.append(
        svg_line(
            plot.x_pixels(0), TOP_MARGIN, plot.x_pixels(0), plot.bottom_edge, "ink", dashed=True
        )
    )
    for row, (label, estimate) in enumerate(rows):
        z, y = estimate.z or 0.0, TOP_MARGIN + ROW_HEIGHT * (row + 0.5)
        low, high = plot.x_pixels(z - NORMAL_95), plot.x_pixels(z + NORMAL_95)
        colour = "gain" if abs(z) < MIN_Z_SPAN else "loss"
        parts.append(svg_bar(low, y - 2, high, y + 2, colour, 0.45))
        parts.append(svg_dot(plot.x_pixels(z), y, 5, colour))
        parts.append(svg_text(16, y + 4, label, colour="ink"))
        figures = f"{estimate.mean:+.4%}, exact {float(estimate.exact or 0):+.4%}"
        parts.append(svg_text(plot.right_edge + 16, y + 4, figures))
    return plot.render(parts)


def sessions_plot(title: str, sessions: SimulatedSessions) -> str:
    """Simulated results as bars, the exact distribution as a line."""
    exact = sessions.exact
    if exact is None:
        raise ValueError("no exact distribution to compare with")
    bars = session_bars(exact)
    step = exact.step
    dealt = _shares(sessions.results, [(a, b) for a, b, _ in bars], sessions.count, step)
    highest = max([*dealt, *(height for *_, height in bars)]) or 1.0
    plot = Plot(title, (bars[0][0], bars[-1][1]), (0.0, highest), ("Won or lost", ""), left=24)
    drawn = [
        svg_bar(plot.x_pixels(a), plot.y_pixels(share), plot.x_pixels(b), plot.bottom_edge,
            "gain" if a + b > 0 else "loss", 0.75)
        for (a, b, _), share in zip(bars, dealt, strict=True)
    ]  # fmt: skip
    line = [(plot.x_pixels((a + b) / 2), plot.y_pixels(height)) for a, b, height in bars]
    bars_label = f"bars: {sessions.count:,} sessions dealt, ahead {sessions.ahead:.2%}"
    line_label = f"line: {sessions.exactness}, ahead {exact.ahead:.2%}"
    legend = svg_text(16, TOP_MARGIN - 12, f"{bars_label}; {line_label}")
    return plot.render(
        [*drawn, svg_curve(line, "ink", 1.5), legend, *plot.x_ticks(format_whole_dollars)]
    )


def _shares(
    results: Counter[int], intervals: Sequence[tuple[float, float]], count: int, step: int
) -> list[float]:
    """For each interval, the average share of sessions per possible result in it."""
    shares = [0.0] * len(intervals)
    i = 0
    for net in sorted(results):
        while i < len(intervals) - 1 and net > intervals[i][1]:
            i += 1
        if intervals[i][0] <= net <= intervals[i][1]:
            shares[i] += results[net] / count
    return [
        share / max(1, round((high - low) / step))
        for share, (low, high) in zip(shares, intervals, strict=True)
    ]


def jackpots_plot(meter: MeterHistory) -> str:
    """Rounds between jackpots as bars; the line is the exponential distribution of that mean."""
    gaps = sorted(meter.gaps)
    mean, last = sum(gaps) / len(gaps), float(gaps[-1])
    width = last / GAP_BARS
    counts = Counter(min(int(gap / width), GAP_BARS - 1) for gap in gaps)
    expected = [
        len(gaps) * (exp(-bar * width / mean) - exp(-(bar + 1) * width / mean))
        for bar in range(GAP_BARS)
    ]
    plot = Plot(
        f"Rounds between jackpots: {len(gaps):,}, {mean:,.0f} on average",
        (0.0, last),
        (0.0, float(max([*counts.values(), *expected]))),
        ("Rounds", ""),
    )
    drawn = [
        svg_bar(plot.x_pixels(place * width), plot.y_pixels(counts[place]),
            plot.x_pixels((place + 1) * width), plot.bottom_edge, "gain", 0.75)
        for place in range(GAP_BARS)
    ]  # fmt: skip
    line = [
        (plot.x_pixels((place + 0.5) * width), plot.y_pixels(count))
        for place, count in enumerate(expected)
    ]
    x, y = line[GAP_BARS // 3]
    label = svg_label(x + 10, y - 10, "expected by chance", "start", "ink")
    return plot.render(
        [
            *plot.y_ticks(tick_formatter(plot.ys)),
            *drawn,
            svg_curve(line, "ink", 1.5),
            label,
            *plot.x_ticks(tick_formatter(plot.xs)),
        ]
    )


def about_simulation(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation
) -> tuple[str, str]:
    """Rounds, seats and styles of play, and the stakes."""
    styles = [seat.style for seat in simulation.seats]
    seats, rounds = show_count(len(styles), "seat"), show_count(simulation.rounds, "round")
    best = best_play_label(rules, bets, len(styles))
    plays = best if set(styles) == {"best"} else ", ".join(dict.fromkeys(styles))
    stakes = ", ".join(f"{rules.book.label(w)} {show_dollars(stake)}" for w, stake in bets.items())
    return f"{rounds}, {seats}, seed {simulation.seed}, {plays}", stakes


def simulation_facts(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation
) -> list[tuple[str, str]]:
    """Figures of the whole table and its meter."""
    facts = [
        ("Wagered at the table", show_dollars(simulation.wagered)),
        ("Won by the house", show_dollars(simulation.won)),
        ("Hold", f"{-simulation.everything.mean:.4%}"),
    ]
    if simulation.seat_correlation is not None:
        facts.append(("Correlation of two seats' main games", f"{simulation.seat_correlation:.4f}"))
    if (meter := simulation.meter) is not None:
        facts += [
            ("Meter at the start", show_micro_dollars(meter.start)),
            ("Meter at the end", show_micro_dollars(meter.now)),
            ("Meter on average", show_micro_dollars(meter.average)),
            ("Jackpots", f"{len(meter.gaps):,}"),
        ]
        if meter.gaps:
            facts.append(
                ("Meter when hit, median", show_micro_dollars(summarize(meter.at_hit)["0.50"]))
            )
    return [*facts, *(("Left out", wager) for wager in omitted_wagers(rules, bets))]


def simulation_page(rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation) -> str:
    plots = [wagers_plot(rules, simulation)]
    for style, sessions in simulation.sessions:
        if sessions.exact is not None and sessions.count:
            plays = (
                best_play_label(rules, bets, len(simulation.seats)) if style == "best" else style
            )
            title = f"Sessions of {sessions.rounds:,} rounds, {plays}"
            plots.append(sessions_plot(title, sessions))
    if simulation.meter is not None and len(simulation.meter.gaps) >= MIN_JACKPOTS:
        plots.append(jackpots_plot(simulation.meter))
    wagers = "".join(
        _cells(
            label,
            f"{estimate.mean:+.4%}",
            "{:+.4%} to {:+.4%}".format(*estimate.interval),
            "unknown" if estimate.exact is None else f"{float(estimate.exact):+.4%}",
            "" if estimate.z is None else f"{estimate.z:+.2f}",
        )
        for label, estimate in wager_names(rules, simulation)
    )
    about = "".join(
        f"<p>{escape(line)}</p>\n" for line in about_simulation(rules, bets, simulation)
    )
    facts = "".join(_cells(*fact) for fact in simulation_facts(rules, bets, simulation))
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("mean", "95%", "exact", "z"))
    return html_page(
        rules.book.title,
        f"{about}{html_figures(plots)}"
        f"<div><table>\n<tr><th></th>{heads}</tr>\n{wagers}</table></div>\n<h2>The table</h2>\n"
        f"<div><table>\n{facts}</table></div>\n",
    )


def _cells(label: str, *cells: str) -> str:
    data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{escape(label)}</th>{data}</tr>\n"
