"""Immutable, hashable JSON values, for a table's options."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, final

from headsup.game.refusal import Code, Refused

FrozenValue: TypeAlias = "bool | int | str | tuple[FrozenValue, ...] | FrozenJson | None"

# Generous: the deepest option of a table is like limits.ante.max.
_MAX_DEPTH = 8
_MAX_INT = 10**18


@final
class FrozenJson(Mapping[str, FrozenValue]):
    """A JSON object of text, whole numbers, true, false, null, lists and objects.

    Two are equal if their JSON is: `1` and `true` differ, the order of keys does not matter. Lists
    are stored as tuples; `plain` returns dicts and lists that `json` can write.
    """

    __slots__ = ("_text", "_values")

    def __init__(self, raw: Mapping[str, Any] | None = None, *, depth: int = 1) -> None:
        self._values: dict[str, FrozenValue] = _freeze_object({} if raw is None else raw, depth)
        self._text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        return {key: _plain(value) for key, value in self._values.items()}

    def canonical_text(self) -> str:
        """Canonical JSON: sorted keys, no spaces, ASCII."""
        return self._text

    def __getitem__(self, key: str) -> FrozenValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenJson) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"FrozenJson({self._text})"


def _freeze_object(raw: object, depth: int) -> dict[str, FrozenValue]:
    if not isinstance(raw, Mapping) or not all(type(key) is str for key in raw):
        raise Refused(Code.BAD_OPTIONS, "not_an_object", value=raw)
    return {key: _freeze(value, depth) for key, value in raw.items()}


def _freeze(raw: object, depth: int) -> FrozenValue:
    if depth > _MAX_DEPTH:
        raise Refused(Code.BAD_OPTIONS, "nested")
    if raw is None or isinstance(raw, bool | FrozenJson) or type(raw) is str:
        return raw
    if type(raw) is int and abs(raw) <= _MAX_INT:
        return raw
    if isinstance(raw, list | tuple):
        return tuple(_freeze(item, depth + 1) for item in raw)
    if isinstance(raw, Mapping):
        return FrozenJson(raw, depth=depth + 1)
    raise Refused(Code.BAD_OPTIONS, "not_a_value", value=raw)


def _plain(value: FrozenValue) -> Any:
    if isinstance(value, FrozenJson):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


NO_OPTIONS = FrozenJson()
