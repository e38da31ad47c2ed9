"""Draws the charts of a par sheet: the pocket chart, the results of a round, the side wagers."""

from collections import defaultdict

from headsup.analysis.par.main_rows import net_distribution
from headsup.analysis.par.par_sheet import SideSheet
from headsup.analysis.solver.solution import Solution, chart_names
from headsup.report.plots.svg import (
    BOTTOM_MARGIN,
    Plot,
    svg_bar,
    svg_picture,
    svg_text,
    tick_values,
)

_WIDTH, _MARGIN = 720, 16
_CELL_HEIGHT, _CELL_GAP = 42, 3
_LAST_NET = 8  # results of this many Antes or more share a bar
_ROW_HEIGHT, _NAMES_WIDTH, _FIGURES_WIDTH, _ROWS_TOP = 24, 250, 132, 40
_MAX_LABEL_LENGTH = 36  # characters; a longer label ends in …


def pocket_chart(solution: Solution) -> str:
    """The gain of raising over checking, in Antes, for each of the 169 hands."""
    gains = {
        name: float(max(pocket.raises.values()) - pocket.check)
        for name, pocket in solution.pocket.items()
    }
    highest = max(map(abs, gains.values())) or 1.0
    width = (_WIDTH - 2 * _MARGIN + _CELL_GAP) / 13
    top = 44.0
    parts = []
    for row, names in enumerate(chart_names()):
        for column, name in enumerate(names):
            x, y = _MARGIN + column * width, top + row * _CELL_HEIGHT
            right, bottom = x + width - _CELL_GAP, y + _CELL_HEIGHT - _CELL_GAP
            middle = (x + right) / 2
            colour = "gain" if solution.pocket[name].best else "loss"
            strength = 0.1 + 0.6 * (abs(gains[name]) / highest) ** 0.6
            bold = ' font-size="13" font-weight="600"'
            parts += [
                svg_bar(x, y, right, bottom, colour, strength, round=4),
                svg_text(middle, y + 17, name, "middle", "ink", bold),
                svg_text(middle, y + 32, _format_gain(gains[name]), "middle", "ink"),
            ]
    title = "What raising gains over checking, in Antes"
    return svg_picture(title, _WIDTH, top + 13 * _CELL_HEIGHT + _MARGIN, parts)


def _format_gain(gain: float) -> str:
    """Two decimals, or more if two would show zero."""
    decimals = 2 if abs(gain) >= 0.01 else 3 if abs(gain) >= 0.001 else 4
    return f"{gain:+.{decimals}f}".replace("-", "−")


def result_bars(solution: Solution) -> str:
    """How often a round ends with each result, in Antes."""
    shares: dict[str, float] = defaultdict(float)
    colours = {}
    for net, probability in net_distribution(solution).items():
        label = f"{_LAST_NET}+" if net >= _LAST_NET else f"{float(net):+g}".replace("-", "−")
        label = label if net else "0"
        shares[label] += float(probability)
        colours[label] = "gain" if net > 0 else "loss" if net < 0 else "neutral"
    plot = Plot(
        "How a round ends, Ante, Odds and Raise together",
        (0.0, float(len(shares))),
        (0.0, max(shares.values())),
        ("Result in Antes", ""),
        height=320,
    )
    parts = plot.y_ticks(lambda share: f"{share:.0%}")
    for place, (label, share) in enumerate(shares.items()):
        left, right = plot.x_pixels(place + 0.12), plot.x_pixels(place + 0.88)
        middle, top = (left + right) / 2, plot.y_pixels(share)
        parts += [
            svg_bar(left, top, right, plot.bottom_edge, colours[label]),
            svg_text(middle, top - 6, f"{share:.2%}", "middle", "ink", ' font-size="10"'),
            svg_text(middle, plot.bottom_edge + 18, label, "middle"),
        ]
    return plot.render(parts)


def return_bars(side: SideSheet) -> str:
    """The share of the stake that each outcome returns."""
    rows = [row for row in side.outcomes if row.returned]
    plot = Plot(
        "Where the return comes from (pays in brackets)",
        (0.0, max((float(row.returned) for row in rows), default=1.0)),
        (0.0, float(len(rows) or 1)),
        ("Returned of each unit staked", ""),
        height=_ROWS_TOP + BOTTOM_MARGIN + _ROW_HEIGHT * (len(rows) or 1),
        left=_NAMES_WIDTH,
        right=_FIGURES_WIDTH,
        top=_ROWS_TOP,
    )
    ticks = tick_values(*plot.xs)
    decimals = 0 if len(ticks) < 2 or ticks[1] >= 0.01 else 2
    parts = plot.x_ticks(lambda share: f"{share:.{decimals}%}", lines=True)
    for place, row in enumerate(rows):
        y = _ROWS_TOP + _ROW_HEIGHT * (place + 0.5)
        right = plot.x_pixels(float(row.returned))
        figures = f"{float(row.returned):.2%}  ({row.pay.short})"
        parts += [
            svg_text(plot.left - 8, y + 4, _shorten(row.label), "end", "ink"),
            svg_bar(plot.left, y - 8, right, y + 8, "gain", round=2),
            svg_text(right + 6, y + 4, figures),
        ]
    return plot.render(parts)


def _shorten(label: str) -> str:
    return label if len(label) <= _MAX_LABEL_LENGTH else f"{label[: _MAX_LABEL_LENGTH - 1]}…"
