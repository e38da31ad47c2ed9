"""Codecs of single values: how they are written as JSON, read back and checked.

`containers` has the codecs of values that contain others, and `registry` builds them from type
annotations. Each value has exactly one text, and reading is strict: no true for 1, no float, no
missing or extra field, no second spelling.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from json.encoder import JSONEncoder, encode_basestring_ascii
from types import NoneType
from typing import Any, NamedTuple

from headsup.game.values.cards import DECK, card_name
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.values.str_enum import TextEnum

# The largest integer that every database can store, far above any amount of money.
MAX_STORED_INT = 2**63 - 1
_FRACTION = re.compile(r"-?(0|[1-9]\d{0,40})(/[1-9]\d{0,40})?", re.ASCII)

# A string as ASCII JSON. The encoder below spells JSON like `chain.canonical_json`.
quote_json: Callable[[str], str] = encode_basestring_ascii
_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"))


class Expectation(TextEnum):
    """What was expected where a value has the wrong type."""

    WHOLE = "whole"
    STORABLE = "storable"
    TEXT = "text"
    FLAG = "flag"
    NOTHING = "nothing"
    CARDS = "cards"
    FRACTION = "fraction"
    WORD = "word"  # one of those in `among`
    LIST = "list"
    LENGTH = "length"  # as many items as `among` has
    OBJECT = "object"
    VALUES = "values"  # an object that `FrozenJson` accepts
    FIELDS = "fields"  # exactly those in `among`
    KIND = "kind"  # a value of one of the classes in `among`


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first part of a value that has the wrong type."""

    field: str
    expected: Expectation
    found: object
    among: tuple[str, ...] = ()


class TypeMismatch(Exception):
    """The value has the wrong type; `flaw` says where."""

    def __init__(self, expected: Expectation, found: object, among: tuple[str, ...] = ()) -> None:
        super().__init__(expected, found, among)
        self.expected, self.found, self.among = expected, found, among
        self.path: list[str | int] = []

    def at(self, step: str | int) -> "TypeMismatch":
        """Add the field or index in which the mismatch was found to its path."""
        self.path.insert(0, step)
        return self

    @property
    def flaw(self) -> Flaw:
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return Flaw(text.removeprefix("."), self.expected, self.found, self.among)


class Codec(NamedTuple):
    """How the values of one type are written, read and checked.

    `write` returns a JSON value and `text` its canonical text; neither checks the value. `check`
    raises `TypeMismatch` unless the value has exactly this type; limits are up to the rules of the
    game. `read` raises `TypeMismatch` unless the JSON is exactly what `write` returns.
    """

    write: Callable[[Any], Any]
    text: Callable[[Any], str]
    read: Callable[[Any], Any]
    check: Callable[[Any], None]
    classes: tuple[type[Any], ...]  # of the values
    json_type: type[Any]  # of what `write` returns


def identity(value: Any) -> Any:
    return value


def write_only_codec(classes: tuple[type[Any], ...], json_type: type[Any], write: Any) -> Codec:
    """The codec of values that a record only refers to, such as rules by their fingerprint."""
    among = tuple(kind.__name__ for kind in classes)

    def text(value: Any) -> str:
        json = write(value)
        return quote_json(json) if type(json) is str else _ENCODER.encode(json)

    def check(value: Any) -> None:
        if type(value) not in classes:
            raise TypeMismatch(Expectation.KIND, value, among)

    def read(raw: Any) -> Any:
        raise TypeMismatch(Expectation.KIND, raw, among)

    return Codec(write, text, read, check, classes, json_type)


# Scalars.


def _check_whole(value: Any) -> None:
    if type(value) is not int:
        raise TypeMismatch(Expectation.WHOLE, value)
    if not -MAX_STORED_INT <= value <= MAX_STORED_INT:
        raise TypeMismatch(Expectation.STORABLE, value)


def _read_whole(raw: Any) -> int:
    _check_whole(raw)
    return int(raw)


def is_storable_text(value: str) -> bool:
    """Whether a text can be stored and read back: lone surrogates and NUL cannot."""
    if "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def _check_text(value: Any) -> None:
    if type(value) is not str or not is_storable_text(value):
        raise TypeMismatch(Expectation.TEXT, value)


def _read_text(raw: Any) -> str:
    if type(raw) is str and is_storable_text(raw):
        return raw
    raise TypeMismatch(Expectation.TEXT, raw)


_FLAGS = {True: "true", False: "false"}


def _check_flag(value: Any) -> None:
    if type(value) is not bool:
        raise TypeMismatch(Expectation.FLAG, value)


def _read_flag(raw: Any) -> bool:
    if type(raw) is bool:
        return raw
    raise TypeMismatch(Expectation.FLAG, raw)


def _check_nothing(value: Any) -> None:
    if value is not None:
        raise TypeMismatch(Expectation.NOTHING, value)


def _read_fraction(raw: Any) -> Fraction:
    if type(raw) is str and _FRACTION.fullmatch(raw):
        try:
            value = Fraction(raw)
        except ZeroDivisionError:
            raise TypeMismatch(Expectation.FRACTION, raw) from None
        if str(value) == raw:
            return value
    raise TypeMismatch(Expectation.FRACTION, raw)


def _check_fraction(value: Any) -> None:
    if type(value) is not Fraction or not _FRACTION.fullmatch(str(value)):
        raise TypeMismatch(Expectation.FRACTION, value)


SCALAR_CODECS: Mapping[Any, Codec] = {
    int: Codec(identity, str, _read_whole, _check_whole, (int,), int),
    str: Codec(identity, quote_json, _read_text, _check_text, (str,), str),
    bool: Codec(identity, _FLAGS.__getitem__, _read_flag, _check_flag, (bool,), bool),
    NoneType: Codec(
        identity, lambda _: "null", _check_nothing, _check_nothing, (NoneType,), NoneType
    ),
    Fraction: Codec(
        str, lambda value: f'"{value}"', _read_fraction, _check_fraction, (Fraction,), str
    ),
}


def enum_codec(members: Mapping[Any, Any], kind: type[Any]) -> Codec:
    """The codec of an enum, by its values, or of a Literal."""
    words = {member: value for value, member in members.items()}
    word_types = {type(value) for value in members}
    if word_types not in ({str}, {int}):
        raise TypeError(f"{kind.__name__} needs values that are all text or all whole numbers")
    word_type = word_types.pop()
    texts = {
        member: quote_json(word) if word_type is str else str(word)
        for member, word in words.items()
    }
    among = tuple(map(str, members))

    def check(value: Any) -> None:
        if type(value) is not kind or value not in words:
            raise TypeMismatch(Expectation.WORD, value, among)

    def read(raw: Any) -> Any:
        if type(raw) is not word_type or raw not in members:
            raise TypeMismatch(Expectation.WORD, raw, among)
        return members[raw]

    return Codec(words.__getitem__, texts.__getitem__, read, check, (kind,), word_type)


# Cards.

_NAMES = tuple(map(card_name, DECK))
_CARD_OF = {name: card for card, name in enumerate(_NAMES)}
_ALL_CARDS = frozenset(DECK)


def _write_cards(cards: tuple[int, ...]) -> str:
    return "".join([_NAMES[card] for card in cards])


def _text_of_cards(cards: tuple[int, ...]) -> str:
    return '"' + "".join([_NAMES[card] for card in cards]) + '"'


def _read_cards(raw: Any) -> tuple[int, ...]:
    if type(raw) is not str or len(raw) % 2:
        raise TypeMismatch(Expectation.CARDS, raw)
    try:
        return tuple([_CARD_OF[raw[i : i + 2]] for i in range(0, len(raw), 2)])
    except KeyError:
        raise TypeMismatch(Expectation.CARDS, raw) from None


def _check_cards(value: Any) -> None:
    is_tuple_of_ints = type(value) is tuple and {int}.issuperset(map(type, value))
    if not is_tuple_of_ints or not _ALL_CARDS.issuperset(value):
        raise TypeMismatch(Expectation.CARDS, value)


CARDS_CODEC = Codec(_write_cards, _text_of_cards, _read_cards, _check_cards, (tuple,), str)


def cached_codec(codec: Codec, max_entries: int) -> Codec:
    """The codec with cached texts and checks."""
    text: Callable[[Any], str] = IdentityCache(codec.text, max_entries)
    return codec._replace(text=text, check=IdentityCache(codec.check, max_entries))
