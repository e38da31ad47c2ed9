"""Draws the charts of a par sheet as SVG, with Altair and vl-convert, without a browser.

Charts are drawn in stand-in colours, which are replaced at the end: by CSS variables for a web
page (light or dark), by fixed colours for a PDF.
"""

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

from headsup.analysis.par.main_rows import net_distribution
from headsup.analysis.par.par_sheet import ParSheet, SideSheet
from headsup.analysis.solver.solution import chart_names
from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS

# Stand-ins, replaced in the finished SVG.
INK, LINE, GOOD, BAD = "#010203", "#040506", "#070809", "#0a0b0c"
PAGE_COLOURS = {
    INK: "currentColor",
    LINE: "var(--line)",
    GOOD: "var(--good)",
    BAD: "var(--bad)",
}
PAPER_COLOURS = {INK: "#1d2430", LINE: "#d5d9e0", GOOD: "#187a4b", BAD: "#b4552d"}
_WIDTH, _LABEL_WIDTH = 620, 260  # pixels; a longer label ends in …
_LAST_NET = 8  # results of this many Antes or more share a bar


def import_extra(name: str) -> Any:
    """Import a library of the optional `reports` extra, or refuse if it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise Refused(Code.MISSING_EXTRA, library=name) from None


def par_charts(sheet: ParSheet, colours: Mapping[str, str], font: str) -> dict[str, str]:
    """The pocket chart, the results of a round and the side wagers, by section."""
    charts = {"pocket": pocket_heat_map(sheet), "main": result_bars(sheet)}
    charts |= {side.wager.value: return_bars(side) for side in sheet.sides}
    return {key: _svg(chart, colours, font) for key, chart in charts.items()}


def _svg(chart: Any, colours: Mapping[str, str], font: str) -> str:
    spec = _apply_style(chart, font).to_dict()
    svg: str = import_extra("vl_convert").vegalite_to_svg(spec, allowed_base_urls=[])
    return _fill_colours(svg, colours)


def _fill_colours(svg: str, colours: Mapping[str, str]) -> str:
    """Replace the colours in attributes only: a label might read like one.

    Also removes ARIA attributes: the page labels the chart as a whole.
    """
    picture = ElementTree.fromstring(svg)
    for element in picture.iter():
        for name, value in list(element.attrib.items()):
            if name == "role" or name.startswith("aria-"):
                del element.attrib[name]
            elif value in colours:
                element.set(name, colours[value])
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(picture, encoding="unicode")


def _apply_style(chart: Any, font: str) -> Any:
    axis: dict[str, Any] = {"labelColor": INK, "titleColor": INK, "gridColor": LINE}
    axis |= {"domainColor": LINE, "tickColor": LINE, "labelFontSize": 12, "titleFontSize": 12}
    axis |= {"titleFontWeight": "normal", "labelLimit": _LABEL_WIDTH}
    return (
        chart.properties(padding={"left": 24, "right": 8, "top": 5, "bottom": 5})
        .configure(font=font, background="transparent")
        .configure_view(strokeWidth=0)
        .configure_axis(**axis)
        .configure_text(color=INK)
    )


def pocket_heat_map(sheet: ParSheet) -> Any:
    """The gain of raising over checking, in Antes, for each of the 169 hands."""
    alt = import_extra("altair")
    cells = _pocket_cells(sheet)
    ranks = list(RANKS[::-1])
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:O", sort=ranks, axis=None), y=alt.Y("row:O", sort=ranks, axis=None)
    )
    squares = base.mark_rect(stroke=LINE, strokeWidth=1, cornerRadius=3).encode(
        color=alt.Color(
            "best:N", scale=alt.Scale(domain=["raise", "check"], range=[GOOD, BAD]), legend=None
        ),
        opacity=alt.Opacity("weight:Q", scale=None),
    )
    names = base.mark_text(dy=-6, fontSize=13, fontWeight="bold").encode(text="name:N")
    gains = base.mark_text(dy=9, fontSize=11, opacity=0.85).encode(text="gain:N")
    return (squares + names + gains).properties(width=_WIDTH, height=_WIDTH * 0.78)


def _pocket_cells(sheet: ParSheet) -> list[dict[str, Any]]:
    gains = {
        name: float(max(pocket.raises.values()) - pocket.check)
        for name, pocket in sheet.solution.pocket.items()
    }
    highest = max(map(abs, gains.values())) or 1.0
    cells = []
    ranks = RANKS[::-1]
    for row, names in zip(ranks, chart_names(), strict=True):
        for column, name in zip(ranks, names, strict=True):
            gain = gains[name]
            cells.append(
                {
                    "row": row,
                    "column": column,
                    "name": name,
                    "gain": _format_gain(gain),
                    "best": "raise" if sheet.solution.pocket[name].best else "check",
                    "weight": 0.1 + 0.75 * (abs(gain) / highest) ** 0.6,
                }
            )
    return cells


def _format_gain(gain: float) -> str:
    """Two decimals, or more if two would show zero."""
    decimals = 2 if abs(gain) >= 0.01 else 3 if abs(gain) >= 0.001 else 4
    return f"{gain:+.{decimals}f}".replace("-", "−")


def result_bars(sheet: ParSheet) -> Any:
    """How often a round ends with each result, in Antes."""
    alt = import_extra("altair")
    rows: dict[str, dict[str, Any]] = {}
    for net, probability in net_distribution(sheet.solution).items():
        label = f"{_LAST_NET}+" if net >= _LAST_NET else f"{float(net):+g}".replace("-", "−")
        label = "0" if net == 0 else label
        row = rows.setdefault(label, {"label": label, "share": 0.0, "sign": _sign(net)})
        row["share"] += float(probability)
    values = [{**row, "text": f"{row['share']:.2%}"} for row in rows.values()]
    labels = list(rows)
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("label:O", sort=labels, title="Result in Antes", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title=None, axis=alt.Axis(format="%", grid=True, ticks=False)),
    )
    bars = base.mark_bar(cornerRadiusEnd=3).encode(color=_sign_colour(alt))
    texts = base.mark_text(dy=-7, fontSize=10).encode(text="text:N")
    return (bars + texts).properties(width=_WIDTH, height=230)


def _sign(net: Fraction) -> str:
    return "gain" if net > 0 else "loss" if net < 0 else "none"


def _sign_colour(alt: Any) -> Any:
    scale = alt.Scale(domain=["gain", "loss", "none"], range=[GOOD, BAD, LINE])
    return alt.Color("sign:N", scale=scale, legend=None)


def return_bars(side: SideSheet) -> Any:
    """The share of the stake that each outcome returns."""
    alt = import_extra("altair")
    rows: list[dict[str, Any]] = [
        {
            "outcome": row.outcome,
            "label": row.label,
            "share": float(row.returned),
            "text": f"{float(row.returned):.2%}  ({row.pay.short})",
        }
        for row in side.outcomes
        if row.returned
    ]
    highest = max((row["share"] for row in rows), default=1.0)
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("outcome:N", sort=[row["outcome"] for row in rows], axis=None),
        x=alt.X(
            "share:Q",
            title="Returned of each unit staked",
            axis=alt.Axis(format="%", tickCount=6, grid=False),
            scale=alt.Scale(domainMax=1.25 * highest),
        ),
    )
    bars = base.mark_bar(cornerRadiusEnd=3, height=15, color=GOOD)
    names = base.mark_text(align="right", dx=-8, fontSize=12, limit=_LABEL_WIDTH).encode(
        text="label:N", x=alt.value(0)
    )
    texts = base.mark_text(align="left", dx=5, fontSize=11).encode(text="text:N")
    return (bars + names + texts).properties(width=_WIDTH - 200, height=max(24 * len(rows), 60))
