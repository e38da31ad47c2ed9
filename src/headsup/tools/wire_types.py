"""Prints src/headsup/web/static/lib/wire.d.ts: `python -m headsup.tools.wire_types`.

The types of what the server answers over HTTP and of the parts of a table's view, for the type
checker of the pages. A page that reads a field that is gone, or forgets that one may be null,
fails `make lint`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import wrap
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from fastapi import FastAPI

from headsup.game.views import parts_model
from headsup.web.server.app import api_routes

Schema = dict[str, Any]

_HEAD = """\
// Written by `make protocol` from the server's own schemas. Do not edit.
"""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
_WIDTH = 110
_PYTHON = {str: "string", int: "number", bool: "boolean", Any: "any", NoneType: "null"}
_MANY = 5  # types of a union that get a line each
_VALIDATION = {"HTTPValidationError", "ValidationError"}  # such requests are answered with 400


def type_declarations() -> str:
    """One declaration for each type that occurs in an answer, by name, and for each part."""
    app = FastAPI()
    app.router.routes.extend(api_routes())
    whole = app.openapi()
    schemas = whole["components"]["schemas"]
    operations = (operation for path in whole["paths"].values() for operation in path.values())
    answers = [answer for operation in operations for answer in operation["responses"].values()]
    declared = sorted(_named_in(answers, schemas) - _VALIDATION)
    declarations = ("\n".join(_declaration(name, schemas[name])) + "\n" for name in declared)
    parts = ("\n".join(_part_declaration(part)) + "\n" for part in _parts())
    return "\n".join((_HEAD, *declarations, *parts))


def _parts() -> list[type]:
    """What a view of a table consists of, in the order of the module."""
    return [kind for kind in vars(parts_model).values() if is_typeddict(kind)]


def _named_in(node: Any, schemas: Mapping[str, Schema]) -> set[str]:
    """The schemas that these answers refer to, and those that these refer to."""
    found: set[str] = set()
    waiting = [json.dumps(node)]
    while waiting:
        for name in _REFERENCE.findall(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting.append(json.dumps(schemas[name]))
    return found


def _declaration(name: str, schema: Schema) -> Iterator[str]:
    if text := schema.get("description"):
        yield from _comment(text, "")
    if "properties" not in schema:
        yield f"export type {name} = {_type(schema)};"
        return
    yield f"export interface {name} {{"
    required = schema.get("required", ())
    for field, its in schema["properties"].items():
        if text := its.get("description"):
            yield from _comment(text, "  ")
        mark = "" if field in required else "?"
        yield f"  {_key(field)}{mark}: {_type(its)};"
    yield "}"


def _comment(text: str, indent: str) -> Iterator[str]:
    lines = wrap(" ".join(text.split()).replace("*/", "* /"), _WIDTH - len(indent))
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(reference)}:
            return reference.rpartition("/")[2]
        case {"enum": list(values)}:
            return " | ".join(map(json.dumps, values))
        case {"const": value}:
            return json.dumps(value)
        case {"anyOf": list(options)} | {"oneOf": list(options)}:
            types = dict.fromkeys(map(_type, options))
            return " | ".join(types) if len(types) < _MANY else "\n    | ".join(("", *types))
        case {"type": "null"}:
            return "null"
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array", "items": dict(items)}:
            inner = _type(items)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object", "properties": dict()}:
            return "{ " + " ".join(_fields(schema)) + " }"
        case {"type": "object", "additionalProperties": dict(values)}:
            return _record(schema.get("propertyNames"), _type(values))
        case {"type": "object"}:
            return "Record<string, any>"
        case {"type": str(plain)}:
            return _PLAIN[plain]
        case _:
            return "any"  # such as a view, which has types of its own


def _fields(schema: Schema) -> Iterator[str]:
    required = schema.get("required", ())
    for field, its in schema["properties"].items():
        yield f"{_key(field)}{'' if field in required else '?'}: {_type(its)};"


def _record(names: Schema | None, values: str) -> str:
    """A mapping by names of a vocabulary has only some of them."""
    keys = _type(names) if names else "string"
    return f"Record<string, {values}>" if keys == "string" else f"Partial<Record<{keys}, {values}>>"


def _part_declaration(part: type) -> Iterator[str]:
    """A part of a view. It is a TypedDict; a key that may be missing holds its default then."""
    if text := (part.__doc__ or "").partition("\n\n")[0]:
        yield from _comment(text, "")
    yield f"export interface {part.__name__} {{"
    for field, kind in get_type_hints(part).items():
        mark = "" if field in part.__required_keys__ else "?"  # type: ignore[attr-defined]
        yield f"  {_key(field)}{mark}: {_annotation(kind)};"
    yield "}"


def _annotation(kind: Any) -> str:
    if kind in _PYTHON:
        return _PYTHON[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(map(json.dumps, arguments))
    if origin is list:
        inner = _annotation(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {_annotation(arguments[1])}>"
    if origin in (Union, UnionType):
        return " | ".join(map(_annotation, arguments))
    assert is_typeddict(kind), kind
    return str(kind.__name__)


def _key(field: str) -> str:
    return field if _NAME.fullmatch(field) else json.dumps(field)


if __name__ == "__main__":
    print(type_declarations(), end="")
