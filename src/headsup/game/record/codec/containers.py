"""Forms of values that hold others: rows, mappings, records, and one of several."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any

from headsup.game.record.codec.base import Codec, Expectation, TypeMismatch, identity, quote_json

_DECIMAL = re.compile(r"0|-?[1-9]\d{0,18}", re.ASCII)


# Rows.


def tuple_codec(item: Codec) -> Codec:
    def write(value: Any) -> list[Any]:
        return list(map(item.write, value))

    def text(value: Any) -> str:
        return "[" + ",".join([text_of(held) for held in value]) + "]"

    def read(raw: Any) -> tuple[Any, ...]:
        if type(raw) is not list:
            raise TypeMismatch(Expectation.LIST, raw)
        return tuple(_apply_each(item.read, raw))

    def check(value: Any) -> None:
        if type(value) is not tuple:
            raise TypeMismatch(Expectation.LIST, value)
        _apply_each(item.check, value)

    text_of = item.text
    return Codec(write, text, read, check, (tuple,), list)


def _apply_each(apply: Callable[[Any], Any], values: Any) -> list[Any]:
    done: list[Any] = []
    try:
        for value in values:
            done.append(apply(value))
    except TypeMismatch as unfit:
        raise unfit.within(len(done)) from None
    return done


def fixed_tuple_codec(items: list[Codec]) -> Codec:
    """A tuple with a type for each of its places."""
    among = tuple(str(i + 1) for i in range(len(items)))

    def write(value: Any) -> list[Any]:
        return [item.write(held) for item, held in zip(items, value, strict=True)]

    def text(value: Any) -> str:
        texts = [item.text(held) for item, held in zip(items, value, strict=True)]
        return "[" + ",".join(texts) + "]"

    def pairs(values: Any, kind: type[Any]) -> Any:
        if type(values) is not kind:
            raise TypeMismatch(Expectation.LIST, values)
        if len(values) != len(items):
            raise TypeMismatch(Expectation.LENGTH, values, among)
        return zip(items, values, strict=True)

    def read(raw: Any) -> tuple[Any, ...]:
        return tuple(_apply_each(lambda pair: pair[0].read(pair[1]), pairs(raw, list)))

    def check(value: Any) -> None:
        _apply_each(lambda pair: pair[0].check(pair[1]), pairs(value, tuple))

    return Codec(write, text, read, check, (tuple,), list)


# Mappings.


def mapping_codec(origin: type[Any], key: Codec, item: Codec) -> Codec:
    """An object; read in the order of its keys, so that what is read is always the same.

    Keys that are whole numbers are written in decimal.
    """
    order = _key_order(key)
    read_key = _read_number(key.read) if key.written is int else key.read
    write_item, text_of = item.write, item.text
    name_of = key.text if key.written is int else key.write

    def write(value: Any) -> dict[str, Any]:
        return {name_of(name): write_item(held) for name, held in value.items()}

    def text(value: Any) -> str:
        if not value:
            return "{}"
        texts = {name_of(name): text_of(held) for name, held in value.items()}
        return "{" + ",".join([f"{quote_json(name)}:{texts[name]}" for name in sorted(texts)]) + "}"

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        found = {}
        name = ""
        try:
            for name, held in raw.items():
                found[read_key(name)] = item.read(held)
        except TypeMismatch as unfit:
            raise unfit.within(name) from None
        return {name: found[name] for name in sorted(found, key=order)}

    def check(value: Any) -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise TypeMismatch(Expectation.OBJECT, value)
        name: Any = ""
        try:
            for name, held in value.items():
                key.check(name)
                item.check(held)
        except TypeMismatch as unfit:
            raise unfit.within(str(name)) from None

    return Codec(write, text, read, check, (dict, origin), dict)


def _key_order(key: Codec) -> Callable[[Any], Any]:
    """Enums in the order in which they are defined, all else as it sorts."""
    if issubclass(key.classes[0], Enum):
        places = {member: i for i, member in enumerate(key.classes[0])}
        return places.__getitem__
    return identity


def _read_number(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read_key(name: str) -> Any:
        if not _DECIMAL.fullmatch(name):
            raise TypeMismatch(Expectation.WHOLE, name)
        return read(int(name))

    return read_key


# Records.


def record_codec(kind: type[Any], forms: Mapping[str, Codec], tag: str = "") -> Codec:
    """All fields by name; with a tag, the name of the class besides."""
    names = tuple(forms)
    head = {tag: kind.__name__} if tag else {}
    keys = {*head, *names}
    among = (kind.__name__,)
    writers = [(name, form.write) for name, form in forms.items()]
    readers = [(name, form.read) for name, form in forms.items()]
    checks = [(name, form.check) for name, form in forms.items()]

    def write(value: Any) -> dict[str, Any]:
        written: dict[str, Any] = dict(head)
        for name, write_field in writers:
            written[name] = write_field(getattr(value, name))
        return written

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        if raw.keys() != keys:
            raise TypeMismatch(Expectation.FIELDS, raw, names)
        values, name = [], ""
        try:
            for name, read_field in readers:
                values.append(read_field(raw[name]))
        except TypeMismatch as unfit:
            raise unfit.within(name) from None
        return kind(*values)

    def check(value: Any) -> None:
        if type(value) is not kind:
            raise TypeMismatch(Expectation.KIND, value, among)
        name = ""
        try:
            for name, check_field in checks:
                check_field(getattr(value, name))
        except TypeMismatch as unfit:
            raise unfit.within(name) from None

    return Codec(write, _text_of_fields(forms, head), read, check, (kind,), dict)


def _text_of_fields(forms: Mapping[str, Codec], head: Mapping[str, str]) -> Callable[[Any], str]:
    """`{"name":…}` with the names in order; what is always the same is put together once."""
    pieces: list[tuple[str, Callable[[Any], str]]] = []
    before = "{"
    for name in sorted({*forms, *head}):
        if name in head:
            before += f'"{name}":"{head[name]}",'
        else:
            pieces.append((f'{before}"{name}":', forms[name].text))
            before = ","
    if not pieces:
        whole = before.rstrip(",") + "}"
        return lambda _: whole
    end = before.rstrip(",") + "}" if before != "," else "}"

    names = sorted(forms)
    if len(names) == 1:
        ((name, text_of),) = pieces
        get = attrgetter(names[0])
        return lambda value: name + text_of(get(value)) + end
    get_all = attrgetter(*names)

    # With a gap for the text of each field; no name has a sign of its own in it.
    gaps = "%s".join([name for name, _ in pieces]) + "%s" + end
    texts = [text_of for _, text_of in pieces]

    def text(value: Any) -> str:
        held = zip(texts, get_all(value), strict=True)
        return gaps % tuple([text_of(field) for text_of, field in held])

    return text


# One of several.


def tagged_codec(members: Mapping[str, Codec], tag: str) -> Codec:
    """Records told apart by the name of their class under the tag."""
    among = tuple(members)
    by_class = {form.classes[0]: form for form in members.values()}
    texts = {kind: form.text for kind, form in by_class.items()}
    checks = {kind: form.check for kind, form in by_class.items()}

    def write(value: Any) -> Any:
        return by_class[type(value)].write(value)

    def text(value: Any) -> str:
        return texts[type(value)](value)

    def read(raw: Any) -> Any:
        name = raw.get(tag) if type(raw) is dict else raw
        if type(name) is not str or type(raw) is not dict or name not in members:
            raise TypeMismatch(Expectation.KIND, name, among)
        try:
            return members[name].read(raw)
        except TypeMismatch as unfit:
            raise unfit.within(name) from None

    def check(value: Any) -> None:
        check_member = checks.get(type(value))
        if check_member is None:
            raise TypeMismatch(Expectation.KIND, value, among)
        try:
            check_member(value)
        except TypeMismatch as unfit:
            raise unfit.within(type(value).__name__) from None

    return Codec(write, text, read, check, tuple(by_class), dict)


def union_codec(forms: list[Codec]) -> Codec:
    """One of several types, told apart by the JSON type they are written as."""
    by_class = {kind: form for form in forms for kind in form.classes}
    by_written = {form.written: form for form in forms}
    if len(by_written) != len(forms):
        raise TypeError(f"{sorted(map(str, by_class))} cannot be told apart in a record")
    last = forms[-1] if forms[-1].written is not NoneType else forms[0]

    def write(value: Any) -> Any:
        return by_class.get(type(value), last).write(value)

    def text(value: Any) -> str:
        return by_class.get(type(value), last).text(value)

    def read(raw: Any) -> Any:
        return by_written.get(type(raw), last).read(raw)

    def check(value: Any) -> None:
        by_class.get(type(value), last).check(value)

    return Codec(write, text, read, check, tuple(by_class), last.written)
