"""Codecs of values that contain others: tuples, mappings, records and unions."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any

from headsup.game.record.codec.base import Codec, Expectation, TypeMismatch, identity, quote_json

_DECIMAL = re.compile(r"0|-?[1-9]\d{0,18}", re.ASCII)


# Tuples.


def tuple_codec(item: Codec) -> Codec:
    def write(value: Any) -> list[Any]:
        return list(map(item.write, value))

    def text(value: Any) -> str:
        return "[" + ",".join([text_of(element) for element in value]) + "]"

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
    results: list[Any] = []
    try:
        for value in values:
            results.append(apply(value))
    except TypeMismatch as mismatch:
        raise mismatch.at(len(results)) from None
    return results


def fixed_tuple_codec(items: list[Codec]) -> Codec:
    """The codec of a tuple whose items have a type each."""
    among = tuple(str(i + 1) for i in range(len(items)))

    def write(value: Any) -> list[Any]:
        return [item.write(element) for item, element in zip(items, value, strict=True)]

    def text(value: Any) -> str:
        texts = [item.text(element) for item, element in zip(items, value, strict=True)]
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
    """The codec of a mapping: an object, whose integer keys are written in decimal.

    Reading sorts the keys, so that equal texts give mappings in the same order.
    """
    order = _key_order(key)
    read_key = _read_number(key.read) if key.json_type is int else key.read
    write_item, text_of = item.write, item.text
    name_of = key.text if key.json_type is int else key.write

    def write(value: Any) -> dict[str, Any]:
        return {name_of(name): write_item(element) for name, element in value.items()}

    def text(value: Any) -> str:
        if not value:
            return "{}"
        texts = {name_of(name): text_of(element) for name, element in value.items()}
        return "{" + ",".join([f"{quote_json(name)}:{texts[name]}" for name in sorted(texts)]) + "}"

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        entries = {}
        name = ""
        try:
            for name, element in raw.items():
                entries[read_key(name)] = item.read(element)
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None
        return {name: entries[name] for name in sorted(entries, key=order)}

    def check(value: Any) -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise TypeMismatch(Expectation.OBJECT, value)
        name: Any = ""
        try:
            for name, element in value.items():
                key.check(name)
                item.check(element)
        except TypeMismatch as mismatch:
            raise mismatch.at(str(name)) from None

    return Codec(write, text, read, check, (dict, origin), dict)


def _key_order(key: Codec) -> Callable[[Any], Any]:
    """The sort key of mapping keys: enum members in order of definition, others as they are."""
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


def record_codec(kind: type[Any], codecs: Mapping[str, Codec], tag: str = "") -> Codec:
    """The codec of a class with named fields; its name is written under the key `tag`, if any."""
    names = tuple(codecs)
    head = {tag: kind.__name__} if tag else {}
    keys = {*head, *names}
    among = (kind.__name__,)
    writers = [(name, codec.write) for name, codec in codecs.items()]
    readers = [(name, codec.read) for name, codec in codecs.items()]
    checks = [(name, codec.check) for name, codec in codecs.items()]

    def write(value: Any) -> dict[str, Any]:
        fields: dict[str, Any] = dict(head)
        for name, write_field in writers:
            fields[name] = write_field(getattr(value, name))
        return fields

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        if raw.keys() != keys:
            raise TypeMismatch(Expectation.FIELDS, raw, names)
        values, name = [], ""
        try:
            for name, read_field in readers:
                values.append(read_field(raw[name]))
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None
        return kind(*values)

    def check(value: Any) -> None:
        if type(value) is not kind:
            raise TypeMismatch(Expectation.KIND, value, among)
        name = ""
        try:
            for name, check_field in checks:
                check_field(getattr(value, name))
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None

    return Codec(write, _text_of_fields(codecs, head), read, check, (kind,), dict)


def _text_of_fields(codecs: Mapping[str, Codec], head: Mapping[str, str]) -> Callable[[Any], str]:
    """A function that writes `{"name":…}` with sorted names; constant parts are prepared here."""
    pieces: list[tuple[str, Callable[[Any], str]]] = []
    prefix = "{"
    for name in sorted({*codecs, *head}):
        if name in head:
            prefix += f'"{name}":"{head[name]}",'
        else:
            pieces.append((f'{prefix}"{name}":', codecs[name].text))
            prefix = ","
    if not pieces:
        text_without_fields = prefix.rstrip(",") + "}"
        return lambda _: text_without_fields
    end = prefix.rstrip(",") + "}" if prefix != "," else "}"

    names = sorted(codecs)
    if len(names) == 1:
        ((name, text_of),) = pieces
        get = attrgetter(names[0])
        return lambda value: name + text_of(get(value)) + end
    get_all = attrgetter(*names)

    # A template with a gap for the text of each field. Names are identifiers: no "%" to escape.
    template = "%s".join([name for name, _ in pieces]) + "%s" + end
    texts = [text_of for _, text_of in pieces]

    def text(value: Any) -> str:
        fields = zip(texts, get_all(value), strict=True)
        return template % tuple([text_of(field) for text_of, field in fields])

    return text


# Unions.


def tagged_codec(members: Mapping[str, Codec], tag: str) -> Codec:
    """The codec of a union of records that have their class name under the key `tag`."""
    among = tuple(members)
    by_class = {codec.classes[0]: codec for codec in members.values()}
    texts = {kind: codec.text for kind, codec in by_class.items()}
    checks = {kind: codec.check for kind, codec in by_class.items()}

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
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None

    def check(value: Any) -> None:
        check_member = checks.get(type(value))
        if check_member is None:
            raise TypeMismatch(Expectation.KIND, value, among)
        try:
            check_member(value)
        except TypeMismatch as mismatch:
            raise mismatch.at(type(value).__name__) from None

    return Codec(write, text, read, check, tuple(by_class), dict)


def union_codec(codecs: list[Codec]) -> Codec:
    """The codec of a union whose members have different JSON types."""
    by_class = {kind: codec for codec in codecs for kind in codec.classes}
    by_json_type = {codec.json_type: codec for codec in codecs}
    if len(by_json_type) != len(codecs):
        raise TypeError(f"{sorted(map(str, by_class))} have the same JSON type")
    last = codecs[-1] if codecs[-1].json_type is not NoneType else codecs[0]

    def write(value: Any) -> Any:
        return by_class.get(type(value), last).write(value)

    def text(value: Any) -> str:
        return by_class.get(type(value), last).text(value)

    def read(raw: Any) -> Any:
        return by_json_type.get(type(raw), last).read(raw)

    def check(value: Any) -> None:
        by_class.get(type(value), last).check(value)

    return Codec(write, text, read, check, tuple(by_class), last.json_type)
