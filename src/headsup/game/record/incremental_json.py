"""Writes the canonical JSON of tables and meters, reusing the texts of their previous state.

Only fields that changed are written again. Changes are found by identity, so values must never
change in place.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from headsup.game.record.codec.base import Codec
from headsup.game.record.codec.registry import CodecRegistry


class PartText(NamedTuple):
    """A part with its text, and what helps to write its next state."""

    part: object
    text: str
    values: tuple[Any, ...]  # of its fields
    texts: list[str]  # `"name":…` for each field, sorted by name
    children: dict[int, Any]  # by field number: the `PartText` or `NumberedParts` of that field


class NumberedParts(NamedTuple):
    """The parts in a mapping by number, with their texts."""

    numbers: list[int]
    parts: list[Any]
    texts: list[str]  # `"number":…`
    part_texts: list[PartText | None]


NO_PARTS = NumberedParts([], [], [], [])

new_tuple = tuple.__new__  # builds a named tuple in a third of the time


class PartField(NamedTuple):
    number: int  # index in `values`
    place: int  # index in `texts`
    name: str  # `"name":`
    write: Callable[[Any], str] | None  # None if the field contains parts
    is_mapping: bool  # whether it maps numbers to parts


class PartKind(NamedTuple):
    """The fields of one class of parts."""

    values_of: Callable[[Any], tuple[Any, ...]] | None  # None for a named tuple
    fields: tuple[PartField, ...]


class PartWriter:
    """Writes parts of the given classes; `overrides` are codecs for types inside them."""

    def __init__(self, kinds: tuple[type[Any], ...], overrides: Mapping[Any, Codec]) -> None:
        self._classes = frozenset(kinds)
        self._codecs = CodecRegistry(overrides)
        self._kinds = {kind: self._plan_fields(kind) for kind in kinds}
        self._last: dict[type[Any], PartText] = {}

    def write(self, part: Any, before: PartText | None = None) -> PartText:
        """Write the part; `before` is its previous state, if there was one."""
        kind = type(part)
        values_of, fields = self._kinds[kind]
        values = values_of(part) if values_of else part
        # A new part resembles the last one of its kind.
        base = before or self._last.get(kind)
        if base is None:
            changed: Iterable[PartField] = fields
            texts, children = [""] * len(fields), {}
        else:
            changed = compress(fields, map(is_not, values, base[2]))
            texts, children = base[3].copy(), base[4]
        for number, place, name, write, is_mapping in changed:
            if write is not None:
                texts[place] = name + write(values[number])
            else:
                text, child = self._write_child(values[number], children.get(number), is_mapping)
                texts[place], children = name + text, {**children, number: child}
        text = "{" + ",".join(texts) + "}"
        result = self._last[kind] = new_tuple(PartText, (part, text, values, texts, children))
        return result

    def _write_child(self, value: Any, before: Any, is_mapping: bool) -> tuple[str, Any]:
        """The text of a field that contains parts, and what helps to write its next state."""
        if value is None:
            return "null", None
        if is_mapping:
            return self._write_mapping(value, before or NO_PARTS)
        child = self.write(value, before)
        return child[1], child

    def _write_mapping(
        self, mapping: Mapping[int, Any], before: NumberedParts
    ) -> tuple[str, NumberedParts]:
        numbers, parts = [*mapping], [*mapping.values()]
        old_numbers, old_parts, texts, part_texts = before
        added = len(numbers) - len(old_numbers)
        if numbers[: len(old_numbers)] != old_numbers:  # a part was removed: start afresh
            old_parts, texts, part_texts, added = [], [], [], len(numbers)
        texts, part_texts = texts + [""] * added, part_texts + [None] * added
        for i in compress(count(), map(is_not, parts, old_parts + [None] * added)):
            written = part_texts[i] = self.write(parts[i], part_texts[i])
            texts[i] = f'"{numbers[i]}":{written[1]}'
        # A quotation mark sorts before every digit, so the entries sort like their keys.
        text = "{" + ",".join(sorted(texts)) + "}"
        return text, new_tuple(NumberedParts, (numbers, parts, texts, part_texts))

    def _plan_fields(self, kind: Any) -> PartKind:
        hints = get_type_hints(kind, include_extras=True)
        places = {name: place for place, name in enumerate(sorted(hints))}
        fields = tuple(
            PartField(
                *(number, places[name], f'"{name}":', self._text_function(hint)),
                is_mapping=get_origin(hint) is Mapping,
            )
            for number, (name, hint) in enumerate(hints.items())
        )
        return PartKind(None if issubclass(kind, tuple) else attrgetter(*hints), fields)

    def _text_function(self, hint: Any) -> Callable[[Any], str] | None:
        contains_parts = not self._classes.isdisjoint((hint, *get_args(hint)))
        return None if contains_parts else self._codecs.codec_for(hint).text
