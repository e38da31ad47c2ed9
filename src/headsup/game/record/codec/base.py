"""How values of one type are written as JSON, read back, and told from others.

`registry` puts these together as annotations say; here are the single values, in `containers` those
that hold others. One value has one text: nothing reads but what is written, no true for 1, no
float, no missing or further field, no second spelling.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from json.encoder import JSONEncoder, encode_basestring_ascii
from types import NoneType
from typing import Any, NamedTuple

from headsup.game.values.cards import DECK, card_name
from headsup.game.values.str_enum import TextEnum

# What every database keeps as one integer, and far above any amount of money there is.
MAX_STORED_INT = 2**63 - 1
_FRACTION = re.compile(r"-?(0|[1-9]\d{0,40})(/[1-9]\d{0,40})?", re.ASCII)


# A text as JSON has it, in ASCII; and any JSON in the spelling of `chain.canonical`.
quote_json: Callable[[str], str] = encode_basestring_ascii
_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"))


class Expectation(TextEnum):
    """What stands where something else belongs."""

    WHOLE = "whole"
    TEXT = "text"
    FLAG = "flag"
    NOTHING = "nothing"
    CARDS = "cards"
    FRACTION = "fraction"
    WORD = "word"  # one of `among`
    LIST = "list"
    LENGTH = "length"  # as many items as `among` has
    OBJECT = "object"
    VALUES = "values"  # an object of choices, as `Values` are
    FIELDS = "fields"  # just those in `among`
    KIND = "kind"  # a value of one of the classes in `among`


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first thing in a value that is not of its type."""

    field: str
    wanted: Expectation
    found: object
    among: tuple[str, ...] = ()


class TypeMismatch(Exception):
    """The value is not of its type; `flaw` says where."""

    def __init__(self, wanted: Expectation, found: object, among: tuple[str, ...] = ()) -> None:
        super().__init__(wanted, found, among)
        self.wanted, self.found, self.among = wanted, found, among
        self.path: list[str | int] = []

    def within(self, place: str | int) -> "TypeMismatch":
        self.path.insert(0, place)
        return self

    @property
    def flaw(self) -> Flaw:
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return Flaw(text.removeprefix("."), self.wanted, self.found, self.among)


class Codec(NamedTuple):
    """How the values of one type are written, read, and told from others.

    `write` gives JSON values and `text` their canonical text; both trust their value. `check`
    raises Unfit unless it is exactly of its type, of any size: how much is too much is for the
    rules to say. `read` raises Unfit unless the JSON is exactly what `write` makes.
    """

    write: Callable[[Any], Any]
    text: Callable[[Any], str]
    read: Callable[[Any], Any]
    check: Callable[[Any], None]
    classes: tuple[type[Any], ...]  # of the values
    written: type[Any]  # the JSON type of what is written


def identity(value: Any) -> Any:
    return value


def write_only_codec(classes: tuple[type[Any], ...], written: type[Any], write: Any) -> Codec:
    """A form for what a record names and does not hold, such as rules by their fingerprint."""
    among = tuple(kind.__name__ for kind in classes)

    def text(value: Any) -> str:
        made = write(value)
        return quote_json(made) if type(made) is str else _ENCODER.encode(made)

    def check(value: Any) -> None:
        if type(value) not in classes:
            raise TypeMismatch(Expectation.KIND, value, among)

    def read(raw: Any) -> Any:
        raise TypeMismatch(Expectation.KIND, raw, among)

    return Codec(write, text, read, check, classes, written)


# Scalars.


def _check_whole(value: Any) -> None:
    if type(value) is not int:
        raise TypeMismatch(Expectation.WHOLE, value)


def _read_whole(raw: Any) -> int:
    if type(raw) is int and -MAX_STORED_INT <= raw <= MAX_STORED_INT:
        return raw
    raise TypeMismatch(Expectation.WHOLE, raw)


def is_storable_text(value: str) -> bool:
    """Half characters read back as others, and no database keeps a NUL."""
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
    """A closed vocabulary: an enum by its values, or the texts of a Literal."""
    words = {member: value for value, member in members.items()}
    written = {type(value) for value in members}
    if written not in ({str}, {int}):
        raise TypeError(f"the words of {kind.__name__} are not all text or all numbers")
    word_type = written.pop()
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
    whole = type(value) is tuple and {int}.issuperset(map(type, value))
    if not whole or not _ALL_CARDS.issuperset(value):
        raise TypeMismatch(Expectation.CARDS, value)


CARDS_CODEC = Codec(_write_cards, _text_of_cards, _read_cards, _check_cards, (tuple,), str)
