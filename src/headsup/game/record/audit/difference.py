"""Where two JSON values part."""

from collections.abc import Mapping
from typing import Any

from headsup.game.record.chain import Json, canonical_json
from headsup.game.refusal import show_value


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, str, str]:
    """Where two JSON values part, and what stands there in each."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(set(expected) | set(found)):
            if key not in expected or key not in found or not _is_same(expected[key], found[key]):
                inner = (expected.get(key, "nothing"), found.get(key, "nothing"))
                return first_difference(*inner, f"{path}.{key}" if path else str(key))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _is_same(*pair):
                return first_difference(*pair, f"{path}[{i}]")
    return (f"{path} = " if path else ""), show_value(expected), show_value(found)


def _is_same(one: Json, other: Json) -> bool:
    """As texts: to Python, true is 1."""
    return canonical_json(one) == canonical_json(other)
