"""Plots of sessions as SVG, drawn without any library: results by chance, and ruin by round."""

from collections.abc import Sequence
from html import escape

from headsup.analysis.session import Fortune, SessionTotals
from headsup.game.money import dollars

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 44
BARS = 120
INK, MUTED, GAIN, LOSS, GRID = "#1d2528", "#5c6a70", "#2b7a4b", "#b4552d", "#d9dfe1"
FONT = "system-ui, sans-serif"


def session_plot(totals: SessionTotals) -> str:
    """How likely each result is; what is left of zero is lost."""
    bars = _bars(totals)
    low, high = bars[0][0], bars[-1][1]
    tallest = max(height for *_, height in bars) or 1.0

    def across(cents: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (cents - low) / (high - low)

    def up(chance: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chance / tallest

    drawn = [
        f'<rect x="{across(a):.1f}" y="{up(height):.1f}" width="{across(b) - across(a):.2f}" '
        f'height="{up(0) - up(height):.1f}" fill="{GAIN if a + b > 0 else LOSS}"/>'
        for a, b, height in bars
    ]
    ticks = [
        _text(across(cents), HEIGHT - BOTTOM + 18, _money(cents), "middle")
        for cents in _round_marks(low, high)
    ]
    marks = [
        _mark(across(totals.quantile(chance)), f"{chance:.0%}") for chance in (0.05, 0.5, 0.95)
    ]
    title = f"Result after {totals.rounds:,} rounds: ahead {totals.ahead:.1%}"
    return _picture(title, [*drawn, *marks, *ticks])


def _bars(totals: SessionTotals) -> list[tuple[float, float, float]]:
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

    def line(values: Sequence[float], colour: str) -> str:
        points = " ".join(
            f"{LEFT + (WIDTH - LEFT - RIGHT) * at / last:.1f},"
            f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most:.1f}"
            for (at, *_), value in zip(fortune.course, values, strict=True)
        )
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>'

    parts = [line([ruin for _, ruin, _ in fortune.course], LOSS)]
    title = f"Ruined within {last:,} rounds: {fortune.ruin:.2%}"
    if fortune.target:
        parts.append(line([target for *_, target in fortune.course], GAIN))
        title += f"; target reached: {fortune.target:.2%}"
    for share in (0.0, 0.5, 1.0):
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
        parts.append(_text(LEFT - 8, y + 4, f"{share * most:.1%}", "end"))
        x = LEFT + (WIDTH - LEFT - RIGHT) * share
        parts.append(_text(x, HEIGHT - BOTTOM + 18, f"{share * last:,.0f}", "middle"))
    return _picture(title, parts)


def _picture(title: str, parts: Sequence[str]) -> str:
    base = HEIGHT - BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-family="{FONT}" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="600" fill="{INK}">{escape(title)}'
        f'</text><line x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" stroke="{GRID}"/>'
        + "".join(parts)
        + "</svg>\n"
    )


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{MUTED}">'
        f"{escape(words)}</text>"
    )


def _mark(x: float, words: str) -> str:
    return (
        f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="{INK}" '
        f'stroke-dasharray="3 4" opacity="0.6"/>' + _text(x, TOP - 2, words, "middle")
    )


def _round_marks(low: float, high: float) -> list[int]:
    """About five round sums of dollars between the two, in cents."""
    span = (high - low) / 100
    step = 1
    while span / step > 6:
        step *= 2 if str(step)[0] in "15" else 5
        step = int(float(f"{step:.0e}"))
    first = -int(-low // (100 * step)) * step
    return [100 * mark for mark in range(first, int(high // 100) + 1, step)]


def _money(cents: int) -> str:
    return dollars(cents).removesuffix(".00")


def session_page(
    title: str, about: str, plots: Sequence[str], rows: Sequence[tuple[str, str]]
) -> str:
    """One HTML file that asks nothing of the network."""
    table = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{escape(value)}</td></tr>\n"
        for name, value in rows
    )
    figures = "".join(f"<figure>{plot}</figure>\n" for plot in plots)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>\n'
        f"body {{ font: 16px/1.5 {FONT}; color: {INK}; max-width: 46rem; margin: 2rem auto; "
        "padding: 0 1rem; background: #f6f8f8; }\nfigure { margin: 1.5rem 0; }\n"
        f"svg {{ width: 100%; height: auto; border: 1px solid {GRID}; border-radius: 8px; }}\n"
        "table { border-collapse: collapse; width: 100%; background: #fff; }\n"
        f"th, td {{ text-align: left; padding: .35rem .75rem; border-bottom: 1px solid {GRID}; }}\n"
        "th { font-weight: 400; } td { text-align: right; font-variant-numeric: tabular-nums; }\n"
        f"p {{ color: {MUTED}; }}\n</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"<p>{escape(about)}</p>\n{figures}<table>\n{table}</table>\n</main>\n</body>\n</html>\n"
    )
