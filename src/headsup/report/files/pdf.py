"""Builds a par sheet as PDF with typst: fonts embedded, the same bytes on every run."""

import json
from collections.abc import Mapping
from importlib import import_module, resources
from re import sub
from textwrap import shorten
from typing import Any

from headsup.game.refusal import Code, Refused
from headsup.report.files.html import CAPTIONS
from headsup.report.plots.svg import paper_svg
from headsup.report.words.printout import Printout, Section

_MAX_WORD_LENGTH, _MAX_FOOTER_LENGTH = 24, 90  # characters; longer words may be broken


def import_typst() -> Any:
    """The library of the optional `reports` extra. Refuses if it is missing."""
    try:
        return import_module("typst")
    except ImportError:
        raise Refused(Code.MISSING_EXTRA, library="typst") from None


def par_pdf(printout: Printout, charts: Mapping[str, str]) -> bytes:
    template = resources.files(__package__).joinpath("par.typ").read_bytes()
    content = {
        "title": printout.title,
        "footer": shorten(printout.title, _MAX_FOOTER_LENGTH, placeholder="…"),
        "about": printout.about,
        "identity": printout.identity,
        "notes": printout.notes,
        "figures": [(section.title, section.edge) for section in printout.sections if section.edge],
        "sections": [_section(section, charts) for section in printout.sections],
    }
    pdf: bytes = import_typst().compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"printout": json.dumps(_allow_breaks(content))},
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


def _section(section: Section, charts: Mapping[str, str]) -> dict[str, Any]:
    keys = ("pocket", "main") if section.key == "main" else (section.key,)
    return {
        "title": section.title,
        "about": section.about,
        "facts": section.facts,
        "exact": section.exact,
        "notes": section.notes,
        "charts": [
            {
                "svg": paper_svg(charts[key]),
                "caption": CAPTIONS.get(key, ""),
                "width": 1.0 if key == "pocket" else 0.75,
            }
            for key in keys
            if key in charts
        ],
        "grids": [
            {
                "title": grid.title,
                "head": grid.columns,
                "rows": grid.rows,
                "total": grid.has_total_row,
                "groups": grid.groups,
            }
            for grid in section.grids
        ],
    }
