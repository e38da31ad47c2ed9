"""JSON Schemas of the game's commands, made from the classes that the game itself is written in.

They say the same as `game/record/codec/registry.py` reads: every field is there and no other, whole
numbers fit into 64 bits, cards are text.
"""

import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from headsup.game.record.codec.base import MAX_STORED_INT
from headsup.game.table.commands import Command
from headsup.game.values.frozen_json import FrozenJson

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "pattern": "^[^\\u0000]*$"}
_CARDS: Schema = {
    "type": "string",
    "pattern": "^([2-9TJQKA][cdhs])*$",
    "description": "cards one after the other, like `AsKd`",
}
_SCALAR: Schema = {
    "anyOf": [
        {"type": "boolean"},
        {"type": "integer", "minimum": -(10**18), "maximum": 10**18},
        _TEXT,
        {"type": "null"},
    ]
}


def _object_of(values: Schema) -> Schema:
    return {"type": "object", "propertyNames": _TEXT, "additionalProperties": values}


def _or(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


# What is chosen for a table nests as deep as limits.ante.max.
_LIST: Schema = {"type": "array", "items": _SCALAR}
_CHOICES = _object_of(_or(_SCALAR, _LIST, _object_of(_or(_SCALAR, _LIST, _object_of(_SCALAR)))))
_PLAIN: Mapping[Any, Schema] = {
    int: {"type": "integer", "minimum": -MAX_STORED_INT, "maximum": MAX_STORED_INT},
    str: _TEXT,
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    FrozenJson: _CHOICES,
}


def schema_of(kind: Any) -> Schema:
    """The schema of an annotation."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _CARDS if "cards" in kind.__metadata__ else schema_of(arguments[0])
    if origin in (Union, UnionType):
        return _or(*map(schema_of, arguments))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _object_schema(kind)
    if origin is tuple and arguments[1:] == (...,):
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is tuple:
        return {
            "type": "array",
            "prefixItems": list(map(schema_of, arguments)),
            "items": False,
            "minItems": len(arguments),
            "maxItems": len(arguments),
        }
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {
            "type": "object",
            "propertyNames": schema_of(arguments[0]),
            "additionalProperties": schema_of(arguments[1]),
        }
    raise TypeError(f"{kind} has no schema")


def _object_schema(kind: Any, head: Mapping[str, Schema] | None = None) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    names = [f.name for f in fields(kind)] if is_dataclass(kind) else kind._fields
    properties = {**(head or {}), **{name: schema_of(hints[name]) for name in names}}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@cache
def command_kinds() -> tuple[type[Any], ...]:
    """The class of every command there is, in the order of the game."""
    return get_args(Command)


def command_schema(kind: type[Any]) -> Schema:
    """Of one kind of command, as it goes over the wire."""
    schema = _object_schema(kind, {"command": {"const": kind.__name__}})
    return {"title": kind.__name__, "description": docstring_of(kind), **schema}


def commands_schema() -> Schema:
    return {
        "oneOf": [command_schema(kind) for kind in command_kinds()],
        "discriminator": {"propertyName": "command"},
    }


def docstring_of(kind: type[Any]) -> str:
    """The class's own words on one line; nothing where it speaks for itself."""
    text = inspect.cleandoc(kind.__doc__ or "")
    if text.startswith(f"{kind.__name__}("):  # what a dataclass writes by itself
        return ""
    return " ".join(text.split())
