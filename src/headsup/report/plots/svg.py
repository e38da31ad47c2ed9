"""Draws plots as SVG without a library.

Colours are CSS classes. A page has their style sheet once and shows the plots in the reader's light
or dark mode, a file of its own contains it (`svg_file`), and paper has fixed colours (`paper_svg`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 64, 24, 60, 52
PLOT_FONT = "system-ui, sans-serif"
PAPER_FONT = "Libertinus Serif"  # shipped with typst

_LIGHT = {
    "paper": "#ffffff", "ink": "#1d2528", "muted": "#5c6a70", "grid": "#d9dfe1",
    "gain": "#2b7a4b", "loss": "#b4552d", "neutral": "#a9b8c4", "ground": "#f6f8f8",
}  # fmt: skip
_DARK = {
    "paper": "#1b2326", "ink": "#e8eef0", "muted": "#a3b1b7", "grid": "#354146",
    "gain": "#54b57f", "loss": "#e08a5f", "neutral": "#5d6f7a", "ground": "#12181a",
}  # fmt: skip


def _colours(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


def _schemes(selector: str) -> str:
    return (
        f"{selector}{{color-scheme:light dark;{_colours(_LIGHT)}}}"
        f"@media screen and (prefers-color-scheme:dark){{{selector}{{{_colours(_DARK)}}}}}"
    )


def _classes(colours: Mapping[str, str], font: str) -> str:
    fills_and_lines = "".join(
        f".fill-{name}{{fill:{colour}}}.line-{name}{{stroke:{colour};fill:none}}"
        for name, colour in colours.items()
    )
    return (
        f"svg{{font-family:{font}}}{fills_and_lines}"
        f".outlined{{stroke:{colours['paper']};stroke-width:3px;paint-order:stroke}}"
    )


COLOUR_CSS = _schemes(":root")
PLOT_CSS = _classes({name: f"var(--{name})" for name in _LIGHT}, PLOT_FONT)
_PAPER_CSS = _classes(_LIGHT, PAPER_FONT)


def svg_file(svg: str) -> str:
    """A plot as a file of its own."""
    return _add_style(svg, _schemes("svg") + PLOT_CSS)


def paper_svg(svg: str) -> str:
    """A plot for printing."""
    return _add_style(svg, _PAPER_CSS)


def _add_style(svg: str, style: str) -> str:
    start, end, rest = svg.partition(">")
    return f"{start}{end}<style>{style}</style>{rest}"


def svg_picture(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """A picture with its title at the top."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{escape(title)}" font-size="12">'
        f'<rect width="{width:g}" height="{height:g}" class="fill-paper"/>'
        f'<text x="16" y="26" font-size="15" font-weight="600" class="fill-ink">{escape(title)}'
        f"</text>{''.join(parts)}</svg>\n"
    )


@dataclass(frozen=True)
class Plot:
    """The frame of a plot, which turns numbers into pixels."""

    title: str
    xs: tuple[float, float]  # lowest and highest number
    ys: tuple[float, float]
    axes: tuple[str, str] = ("", "")  # labels
    width: int = 720
    height: int = 340
    left: int = LEFT_MARGIN
    right: int = RIGHT_MARGIN
    top: int = TOP_MARGIN

    def x_pixels(self, x: float) -> float:
        low, high = self.xs
        return self.left + (self.right_edge - self.left) * (x - low) / ((high - low) or 1.0)

    def y_pixels(self, y: float) -> float:
        low, high = self.ys
        pixels = self.height - self.top - BOTTOM_MARGIN
        return self.height - BOTTOM_MARGIN - pixels * (y - low) / ((high - low) or 1.0)

    @property
    def bottom_edge(self) -> float:
        return self.height - BOTTOM_MARGIN

    @property
    def right_edge(self) -> float:
        return self.width - self.right

    def x_ticks(self, format: Callable[[float], str], lines: bool = False) -> list[str]:
        """Labels of round numbers below the frame, and if `lines`, lines through it."""
        parts = []
        for value in tick_values(*self.xs):
            x = self.x_pixels(value)
            if lines:
                parts.append(svg_line(x, self.top, x, self.bottom_edge, "grid"))
            anchor = "end" if x > self.right_edge - 12 else "middle"
            parts.append(svg_text(x, self.bottom_edge + 18, format(value), anchor))
        return parts

    def y_ticks(self, format: Callable[[float], str]) -> list[str]:
        """Labels of round numbers left of the frame, with lines through it."""
        parts = []
        for value in tick_values(*self.ys):
            y = self.y_pixels(value)
            parts.append(svg_line(self.left, y, self.right_edge, y, "grid"))
            parts.append(svg_text(self.left - 8, y + 4, format(value), "end"))
        return parts

    def render(self, parts: Sequence[str]) -> str:
        x_label, y_label = self.axes
        frame = [
            svg_text((self.left + self.right_edge) / 2, self.height - 12, x_label, "middle")
            if x_label
            else "",
            svg_text(16, self.top - 14, y_label) if y_label else "",
            svg_line(self.left, self.bottom_edge, self.right_edge, self.bottom_edge, "grid"),
        ]
        return svg_picture(self.title, self.width, self.height, [*frame, *parts])


def tick_values(low: float, high: float) -> list[float]:
    """About five round numbers from `low` to `high`."""
    span = (high - low) or 1.0
    power = 10.0 ** floor(log10(span / 5))
    step = min((power * times for times in (1, 2, 5, 10)), key=lambda step: abs(span / step - 5))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def tick_formatter(limits: tuple[float, float]) -> Callable[[float], str]:
    """A function that formats this range's tick values with the decimals they need."""
    ticks = tick_values(*limits)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    decimals = max(0, -floor(log10(step) + 1e-9))
    return lambda tick: f"{tick + 0.0:,.{decimals}f}"


# Parts of a plot.


def svg_line(x1: float, y1: float, x2: float, y2: float, colour: str, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="3 4" opacity="0.7"' if dashed else ""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="line-{colour}"{dashes}/>'


def svg_curve(points: Sequence[tuple[float, float]], colour: str, width: float = 2.5) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" class="line-{colour}" stroke-width="{width}"/>'


def svg_bar(
    x1: float, y1: float, x2: float, y2: float, colour: str, opacity: float = 1.0, round: int = 0
) -> str:
    faint = f' opacity="{opacity:.3g}"' if opacity < 1 else ""
    corners = f' rx="{round}"' if round else ""
    return (
        f'<rect x="{x1:.1f}" y="{y1:.1f}" width="{x2 - x1:.2f}" height="{max(0.0, y2 - y1):.1f}" '
        f'class="fill-{colour}"{corners}{faint}/>'
    )


def svg_dot(x: float, y: float, size: float, colour: str, opacity: float = 1.0) -> str:
    faint = f' opacity="{opacity}"' if opacity < 1 else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" class="fill-{colour}"{faint}/>'


def svg_text(
    x: float, y: float, words: str, anchor: str = "start", colour: str = "muted", style: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="fill-{colour}"{style}>'
        f"{escape(words)}</text>"
    )


def svg_label(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    """Bold text with an outline in the paper's colour, readable on top of anything."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="600" '
        f'class="fill-{colour} outlined">{escape(words)}</text>'
    )
