"""Untrusted texts cost little, whatever they contain: bad ones are refused quickly."""

from decimal import Decimal
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headsup.game.refusal import Refused
from headsup.game.values.safe_parse import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    parse_json,
    parse_toml,
    quote_toml,
)

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
def test_oversized_toml_is_refused_at_once(text: str) -> None:
    start = process_time()
    with pytest.raises(Refused) as refused:
        parse_toml(text)
    assert process_time() - start < 2
    assert refused.value.code == "bad_toml"
    assert len(refused.value.message) < 300


@pytest.mark.parametrize("text", JSON_BOMBS.values(), ids=JSON_BOMBS.keys())
def test_oversized_json_is_refused_at_once(text: str) -> None:
    start = process_time()
    with pytest.raises(Refused) as refused:
        parse_json(text)
    assert process_time() - start < 2
    assert refused.value.code in ("bad_json", "repeated_key")
    assert len(refused.value.message) < 300


def test_brackets_in_texts_and_comments_do_not_count() -> None:
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


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
@example('\x00\x1f"\\\x7f\x80\u2028\U0001f0cf')
def test_a_text_is_quoted_as_toml(text: str) -> None:
    quoted = quote_toml(text)
    assert parse_toml(f"[{quoted}]\na = {quoted}") == {text: {"a": text}}


def test_the_deepest_permitted_nesting_is_read() -> None:
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
def test_a_parser_crash_becomes_a_refusal(text: str) -> None:
    with pytest.raises(Refused, match="this is not TOML"):
        parse_toml(text)
