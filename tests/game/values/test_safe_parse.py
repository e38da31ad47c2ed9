"""Texts from outside cost little whatever they hold: refused by a sentence, in no time."""

from decimal import Decimal
from time import process_time

import pytest

from headsup.game.refusal import Refused
from headsup.game.values.safe_parse import MAX_CHARACTERS, MAX_DEPTH, parse_json, parse_toml

TOML_BOMBS = {
    "a number in hexadecimal": "a = 0x" + "f" * 900_000,
    "a number in binary": "a = 0b" + "1" * 900_000,
    "a number of digits": "a = " + "9" * 900_000,
    "a float": "a = 1." + "9" * 900_000,
    "a dotted key": ".".join("a" * 400_000) + " = 1",
    "a dotted key in spaces": " . ".join("a" * 200_000) + " = 1",
    "a dotted key in quotes": ".".join(['"a"'] * 200_000) + " = 1",
    "a dotted table": "[" + ".".join("a" * 400_000) + "]",
    "a dotted key in a table": "a = { " + ".".join("a" * 400_000) + " = 1 }",
    "brackets": "a = " + "[" * 900_000,
    "braces": "a = " + "{a=" * 300_000,
    "texts without an end": '"""\\' * 200_000,
    "quotation marks": '"' * 900_000,
    "a long name": "a" * 900_000 + " = 1",
    "too long": "a = 1\n" + "#" * MAX_CHARACTERS,
}
JSON_BOMBS = {
    "brackets": "[" * 900_000,
    "closed brackets": "[" * 500 + "]" * 500,
    "braces": '{"a":' * 180_000,
    "a repeated key": '{"a":1' + ',"a":1' * 150_000 + "}",
    "too long": "[" + "1," * (MAX_CHARACTERS // 2) + "1]",
}


@pytest.mark.parametrize("text", TOML_BOMBS.values(), ids=TOML_BOMBS.keys())
def test_toml_past_all_bounds_is_refused_at_once(text: str) -> None:
    start = process_time()
    with pytest.raises(Refused) as refused:
        parse_toml(text)
    assert process_time() - start < 2
    assert refused.value.code == "bad_toml"
    assert len(refused.value.message) < 300


@pytest.mark.parametrize("text", JSON_BOMBS.values(), ids=JSON_BOMBS.keys())
def test_json_past_all_bounds_is_refused_at_once(text: str) -> None:
    start = process_time()
    with pytest.raises(Refused) as refused:
        parse_json(text)
    assert process_time() - start < 2
    assert refused.value.code in ("bad_json", "repeated_key")
    assert len(refused.value.message) < 300


def test_what_stands_in_texts_and_comments_is_not_looked_at() -> None:
    held = "[" * 100 + "." * 100 + "9" * 1_000
    text = f"""# {held}
one = "{held} \\" {held}"
two = '{held}'
three = \"\"\"
{held}" {held}\"\"\"\"\"
four = '''{held}
'{held}'''
"""
    read = parse_toml(text)
    assert read["one"] == f'{held} " {held}'
    assert read["three"] == f'{held}" {held}""'
    assert read["four"] == f"{held}\n'{held}"


def test_as_deep_as_may_be() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_toml(f"a = {deepest}")
    assert parse_json(deepest)
    with pytest.raises(Refused, match="nested too deeply"):
        parse_toml(f"a = [{deepest}]")
    with pytest.raises(Refused, match="nested too deeply"):
        parse_json(f"[{deepest}]")


def test_fractions_are_exact() -> None:
    assert parse_toml("a = 0.1") == parse_json('{"a": 0.1}') == {"a": Decimal("0.1")}


@pytest.mark.parametrize("text", ["a = 2020-99-99", "a = 99:99:99", "a = 1e", "a"])
def test_what_the_parser_stumbles_over_is_a_refusal(text: str) -> None:
    with pytest.raises(Refused, match="this is not TOML"):
        parse_toml(text)
