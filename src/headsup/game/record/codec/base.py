"""Codecs of single values: how they are written as JSON and read back.

`containers` has the codecs of values that contain others, and `registry` builds them from type
annotations. Each value has exactly one text. Both directions are strict: no true for 1, no float,
no missing or extra field, no second spelling.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from json.encoder import JSONEncoder, encode_basestring_ascii
from types import NoneType
from typing import Any, NamedTuple

from headsup.game.values.cards import DECK, card_name
from headsup.game.values.identity_cache import MAX_ENTRIES, IdentityCache
from headsup.game.values.str_enum import TextEnum

# The largest integer that every database can store, far above any amount of money.
MAX_STORED_INT = 2**63 - 1
_MAX_FRACTION_CHARS = 84

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
    """How the values of one type are written and read: the two functions are each other's inverse.

    `text` writes canonical JSON, and raises `TypeMismatch` unless the value has exactly this type;
    limits are up to the rules of the game. `read` takes a parsed JSON value, and raises
    `TypeMismatch` unless `text` would write exactly that.
    """

    text: Callable[[Any], str]
    read: Callable[[Any], Any]
    classes: tuple[type[Any], ...]  # of the values
    json_type: type[Any]  # of what `text` writes


def write_only_codec(
    classes: tuple[type[Any], ...], json_type: type[Any], to_json: Callable[[Any], Any]
) -> Codec:
    """The codec of values that are written but never read, such as amounts in views."""
    among = tuple(kind.__name__ for kind in classes)

    def text(value: Any) -> str:
        if type(value) not in classes:
            raise TypeMismatch(Expectation.KIND, value, among)
        json = to_json(value)
        return quote_json(json) if type(json) is str else _ENCODER.encode(json)

    def read(raw: Any) -> Any:
        raise TypeMismatch(Expectation.KIND, raw, among)

    return Codec(text, read, classes, json_type)


# Scalars.


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeMismatch(Expectation.WHOLE, value)
    if not -MAX_STORED_INT <= value <= MAX_STORED_INT:
        raise TypeMismatch(Expectation.STORABLE, value)
    return value


def _whole_text(value: Any) -> str:
    if type(value) is int and -MAX_STORED_INT <= value <= MAX_STORED_INT:
        return str(value)
    return str(_whole(value))  # raises


def is_storable_text(value: str) -> bool:
    """Whether a text can be stored and read back: lone surrogates and NUL cannot."""
    if "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def _string(value: Any) -> str:
    if type(value) is str and is_storable_text(value):
        return value
    raise TypeMismatch(Expectation.TEXT, value)


def _string_text(value: Any) -> str:
    is_plain = type(value) is str and value.isascii() and "\0" not in value
    return quote_json(value if is_plain else _string(value))


def _flag(value: Any) -> bool:
    if type(value) is bool:
        return value
    raise TypeMismatch(Expectation.FLAG, value)


def _flag_text(value: Any) -> str:
    if value is False:
        return "false"
    return "true" if _flag(value) else "false"


def _nothing(value: Any) -> None:
    if value is not None:
        raise TypeMismatch(Expectation.NOTHING, value)


def _nothing_text(value: Any) -> str:
    if value is None:
        return "null"
    raise TypeMismatch(Expectation.NOTHING, value)


def _fraction_text(value: Any) -> str:
    if type(value) is Fraction and len(text := str(value)) <= _MAX_FRACTION_CHARS:
        return f'"{text}"'
    raise TypeMismatch(Expectation.FRACTION, value)


def _read_fraction(raw: Any) -> Fraction:
    if type(raw) is str and len(raw) <= _MAX_FRACTION_CHARS:
        with suppress(ValueError, ZeroDivisionError):
            value = Fraction(raw)
            if str(value) == raw:
                return value
    raise TypeMismatch(Expectation.FRACTION, raw)


SCALAR_CODECS: Mapping[Any, Codec] = {
    int: Codec(_whole_text, _whole, (int,), int),
    str: Codec(_string_text, _string, (str,), str),
    bool: Codec(_flag_text, _flag, (bool,), bool),
    NoneType: Codec(_nothing_text, _nothing, (NoneType,), NoneType),
    Fraction: Codec(_fraction_text, _read_fraction, (Fraction,), str),
}

# For values that were built from checked ones. C functions write them two or three times as fast,
# but would take some values of other types.
TRUSTED_SCALARS: Mapping[Any, Codec] = {
    int: SCALAR_CODECS[int]._replace(text=str),
    str: SCALAR_CODECS[str]._replace(text=quote_json),
    bool: SCALAR_CODECS[bool]._replace(text={True: "true", False: "false"}.__getitem__),
}


def enum_codec(members: Mapping[Any, Any], kind: type[Any]) -> Codec:
    """The codec of an enum, by its values, or of a Literal."""
    word_types = {type(value) for value in members}
    if word_types not in ({str}, {int}):
        raise TypeError(f"{kind.__name__} needs values that are all text or all whole numbers")
    word_type = word_types.pop()
    texts = {
        member: quote_json(word) if word_type is str else str(word)
        for word, member in members.items()
    }
    among = tuple(map(str, members))

    def text(value: Any) -> str:
        if type(value) is kind and (word := texts.get(value)) is not None:
            return word
        raise TypeMismatch(Expectation.WORD, value, among)

    def read(raw: Any) -> Any:
        if type(raw) is not word_type or raw not in members:
            raise TypeMismatch(Expectation.WORD, raw, among)
        return members[raw]

    return Codec(text, read, (kind,), word_type)


# Cards.

_NAMES = tuple(map(card_name, DECK))
_CARD_OF = {name: card for card, name in enumerate(_NAMES)}
_ALL_CARDS = frozenset(DECK)


def _cards_text(value: Any) -> str:
    is_tuple_of_ints = type(value) is tuple and {int}.issuperset(map(type, value))
    if not is_tuple_of_ints or not _ALL_CARDS.issuperset(value):
        raise TypeMismatch(Expectation.CARDS, value)
    return '"' + "".join([_NAMES[card] for card in value]) + '"'


def _read_cards(raw: Any) -> tuple[int, ...]:
    if type(raw) is not str or len(raw) % 2:
        raise TypeMismatch(Expectation.CARDS, raw)
    try:
        return tuple([_CARD_OF[raw[i : i + 2]] for i in range(0, len(raw), 2)])
    except KeyError:
        raise TypeMismatch(Expectation.CARDS, raw) from None


CARDS_CODEC = Codec(_cards_text, _read_cards, (tuple,), str)


def cached_codec(codec: Codec, max_entries: int = MAX_ENTRIES) -> Codec:
    """The codec with cached texts, for values that are written again and again."""
    text: Callable[[Any], str] = IdentityCache(codec.text, max_entries)
    return codec._replace(text=text)
