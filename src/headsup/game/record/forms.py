"""How values of one type are written as JSON, read back, and told from others.

`codec` puts these together as annotations say. One value has one text: nothing reads but what is
written, no true for 1, no float, no missing or further field, no second spelling.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, NamedTuple

from headsup.game.cards import DECK, card_name
from headsup.game.word import Word

# What every database keeps as one integer, and far above any amount of money there is.
LARGEST = 2**63 - 1
_FRACTION = re.compile(r"-?(0|[1-9]\d{0,40})(/[1-9]\d{0,40})?", re.ASCII)
_DECIMAL = re.compile(r"0|-?[1-9]\d{0,18}", re.ASCII)


class Wanted(Word):
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
    wanted: Wanted
    found: object
    among: tuple[str, ...] = ()


class Unfit(Exception):
    """The value is not of its type; `flaw` says where."""

    def __init__(self, wanted: Wanted, found: object, among: tuple[str, ...] = ()) -> None:
        super().__init__(wanted, found, among)
        self.wanted, self.found, self.among = wanted, found, among
        self.path: list[str | int] = []

    def within(self, place: str | int) -> "Unfit":
        self.path.insert(0, place)
        return self

    @property
    def flaw(self) -> Flaw:
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return Flaw(text.removeprefix("."), self.wanted, self.found, self.among)


class Form(NamedTuple):
    """How the values of one type are written, read, and told from others.

    `write` trusts its value. `check` raises Unfit unless it is exactly of its type, of any size:
    how much is too much is for the rules to say. `read` raises Unfit unless the JSON is exactly
    what `write` makes of a checked value.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    check: Callable[[Any], None]
    classes: tuple[type[Any], ...]  # of the values
    written: type[Any]  # the JSON type of what is written


def as_it_is(value: Any) -> Any:
    return value


def write_only(classes: tuple[type[Any], ...], written: type[Any], write: Any) -> Form:
    """A form for what a record names and does not hold, such as rules by their fingerprint."""

    def check(value: Any) -> None:
        if type(value) not in classes:
            raise Unfit(Wanted.KIND, value, tuple(kind.__name__ for kind in classes))

    def read(raw: Any) -> Any:
        raise Unfit(Wanted.KIND, raw, tuple(kind.__name__ for kind in classes))

    return Form(write, read, check, classes, written)


# Scalars.


def _scalar(kind: type[Any], wanted: Wanted) -> Form:
    def check(value: Any) -> None:
        if type(value) is not kind:
            raise Unfit(wanted, value)

    def read(raw: Any) -> Any:
        check(raw)
        return raw

    return Form(as_it_is, read, check, (kind,), kind)


def _check_whole(value: Any) -> None:
    if type(value) is not int:
        raise Unfit(Wanted.WHOLE, value)


def _read_whole(raw: Any) -> int:
    if type(raw) is int and -LARGEST <= raw <= LARGEST:
        return raw
    raise Unfit(Wanted.WHOLE, raw)


def _check_text(value: Any) -> None:
    if type(value) is not str or not is_text(value):
        raise Unfit(Wanted.TEXT, value)


def _read_text(raw: Any) -> str:
    if type(raw) is str and is_text(raw):
        return raw
    raise Unfit(Wanted.TEXT, raw)


def is_text(value: str) -> bool:
    """Half characters read back as others, and no database keeps a NUL."""
    if value.isascii():
        return "\0" not in value
    return "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def _read_fraction(raw: Any) -> Fraction:
    if type(raw) is str and _FRACTION.fullmatch(raw):
        try:
            value = Fraction(raw)
        except ZeroDivisionError:
            raise Unfit(Wanted.FRACTION, raw) from None
        if str(value) == raw:
            return value
    raise Unfit(Wanted.FRACTION, raw)


def _check_fraction(value: Any) -> None:
    if type(value) is not Fraction or not _FRACTION.fullmatch(str(value)):
        raise Unfit(Wanted.FRACTION, value)


SCALARS: dict[Any, Form] = {
    int: Form(as_it_is, _read_whole, _check_whole, (int,), int),
    str: Form(as_it_is, _read_text, _check_text, (str,), str),
    bool: _scalar(bool, Wanted.FLAG),
    NoneType: _scalar(NoneType, Wanted.NOTHING),
    Fraction: Form(str, _read_fraction, _check_fraction, (Fraction,), str),
}


def words_of(members: Mapping[Any, Any], classes: tuple[type[Any], ...]) -> Form:
    """A closed vocabulary: an enum by its values, or the texts of a Literal."""
    words = {member: value for value, member in members.items()}
    written = {type(value) for value in members}
    if len(written) != 1:
        raise TypeError(f"{classes[0].__name__} is written in several ways")
    kind = written.pop()
    among = tuple(map(str, members))

    def check(value: Any) -> None:
        if type(value) not in classes or value not in words:
            raise Unfit(Wanted.WORD, value, among)

    def read(raw: Any) -> Any:
        if type(raw) is not kind or raw not in members:
            raise Unfit(Wanted.WORD, raw, among)
        return members[raw]

    return Form(words.__getitem__, read, check, classes, kind)


# Cards.

_NAMES = tuple(map(card_name, DECK))
_CARD_OF = {name: card for card, name in enumerate(_NAMES)}
_ALL_CARDS = frozenset(DECK)


def _write_cards(cards: tuple[int, ...]) -> str:
    return "".join([_NAMES[card] for card in cards])


def _read_cards(raw: Any) -> tuple[int, ...]:
    if type(raw) is not str or len(raw) % 2:
        raise Unfit(Wanted.CARDS, raw)
    try:
        return tuple([_CARD_OF[raw[i : i + 2]] for i in range(0, len(raw), 2)])
    except KeyError:
        raise Unfit(Wanted.CARDS, raw) from None


def _check_cards(value: Any) -> None:
    whole = type(value) is tuple and {int}.issuperset(map(type, value))
    if not whole or not _ALL_CARDS.issuperset(value):
        raise Unfit(Wanted.CARDS, value)


CARDS = Form(_write_cards, _read_cards, _check_cards, (tuple,), str)


# Several values.


def row(item: Form) -> Form:
    write_item, read_item, check_item = item[:3]

    def write(value: Any) -> list[Any]:
        return list(map(write_item, value))

    def read(raw: Any) -> tuple[Any, ...]:
        if type(raw) is not list:
            raise Unfit(Wanted.LIST, raw)
        return tuple(_each(read_item, raw))

    def check(value: Any) -> None:
        if type(value) is not tuple:
            raise Unfit(Wanted.LIST, value)
        _each(check_item, value)

    return Form(write if write_item is not as_it_is else list, read, check, (tuple,), list)


def _each(apply: Callable[[Any], Any], values: Any) -> list[Any]:
    done: list[Any] = []
    try:
        for value in values:
            done.append(apply(value))
    except Unfit as unfit:
        raise unfit.within(len(done)) from None
    return done


def fixed_row(items: list[Form]) -> Form:
    among = tuple(str(i + 1) for i in range(len(items)))

    def apply(step: int, values: Any) -> list[Any]:
        if len(values) != len(items):
            raise Unfit(Wanted.LENGTH, values, among)
        pairs = zip(items, values, strict=True)
        return _each(lambda pair: pair[0][step](pair[1]), pairs)

    def write(value: Any) -> list[Any]:
        return apply(0, value)

    def read(raw: Any) -> tuple[Any, ...]:
        if type(raw) is not list:
            raise Unfit(Wanted.LIST, raw)
        return tuple(apply(1, raw))

    def check(value: Any) -> None:
        if type(value) is not tuple:
            raise Unfit(Wanted.LIST, value)
        apply(2, value)

    return Form(write, read, check, (tuple,), list)


def mapping(origin: type[Any], key: Form, item: Form) -> Form:
    """An object; read in the order of its keys, so that what is read is always the same.

    Keys that are whole numbers are written in decimal.
    """
    order = _order_of(key)
    read_key = _read_number(key.read) if key.written is int else key.read
    write_key, write_item = key.write, item.write

    def write(value: Any) -> dict[str, Any]:
        return {str(write_key(name)): write_item(held) for name, held in value.items()}

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise Unfit(Wanted.OBJECT, raw)
        found = {}
        name = ""
        try:
            for name, held in raw.items():
                found[read_key(name)] = item.read(held)
        except Unfit as unfit:
            raise unfit.within(name) from None
        return {name: found[name] for name in sorted(found, key=order)}

    def check(value: Any) -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise Unfit(Wanted.OBJECT, value)
        name: Any = ""
        try:
            for name, held in value.items():
                key.check(name)
                item.check(held)
        except Unfit as unfit:
            raise unfit.within(str(name)) from None

    return Form(write, read, check, (dict, origin), dict)


def _order_of(key: Form) -> Callable[[Any], Any]:
    """Enums in the order in which they are defined, all else as it sorts."""
    if issubclass(key.classes[0], Enum):
        places = {member: i for i, member in enumerate(key.classes[0])}
        return places.__getitem__
    return as_it_is


def _read_number(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read_key(name: str) -> Any:
        if not _DECIMAL.fullmatch(name):
            raise Unfit(Wanted.WHOLE, name)
        return read(int(name))

    return read_key


# Records.


def record(kind: type[Any], forms: Mapping[str, Form], tag: str = "") -> Form:
    """All fields by name; with a tag, the name of the class besides."""
    head = {tag: kind.__name__} if tag else {}
    names = tuple(forms)
    keys = {*head, *names}
    among = (kind.__name__,)
    convert = [(name, form.write) for name, form in forms.items() if form.write is not as_it_is]
    readers = [(name, form.read) for name, form in forms.items()]
    checks = [(name, form.check) for name, form in forms.items()]

    def write(value: Any) -> dict[str, Any]:
        written = dict(head)
        for name in names:
            written[name] = getattr(value, name)
        for name, write_field in convert:
            written[name] = write_field(written[name])
        return written

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise Unfit(Wanted.OBJECT, raw)
        if raw.keys() != keys:
            raise Unfit(Wanted.FIELDS, raw, names)
        values, name = [], ""
        try:
            for name, read_field in readers:
                values.append(read_field(raw[name]))
        except Unfit as unfit:
            raise unfit.within(name) from None
        return kind(*values)

    def check(value: Any) -> None:
        if type(value) is not kind:
            raise Unfit(Wanted.KIND, value, among)
        name = ""
        try:
            for name, check_field in checks:
                check_field(getattr(value, name))
        except Unfit as unfit:
            raise unfit.within(name) from None

    return Form(write, read, check, (kind,), dict)


def tagged(members: Mapping[str, Form], tag: str) -> Form:
    among = tuple(members)
    by_class = {form.classes[0]: form for form in members.values()}

    def write(value: Any) -> Any:
        return by_class[type(value)].write(value)

    def read(raw: Any) -> Any:
        name = raw.get(tag) if type(raw) is dict else raw
        if type(name) is not str or type(raw) is not dict or name not in members:
            raise Unfit(Wanted.KIND, name, among)
        try:
            return members[name].read(raw)
        except Unfit as unfit:
            raise unfit.within(name) from None

    def check(value: Any) -> None:
        form = by_class.get(type(value))
        if form is None:
            raise Unfit(Wanted.KIND, value, among)
        try:
            form.check(value)
        except Unfit as unfit:
            raise unfit.within(type(value).__name__) from None

    return Form(write, read, check, tuple(by_class), dict)


def either(forms: list[Form]) -> Form:
    """One of several types, told apart by the JSON type they are written as."""
    by_class = {kind: form for form in forms for kind in form.classes}
    by_written = {form.written: form for form in forms}
    if len(by_written) != len(forms):
        raise TypeError(f"{sorted(map(str, by_class))} cannot be told apart in a record")
    last = forms[-1] if forms[-1].written is not NoneType else forms[0]

    def write(value: Any) -> Any:
        return by_class.get(type(value), last).write(value)

    def read(raw: Any) -> Any:
        return by_written.get(type(raw), last).read(raw)

    def check(value: Any) -> None:
        by_class.get(type(value), last).check(value)

    written = {form.write for form in forms} == {as_it_is}
    return Form(as_it_is if written else write, read, check, tuple(by_class), last.written)
