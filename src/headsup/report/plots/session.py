"""Plots of sessions: results by chance, and ruin by round."""

from collections.abc import Sequence
from html import escape

from headsup.analysis.session.session import SessionDistribution, SessionRuin
from headsup.game.values.counts import show_count
from headsup.game.values.money import show_dollars
from headsup.report.plots.svg import (
    TOP_MARGIN,
    Plot,
    html_figures,
    html_page,
    svg_bar,
    svg_curve,
    svg_label,
    svg_line,
    svg_text,
)

MAX_BARS = 120
LEAST_SHARE = 0.001  # of sessions at the top of a plot: below it lines are rounding
MARKED_QUANTILES = (0.05, 0.5, 0.95)
Bar = tuple[float, float, float]  # from, to, chance of each place between


def session_plot(totals: SessionDistribution, whatever: bool = False) -> str:
    """How likely each result is; what is left of zero is lost. It is of all rounds, `whatever` the
    bankroll: where there is one, that is said."""
    bars = session_bars(totals)
    rounds = show_count(totals.rounds, "round")
    told = (
        f"If {rounds} were played, whatever the bankroll" if whatever else f"Result after {rounds}"
    )
    plot = Plot(
        f"{told}: ahead {totals.ahead:.1%}",
        (bars[0][0], bars[-1][1]),
        (0.0, max(height for *_, height in bars) or 1.0),
        ("Won or lost", ""),
        left=24,
    )
    drawn = [
        svg_bar(plot.across(a), plot.up(height), plot.across(b), plot.base,
            "gain" if a + b > 0 else "loss")
        for a, b, height in bars
    ]  # fmt: skip
    marks = []
    beyond = 0.0  # where the words of the last mark end
    for chance in MARKED_QUANTILES:
        cents = totals.quantile(chance)
        at, words = plot.across(cents), f"{chance:.0%}: {format_whole_dollars(cents)}"
        marks.append(svg_line(at, TOP_MARGIN, at, plot.base, "ink", dashed=True))
        width = 6.5 * len(words)
        start = max(at - width / 2, beyond)
        beyond = start + width + 8
        marks.append(svg_text(start, TOP_MARGIN - 8, words))
    return plot.drawn([*drawn, *marks, *plot.marks_across(format_whole_dollars)])


def format_whole_dollars(cents: float) -> str:
    return show_dollars(round(cents)).removesuffix(".00")


def session_bars(totals: SessionDistribution) -> list[Bar]:
    """(from, to, chance) between the outermost thousandths."""
    low, high = totals.quantile(0.001), totals.quantile(0.999)
    results, chances = totals.results, totals.chances
    inside = (results >= low) & (results <= high)
    places = max(1, int(inside.sum()))
    each = max(1, -(-places // MAX_BARS))
    shown, weight = results[inside], chances[inside]
    return [
        (
            float(shown[i]) - totals.step / 2,
            float(shown[min(i + each, places) - 1]) + totals.step / 2,
            float(weight[i : i + each].sum()) / min(each, places - i),
        )
        for i in range(0, places, each)
    ]


def ruin_plot(fortune: SessionRuin) -> str:
    """The chance to be ruined, and to have reached the target, by round."""
    last = fortune.course[-1][0]
    reached = max(max(ruin, target) for _, ruin, target in fortune.course)
    most = max(reached, LEAST_SHARE)
    title = f"Ruined within {last:,} rounds: {fortune.ruin:.2%}"
    if fortune.target:
        title += f"; target reached: {fortune.target:.2%}"
    # A little wider than the rounds, so that the last mark stands inside.
    plot = Plot(title, (0.0, 1.03 * last), (0.0, most), ("Rounds", "Share of sessions"))

    def course(values: Sequence[float], colour: str) -> str:
        points = [
            (plot.across(at), plot.up(value))
            for (at, *_), value in zip(fortune.course, values, strict=True)
        ]
        return svg_curve(points, colour)

    parts = [*plot.marks_up(lambda share: f"{share:.0%}" if most > 0.05 else f"{share:.2%}")]
    parts.append(course([ruin for _, ruin, _ in fortune.course], "loss"))
    lines = [("ruined by then", "loss")]
    if fortune.target:
        parts.append(course([target for *_, target in fortune.course], "gain"))
        lines.append(("target reached by then", "gain"))
    return plot.drawn(
        [*parts, *_legend(plot, lines), *plot.marks_across(lambda rounds: f"{rounds:,.0f}")]
    )


def _legend(plot: Plot, lines: Sequence[tuple[str, str]]) -> list[str]:
    """What each line is, above the frame at its right, where no line comes."""
    parts, end, y = [], plot.end, TOP_MARGIN - 18.0
    for words, colour in reversed(lines):
        parts.append(svg_label(end, y + 4, words, "end", colour))
        start = end - 7.2 * len(words) - 8
        parts.append(svg_curve([(start - 22, y), (start, y)], colour))
        end = start - 42
    return parts


def session_page(
    title: str,
    about: str,
    plots: Sequence[str],
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]],
) -> str:
    """`groups` are headings, which may be empty, and labels with their figures."""
    tables = "".join(_group(heading, rows) for heading, rows in groups)
    return html_page(title, f"<p>{escape(about)}</p>\n{html_figures(plots)}{tables}")


def _group(heading: str, rows: Sequence[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><th scope='row'>{escape(label)}</th><td>{escape(value)}</td></tr>\n"
        for label, value in rows
    )
    head = f"<h2>{escape(heading)}</h2>\n" if heading else ""
    return f"{head}<div><table>\n{lines}</table></div>\n"
