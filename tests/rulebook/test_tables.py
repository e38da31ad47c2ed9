"""Compares every shipped paytable with a second transcription of the documents, cell by cell.

The rule books were typed from the documents once, `tests/rulebook/printed` another time by other
hands; a slip in either shows here. Only what a plain text cannot hold is translated: a cell printed
blank is `-` in the transcription and empty in a rule book.
"""

import pytest

from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import Basis, Paytable
from headsup.game.rulebook.paytables import choose_paytable
from headsup.game.rulebook.table_rules import table_rules
from tests.oracles.printed import PrintedTable, printed_tables
from tests.rulebook.clauses.inventory import column

# One book per document; Washington's second book has the same appendices.
BOOKS = {
    "000": "galaxy",
    "001": "galaxy-wpt",
    "002": "new-york",
    "003": "sugarhouse",
    "004": "washington",
}


def shipped_table(document: str, wager: str, table_id: str) -> Paytable:
    book = load_book(BOOKS[document])
    if table_id == "layout":
        return next(table for table in book.layout_tables if table.key == wager)
    return book.paytables[wager][table_id]


def cells(table: Paytable) -> dict[str, str]:
    return {row.outcome: row.pay.printed or "-" for row in table.rows}


def name(table: PrintedTable) -> str:
    return f"{table.document} {table.wager} {table.id}"


COLUMNS = [
    pytest.param(table, marks=pytest.mark.clause(column(table)), id=name(table))
    for table in printed_tables()
]


@pytest.mark.parametrize("printed", COLUMNS)
def test_cells_are_as_printed(printed: PrintedTable) -> None:
    table = shipped_table(printed.document, printed.wager, printed.id)
    assert cells(table) == printed.cells


@pytest.mark.parametrize("printed", printed_tables(), ids=name)
def test_rows_are_in_the_order_printed_or_the_reverse(printed: PrintedTable) -> None:
    """New York prints the lowest hand first; the rule books all begin with the highest."""
    outcomes = [
        row.outcome for row in shipped_table(printed.document, printed.wager, printed.id).rows
    ]
    assert outcomes in (list(printed.cells), list(printed.cells)[::-1])


@pytest.mark.parametrize("printed", printed_tables(), ids=name)
def test_basis_is_as_printed(printed: PrintedTable) -> None:
    """Where the document is silent, a rule decision applies: `to` (R16, R17)."""
    table = shipped_table(printed.document, printed.wager, printed.id)
    read = {"for 1": Basis.FOR, "to 1": Basis.TO, "in the cells": Basis.TO, "unstated": Basis.TO}
    assert table.basis is read[printed.basis]
    if printed.basis == "in the cells":
        pays = [cell for cell in printed.cells.values() if cell[:1].isdigit() and "%" not in cell]
        assert all(cell.endswith((":1", ":2", " to 1")) for cell in pays)


def test_books_hold_the_printed_tables_and_no_others() -> None:
    shipped = {
        (document, key, table_id)
        for document, book_id in BOOKS.items()
        for key, tables in load_book(book_id).paytables.items()
        for table_id in tables
    }
    layouts = {
        (document, table.key, "layout")
        for document, book_id in BOOKS.items()
        for table in load_book(book_id).layout_tables
    }
    assert shipped | layouts == {(t.document, t.wager, t.id) for t in printed_tables()}
    assert len(shipped | layouts) == 80


def test_553_cells_are_shipped() -> None:
    tables = [shipped_table(t.document, t.wager, t.id) for t in printed_tables()]
    assert sum(len(table.rows) for table in tables) == 553


def test_both_washington_books_have_the_same_paytables() -> None:
    assert load_book("washington-no-qualifier").paytables == load_book("washington").paytables


@pytest.mark.parametrize(
    ("book_id", "chosen"),
    [
        # The first of each, since the document's layout is a picture that carries no figures.
        (
            "galaxy",
            {
                "odds": "1",
                "bad_beat": "1",
                "trips_plus": "1",
                "pocket_bonus": "1",
                "all_6": "1",
                "progressive": "1",
            },
        ),
        # The layout prints Trips Plus 8/7/4, which is table 4 here (R51).
        ("galaxy-wpt", {"odds": "1", "bad_beat": "1", "trips_plus": "4", "pocket_bonus": "1"}),
        (
            "new-york",
            {
                "odds": "1",
                "bad_beat": "1",
                "trips_plus": "A",
                "pocket_bonus": "A",
                "progressive": "A",
            },
        ),
        ("sugarhouse", {"odds": "1", "bad_beat": "1", "trips_plus": "1", "pocket_bonus": "1"}),
        # Notes 7–9: OW 2 and a Bad Beat go with a qualifier, OW 1 without.
        (
            "washington",
            {
                "odds": "HH/OW-2",
                "bad_beat": "HH/OW/BB-1",
                "trips_plus": "HH/TP-1",
                "pocket_bonus": "HH/PB-1",
                "progressive": "HH/JP-1",
            },
        ),
        (
            "washington-no-qualifier",
            {
                "odds": "HH/OW-1",
                "trips_plus": "HH/TP-1",
                "pocket_bonus": "HH/PB-1",
                "progressive": "HH/JP-1",
            },
        ),
    ],
)
def test_default_paytables(book_id: str, chosen: dict[str, str]) -> None:
    tables = table_rules(book_id).paytables
    assert {key: table.id for key, table in tables.items()} == chosen


def test_every_shipped_book_opens_with_its_defaults() -> None:
    assert [table_rules(book_id).id for book_id in SHIPPED_BOOKS] == list(SHIPPED_BOOKS)


@pytest.mark.parametrize("key", ["odds", "trips_plus", "pocket_bonus"])
def test_the_older_galaxy_layout_matches_its_default_tables(key: str) -> None:
    """The default is what the document's own layout prints."""
    layout = shipped_table("001", key, "layout")
    default = table_rules("galaxy-wpt").paytables[key]
    paid = {outcome: pay.amount for outcome, pay in default.pays.items() if pay.amount}
    assert {outcome: pay.amount for outcome, pay in layout.pays.items() if pay.amount} == paid


def test_the_older_galaxy_layout_prints_a_bad_beat_that_cannot_happen() -> None:
    """R39: the layout shows 500 for a losing royal flush, the text n/a; the rest agrees."""
    layout = shipped_table("001", "bad_beat", "layout").pays
    text = table_rules("galaxy-wpt").paytables["bad_beat"].pays
    differing = {outcome for outcome in text if text[outcome].amount != layout[outcome].amount}
    assert differing == {"royal_flush"}
    assert layout["royal_flush"].printed == "500"


@pytest.mark.parametrize("name", SHIPPED_BOOKS)
def test_every_printed_table_is_chosen_by_an_id(name: str) -> None:
    """The paytables printed on a layout, under the id `layout`."""
    book = load_book(name)
    listed = [table for tables in book.paytables.values() for table in tables.values()]
    for printed in (*book.layout_tables, *listed):
        chosen = choose_paytable(book, printed.key, printed.id)
        assert chosen is not None
        assert (chosen.id, chosen.rows) == (printed.id, printed.rows)
