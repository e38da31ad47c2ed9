"""Parses untrusted JSON and TOML within bounds, so that no text costs minutes or gigabytes, and
writes text as TOML.

Limits are checked before parsing where possible: some texts, such as a key of a hundred thousand
parts, are too much for the parser itself. Fractions are read as exact decimals.
"""

import json
import re
import tomllib
from decimal import Decimal, InvalidOperation
from typing import Any

from headsup.game.refusal import Code, Refused

# A round has a few kilobytes, the longest rule book about twenty.
MAX_CHARACTERS = 1_000_000
# Options are four deep (options, bonus, wager, outcome), inside a round or a book.
MAX_DEPTH = 32
# For names and numbers outside quotation marks; an amount has at most thirty digits.
MAX_WORD_CHARACTERS = 200
_MAX_INT_DIGITS = 4_000  # Python itself converts 4,300


def parse_json(text: str) -> object:
    """Parse JSON with exact decimals. Repeated keys are refused; NaN stays a decimal."""
    _check_size(Code.BAD_JSON, text)
    try:
        value = json.loads(
            text,
            parse_float=_number,
            parse_int=_whole_number,
            parse_constant=Decimal,
            object_pairs_hook=_reject_repeated_keys,
        )
    except RecursionError:
        raise Refused(Code.BAD_JSON, "nested") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno} " if "\n" in text else ""
        reason = f"{error.msg} at {line}column {error.colno}"
        raise Refused(Code.BAD_JSON, reason=reason) from None
    # Counting brackets is cheap, and few texts have enough of them to be too deep.
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deeper_than(value, MAX_DEPTH):
        raise Refused(Code.BAD_JSON, "nested")
    return value


def parse_toml(text: str) -> dict[str, Any]:
    _check_size(Code.BAD_TOML, text)
    _check_toml(text)
    try:
        return tomllib.loads(text, parse_float=_number)
    except RecursionError:
        raise Refused(Code.BAD_TOML, "nested") from None
    except ValueError as error:  # TOMLDecodeError, or a date such as 2020-99-99
        raise Refused(Code.BAD_TOML, reason=str(error)[:200]) from None


def quote_toml(text: str) -> str:
    """A text as a TOML string. JSON's escapes are TOML's too, but JSON has none for U+007F."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _check_size(code: Code, text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise Refused(code, "size", size=len(text), most=MAX_CHARACTERS)


def _is_deeper_than(value: object, levels: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and (
        levels == 0 or any(_is_deeper_than(inner, levels - 1) for inner in value)
    )


# Complete strings come first, so that their contents are skipped; then unfinished ones.
_TOML = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|(?P<unfinished>"""|\'\'\')'
    r'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*'
    r"|(?P<word>[\w+\-:]+)|(?P<sign>[.\[\]{}=,\n])",
    re.DOTALL,
)


def _check_toml(text: str) -> None:
    """Refuse what would overwhelm the parser: deep brackets, long dotted keys and long words."""
    depth = dots = 0
    for token in _TOML.finditer(text):
        match token.lastgroup, token[0]:
            case "unfinished", _:
                return  # the parser reports where the unfinished string begins
            case "word", word if len(word) > MAX_WORD_CHARACTERS:
                raise Refused(Code.BAD_TOML, "word", size=len(word), most=MAX_WORD_CHARACTERS)
            case "sign", ".":
                dots += 1
            case "sign", sign:
                dots = 0
                depth += (sign in "[{") - (sign in "]}")
        if depth > MAX_DEPTH or dots > MAX_DEPTH:
            raise Refused(Code.BAD_TOML, "nested")


def _number(text: str) -> Decimal | str:
    """A decimal, or the text itself if the exponent is out of range: refused later, by field."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _whole_number(text: str) -> int | Decimal:
    return int(text) if len(text) <= _MAX_INT_DIGITS else Decimal(text)


def _reject_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Refused(Code.REPEATED_KEY, key=next(key for key in keys if keys.count(key) > 1))
    return result
