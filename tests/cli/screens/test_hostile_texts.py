"""Texts of an operator's rule book are shown literally on screens, charts, pages and PDFs, and long
ones never hide the figures beside them."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support.cli.run import headsup

MARKUP = '[bold]x[/] <script>alert("1")</script> #import "x" *y* _z_ \\ & $1$ {a}'
LONG = "Riverside" * 10
BOOK = """
extends = "galaxy"
id = {id}
title = {title}

[paytables]
trips_plus = {table}

[labels]
trips_plus = {label}

[[paytable]]
key = "trips_plus"
custom = true
title = {title}
clause = {title}
ids = [{table}]
rows = [
  ["royal_flush", {row}, "100"],
  ["straight_flush", {row}, "50"],
  ["four_of_a_kind", {colour}, "25"],
  ["full_house", {attribute}, "8"],
  ["flush", {long}, "6"],
  ["straight", "Straight", "5"],
  ["three_of_a_kind", "Three of a Kind", "3"],
]
"""
COLOUR, ATTRIBUTE = "Four #010203 #070809", 'Full role="img" aria-label="x" house'


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "book.toml"
    texts = {
        "id": "[red]house[/]",
        "title": f"{MARKUP} " + "t" * 200,
        "table": "[blue]T[/]",
        "label": "[green]Trips[/]",
        "row": MARKUP,
        "colour": COLOUR,
        "attribute": ATTRIBUTE,
        "long": LONG,
    }
    path.write_text(BOOK.format_map({key: json.dumps(text) for key, text in texts.items()}))
    return path


def without_spaces(text: str) -> str:
    """The text without the spaces and line breaks of a narrow screen."""
    return "".join(text.split())


def test_solve_shows_the_title_literally(book: Path) -> None:
    answer = headsup("solve", "--rules", book)
    assert answer.code == 0
    assert without_spaces(MARKUP) in without_spaces(answer.out)
    assert "t" * 200 in without_spaces(answer.out)
    assert "2.3584%" in answer.out


def test_advise_shows_the_id_literally(book: Path) -> None:
    answer = headsup("advise", "--hole", "AsAd", "--rules", book)
    assert answer.code == 0
    assert "[red]house[/]" in answer.out


def test_par_shows_labels_literally_and_every_figure(book: Path) -> None:
    answer = headsup("par", "--rules", book)
    assert answer.code == 0
    for text in (MARKUP, COLOUR, ATTRIBUTE, "[blue]T[/]", "[green]Trips[/]"):
        assert all(word in answer.out for word in text.split())
    begins = answer.out.index("[green]Trips[/]")
    lines = answer.out[begins:].splitlines()
    (flush,) = (line for line in lines if "Riverside" in line and "3.0255%" in line)
    assert "21.1785%" in flush
    assert all(len(line) <= 80 for line in lines)


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.slow
def test_files_contain_the_texts_literally_whatever_their_name(book: Path, tmp_path: Path) -> None:
    names = {"--html": "a \"b\" 'c' \\d.html", "--pdf": "[e] $f.pdf", "--csv": "#g & {h} *.csv"}
    words = [word for option, name in names.items() for word in (option, tmp_path / name)]
    answer = headsup("par", "--rules", book, *words)
    assert answer.code == 0
    assert answer.err == ""
    html, pdf, csv = (tmp_path / name for name in names.values())
    assert sorted(tmp_path.iterdir()) == sorted((html, pdf, csv))
    for name in names.values():
        assert without_spaces(name) in without_spaces(answer.out)
    page = Texts()
    page.feed(html.read_text(encoding="utf-8"))
    assert not page.tags & {"script", "bold", "img"}
    assert page.texts.count(MARKUP) >= 2  # two rows of the table; a chart cuts what is long
    assert page.texts.count(COLOUR) == 2  # in the table and in the chart
    assert page.texts.count(ATTRIBUTE) == 2
    assert pdf.read_bytes().startswith(b"%PDF")
    assert "[blue]T[/]" in csv.read_text(encoding="utf-8")


@pytest.mark.slow
def test_rows_with_the_same_label_have_a_bar_each(book: Path, tmp_path: Path) -> None:
    headsup("par", "--rules", book, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    royal, straight_flush = (
        re.search(rf'y="([\d.]+)"[^>]*>{re.escape(returned)}<', page)
        for returned in ("0.33%  (100)", "1.42%  (50)")
    )
    assert royal
    assert straight_flush
    assert float(royal[1]) < float(straight_flush[1])
