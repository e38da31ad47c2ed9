"""The hash of a state by its parts, made from the hash of the state before it.

A part is hashed by the canonical JSON of all its fields by name, with each part inside it by its
own hash. Of a changed part only the fields that are other values than before are written again;
the rest is told by identity, which asks for nothing but that values never change.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from operator import attrgetter, is_not, itemgetter
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from headsup.game.record.codec import Codecs
from headsup.game.record.forms import Form


class Hashed(NamedTuple):
    """A part with its hash, and what will help to hash the one that takes its place."""

    part: object
    hash: str
    held: tuple[Any, ...]  # the values of its fields
    texts: list[str]
    inside: list[Any]  # of each field: the part, or the parts, in it


# The text of a field and the parts inside it, given those that were inside before.
WriteField = Callable[[Any, Any], tuple[str, Any]]


def sha(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


class Parts:
    """Knows how to hash each kind of part; `own` are forms that annotations cannot give."""

    def __init__(self, kinds: tuple[type[Any], ...], own: Mapping[Any, Form]) -> None:
        self._kinds = kinds
        self._codecs = Codecs(own)
        self._get: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}
        self._fields: dict[type[Any], list[WriteField]] = {}
        for kind in kinds:
            self._learn(kind)

    def hashed(self, part: Any, before: Hashed | None = None) -> Hashed:
        """The part's hash; `before` is the part in whose place it stands."""
        kind = type(part)
        fields = self._fields[kind]
        held = self._get[kind](part)
        changed: Any = range(len(fields))
        if before is None or type(before.part) is not kind:
            texts, inside = [""] * len(fields), [None] * len(fields)
        else:
            texts, inside = before.texts.copy(), before.inside.copy()
            changed = [i for i, other in enumerate(map(is_not, held, before.held)) if other]
        for i in changed:
            texts[i], inside[i] = fields[i](held[i], inside[i])
        return Hashed(part, sha("".join(texts) + "}"), held, texts, inside)

    def _learn(self, kind: Any) -> None:
        hints = get_type_hints(kind, include_extras=True)
        names = sorted(hints)
        if issubclass(kind, tuple):
            self._get[kind] = itemgetter(*map(kind._fields.index, names))
        else:
            self._get[kind] = attrgetter(*names)
        starts = ["{" if i == 0 else "," for i in range(len(names))]
        self._fields[kind] = [
            self._field(f'{start}"{name}":', hints[name])
            for start, name in zip(starts, names, strict=True)
        ]

    def _field(self, name: str, hint: Any) -> WriteField:
        arguments = get_args(hint)
        if hint in self._kinds or any(kind in self._kinds for kind in arguments):
            if isinstance(get_origin(hint), type) and issubclass(get_origin(hint), Mapping):
                return self._several(name)
            return self._one(name)
        text = self._codecs.of(hint).text
        return lambda value, _: (name + text(value), None)

    def _one(self, name: str) -> WriteField:
        def write(part: Any, before: Hashed | None) -> tuple[str, Hashed | None]:
            if part is None:
                return f"{name}null", None
            hashed = self.hashed(part, before)
            return f'{name}"{hashed.hash}"', hashed

        return write

    def _several(self, name: str) -> WriteField:
        def write(parts: Any, before: dict[str, Hashed] | None) -> tuple[str, dict[str, Hashed]]:
            known = before or {}
            found = {}
            for key, part in parts.items():
                key = str(key)
                hashed = known.get(key)
                if hashed is None or hashed.part is not part:
                    hashed = self.hashed(part, hashed)
                found[key] = hashed
            texts = [f'"{key}":"{found[key].hash}"' for key in sorted(found)]
            return f"{name}{{{','.join(texts)}}}", found

        return write
