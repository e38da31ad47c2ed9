"""Builds codecs from type annotations. They are strict: each value has exactly one text.

A frozen dataclass or NamedTuple is an object with all its fields, and a tag names its class in a
union. An enum is its value, `Cards` are text, a fraction is `a/b` in lowest terms.

A codec is built once per type and consists of closures, since it runs thousands of times a second.
"""

from collections.abc import Mapping
from contextlib import suppress
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


def _values_text(values: Any) -> str:
    """A `FrozenJson` is JSON already."""
    if type(values) is not FrozenJson or not _is_storable(values):
        raise TypeMismatch(Expectation.VALUES, values)
    return values.canonical_text()


def _read_values(raw: Any) -> FrozenJson:
    if type(raw) is dict:
        with suppress(Refused):
            values = FrozenJson(raw)
            if _is_storable(values):
                return values
    raise TypeMismatch(Expectation.VALUES, raw)


def _is_storable(value: FrozenValue) -> bool:
    if isinstance(value, FrozenJson):
        return all(is_storable_text(key) and _is_storable(item) for key, item in value.items())
    if isinstance(value, tuple):
        return all(map(_is_storable, value))
    return not isinstance(value, str) or is_storable_text(value)


_VALUES = Codec(_values_text, _read_values, (FrozenJson,), dict)


class CodecRegistry:
    """Builds and caches codecs; `overrides` replaces what the annotation of a type would give."""

    def __init__(self, overrides: Mapping[Any, Codec] | None = None) -> None:
        fixed = {**SCALAR_CODECS, FrozenJson: _VALUES, **(overrides or {})}
        self._fixed: Mapping[Any, Codec] = fixed
        self._codecs: dict[tuple[Any, str], Codec] = {}

    def codec_for(self, kind: Any, tag: str = "kind") -> Codec:
        """The codec of an annotation; `tag` is the key of the class name in unions."""
        if kind in self._fixed:
            return self._fixed[kind]
        codec = self._codecs.get((kind, tag))
        if codec is None:
            codec = self._codecs[kind, tag] = self._build(kind, tag)
        return codec

    def _build(self, kind: Any, tag: str) -> Codec:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return CARDS_CODEC if "cards" in kind.__metadata__ else self.codec_for(arguments[0])
        if origin in (Union, UnionType):
            return self._build_union(arguments, tag)
        if origin is Literal:
            return enum_codec({text: text for text in arguments}, str)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return enum_codec({member.value: member for member in kind}, kind)
        if _is_record(kind):
            return self._build_record(kind)
        if origin is tuple and arguments[1:] == (...,):
            return tuple_codec(self.codec_for(arguments[0]))
        if origin is tuple:
            return fixed_tuple_codec([self.codec_for(item) for item in arguments])
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return mapping_codec(origin, self.codec_for(arguments[0]), self.codec_for(arguments[1]))
        raise TypeError(f"no codec for {kind}")

    def _build_record(self, kind: type[Any], tag: str = "") -> Codec:
        codecs = self.field_codecs(kind)
        if tag in codecs:
            raise TypeError(f"{kind.__name__} has a field {tag}, which is the tag of its union")
        return record_codec(kind, codecs, tag)

    def field_codecs(self, kind: Any) -> dict[str, Codec]:
        """The codec of each field of a dataclass or NamedTuple."""
        hints = get_type_hints(kind, include_extras=True)
        names = [f.name for f in fields(kind)] if is_dataclass(kind) else kind._fields
        return {name: self.codec_for(hints[name]) for name in names}

    def _build_union(self, members: tuple[Any, ...], tag: str) -> Codec:
        records = [member for member in members if _is_record(member) and member not in self._fixed]
        codecs = [self.codec_for(member) for member in members if member not in records]
        if len(records) > 1 or tag != "kind":
            codecs.append(
                tagged_codec(
                    {kind.__name__: self._build_record(kind, tag) for kind in records}, tag
                )
            )
        else:
            codecs += [self.codec_for(kind) for kind in records]
        return codecs[0] if len(codecs) == 1 else union_codec(codecs)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))
