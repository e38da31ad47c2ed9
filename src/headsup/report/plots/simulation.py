"""Plots a simulation: means beside their exact values, sessions, time between jackpots."""

from collections import Counter
from collections.abc import Sequence
from math import exp

from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    NORMAL_95,
    SimulatedSessions,
    Simulation,
    WagerEstimate,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.report.plots.session import format_whole_dollars, session_bars
from headsup.report.plots.svg import (
    BOTTOM_MARGIN,
    TOP_MARGIN,
    Plot,
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


def wager_name(rules: TableRules, estimate: WagerEstimate) -> str:
    match estimate.wager:
        case None:
            return "All that is wagered"
        case Wager.ANTE:
            return "Main game"
        case wager:
            return rules.book.label(wager)


def wagers_plot(rules: TableRules, simulation: Simulation) -> str:
    """Each mean's distance from its exact value in standard errors, with its 95% interval."""
    rows = [
        (wager_name(rules, estimate), estimate)
        for estimate in (*simulation.wagers, simulation.everything)
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
