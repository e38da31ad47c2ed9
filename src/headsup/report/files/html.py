"""Builds a par sheet as one HTML file with styles and charts inside; it loads nothing else."""

from collections.abc import Mapping
from html import escape
from importlib import resources

from headsup.report.plots.svg import COLOUR_CSS, PLOT_CSS
from headsup.report.words.printout import Facts, Grid, Printout, Section

CAPTIONS = {"pocket": "Raise green hands, check orange ones. Suited hands are above the diagonal."}


def par_page(printout: Printout, charts: Mapping[str, str]) -> str:
    style = COLOUR_CSS + PLOT_CSS + "\n"
    style += resources.files(__package__).joinpath("par.css").read_text(encoding="utf-8")
    sections = "".join(_section(section, charts) for section in printout.sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(printout.title)}: par sheet</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(printout.title)}</h1>\n"
        f'<p class="about">{escape(printout.about)}</p>\n{_facts(printout.identity, "identity")}'
        f"{_figures(printout)}{sections}<footer>{_notes(printout.notes)}</footer>\n"
        "</main>\n</body>\n</html>\n"
    )


def _facts(facts: Facts, kind: str = "facts") -> str:
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>\n" for name, fact in facts
    )
    return f'<dl class="{kind}">\n{items}</dl>\n' if items else ""


def _figures(printout: Printout) -> str:
    items = "".join(
        f'<li><a href="#{section.key}"><span>{escape(section.title)}</span>'
        f"<b>{section.edge}</b><span>house edge</span></a></li>\n"
        for section in printout.sections
        if section.edge
    )
    return f'<ul class="figures">\n{items}</ul>\n' if items else ""


def _section(section: Section, charts: Mapping[str, str]) -> str:
    keys = ("pocket", "main") if section.key == "main" else (section.key,)
    figures = "".join(_figure(key, charts[key]) for key in keys if key in charts)
    first = "".join(map(_grid, section.grids[:2]))
    others = "".join(map(_grid, section.grids[2:]))
    return (
        f'<section id="{section.key}">\n<h2>{escape(section.title)}</h2>\n'
        f'<p class="about">{escape(section.about)}</p>\n'
        f"{_facts(section.facts)}{_exact(section.exact)}"
        f"{_notes(section.notes)}{first}{figures}{others}</section>\n"
    )


def _exact(facts: Facts) -> str:
    return f"<h3>Exactly</h3>\n{_facts(facts, 'exact')}" if facts else ""


def _figure(key: str, svg: str) -> str:
    caption = f"<figcaption>{escape(CAPTIONS[key])}</figcaption>" if key in CAPTIONS else ""
    return f'<figure class="{key}" tabindex="0">{svg}{caption}</figure>\n'


def _grid(grid: Grid) -> str:
    head = "".join(
        f'<th scope="col"{_count_class(name)}>{escape(name)}</th>' for name in grid.columns
    )
    rows = "".join(_row(grid, number) for number in range(len(grid.rows)))
    return (
        f'<h3>{escape(grid.title)}</h3>\n<div class="wide" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _count_class(name: str) -> str:
    """Long counts are hidden on phones; the probability beside them says the same."""
    return ' class="count"' if name in ("Ways", "Deals") else ""


def _row(grid: Grid, number: int) -> str:
    name, *cells = map(escape, grid.rows[number])
    kind = ' class="total"' if grid.has_total_row and number == len(grid.rows) - 1 else ""
    tags = [f"<td{_count_class(name)}>" for name in grid.columns[1:]]
    if grid.bars:
        tags[-1] = f'<td class="bar" style="--share:{grid.bars[number]:.1%}">'
    data = "".join(f"{tag}{cell}</td>" for tag, cell in zip(tags, cells, strict=True))
    headings = (heading for heading, first in grid.groups if first == number)
    above = "".join(_heading(heading, len(grid.columns)) for heading in headings)
    return f'{above}<tr{kind}><th scope="row">{name}</th>{data}</tr>\n'


def _heading(name: str, width: int) -> str:
    return f'<tr class="group"><th scope="rowgroup" colspan="{width}">{escape(name)}</th></tr>\n'


def _notes(notes: tuple[str, ...]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>\n' for note in notes)
