"""Plots of sessions: results by chance, and ruin by round."""

from collections.abc import Sequence

from headsup.analysis.session.ruin import SessionRuin
from headsup.analysis.session.session import SessionDistribution
from headsup.game.values.amounts import show_count
from headsup.game.values.money import show_dollars
from headsup.report.plots.svg import (
    TOP_MARGIN,
    Plot,
    svg_bar,
    svg_curve,
    svg_label,
    svg_line,
    svg_text,
)

MAX_BARS = 120
MIN_TOP_SHARE = 0.001  # of the plot's y axis: smaller shares would be rounding errors
MARKED_QUANTILES = (0.05, 0.5, 0.95)
Bar = tuple[float, float, float]  # from, to, chance of each place between


def session_plot(totals: SessionDistribution, ignores_bankroll: bool = False) -> str:
    """How likely each result is if all rounds are played.

    `ignores_bankroll` says so in the title: the session has a bankroll that may not last so long.
    """
    bars = session_bars(totals)
    rounds = show_count(totals.rounds, "round")
    condition = (
        f"If {rounds} were played, whatever the bankroll"
        if ignores_bankroll
        else f"Result after {rounds}"
    )
    plot = Plot(
        f"{condition}: ahead {totals.ahead:.1%}",
        (bars[0][0], bars[-1][1]),
        (0.0, max(height for *_, height in bars) or 1.0),
        ("Won or lost", ""),
        left=24,
    )
    drawn = [
        svg_bar(plot.x_pixels(a), plot.y_pixels(height), plot.x_pixels(b), plot.bottom_edge,
            "gain" if a + b > 0 else "loss")
        for a, b, height in bars
    ]  # fmt: skip
    marks = []
    next_label = 0.0  # the first free pixel after the last label
    for chance in MARKED_QUANTILES:
        cents = totals.quantile(chance)
        x, label = plot.x_pixels(cents), f"{chance:.0%}: {format_whole_dollars(cents)}"
        marks.append(svg_line(x, TOP_MARGIN, x, plot.bottom_edge, "ink", dashed=True))
        width = 6.5 * len(label)
        start = max(x - width / 2, next_label)
        next_label = start + width + 8
        marks.append(svg_text(start, TOP_MARGIN - 8, label))
    return plot.render([*drawn, *marks, *plot.x_ticks(format_whole_dollars)])


def format_whole_dollars(cents: float) -> str:
    return show_dollars(round(cents)).removesuffix(".00")


def session_bars(totals: SessionDistribution) -> list[Bar]:
    """Bars from the 0.1% to the 99.9% quantile."""
    low, high = totals.quantile(0.001), totals.quantile(0.999)
    results, chances = totals.results, totals.probabilities
    inside = (results >= low) & (results <= high)
    count = max(1, int(inside.sum()))
    per_bar = max(1, -(-count // MAX_BARS))
    shown, weight = results[inside], chances[inside]
    return [
        (
            float(shown[i]) - totals.step / 2,
            float(shown[min(i + per_bar, count) - 1]) + totals.step / 2,
            float(weight[i : i + per_bar].sum()) / min(per_bar, count - i),
        )
        for i in range(0, count, per_bar)
    ]


def ruin_plot(fortune: SessionRuin) -> str:
    """The probabilities of ruin and of having reached the target, by round."""
    last = fortune.history[-1][0]
    highest = max(max(ruin, target) for _, ruin, target in fortune.history)
    top = max(highest, MIN_TOP_SHARE)
    title = f"Ruined within {last:,} rounds: {fortune.ruin:.2%}"
    if fortune.target:
        title += f"; target reached: {fortune.target:.2%}"
    # A little wider than the rounds, so that the last tick's label fits.
    plot = Plot(title, (0.0, 1.03 * last), (0.0, top), ("Rounds", "Share of sessions"))

    def course(values: Sequence[float], colour: str) -> str:
        points = [
            (plot.x_pixels(round), plot.y_pixels(value))
            for (round, *_), value in zip(fortune.history, values, strict=True)
        ]
        return svg_curve(points, colour)

    parts = [*plot.y_ticks(lambda share: f"{share:.0%}" if top > 0.05 else f"{share:.2%}")]
    parts.append(course([ruin for _, ruin, _ in fortune.history], "loss"))
    lines = [("ruined by then", "loss")]
    if fortune.target:
        parts.append(course([target for *_, target in fortune.history], "gain"))
        lines.append(("target reached by then", "gain"))
    return plot.render(
        [*parts, *_legend(plot, lines), *plot.x_ticks(lambda rounds: f"{rounds:,.0f}")]
    )


def _legend(plot: Plot, lines: Sequence[tuple[str, str]]) -> list[str]:
    """The names of the lines, above the frame's right corner."""
    parts, right, y = [], plot.right_edge, TOP_MARGIN - 18.0
    for name, colour in reversed(lines):
        parts.append(svg_label(right, y + 4, name, "end", colour))
        left = right - 7.2 * len(name) - 8
        parts.append(svg_curve([(left - 22, y), (left, y)], colour))
        right = left - 42
    return parts
