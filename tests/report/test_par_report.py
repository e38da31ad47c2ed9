"""Par sheets as web page and PDF: readable numbers, self-contained, reproducible."""

import re
from dataclasses import replace
from fractions import Fraction
from html import escape
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.console import Console

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.comparison import PaytableFigures, side_figures
from headsup.analysis.par.par_sheet import ParSheet, par_sheet
from headsup.analysis.solver.solution import Solution, chart_names
from headsup.cli.screens.sheet import print_sheet
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.report.files.html import sheet_page
from headsup.report.files.pdf import sheet_pdf
from headsup.report.formats import format_chance, format_dollars, format_one_in
from headsup.report.plots.par_sheet import pocket_chart
from headsup.report.plots.svg import paper_svg, svg_file
from headsup.report.sheet import Sheet
from headsup.report.sheets.comparison import comparison_sheet
from headsup.report.sheets.par_sheet import par_report
from headsup.version import __version__

BETS = {Wager.ANTE: 1000, Wager.TRIPS_PLUS: 500, Wager.PROGRESSIVE: 100}


@pytest.fixture(scope="module")
def sheet(heads_up: Solution) -> ParSheet:
    return par_sheet(table_rules("galaxy"), heads_up, 100_000_000_000)


@pytest.fixture(scope="module")
def report(sheet: ParSheet) -> Sheet:
    return par_report(sheet, BETS)


@pytest.fixture(scope="module")
def page(report: Sheet) -> str:
    return sheet_page(report)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 4), "25.0000%"),
        (Fraction(0), "0.0000%"),
        (Fraction(1, 595), "0.1681%"),
        (Fraction(1, 30_940), "0.003232%"),
        (Fraction(1, 20_358_520), "0.000004912%"),
        (Fraction(1, 10**9), "0.0000001000%"),
    ],
)
def test_rare_chances_keep_their_digits(value: Fraction, text: str) -> None:
    assert format_chance(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "never"),
        (Fraction(2, 3), "1.50"),
        (Fraction(1, 595), "595.0"),
        (Fraction(1, 2_598_960), "2,598,960"),
    ],
)
def test_chances_are_shown_as_one_in_a_number(value: Fraction, text: str) -> None:
    assert format_one_in(value) == text


def test_money_is_shown_with_its_sign_and_cents() -> None:
    assert format_dollars(Fraction(12_558_285, 100)) == "$125,582.85"
    assert format_dollars(Fraction(-1, 3), 4) == "-$0.3333"


def test_the_printout_contains_the_published_figures(report: Sheet) -> None:
    edges = {section.key: section.edge for section in report.sections}
    assert edges == {
        "main": "2.3584%",
        "tables": "",
        "trips_plus": "0.7402%",
        "pocket_bonus": "4.5249%",
        "all_6": "10.2248%",
        "progressive": "9.1545%",
        "hold": "",
    }
    facts = dict(report.sections[5].facts)
    assert facts["Breaks even at a meter of"] == "$125,582.85"


def test_every_row_has_as_many_cells_as_its_head(report: Sheet) -> None:
    for section in report.sections:
        for grid in section.grids:
            assert {len(row) for row in grid.rows} == {len(grid.columns)}
            assert not grid.bars or len(grid.bars) == len(grid.rows)


class Tags(HTMLParser):
    """Checks that every element is closed, in order."""

    VOID = ("meta", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_complete(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    names = [tag for tag, _ in tags.seen]
    assert names.count("svg") == 6
    assert names.count("section") == 7
    targets = {attrs["id"] for _, attrs in tags.seen if "id" in attrs}
    links = {attrs["href"] for tag, attrs in tags.seen if tag == "a"}
    assert {str(link).removeprefix("#") for link in links} <= targets


def test_the_page_loads_nothing_from_the_network(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert not {"script", "img", "iframe", "object", "embed"} & {tag for tag, _ in tags.seen}
    for _, attrs in tags.seen:
        for name in ("src", "href", "xlink:href"):
            assert (attrs.get(name) or "#").startswith(("#", "data:,"))
    assert "@import" not in page
    assert "url(http" not in page


def test_charts_use_the_colours_of_the_page(page: str) -> None:
    assert "prefers-color-scheme:dark" in page
    for drawn in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        assert "<style" not in drawn
        assert not re.search(r'(fill|stroke)="', drawn)
        for kind, colour in re.findall(r'class="(fill|line)-(\w+)', drawn):
            assert f".{kind}-{colour}{{" in page


def test_a_chart_alone_has_colours_for_light_dark_and_paper(sheet: ParSheet) -> None:
    chart = pocket_chart(sheet.solution)
    assert "prefers-color-scheme:dark" in svg_file(chart)
    assert "var(" not in paper_svg(chart)  # typst knows no CSS variables
    for drawn in (chart, svg_file(chart), paper_svg(chart)):
        assert ElementTree.fromstring(drawn).get("aria-label")


def test_a_hostile_title_stays_text(report: Sheet) -> None:
    hostile = replace(report, title='<script>alert("x")</script> #panic() $1$')
    assert "<script>" not in sheet_page(hostile)
    assert sheet_pdf(hostile).startswith(b"%PDF")


@pytest.mark.slow
def test_the_pdf_is_the_same_on_every_run(report: Sheet) -> None:
    first, second = (sheet_pdf(report) for _ in range(2))
    assert first == second
    assert first.startswith(b"%PDF")
    assert re.search(rb"/FontFile\d?", first)


def test_the_pocket_map_has_all_hands(sheet: ParSheet) -> None:
    svg = pocket_chart(sheet.solution)
    for name in sheet.solution.pocket:
        assert f">{name}<" in svg


def test_rules_that_favour_the_player_are_marked(
    sheet: ParSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Solution, "house_edge", Fraction(-1, 100))
    fresh = replace(sheet, solution=replace(sheet.solution))  # nothing worked out yet
    notes = par_report(fresh, BETS).sections[0].notes
    assert any("favour the player" in note for note in notes)


def test_the_chart_has_aces_first_and_suited_hands_above_the_diagonal() -> None:
    names = chart_names()
    assert (names[0][0], names[0][1], names[1][0], names[12][12]) == ("AA", "AKs", "AKo", "22")
    assert len({name for row in names for name in row}) == 169


# Every paytable of every document.


def progressives() -> Sheet:
    """As in `par --all`, without solving; two books have tables of the same name."""
    entries = [
        side_figures(load_book(book), Wager.PROGRESSIVE, id, 0)
        for book in ("galaxy", "washington", "washington-no-qualifier")
        for id in load_book(book).paytables["progressive"]
    ]
    return comparison_sheet(entries, 0)


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_every_paytable_is_readable_on_a_narrow_screen(columns: int) -> None:
    report = progressives()
    screen = Console(record=True, width=columns, file=StringIO())
    print_sheet(screen, report)
    text = screen.export_text()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= columns
    for name in ("galaxy\n", "washington\n", "washington-no-qualifier\n", "operator's"):
        assert name in text
    for row in ("   HH/JP-2     41.7444%", "$1,084,920.54"):
        assert columns < 60 or row in text


def test_grid_headings_are_on_the_page_and_in_the_pdf() -> None:
    report = progressives()
    page = sheet_page(report)
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    assert page.count('<tr class="group">') == 2 * 3
    assert sheet_pdf(report).startswith(b"%PDF")


def test_the_sheet_names_its_rules_and_the_program(sheet: ParSheet) -> None:
    report = par_report(sheet, BETS, "2026-01-31")
    assert report.identity is not None
    facts = dict(report.identity.facts)
    assert facts["Program"] == f"headsup {__version__}"
    assert facts["Date"] == "2026-01-31"
    assert (facts["Rule book"], facts["Version of the rule book"]) == ("galaxy", "1")
    assert facts["SHA-256 of the document"] == sheet.rules.book.sha256
    assert facts["Fingerprint of these rules"] == sheet.rules.fingerprint
    assert facts["Odds, paytable 1"].startswith("Royal Flush 500, Straight Flush 50")
    assert facts["Odds, paytable 1"].endswith("to 1 (G 11(e))")
    page = sheet_page(report)
    for fact in facts.values():
        assert escape(fact) in page


def test_every_figure_of_the_main_game_and_side_wagers_has_its_fraction(
    sheet: ParSheet, report: Sheet
) -> None:
    assert len([section for section in report.sections if section.edge]) == 5
    for section in report.sections:
        if section.edge:
            edge = Fraction(dict(section.exact)["House edge"])
            assert percent(edge) == section.edge
    assert Fraction(dict(report.sections[0].exact)["House edge"]) == sheet.solution.house_edge


def test_tables_that_favour_the_player_are_marked() -> None:
    (figures,) = [one for one in progressive_figures(10**12) if one.paytable == "1"]
    report = comparison_sheet([figures], 10**12)
    (section,) = [section for section in report.sections if section.key == "progressive"]
    edges, pays = section.grids
    assert edges.rows[0][1].startswith("◂ -")
    assert pays.rows[0] == ("1", "100%-10%-10%-10%-200-50-10-5")


def progressive_figures(meter: int) -> list[PaytableFigures]:
    return [side_figures(load_book("galaxy"), Wager.PROGRESSIVE, "1", meter)]


@pytest.mark.slow
def test_no_page_of_the_booklet_is_mostly_empty(report: Sheet) -> None:
    """Charts and tables share pages: seven pages, not one for each chart."""
    pdf = sheet_pdf(report)
    assert len(re.findall(rb"/Type /Page\b", pdf)) <= 7
