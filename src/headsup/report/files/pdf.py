"""Builds a sheet as PDF with typst: fonts embedded, the same bytes on every run."""

import json
from importlib import import_module, resources
from re import sub
from textwrap import shorten
from typing import Any

from headsup.game.refusal import Code, Refused
from headsup.report.plots.svg import paper_svg
from headsup.report.sheet import Chart, Section, Sheet

_MAX_WORD_LENGTH, _MAX_FOOTER_LENGTH = 24, 90  # characters; longer words may be broken


def import_typst() -> Any:
    """The library of the optional `reports` extra. Refuses if it is missing."""
    try:
        return import_module("typst")
    except ImportError:
        raise Refused(Code.MISSING_EXTRA, library="typst") from None


def sheet_pdf(sheet: Sheet) -> bytes:
    template = resources.files(__package__).joinpath("sheet.typ").read_bytes()
    content = {
        "title": sheet.title,
        "footer": shorten(sheet.title, _MAX_FOOTER_LENGTH, placeholder="…"),
        "about": sheet.about,
        "identity": sheet.identity.facts if sheet.identity else (),
        "notes": sheet.notes,
        "figures": [(section.title, section.edge) for section in sheet.sections if section.edge],
        "sections": [_section(section) for section in sheet.shown],
    }
    pdf: bytes = import_typst().compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"sheet": json.dumps(_allow_breaks(content))},
        timestamp=0,
    )
    return pdf


def _allow_breaks(content: Any) -> Any:
    """Let lines break within long words, but not within charts."""
    if isinstance(content, str) and not content.startswith("<svg"):
        return sub(rf"(\S{{{_MAX_WORD_LENGTH}}})(?=\S)", "\\1\u200b", content)
    if isinstance(content, dict):
        return {key: _allow_breaks(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_allow_breaks(value) for value in content]
    return content


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "about": section.about,
        "facts": section.facts,
        "exact": section.exact,
        "notes": section.notes,
        "charts": [_chart(chart) for chart in section.charts],
        "grids": [
            {
                "title": grid.title,
                "head": grid.columns,
                "rows": grid.rows,
                "total": grid.has_total_row,
                "groups": grid.groups,
                "words": grid.words,
            }
            for grid in section.grids
        ],
    }


def _chart(chart: Chart) -> dict[str, Any]:
    width = 1.0 if chart.kind == "pocket" else 0.75
    return {"svg": paper_svg(chart.draw()), "caption": chart.caption, "width": width}
