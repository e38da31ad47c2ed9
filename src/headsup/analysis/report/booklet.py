"""A par sheet as PDF, set by typst: fonts embedded, the same bytes on every run."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from headsup.analysis.report.charts import library
from headsup.analysis.report.webpage import CAPTIONS, OTHER_CAPTION
from headsup.analysis.report.words import Report, Section

FONT = "Libertinus Serif"  # typst carries it


def par_pdf(report: Report, charts: Mapping[str, str]) -> bytes:
    template = resources.files(__package__).joinpath("par.typ").read_bytes()
    content = {
        "title": report.title,
        "about": report.about,
        "fingerprint": report.fingerprint,
        "notes": report.notes,
        "figures": [(section.title, section.edge) for section in report.sections if section.edge],
        "sections": [_section(section, charts) for section in report.sections],
    }
    pdf: bytes = library("typst").compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"report": json.dumps(content)},
        timestamp=0,
    )
    return pdf


def _section(section: Section, charts: Mapping[str, str]) -> dict[str, Any]:
    keys = ("pocket", "main") if section.key == "main" else (section.key,)
    return {
        "title": section.title,
        "about": section.about,
        "facts": section.facts,
        "notes": section.notes,
        "charts": [
            {
                "svg": charts[key],
                "caption": CAPTIONS.get(key, OTHER_CAPTION),
                "width": 1.0 if key == "pocket" else 0.85,
            }
            for key in keys
            if key in charts
        ],
        "grids": [
            {
                "title": grid.title,
                "head": grid.head,
                "rows": grid.rows,
                "total": grid.total,
                "groups": grid.groups,
            }
            for grid in section.grids
        ],
    }
