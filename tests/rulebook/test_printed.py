"""The transcriptions are complete: every table, row and cell of the five documents."""

from collections import Counter

import pytest

from tests.oracles.printed import printed_table, printed_tables


def test_eighty_tables_are_transcribed() -> None:
    per_document = Counter(table.document for table in printed_tables())
    assert per_document == {"000": 26, "001": 9 + 4, "002": 17, "003": 4, "004": 20}
    assert per_document.total() == 80


def test_553_cells_are_transcribed() -> None:
    per_document: Counter[str] = Counter()
    for table in printed_tables():
        per_document[table.document] += len(table.cells)
    assert per_document == {"000": 181, "001": 91, "002": 115, "003": 25, "004": 141}
    assert per_document.total() == 553


def test_every_table_has_its_own_name() -> None:
    names = Counter((table.document, table.wager, table.id) for table in printed_tables())
    assert set(names.values()) == {1}


@pytest.mark.parametrize(
    ("document", "tables"),
    [
        (
            "000",
            {
                "odds": 1,
                "bad_beat": 4,
                "trips_plus": 4,
                "pocket_bonus": 3,
                "all_6": 5,
                "progressive": 9,
            },
        ),
        ("001", {"odds": 2, "bad_beat": 2, "trips_plus": 5, "pocket_bonus": 4}),
        ("002", {"odds": 1, "bad_beat": 1, "trips_plus": 4, "pocket_bonus": 3, "progressive": 8}),
        ("003", {"odds": 1, "bad_beat": 1, "trips_plus": 1, "pocket_bonus": 1}),
        ("004", {"odds": 3, "bad_beat": 2, "trips_plus": 6, "pocket_bonus": 2, "progressive": 7}),
    ],
)
def test_each_wager_has_its_number_of_tables(document: str, tables: dict[str, int]) -> None:
    assert Counter(t.wager for t in printed_tables() if t.document == document) == tables


@pytest.mark.parametrize(
    ("document", "wager", "table_id", "outcome", "cell"),
    [
        # Where the documents part (R39, R41, R51, R52, R65), each cell as printed.
        ("001", "bad_beat", "layout", "royal_flush", "500"),
        ("001", "bad_beat", "1", "royal_flush", "n/a"),
        ("003", "bad_beat", "1", "royal_flush", "-"),
        ("004", "bad_beat", "HH/OW/BB-1", "royal_flush", "0"),
        ("004", "odds", "HH/OW-1", "straight_flush", "40"),
        ("000", "trips_plus", "3", "full_house", "8"),
        ("001", "trips_plus", "3", "full_house", "7:1"),
        ("001", "trips_plus", "4", "two_pair", "loss"),
        ("004", "trips_plus", "HH/TP-4", "four_of_a_kind", "20"),
        ("000", "progressive", "4", "flopped_royal_flush", "100%"),
        ("002", "progressive", "D", "flopped_royal_flush", "100% of pool"),
        ("004", "progressive", "HH/JP-4", "flopped_royal_flush", "1,000"),
        ("004", "progressive", "HH/JP-3", "flush", "-"),
        ("000", "progressive", "9", "flopped_straight_flush", "100%"),
        ("000", "all_6", "5", "six_card_royal_diamonds", "200,000"),
        ("002", "odds", "1", "flush", "3:2"),
        ("003", "pocket_bonus", "1", "pair", "4 to 1"),
    ],
)
def test_each_cell_is_as_printed(
    document: str, wager: str, table_id: str, outcome: str, cell: str
) -> None:
    assert printed_table(document, wager, table_id).cells[outcome] == cell


@pytest.mark.parametrize(
    ("document", "wager", "basis"),
    [
        ("000", "odds", "unstated"),
        ("000", "all_6", "unstated"),
        ("000", "progressive", "for 1"),
        ("002", "progressive", "in the cells"),
        ("004", "odds", "to 1"),
        ("004", "progressive", "for 1"),
    ],
)
def test_each_wager_has_its_printed_basis(document: str, wager: str, basis: str) -> None:
    bases = {t.basis for t in printed_tables() if (t.document, t.wager) == (document, wager)}
    assert bases == {basis}
