"""A figure is named once, and shown by every rendering."""

from fractions import Fraction
from html import unescape
from io import StringIO

from rich.console import Console

from headsup.cli.screens.sheet import print_sheet
from headsup.report.files.html import sheet_page
from headsup.report.files.pdf import sheet_pdf
from headsup.report.formats import COUNT, SHARE, WORDS
from headsup.report.sheet import Chart, Column, Figure, Section, Sheet, Table

ROWS = [("first", 1_000), ("second", 500)]
COLUMNS = (
    Column("", "Name", lambda row: row[0].title(), WORDS),
    Column("number", "Number", lambda row: row[1], COUNT),
)


def sheet(*figures: Figure, tables: tuple[Table, ...] = ()) -> Sheet:
    section = Section("part", "Part", figures=figures, tables=tables)
    return Sheet("Title", "about", (section,))


def on_screen(sheet: Sheet, columns: int = 80) -> str:
    screen = Console(record=True, width=columns, file=StringIO())
    print_sheet(screen, sheet)
    return screen.export_text()


def test_one_figure_is_on_screen_on_the_page_on_paper_and_in_json() -> None:
    report = sheet(Figure("hold/share", "A share", Fraction(1, 3), SHARE, "per unit"))
    for text in (on_screen(report), unescape(sheet_page(report))):
        assert "A share, per unit" in text
        assert "33.3333%" in text
        assert "1/3" in text  # exactly
    assert len(sheet_pdf(report)) > len(sheet_pdf(sheet()))
    exact = {"exact": "1/3", "decimal": "0.3333333333"}
    assert report.json() == {"part": {"hold": {"share": exact}}}


def test_a_figure_without_label_is_for_programs_and_without_key_for_people() -> None:
    report = sheet(Figure("inside", "", 7), Figure("", "Outside", 8))
    assert report.json() == {"part": {"inside": 7}}
    assert report.sections[0].facts == (("Outside", "8"),)


def test_an_unknown_figure_says_so_or_is_left_out() -> None:
    report = sheet(Figure("a", "Shown", None), Figure("b", "Left out", None, absent=""))
    assert report.json() == {"part": {"a": None, "b": None}}
    assert report.sections[0].facts == (("Shown", "unknown"),)


def test_a_table_is_a_list_or_an_object_with_a_member_for_each_row() -> None:
    named = Table("by_name", "", COLUMNS, ROWS, row_name=lambda row: row[0])
    report = sheet(tables=(Table("rows", "Rows", COLUMNS, ROWS), named))
    assert report.json() == {
        "part": {
            "rows": [{"number": 1_000}, {"number": 500}],
            "by_name": {"first": 1_000, "second": 500},  # one column for programs
        }
    }
    both = (*COLUMNS, Column("half", "", lambda row: row[1] // 2))
    wider = Table("by_name", "", both, ROWS, row_name=lambda row: row[0])
    assert wider.json()["second"] == {"number": 500, "half": 250}


def test_a_table_has_its_total_and_bars_in_every_rendering_for_people() -> None:
    table = Table(
        "rows",
        "Rows",
        (*COLUMNS, Column("", "Half", lambda row: row[1] // 2)),
        ROWS,
        total={"Name": "All", "Number": 1_500},
        bar=lambda row: row[1],
    )
    (grid,) = sheet(tables=(table,)).sections[0].grids
    assert grid.rows == (("First", "1,000", "500"), ("Second", "500", "250"), ("All", "1,500", ""))
    assert grid.bars == (1.0, 0.5, 0.0)
    assert grid.has_total_row
    assert len(table.json()) == 2


def test_sections_are_merged_at_their_places_in_json() -> None:
    top = Section("", "", figures=(Figure("a", "", 1),), data=lambda: {"b": 2})
    inner = Section("main", "", figures=(Figure("c", "", 3),))
    deeper = Section("main/lessons", "", figures=(Figure("d", "", 4),))
    report = Sheet("Title", "", (top, inner, deeper), identity=Section("about", "", data=dict))
    assert report.json() == {"a": 1, "b": 2, "main": {"c": 3, "lessons": {"d": 4}}}


def test_a_section_for_programs_alone_leaves_no_gap() -> None:
    hidden = Section("", "", figures=(Figure("a", "", 1),))
    shown = Section("", "Part", figures=(Figure("b", "B", 2),))
    assert on_screen(Sheet("Title", "", (hidden, shown))) == on_screen(Sheet("Title", "", (shown,)))


def test_a_chart_is_drawn_only_for_pages() -> None:
    drawn: list[str] = []

    def draw() -> str:
        drawn.append("once")
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>'

    report = Sheet("Title", "", (Section("a", "A", charts=(Chart("plot", draw, "below it"),)),))
    on_screen(report)
    report.json()
    assert not drawn
    assert "below it" in sheet_page(report)
    assert drawn == ["once"]


def test_columns_of_words_are_aligned_left_and_figures_right() -> None:
    table = Table("", "Rows", (*COLUMNS, Column("", "Word", lambda row: row[0][0], WORDS)), ROWS)
    (grid,) = sheet(tables=(table,)).sections[0].grids
    assert grid.words == (0, 2)
    assert '<td class="words">f</td>' in sheet_page(sheet(tables=(table,)))
