"""Codecs of values that contain others: tuples, mappings, records and unions."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any, NoReturn

from headsup.game.record.codec.base import Codec, Expectation, TypeMismatch, quote_json
from headsup.game.refusal import show_value


def _reraise_at(parts: Iterable[tuple[str | int, Callable[[Any], Any], Any]]) -> NoReturn:
    """Apply the functions once more to find where the mismatch was, and raise it with its place.

    Where all is well, nothing has to be remembered for this.
    """
    for step, apply, value in parts:
        try:
            apply(value)
        except TypeMismatch as mismatch:
            raise mismatch.at(step) from None
    raise RuntimeError("a value was first found to have a wrong type, and then a right one")


# Tuples.


def tuple_codec(item: Codec) -> Codec:
    text_of, read_item = item.text, item.read

    def text(value: Any) -> str:
        if type(value) is not tuple:
            raise TypeMismatch(Expectation.LIST, value)
        try:
            return "[" + ",".join([text_of(element) for element in value]) + "]"
        except TypeMismatch:
            _reraise_at((i, text_of, element) for i, element in enumerate(value))

    def read(raw: Any) -> tuple[Any, ...]:
        if type(raw) is not list:
            raise TypeMismatch(Expectation.LIST, raw)
        try:
            return tuple([read_item(element) for element in raw])
        except TypeMismatch:
            _reraise_at((i, read_item, element) for i, element in enumerate(raw))

    return Codec(text, read, (tuple,), list)


def fixed_tuple_codec(items: list[Codec]) -> Codec:
    """The codec of a tuple whose items have a type each."""
    among = tuple(str(i + 1) for i in range(len(items)))

    def check(values: Any, kind: type[Any]) -> None:
        if type(values) is not kind:
            raise TypeMismatch(Expectation.LIST, values)
        if len(values) != len(items):
            raise TypeMismatch(Expectation.LENGTH, values, among)

    def text(value: Any) -> str:
        check(value, tuple)
        try:
            texts = [item.text(element) for item, element in zip(items, value, strict=True)]
        except TypeMismatch:
            _reraise_at((i, items[i].text, element) for i, element in enumerate(value))
        return "[" + ",".join(texts) + "]"

    def read(raw: Any) -> tuple[Any, ...]:
        check(raw, list)
        try:
            return tuple(item.read(element) for item, element in zip(items, raw, strict=True))
        except TypeMismatch:
            _reraise_at((i, items[i].read, element) for i, element in enumerate(raw))

    return Codec(text, read, (tuple,), list)


# Mappings.


def mapping_codec(origin: type[Any], key: Codec, item: Codec) -> Codec:
    """The codec of a mapping: an object, whose integer keys are written in decimal.

    Reading sorts the keys, so that equal texts give mappings in the same order.
    """
    order, text_of, read_item = _key_order(key), item.text, item.read
    name_of, read_name = _key_functions(key)

    def text(value: Any) -> str:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise TypeMismatch(Expectation.OBJECT, value)
        try:
            texts = {name_of(name): text_of(element) for name, element in value.items()}
        except TypeMismatch:
            names = ((_key_text(name), name_of, name) for name in value)
            elements = ((_key_text(name), text_of, element) for name, element in value.items())
            _reraise_at((*names, *elements))
        return "{" + ",".join([f"{quote_json(name)}:{texts[name]}" for name in sorted(texts)]) + "}"

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        entries = {}
        name = ""
        try:
            for name, element in raw.items():
                entries[read_name(name)] = read_item(element)
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None
        return {name: entries[name] for name in sorted(entries, key=order)}

    return Codec(text, read, (dict, origin), dict)


def _key_text(name: object) -> str:
    """A key in the words of a message; a number may have thousands of digits."""
    return name if isinstance(name, str) else show_value(name)


def _key_order(key: Codec) -> Callable[[Any], Any] | None:
    """The sort key of mapping keys: enum members in order of definition, others as they are."""
    if issubclass(key.classes[0], Enum):
        places = {member: i for i, member in enumerate(key.classes[0])}
        return places.__getitem__
    return None


def _key_functions(key: Codec) -> tuple[Callable[[Any], str], Callable[[str], Any]]:
    """How a key becomes the name of an object's member, and back."""
    if key.json_type is not int:
        # A string is its own name; a word of an enum has nothing to escape.
        return (key.read if key.classes == (str,) else lambda word: key.text(word)[1:-1]), key.read

    def read_number(name: str) -> Any:
        try:
            value = int(name) if len(name) <= 20 else None
        except ValueError:
            value = None
        if value is None or str(value) != name:
            raise TypeMismatch(Expectation.WHOLE, name)
        return key.read(value)

    return key.text, read_number


# Records.


def record_codec(kind: type[Any], codecs: Mapping[str, Codec], tag: str = "") -> Codec:
    """The codec of a class with named fields; its name is written under the key `tag`, if any."""
    names = tuple(codecs)
    keys = {*names, tag} - {""}
    readers = [(name, codec.read) for name, codec in codecs.items()]

    def read(raw: Any) -> Any:
        if type(raw) is not dict:
            raise TypeMismatch(Expectation.OBJECT, raw)
        if raw.keys() != keys or (tag and raw[tag] != kind.__name__):
            raise TypeMismatch(Expectation.FIELDS, raw, names)
        values, name = [], ""
        try:
            for name, read_field in readers:
                values.append(read_field(raw[name]))
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None
        return kind(*values)

    return Codec(_record_text(kind, codecs, tag), read, (kind,), dict)


def _record_text(kind: type[Any], codecs: Mapping[str, Codec], tag: str) -> Callable[[Any], str]:
    """A function that writes `{"name":…}` with sorted names; constant parts are prepared here."""
    # A template with a gap for the text of each field. Names are identifiers: no "%" to escape.
    gaps = dict.fromkeys(codecs, "%s") | ({tag: f'"{kind.__name__}"'} if tag else {})
    template = "{" + ",".join(f'"{name}":{gaps[name]}' for name in sorted(gaps)) + "}"
    among = (kind.__name__,)
    names = sorted(codecs)
    texts = [codecs[name].text for name in names]
    fields_of = attrgetter(*names) if len(names) > 1 else None

    def text(value: Any) -> str:
        if type(value) is not kind:
            raise TypeMismatch(Expectation.KIND, value, among)
        if fields_of is None:
            return text_of_few(value)
        fields = fields_of(value)
        try:
            return template % tuple([text_of(field) for text_of, field in zip(texts, fields)])  # noqa: B905
        except TypeMismatch:
            _reraise_at(zip(names, texts, fields, strict=True))

    def text_of_few(value: Any) -> str:
        if not names:
            return template
        try:
            return template % texts[0](getattr(value, names[0]))
        except TypeMismatch as mismatch:
            raise mismatch.at(names[0]) from None

    return text


# Unions.


def tagged_codec(members: Mapping[str, Codec], tag: str) -> Codec:
    """The codec of a union of records that have their class name under the key `tag`."""
    among = tuple(members)
    texts = {codec.classes[0]: codec.text for codec in members.values()}

    def text(value: Any) -> str:
        text_of = texts.get(type(value))
        if text_of is None:
            raise TypeMismatch(Expectation.KIND, value, among)
        try:
            return text_of(value)
        except TypeMismatch as mismatch:
            raise mismatch.at(type(value).__name__) from None

    def read(raw: Any) -> Any:
        name = raw.get(tag) if type(raw) is dict else raw
        if type(name) is not str or type(raw) is not dict or name not in members:
            raise TypeMismatch(Expectation.KIND, name, among)
        try:
            return members[name].read(raw)
        except TypeMismatch as mismatch:
            raise mismatch.at(name) from None

    return Codec(text, read, tuple(texts), dict)


def union_codec(codecs: list[Codec]) -> Codec:
    """The codec of a union whose members have different JSON types."""
    by_class = {kind: codec.text for codec in codecs for kind in codec.classes}
    by_json_type = {codec.json_type: codec.read for codec in codecs}
    if len(by_json_type) != len(codecs):
        raise TypeError(f"{sorted(map(str, by_class))} have the same JSON type")
    last = codecs[-1] if codecs[-1].json_type is not NoneType else codecs[0]

    def text(value: Any) -> str:
        return by_class.get(type(value), last.text)(value)

    def read(raw: Any) -> Any:
        return by_json_type.get(type(raw), last.read)(raw)

    return Codec(text, read, tuple(by_class), last.json_type)
