"""R4: rules are compiled once, compared by content, and have one fingerprint each."""

from pathlib import Path
from typing import Any

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.rulebook.loader import SHIPPED_BOOKS, recordable_rules
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.table.opening import OpenTable
from tests.support.logs import DEALER, METERED, Recorder
from tests.support.logs import record_rounds as recorded_rounds
from tests.support.tables import opened


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_equal_choices_are_compiled_once(book: str) -> None:
    options = {"limits": {"ante": {"max": "500.00"}}}
    assert table_rules(book, {}, options) is table_rules(book, {}, dict(options))
    assert table_rules(book) is not table_rules(book, {}, options)


def test_equivalent_choices_compare_equal() -> None:
    first = table_rules("galaxy", {"trips_plus": "3"}, {"pocket_raises": [1, 2, 3]})
    other = table_rules("galaxy", {"trips_plus": 3}, {"pocket_raises": "3,2,1"})
    assert first == other
    assert hash(first) == hash(other)
    assert first != table_rules("galaxy", {"trips_plus": "3"})
    assert first != "galaxy"


def test_a_cached_number_does_not_let_a_flag_through() -> None:
    assert table_rules("galaxy", {}, {"positions_per_player": 1})
    with pytest.raises(ValueError, match="whole number"):
        table_rules("galaxy", {}, {"positions_per_player": True})


def test_a_replayed_floor_equals_the_live_one() -> None:
    log = recorded_rounds(6, seed=4)
    report = audit(log.lines)
    assert report.finding is None
    assert report.journal.floor == log.journal.floor


def test_tables_with_the_same_choices_have_equal_rules() -> None:
    assert opened("new-york").table.rules == opened("new-york", id="T2").table.rules


# One book, one fingerprint, however it is spelled.

PLAIN = """extends = "galaxy"
title = "The Riverside"
[paytables]
trips_plus = "3"
[options]
cap = "50000.00"
chip_unit = "1.00"
[limits]
ante = { min = "10.00", max = "500.00" }
"""
SPELLED: dict[str, str] = {
    "with its id": 'id = "house"\n' + PLAIN,
    "with remarks and blank lines": "# the pit's copy\n\n" + PLAIN.replace("\n", "  # yes\n", 2),
    "in another order": """[limits.ante]
max = 500
min = "10"
[options]
chip_unit = 1
cap = { wagers = ["odds", "raise", "ante"], scope = "player", amount = 50000, spares_below = 0 }
[paytables]
trips_plus = 3
""",
    "options written out": PLAIN.replace('"1.00"', '{ value = "1.00" }'),
    "with the kind it has anyway": PLAIN.replace("[paytables]", 'kind = "house"\n[paytables]'),
}
SPELLED["in another order"] = (
    'title = "The Riverside"\nextends = "galaxy"\n' + (SPELLED["in another order"])
)


def _rules(folder: Path, text: str) -> Any:
    file = folder / "house.toml"
    file.write_text(text, encoding="utf-8")
    return table_rules(str(file))


@pytest.mark.parametrize("text", SPELLED.values(), ids=SPELLED)
def test_equivalent_books_have_one_fingerprint(tmp_path: Path, text: str) -> None:
    assert _rules(tmp_path, text) == _rules(tmp_path, PLAIN)
    assert _rules(tmp_path, text).fingerprint == _rules(tmp_path, PLAIN).fingerprint


@pytest.mark.parametrize("text", [PLAIN, *SPELLED.values()])
def test_a_book_written_to_a_record_has_the_same_fingerprint(tmp_path: Path, text: str) -> None:
    rules = _rules(tmp_path, text)
    recorded = recordable_rules(str(tmp_path / "house.toml"))
    assert table_rules(recorded) == rules
    assert recordable_rules(recorded) == recorded


def test_a_choice_in_the_book_equals_the_same_choice_at_the_table(tmp_path: Path) -> None:
    without = PLAIN.replace('chip_unit = "1.00"\n', "").replace('trips_plus = "3"\n', "")
    fingerprint = _rules(tmp_path, PLAIN).fingerprint
    _rules(tmp_path, without)
    chosen = table_rules(str(tmp_path / "house.toml"), {"trips_plus": "3"}, {"chip_unit": "1"})
    assert chosen.fingerprint == fingerprint


DIFFERENT = {
    "a limit": PLAIN.replace('"500.00"', '"600.00"'),
    "a cap on other wagers": PLAIN.replace(
        '"50000.00"', '{ amount = "50000.00", wagers = ["odds"] }'
    ),
    "the title": PLAIN.replace("Riverside", "Lakeside"),
    "a label": PLAIN + '[labels]\nraise = "Play"\n',
    "a clause": PLAIN.replace('"1.00"', '{ value = "1.00", clause = "House 4" }'),
    "a notice": PLAIN + '[[notice]]\ntext = "No smoking"\nclause = "House 5"\n',
    "an irregularity": PLAIN
    + '[irregularities.foul_deck]\nvoids = "all"\nsettles = ["all_6"]\nclause = "House 6"\n',
    "a wager not offered": PLAIN + "[offers]\nall_6 = false\n",
}


@pytest.mark.parametrize("text", DIFFERENT.values(), ids=DIFFERENT)
def test_different_rules_have_different_fingerprints(tmp_path: Path, text: str) -> None:
    assert _rules(tmp_path, text) != _rules(tmp_path, PLAIN)


@pytest.mark.parametrize("name", ['the "house"', "back\\slash", "[bold red]ours", "Müßiggang"])
def test_a_file_may_have_quotes_and_backslashes_in_its_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_text(PLAIN, encoding="utf-8")
    rules = table_rules(str(file))
    assert rules.id == name
    assert table_rules(recordable_rules(str(file))) == rules


def test_a_table_is_not_opened_with_a_path(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(PLAIN, encoding="utf-8")
    log = Recorder()
    assert not log.ask("T", DEALER, OpenTable(str(file), options=METERED))
    assert log.ask("T", DEALER, OpenTable(recordable_rules(str(file)), options=METERED))
