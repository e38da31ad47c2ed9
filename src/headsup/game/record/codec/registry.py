"""Values as JSON and back by their annotations, strictly: one value, one text.

A frozen dataclass or a NamedTuple is an object with all its fields by name, a union of several is
told apart by a tag, an enum is its word, `Cards` are text, a fraction is `a/b` in lowest terms.

How a type is written is found out once and kept as closures (`base`), since a table asks
thousands of times a second.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from headsup.game.record.codec.base import (
    CARDS_CODEC,
    SCALAR_CODECS,
    Codec,
    Expectation,
    TypeMismatch,
    enum_codec,
    is_storable_text,
)
from headsup.game.record.codec.containers import (
    fixed_tuple_codec,
    mapping_codec,
    record_codec,
    tagged_codec,
    tuple_codec,
    union_codec,
)
from headsup.game.refusal import Refused
from headsup.game.values.frozen_json import FrozenJson, FrozenValue


def _read_values(raw: Any) -> FrozenJson:
    if type(raw) is not dict:
        raise TypeMismatch(Expectation.VALUES, raw)
    try:
        values = FrozenJson(raw)
    except Refused:
        raise TypeMismatch(Expectation.VALUES, raw) from None
    _check_values(values)
    return values


def _check_values(values: Any) -> None:
    if type(values) is not FrozenJson or not _is_storable(values):
        raise TypeMismatch(Expectation.VALUES, values)


def _is_storable(value: FrozenValue) -> bool:
    if isinstance(value, FrozenJson):
        return all(is_storable_text(key) and _is_storable(item) for key, item in value.items())
    if isinstance(value, tuple):
        return all(map(_is_storable, value))
    return not isinstance(value, str) or is_storable_text(value)


# What was chosen for a table is JSON already.
_VALUES = Codec(FrozenJson.plain, FrozenJson.text, _read_values, _check_values, (FrozenJson,), dict)


class CodecRegistry:
    """The forms of all types asked for; `own` are those that annotations cannot give."""

    def __init__(self, own: Mapping[Any, Codec] | None = None) -> None:
        self._own: Mapping[Any, Codec] = {**SCALAR_CODECS, FrozenJson: _VALUES, **(own or {})}
        self._forms: dict[tuple[Any, str], Codec] = {}

    def of(self, kind: Any, tag: str = "kind") -> Codec:
        """The form of an annotation; `tag` is the key that tells the members of a union apart."""
        if kind in self._own:
            return self._own[kind]
        found = self._forms.get((kind, tag))
        if found is None:
            found = self._forms[kind, tag] = self._made(kind, tag)
        return found

    def _made(self, kind: Any, tag: str) -> Codec:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return CARDS_CODEC if "cards" in kind.__metadata__ else self.of(arguments[0])
        if origin in (Union, UnionType):
            return self._union(arguments, tag)
        if origin is Literal:
            return enum_codec({text: text for text in arguments}, str)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return enum_codec({member.value: member for member in kind}, kind)
        if _is_record(kind):
            return self._record(kind)
        if origin is tuple and arguments[1:] == (...,):
            return tuple_codec(self.of(arguments[0]))
        if origin is tuple:
            return fixed_tuple_codec([self.of(item) for item in arguments])
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return mapping_codec(origin, self.of(arguments[0]), self.of(arguments[1]))
        raise TypeError(f"{kind} has no form in a record")

    def _record(self, kind: type[Any], tag: str = "") -> Codec:
        forms = self.fields_of(kind)
        if tag in forms:
            raise TypeError(f"{kind.__name__} has a field {tag}, by which its union is told apart")
        return record_codec(kind, forms, tag)

    def fields_of(self, kind: Any) -> dict[str, Codec]:
        """The form of each field of a dataclass or a NamedTuple."""
        hints = get_type_hints(kind, include_extras=True)
        names = [f.name for f in fields(kind)] if is_dataclass(kind) else kind._fields
        return {name: self.of(hints[name]) for name in names}

    def _union(self, members: tuple[Any, ...], tag: str) -> Codec:
        records = [member for member in members if _is_record(member) and member not in self._own]
        forms = [self.of(member) for member in members if member not in records]
        if len(records) > 1 or tag != "kind":
            forms.append(
                tagged_codec({kind.__name__: self._record(kind, tag) for kind in records}, tag)
            )
        else:
            forms += [self.of(kind) for kind in records]
        return forms[0] if len(forms) == 1 else union_codec(forms)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))
