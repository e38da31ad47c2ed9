"""The canonical JSON of a state by its parts, made from that of the state before it.

Of a changed part only the fields that are other values than before are written again; the rest is
told by identity, which asks for nothing but that values never change.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from headsup.game.record.codec.base import Codec
from headsup.game.record.codec.registry import CodecRegistry


class PartText(NamedTuple):
    """A part with its text, and what will help to write the one that takes its place."""

    part: object
    text: str
    held: tuple[Any, ...]  # the values of its fields
    texts: list[str]  # of its fields, `"name":…`, in the order of their names
    inside: dict[int, Any]  # by the number of the field: the part, or the parts, in it


class NumberedParts(NamedTuple):
    """Parts by number, and the same of each."""

    numbers: list[int]
    parts: list[Any]
    texts: list[str]  # as entries, `"number":…`
    written: list[PartText | None]


NO_PARTS = NumberedParts([], [], [], [])

new_tuple = tuple.__new__  # a named tuple by its values, in a third of the time


class PartField(NamedTuple):
    number: int  # among the values
    place: int  # among the texts
    name: str  # `"name":`
    write: Callable[[Any], str] | None  # None where it holds parts
    several: bool  # parts by number


class PartKind(NamedTuple):
    """How one class of parts is taken apart."""

    values_of: Callable[[Any], tuple[Any, ...]] | None  # None of a named tuple: it is its values
    fields: tuple[PartField, ...]


class PartWriter:
    """Knows how to write each kind of part; `own` are forms that annotations cannot give."""

    def __init__(self, kinds: tuple[type[Any], ...], own: Mapping[Any, Codec]) -> None:
        self._classes = frozenset(kinds)
        self._codecs = CodecRegistry(own)
        self._kinds = {kind: self._learned(kind) for kind in kinds}
        self._last: dict[type[Any], PartText] = {}

    def written(self, part: Any, before: PartText | None = None) -> PartText:
        """The part's text; `before` is the part in whose place it stands."""
        kind = type(part)
        values_of, fields = self._kinds[kind]
        held = values_of(part) if values_of else part
        # A part in a new place is most like the last of its kind.
        base = before or self._last.get(kind)
        if base is None:
            changed: Iterable[PartField] = fields
            texts, inside = [""] * len(fields), {}
        else:
            changed = compress(fields, map(is_not, held, base[2]))
            texts, inside = base[3].copy(), base[4]
        for number, place, name, write, several in changed:
            if write is not None:
                texts[place] = name + write(held[number])
            else:
                text, parts = self._inside(held[number], inside.get(number), several)
                texts[place], inside = name + text, {**inside, number: parts}
        text = "{" + ",".join(texts) + "}"
        made = self._last[kind] = new_tuple(PartText, (part, text, held, texts, inside))
        return made

    def _inside(self, value: Any, before: Any, several: bool) -> tuple[str, Any]:
        """The text of what a field holds, and what will help to write the next."""
        if value is None:
            return "null", None
        if several:
            return self._several(value, before or NO_PARTS)
        made = self.written(value, before)
        return made[1], made

    def _several(self, held: Mapping[int, Any], before: NumberedParts) -> tuple[str, NumberedParts]:
        numbers, parts = [*held], [*held.values()]
        known, old, texts, written = before
        more = len(numbers) - len(known)
        if numbers[: len(known)] != known:  # one has gone
            old, texts, written, more = [], [], [], len(numbers)
        texts, written = texts + [""] * more, written + [None] * more
        for i in compress(count(), map(is_not, parts, old + [None] * more)):
            made = written[i] = self.written(parts[i], written[i])
            texts[i] = f'"{numbers[i]}":{made[1]}'
        # A quotation mark sorts before every digit, and so the entries as their numbers' texts do.
        text = "{" + ",".join(sorted(texts)) + "}"
        return text, new_tuple(NumberedParts, (numbers, parts, texts, written))

    def _learned(self, kind: Any) -> PartKind:
        hints = get_type_hints(kind, include_extras=True)
        places = {name: place for place, name in enumerate(sorted(hints))}
        fields = tuple(
            PartField(
                *(number, places[name], f'"{name}":', self._writer(hint)),
                several=get_origin(hint) is Mapping,
            )
            for number, (name, hint) in enumerate(hints.items())
        )
        return PartKind(None if issubclass(kind, tuple) else attrgetter(*hints), fields)

    def _writer(self, hint: Any) -> Callable[[Any], str] | None:
        holds_parts = not self._classes.isdisjoint((hint, *get_args(hint)))
        return None if holds_parts else self._codecs.of(hint).text
