"""Pictures of a design as SVG: what a nearer table costs in change, and edge beside volatility."""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from headsup.analysis.design.search import front
from headsup.analysis.design.tables import NEAR, DesignFound
from headsup.analysis.design.worth import Doubles

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 44, 56
INK, MUTED, FOUND, CLOUD, GRID = "#1d2528", "#5c6a70", "#187a4b", "#a9b8c4", "#d9dfe1"
MARK = "#b4552d"
FONT = "system-ui, sans-serif"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Place = Callable[[float], float]


def front_plot(found: DesignFound) -> str:
    """The Pareto front: no table below it is both nearer to the target and less changed."""
    cloud = found.cloud
    points = [(table.change, table.miss) for table in found.found]
    near = cloud.misses <= max(NEAR, 2 * found.found[0].miss)
    xs = np.array([*cloud.change[near], *(x for x, _ in points)])
    ys = np.array([*cloud.misses[near], *(y for _, y in points)])
    best = front(ys, xs)
    return _picture(
        "How near the target, and how much changed",
        ("Change from the present pays", "Miss, in allowances"),
        (xs, ys),
        points,
        line=[(float(xs[at]), float(ys[at])) for at in best],
        level=1.0,
    )


def spread_plot(found: DesignFound) -> str:
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
    line: Sequence[tuple[float, float]] = (),
    level: float | None = None,
    upright: float | None = None,
    last: str = "",
) -> str:
    across = _scale(cloud[0], LEFT, WIDTH - RIGHT)
    up = _scale(cloud[1], HEIGHT - BOTTOM, TOP)
    parts = [*_ticks(cloud[0], across, flat=True), *_ticks(cloud[1], up, flat=False)]
    parts += [
        f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="1.8" fill="{CLOUD}" opacity="0.55"/>'
        for x, y in zip(cloud[0].tolist(), cloud[1].tolist(), strict=True)
    ]
    if line:
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{FOUND}" stroke-width="1.5"/>')
    if level is not None:
        parts.append(_rule(LEFT, up(level), WIDTH - RIGHT, up(level)))
    if upright is not None:
        parts.append(_rule(across(upright), TOP, across(upright), HEIGHT - BOTTOM))
    for number, (x, y) in enumerate(points):
        is_now = bool(last) and number == len(points) - 1
        parts.append(_point(across(x), up(y), last if is_now else LETTERS[number % 26], is_now))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, axes[0], "middle"))
    parts.append(_text(8, TOP - 14, axes[1], "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-family="{FONT}" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="{WIDTH - RIGHT}" y="22" text-anchor="end" font-size="15" font-weight="600" '
        f'fill="{INK}">{escape(title)}</text>' + "".join(parts) + "</svg>\n"
    )


def _scale(values: Doubles, first: float, last: float) -> Place:
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.04 or 1.0
    low, high = low - room, high + room
    return lambda value: first + (last - first) * (value - low) / (high - low)


def _ticks(values: Doubles, place: Place, flat: bool) -> list[str]:
    """About six round numbers, each with a line across the picture."""
    low, high = float(values.min()), float(values.max())
    span = (high - low) or 1.0
    step = 10.0 ** np.floor(np.log10(span / 5))
    step = min((step * times for times in (1, 2, 5, 10)), key=lambda one: abs(span / one - 5))
    marks = np.arange(np.ceil(low / step) * step, high + step / 1e6, step)
    places = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    drawn = []
    for mark in marks.tolist():
        at, words = place(mark), f"{mark + 0.0:.{places}f}"
        if flat:
            drawn.append(_line(at, TOP, at, HEIGHT - BOTTOM))
            drawn.append(_text(at, HEIGHT - BOTTOM + 18, words, "middle"))
        else:
            drawn.append(_line(LEFT, at, WIDTH - RIGHT, at))
            drawn.append(_text(LEFT - 8, at + 4, words, "end"))
    return drawn


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{GRID}"/>'


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{INK}" stroke-dasharray="3 4" '
        'opacity="0.6"/>'
    )


def _point(x: float, y: float, name: str, is_now: bool) -> str:
    colour = MARK if is_now else FOUND
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
        f'<text x="{x + 8:.1f}" y="{y - 6:.1f}" font-weight="600" fill="{colour}" '
        f'stroke="#fff" stroke-width="3" paint-order="stroke">{escape(name)}</text>'
    )


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{MUTED}">'
        f"{escape(words)}</text>"
    )
