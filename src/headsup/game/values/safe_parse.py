"""JSON and TOML from outside, read within bounds, so that no text costs minutes or gigabytes.

Numbers with a fraction are exact decimals. What is out of bounds is refused before it is parsed:
a parser that meets a key of a hundred thousand parts has lost already.
"""

import json
import re
import tomllib
from decimal import Decimal, InvalidOperation
from typing import Any

from headsup.game.refusal import Code, Refused

# A round is some kilobytes and the longest rule book some twenty.
MAX_CHARACTERS = 1_000_000
# Options go four deep (options, bonus, wager, outcome), under a seat or a book.
MAX_DEPTH = 32
# Names and numbers outside quotation marks; an amount has at most thirty digits.
MAX_WORD_CHARACTERS = 200
_MAX_INT_DIGITS = 4_000  # Python itself converts 4,300


def parse_json(text: str) -> object:
    """JSON with exact decimals; a repeated key is refused, NaN and Infinity where they stand."""
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
        where = f"{error.msg} at {line}column {error.colno}"
        raise Refused(Code.BAD_JSON, reason=where) from None
    # Nothing is deeper than it has opening brackets, and few texts have that many.
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


def _check_size(code: Code, text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise Refused(code, "size", size=len(text), most=MAX_CHARACTERS)


def _is_deeper_than(value: object, levels: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and (
        levels == 0 or any(_is_deeper_than(inner, levels - 1) for inner in value)
    )


# Texts first, so that what stands in them is not looked at; then what cannot be the whole of one.
_TOML = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|(?P<unfinished>"""|\'\'\')'
    r'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*'
    r"|(?P<word>[\w+\-:]+)|(?P<sign>[.\[\]{}=,\n])",
    re.DOTALL,
)


def _check_toml(text: str) -> None:
    """Refuse what the parser would spend itself on: deep brackets, long dotted keys and words."""
    depth = dots = 0
    for token in _TOML.finditer(text):
        match token.lastgroup, token[0]:
            case "unfinished", _:
                return  # the parser says where the text that has no end begins
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
    """A decimal; one with an exponent past all bounds stays text, refused where it stands."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _whole_number(text: str) -> int | Decimal:
    return int(text) if len(text) <= _MAX_INT_DIGITS else Decimal(text)


def _reject_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Refused(Code.REPEATED_KEY, key=next(key for key in keys if keys.count(key) > 1))
    return read
