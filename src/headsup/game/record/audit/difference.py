"""Where two JSON values part."""

from collections.abc import Mapping
from typing import Any

from headsup.game.record.chain import Json, canonical
from headsup.game.refusal import shown


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, str, str]:
    """Where two JSON values part, and what stands there in each."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(set(expected) | set(found)):
            if key not in expected or key not in found or not _same(expected[key], found[key]):
                inner = (expected.get(key, "nothing"), found.get(key, "nothing"))
                return first_difference(*inner, f"{path}.{key}" if path else str(key))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _same(*pair):
                return first_difference(*pair, f"{path}[{i}]")
    return (f"{path} = " if path else ""), shown(expected), shown(found)


def _same(one: Json, other: Json) -> bool:
    """As texts: to Python, true is 1."""
    return canonical(one) == canonical(other)
