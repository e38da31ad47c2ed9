"""Plots of sessions: results by chance, and ruin by round."""

from collections.abc import Sequence
from html import escape

from headsup.analysis.printout.drawing import (
    TOP,
    Plot,
    bar,
    curve,
    figures,
    line,
    name,
    page,
    text,
)
from headsup.analysis.session import Fortune, SessionTotals
from headsup.game.money import dollars

BARS = 120
MARKED = (0.05, 0.5, 0.95)
Bar = tuple[float, float, float]  # from, to, chance of each place between


def session_plot(totals: SessionTotals) -> str:
    """How likely each result is; what is left of zero is lost."""
    bars = session_bars(totals)
    rounds = "1 round" if totals.rounds == 1 else f"{totals.rounds:,} rounds"
    plot = Plot(
        f"Result after {rounds}: ahead {totals.ahead:.1%}",
        (bars[0][0], bars[-1][1]),
        (0.0, max(height for *_, height in bars) or 1.0),
        ("Won or lost", ""),
        left=24,
    )
    drawn = [
        bar(plot.across(a), plot.up(height), plot.across(b), plot.base,
            "gain" if a + b > 0 else "loss")
        for a, b, height in bars
    ]  # fmt: skip
    marks = []
    beyond = 0.0  # where the words of the last mark end
    for chance in MARKED:
        cents = totals.quantile(chance)
        at, words = plot.across(cents), f"{chance:.0%}: {whole_dollars(cents)}"
        marks.append(line(at, TOP, at, plot.base, "ink", dashed=True))
        width = 6.5 * len(words)
        start = max(at - width / 2, beyond)
        beyond = start + width + 8
        marks.append(text(start, TOP - 8, words))
    return plot.drawn([*drawn, *marks, *plot.marks_across(whole_dollars)])


def whole_dollars(cents: float) -> str:
    return dollars(round(cents)).removesuffix(".00")


def session_bars(totals: SessionTotals) -> list[Bar]:
    """(from, to, chance) between the outermost thousandths."""
    low, high = totals.quantile(0.001), totals.quantile(0.999)
    results, chances = totals.results, totals.chances
    inside = (results >= low) & (results <= high)
    places = max(1, int(inside.sum()))
    each = max(1, -(-places // BARS))
    shown, weight = results[inside], chances[inside]
    return [
        (
            float(shown[i]) - totals.step / 2,
            float(shown[min(i + each, places) - 1]) + totals.step / 2,
            float(weight[i : i + each].sum()) / min(each, places - i),
        )
        for i in range(0, places, each)
    ]


def ruin_plot(fortune: Fortune) -> str:
    """The chance to be ruined, and to have reached the target, by round."""
    last = fortune.course[-1][0]
    most = max(max(ruin, target) for _, ruin, target in fortune.course) or 1.0
    title = f"Ruined within {last:,} rounds: {fortune.ruin:.2%}"
    if fortune.target:
        title += f"; target reached: {fortune.target:.2%}"
    plot = Plot(title, (0.0, float(last)), (0.0, most), ("Rounds", ""))

    def course(values: Sequence[float], colour: str, words: str) -> list[str]:
        points = [
            (plot.across(at), plot.up(value))
            for (at, *_), value in zip(fortune.course, values, strict=True)
        ]
        x, y = points[-1]
        return [curve(points, colour), name(x, y + 26, words, "end", colour)]

    parts = [*plot.marks_up(lambda share: f"{share:.0%}" if most > 0.05 else f"{share:.2%}")]
    parts += course([ruin for _, ruin, _ in fortune.course], "loss", "ruined")
    if fortune.target:
        parts += course([target for *_, target in fortune.course], "gain", "target reached")
    return plot.drawn([*parts, *plot.marks_across(lambda rounds: f"{rounds:,.0f}")])


def session_page(
    title: str, about: str, plots: Sequence[str], rows: Sequence[tuple[str, str]]
) -> str:
    table = "".join(
        f"<tr><th scope='row'>{escape(label)}</th><td>{escape(value)}</td></tr>\n"
        for label, value in rows
    )
    return page(
        title,
        f"<p>{escape(about)}</p>\n{figures(plots)}<div><table>\n{table}</table></div>\n",
    )
