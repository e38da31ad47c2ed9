"""Untrusted rule books: none costs minutes, fills a screen or sends codes to a terminal."""

import re
from decimal import Decimal
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

import headsup.game.rulebook
from headsup.game.notation.writer import toml_value
from headsup.game.refusal import Code, RulesRefused
from headsup.game.refusal.english import SENTENCES
from headsup.game.rulebook.cells import parse_cell
from headsup.game.rulebook.loader import SHIPPED_BOOKS, recordable_rules
from headsup.game.rulebook.options import OPTIONS, write_option
from headsup.game.rulebook.schema import BOOK_KEYS
from headsup.game.rulebook.table_rules import TableRules, table_rules

HOUSE = 'extends = "galaxy"\n'


def refused(folder: Path, text: str) -> RulesRefused:
    file = folder / "house.toml"
    file.write_text(text, encoding="utf-8")
    started = process_time()  # other programs do not count
    with pytest.raises(RulesRefused) as caught:
        table_rules(str(file))
    assert process_time() - started < 5
    assert all(line.isprintable() and len(line) < 700 for line in caught.value.lines)
    assert len(caught.value.message) < 30_000
    return caught.value


COSTLY = {
    "a huge hex number": "seats = 0x" + "f" * 500_000,
    "a huge whole number": "seats = " + "9" * 500_000,
    "a key of very many parts": ".".join("a" * 200_000) + " = 1",
    "tables within tables": "[" + ".".join("a" * 100_000) + "]",
    "lists within lists": "title = " + "[" * 100_000 + "]" * 100_000,
    "objects within objects": "title = " + "{a=" * 50_000 + "1" + "}" * 50_000,
    "a long name": "a" * 400_000 + " = 1",
    "more than a rule book": "# " + "x" * 1_000_001,
    "a text that never ends": 'title = "' + "x" * 900_000,
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
def test_input_that_is_costly_to_read_is_refused_at_once(tmp_path: Path, text: str) -> None:
    refused(tmp_path, HOUSE + text)


def test_an_endless_file_is_refused(tmp_path: Path) -> None:
    endless = tmp_path / "endless.toml"
    endless.symlink_to("/dev/zero")
    with pytest.raises(RulesRefused, match="is longer than 1,000,000 bytes"):
        table_rules(str(endless))


def test_an_impossible_file_name_is_refused() -> None:
    with pytest.raises(RulesRefused, match="cannot be read"):
        table_rules("a\0b.toml")


def test_of_many_mistakes_twenty_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    refusal = refused(tmp_path, HOUSE + "".join(f"key_{number} = 1\n" for number in range(500)))
    assert len(refusal.mistakes) == 500
    assert len(refusal.lines) == 21
    assert refusal.lines[-1] == "and 480 more, 500 mistakes in all"
    assert refusal.message.endswith("500 mistakes in all")


def test_a_mistake_takes_one_line_however_long_its_key(tmp_path: Path) -> None:
    refusal = refused(tmp_path, f'{HOUSE}"{"x" * 100_000}" = 1\n')
    assert len(refusal.message) < 700
    assert refusal.message.endswith("...: unknown key")


UNFIT = {
    "an escape sequence": r'title = "\u001b[2JThe Riverside"',
    "a line break": r'title = "The\nRiverside"',
    "writing turned round": r'title = "The \u202e Riverside"',
    "in a label": '[labels]\nraise = "Pl\\tay"',
    "in a clause": '[options]\nchip_unit = { value = "1.00", clause = "House\\u0007 4" }',
    "in a notice": '[[notice]]\ntext = "No\\u009bsmoking"\nclause = "House 5"',
    "in an inscription": '[[layout]]\ntext = "No\\u000csmoking"\nclause = "House 5"',
    "in an id": 'id = "hou\\u0000se"',
    "in a paytable's id": '[[paytable]]\nkey = "trips_plus"\ncustom = true\nids = ["a\\nb"]\n'
    'rows = [["flush", "Flush", "5"]]',
    "in a row": '[[paytable]]\nkey = "trips_plus"\ncustom = true\nids = ["a"]\n'
    'rows = [["flush", "Fl\\rush", "5"]]',
    "in a pay": '[[paytable]]\nkey = "trips_plus"\ncustom = true\nids = ["a"]\n'
    'rows = [["flush", "Flush", "5\\nto 1"]]',
    "an endless title": f'title = "{"x" * 2_000}"',
    "an endless label": f'[labels]\nraise = "{"x" * 101}"',
    "an endless clause": f'[options]\nchip_unit = {{ value = "1.00", clause = "{"x" * 2_000}" }}',
    "an endless id": f'id = "{"x" * 101}"',
}


@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)
def test_texts_of_a_book_are_printable_and_bounded(tmp_path: Path, text: str) -> None:
    assert len(refused(tmp_path, HOUSE + text + "\n").mistakes) == 1


@pytest.mark.parametrize("name", ["esc\x1b[2J", "half\udcff"])
def test_an_unprintable_file_name_is_not_used_as_id(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_text(HOUSE, encoding="utf-8")
    with pytest.raises(RulesRefused, match="id: must be printable text"):
        table_rules(str(file))
    file.write_text(f'id = "house"\n{HOUSE}', encoding="utf-8")
    assert table_rules(recordable_rules(str(file))).id == "house"


# Digits are 0 to 9, and a number is no larger than it can be.


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pocket_raises", "٣"),
        ("pocket_raises", "３"),
        ("pocket_raises", "1,²"),
        ("pocket_raises", "1,2,3_0"),
        ("pocket_raises", 1 << 5_000),
        ("pocket_raises", [1] * 100_000),
        ("positions_per_player", "٢"),
        ("positions_per_player", "+2"),
        ("chip_unit", "١.00"),
        ("chip_unit", 1 << 5_000),
        ("meter_seed", "٥٠٠"),
        ("cap", {"amount": "٥"}),
        ("cap", {"x" * 100_000: 1}),
        ("cap", {"amount": "5", "spares_below": "٥"}),
        ("limits", {"ante": {"min": "٥"}}),
        ("qualifier", "A" * 100_000),
        ("x" * 100_000, "1"),
    ],
)
def test_odd_values_are_refused_in_one_short_sentence(key: str, value: object) -> None:
    with pytest.raises(RulesRefused) as caught:
        table_rules("galaxy", {}, {key: value})
    assert len(caught.value.message) < 900


@pytest.mark.parametrize("id", ["٣", "x" * 100_000, 1 << 5_000, True, ["3"]])
def test_an_odd_paytable_is_refused_in_one_short_sentence(id: object) -> None:
    with pytest.raises(RulesRefused) as caught:
        table_rules("galaxy", {"trips_plus": id})
    assert len(caught.value.message) < 300


def test_every_mistake_has_its_sentence() -> None:
    pattern = re.compile(r'Code\.([A-Z_]+)(?:, "(\w+)")?')
    folder = Path(headsup.game.rulebook.__file__).parent
    for module in folder.glob("*.py"):
        for code, case in pattern.findall(module.read_text(encoding="utf-8")):
            key = Code[code].value + (f"/{case}" if case else "")
            assert any(known == key or known.startswith(f"{key}/") for known in SENTENCES), key


# Whatever a book or a choice contains, the answer is rules or a refusal.

ODD: tuple[Any, ...] = (
    "", "none", "x" * 200, "٣", "5", "100%", "\x1b[2J", "a\nb", 0, -1, 1, 10**30, True, False, [],
    [[]], ["a"], [1, 2], [True], {}, {"value": 5}, {"value": {}}, {"a": {"b": 1}}, "new-york",
    "all", ["trips_plus"], {"amount": 5}, {"amount": "5", "wagers": [[]]},
    {"amount": "5", "scope": []},
    {"ante": {"min": "5"}}, {"ante": {"min": {}}}, {"ante": 5}, [["flush", "F", "5"]],
    [["flush", "F"]], [[1, 2, 3]], [{"key": "odds"}], [{"key": ["a"]}], "2020-06-15", "1,2,3", "44",
    [{"key": "trips_plus", "ids": ["a"], "custom": True, "rows": [["flush", "F", "1:0"]]}],
    {"pocket_bonus": {"pair": []}}, {"foul_deck": 5}, {"foul_deck": {"voids": []}},
)  # fmt: skip
ONLY_IN_PYTHON: tuple[Any, ...] = (
    None, 1.5, float("nan"), Decimal("NaN"), Decimal("1e999999"), 10**5000, b"x", object(), {1: 2},
)  # fmt: skip
BLOCKS = ("paytable", "layout_table", "layout", "notice", "condition")


def odd_book(random: Random) -> str:
    raw: dict[str, Any] = {"extends": random.choice(SHIPPED_BOOKS)}
    for part in random.sample(sorted(BOOK_KEYS["book"]), random.randint(1, 4)):
        raw[part] = random.choice(ODD)
        if part in BOOK_KEYS and random.random() < 0.7:
            keys = random.choices([*sorted(BOOK_KEYS[part]), "unheard_of"], k=3)
            values = {key: random.choice(ODD) for key in keys}
            raw[part] = [values] if part in BLOCKS else values
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in raw.items())


def compile_rules(
    book: str, options: dict[str, object] | None = None
) -> tuple[TableRules | None, str]:
    """The rules or the text of the refusal; anything else is a bug and fails the test."""
    try:
        return table_rules(book, {}, options), ""
    except RulesRefused as refused:
        return None, refused.message


def test_any_book_is_read_or_refused() -> None:
    random = Random(7)
    answers = [compile_rules(odd_book(random)) for _ in range(2_000)]
    assert all(rules or 0 < len(reason) < 30_000 for rules, reason in answers)


def test_any_choice_is_compiled_or_refused_and_survives_a_round_trip() -> None:
    random = Random(7)
    for _ in range(3_000):
        keys = random.choices([*OPTIONS, "limits", "bonus", "unheard_of"], k=2)
        options: dict[str, object] = {key: random.choice((*ODD, *ONLY_IN_PYTHON)) for key in keys}
        rules, reason = compile_rules(random.choice(SHIPPED_BOOKS), options)
        assert len(reason) < 8_000
        if rules is None:
            continue
        again = {key: write_option(key, value) for key, value in rules.options.items()}
        numbers_in_texts = {
            key: value for key, value in options.items() if key in ("limits", "bonus")
        }
        assert table_rules(rules.id, {}, {**again, **numbers_in_texts}) == rules


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("1234.567", "1,234.567"),
        ("9999999.5", "9,999,999.5"),
        ("2:3", "2:3"),
        ("7:1", "7"),
        ("0.1234567%", "0.1234567%"),
        ("100% of pool", "100%"),
    ],
)
def test_a_posted_pay_is_never_rounded(printed: str, shown: str) -> None:
    assert parse_cell(printed, "to").short == shown
