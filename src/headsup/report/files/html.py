"""Builds a sheet as one HTML file with styles and charts inside; it loads nothing else."""

from html import escape
from importlib import resources

from headsup.report.plots.svg import COLOUR_CSS, PLOT_CSS
from headsup.report.sheet import Chart, Facts, Grid, Section, Sheet


def sheet_page(sheet: Sheet) -> str:
    style = COLOUR_CSS + PLOT_CSS + "\n"
    style += resources.files(__package__).joinpath("sheet.css").read_text(encoding="utf-8")
    sections = "".join(map(_section, sheet.shown))
    identity = sheet.identity.facts if sheet.identity else ()
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(sheet.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(sheet.title)}</h1>\n"
        f'<p class="about">{escape(sheet.about)}</p>\n{_facts(identity, "identity")}'
        f"{_figures(sheet)}{sections}<footer>{_notes(sheet.notes)}</footer>\n"
        "</main>\n</body>\n</html>\n"
    )


def _facts(facts: Facts, kind: str = "facts") -> str:
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>\n" for name, fact in facts
    )
    return f'<dl class="{kind}">\n{items}</dl>\n' if items else ""


def _figures(sheet: Sheet) -> str:
    items = "".join(
        f'<li><a href="#{_anchor(section)}"><span>{escape(section.title)}</span>'
        f"<b>{section.edge}</b><span>house edge</span></a></li>\n"
        for section in sheet.shown
        if section.edge
    )
    return f'<ul class="figures">\n{items}</ul>\n' if items else ""


def _section(section: Section) -> str:
    figures = "".join(map(_figure, section.charts))
    grids = section.grids
    first = "".join(map(_grid, grids[:2]))
    others = "".join(map(_grid, grids[2:]))
    title = f"<h2>{escape(section.title)}</h2>\n" if section.title else ""
    about = f'<p class="about">{escape(section.about)}</p>\n' if section.about else ""
    return (
        f'<section id="{_anchor(section)}">\n{title}{about}'
        f"{_facts(section.facts)}{_exact(section.exact)}"
        f"{_notes(section.notes)}{first}{figures}{others}</section>\n"
    )


def _exact(facts: Facts) -> str:
    return f"<h3>Exactly</h3>\n{_facts(facts, 'exact')}" if facts else ""


def _anchor(section: Section) -> str:
    return section.key.replace("/", "-") or "main"


def _figure(chart: Chart) -> str:
    caption = f"<figcaption>{escape(chart.caption)}</figcaption>" if chart.caption else ""
    return f'<figure class="{chart.kind}" tabindex="0">{chart.draw()}{caption}</figure>\n'


def _grid(grid: Grid) -> str:
    head = "".join(
        f'<th scope="col"{_cell_class(grid, column)}>{escape(name)}</th>'
        for column, name in enumerate(grid.columns)
    )
    rows = "".join(_row(grid, number) for number in range(len(grid.rows)))
    return (
        f'<h3>{escape(grid.title)}</h3>\n<div class="wide" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _cell_class(grid: Grid, column: int) -> str:
    """Long counts are hidden on phones; the probability beside them says the same."""
    if grid.columns[column] in ("Ways", "Deals"):
        return ' class="count"'
    return ' class="words"' if column in grid.words else ""


def _row(grid: Grid, number: int) -> str:
    name, *cells = map(escape, grid.rows[number])
    kind = ' class="total"' if grid.has_total_row and number == len(grid.rows) - 1 else ""
    tags = [f"<td{_cell_class(grid, column)}>" for column in range(1, len(grid.columns))]
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
