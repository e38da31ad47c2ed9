"""Plots a paytable design: miss against change, and house edge against volatility."""

from collections.abc import Sequence

import numpy as np

from headsup.analysis.design.pay_values import Doubles
from headsup.analysis.design.paytables import NEAR_TOLERANCES, DesignResult
from headsup.analysis.design.search import pareto_front
from headsup.report.plots.svg import (
    TOP_MARGIN,
    Plot,
    svg_curve,
    svg_dot,
    svg_label,
    svg_line,
    tick_formatter,
)

TABLE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEIGHT = 400
MIN_LABEL_GAP = 13.0  # between the labels of points that coincide


def front_plot(result: DesignResult) -> str:
    """The Pareto front: no table below it is both nearer to the target and less changed."""
    sample = result.sample
    points = [(table.change, table.miss) for table in result.tables]
    near = sample.misses <= max(NEAR_TOLERANCES, 2 * result.tables[0].miss)
    xs = np.array([*sample.change[near], *(x for x, _ in points)])
    ys = np.array([*sample.misses[near], *(y for _, y in points)])
    best = pareto_front(ys, xs)
    return _picture(
        "Distance from the target, and change",
        ("Change from the present pays", "Miss, as a multiple of the tolerance"),
        (xs, ys),
        points,
        line_through=[(float(xs[i]), float(ys[i])) for i in best],
        level=(1.0, "tolerance"),
    )


def spread_plot(result: DesignResult) -> str:
    """House edge and standard deviation of the tables near the target."""
    sample = result.sample
    tables = [*result.tables, result.present]
    points = [(100 * float(table.house_edge), float(table.variance) ** 0.5) for table in tables]
    xs = np.array([*(100 * sample.edges), *(x for x, _ in points)])
    ys = np.array([*sample.deviations, *(y for _, y in points)])
    return _picture(
        "House edge and volatility",
        ("House edge, %", "Standard deviation"),
        (xs, ys),
        points,
        upright=100 * float(result.goal.house_edge),
        last="now",
    )


def _picture(
    title: str,
    axes: tuple[str, str],
    sample: tuple[Doubles, Doubles],
    points: Sequence[tuple[float, float]],
    line_through: Sequence[tuple[float, float]] = (),
    level: tuple[float, str] | None = None,
    upright: float | None = None,
    last: str = "",
) -> str:
    xs, ys = _padded_range(sample[0]), _padded_range(sample[1])
    plot = Plot(title, xs, ys, axes, height=HEIGHT)
    x_pixels, y_pixels = plot.x_pixels, plot.y_pixels
    parts = [*plot.y_ticks(tick_formatter(ys)), *plot.x_ticks(tick_formatter(xs), lines=True)]
    parts += [
        svg_dot(x_pixels(x), y_pixels(y), 1.8, "neutral", 0.55)
        for x, y in zip(sample[0].tolist(), sample[1].tolist(), strict=True)
    ]
    if line_through:
        parts.append(svg_curve([(x_pixels(x), y_pixels(y)) for x, y in line_through], "gain", 1.5))
    if level is not None:
        height = y_pixels(level[0])
        parts.append(svg_line(plot.left, height, plot.right_edge, height, "ink", dashed=True))
        parts.append(svg_label(plot.right_edge - 4, height - 5, level[1], "end", "ink"))
    if upright is not None:
        parts.append(
            svg_line(
                x_pixels(upright),
                TOP_MARGIN,
                x_pixels(upright),
                plot.bottom_edge,
                "ink",
                dashed=True,
            )
        )
    pixels = [(x_pixels(x), y_pixels(y)) for x, y in points]
    parts += [
        svg_dot(*point, 5, "loss" if last and i == len(points) - 1 else "gain")
        for i, point in enumerate(pixels)
    ]
    return plot.render([*parts, *_labels(pixels, last)])


def _labels(points: Sequence[tuple[float, float]], last: str) -> list[str]:
    """A letter beside each point; `last` is the last point's label, to its left."""
    labels = []
    occupied: list[tuple[float, float]] = []
    from_below = sorted(range(len(points)), key=lambda i: -points[i][1])
    for i in from_below:
        x, y = points[i]
        y += 4
        if last and i == len(points) - 1:
            labels.append(svg_label(x - 9, y, last, "end", "loss"))
            continue
        while any(
            abs(x - other_x) < MIN_LABEL_GAP and abs(y - other_y) < MIN_LABEL_GAP
            for other_x, other_y in occupied
        ):
            y -= 1
        occupied.append((x, y))
        labels.append(svg_label(x + 9, y, TABLE_LETTERS[i % 26], "start", "gain"))
    return labels


def _padded_range(values: Doubles) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    padding = (high - low) * 0.04 or 1.0
    return low - padding, high + padding
