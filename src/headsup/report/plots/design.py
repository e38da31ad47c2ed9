"""Pictures of a design as SVG: what a nearer table costs in change, and edge beside volatility."""

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
MIN_LABEL_GAP = 13.0  # between the words of points that lie on each other


def front_plot(found: DesignResult) -> str:
    """The Pareto front: no table below it is both nearer to the target and less changed."""
    cloud = found.cloud
    points = [(table.change, table.miss) for table in found.found]
    near = cloud.misses <= max(NEAR_TOLERANCES, 2 * found.found[0].miss)
    xs = np.array([*cloud.change[near], *(x for x, _ in points)])
    ys = np.array([*cloud.misses[near], *(y for _, y in points)])
    best = pareto_front(ys, xs)
    return _picture(
        "How near the target, and how much changed",
        ("Change from the present pays", "Miss, in times what is allowed"),
        (xs, ys),
        points,
        line_through=[(float(xs[at]), float(ys[at])) for at in best],
        level=(1.0, "allowed"),
    )


def spread_plot(found: DesignResult) -> str:
    """House edge and standard deviation of the tables near the target."""
    cloud = found.cloud
    tables = [*found.found, found.present]
    points = [(100 * float(table.house_edge), float(table.variance) ** 0.5) for table in tables]
    xs = np.array([*(100 * cloud.edges), *(x for x, _ in points)])
    ys = np.array([*cloud.deviations, *(y for _, y in points)])
    return _picture(
        "House edge and volatility",
        ("House edge, %", "Standard deviation"),
        (xs, ys),
        points,
        upright=100 * float(found.goal.house_edge),
        last="now",
    )


def _picture(
    title: str,
    axes: tuple[str, str],
    cloud: tuple[Doubles, Doubles],
    points: Sequence[tuple[float, float]],
    line_through: Sequence[tuple[float, float]] = (),
    level: tuple[float, str] | None = None,
    upright: float | None = None,
    last: str = "",
) -> str:
    xs, ys = _padded_range(cloud[0]), _padded_range(cloud[1])
    plot = Plot(title, xs, ys, axes, height=HEIGHT)
    across, up = plot.across, plot.up
    parts = [*plot.marks_up(tick_formatter(ys)), *plot.marks_across(tick_formatter(xs), lines=True)]
    parts += [
        svg_dot(across(x), up(y), 1.8, "cloud", 0.55)
        for x, y in zip(cloud[0].tolist(), cloud[1].tolist(), strict=True)
    ]
    if line_through:
        parts.append(svg_curve([(across(x), up(y)) for x, y in line_through], "gain", 1.5))
    if level is not None:
        at = up(level[0])
        parts.append(svg_line(plot.left, at, plot.end, at, "ink", dashed=True))
        parts.append(svg_label(plot.end - 4, at - 5, level[1], "end", "ink"))
    if upright is not None:
        parts.append(
            svg_line(across(upright), TOP_MARGIN, across(upright), plot.base, "ink", dashed=True)
        )
    places = [(across(x), up(y)) for x, y in points]
    parts += [
        svg_dot(*place, 5, "loss" if last and number == len(points) - 1 else "gain")
        for number, place in enumerate(places)
    ]
    return plot.drawn([*parts, *_names(places, last)])


def _names(places: Sequence[tuple[float, float]], last: str) -> list[str]:
    """A letter beside each point; the last may have a word, which stands left of it."""
    named = []
    written: list[tuple[float, float]] = []
    order = sorted(range(len(places)), key=lambda number: -places[number][1])
    for number in order:
        x, y = places[number]
        y += 4
        if last and number == len(places) - 1:
            named.append(svg_label(x - 9, y, last, "end", "loss"))
            continue
        while any(
            abs(x - there) < MIN_LABEL_GAP and abs(y - height) < MIN_LABEL_GAP
            for there, height in written
        ):
            y -= 1
        written.append((x, y))
        named.append(svg_label(x + 9, y, TABLE_LETTERS[number % 26], "start", "gain"))
    return named


def _padded_range(values: Doubles) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.04 or 1.0
    return low - room, high + room
