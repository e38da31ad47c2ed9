"""The canonical JSON of a state by its parts, made from that of the state before it.

Of a changed part only the fields that are other values than before are written again; the rest is
told by identity, which asks for nothing but that values never change.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import compress
from operator import attrgetter, is_not, itemgetter
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from headsup.game.record.codec import Codecs
from headsup.game.record.forms import Form


class Written(NamedTuple):
    """A part with its text, and what will help to write the one that takes its place."""

    part: object
    text: str
    held: tuple[Any, ...]  # the values of its fields
    texts: list[str]  # of its fields, `"name":…`
    inside: dict[int, Any]  # by the number of the field: the part, or the parts, in it


new_tuple = tuple.__new__  # a named tuple by its values, in a third of the time


class PartKind(NamedTuple):
    """How one class of parts is taken apart; fields are in the order of their names."""

    fields_of: Callable[[Any], tuple[Any, ...]]
    write: tuple[Callable[[Any], str] | None, ...]  # None for a field that holds parts
    names: tuple[str, ...]
    several: frozenset[int]  # fields that hold parts by number
    places: range  # of all fields


class Parts:
    """Knows how to write each kind of part; `own` are forms that annotations cannot give."""

    def __init__(self, kinds: tuple[type[Any], ...], own: Mapping[Any, Form]) -> None:
        self._classes = frozenset(kinds)
        self._codecs = Codecs(own)
        self._kinds = {kind: self._learned(kind) for kind in kinds}
        self._last: dict[type[Any], Written] = {}

    def written(self, part: Any, before: Written | None = None) -> Written:
        """The part's text; `before` is the part in whose place it stands."""
        kind = type(part)
        fields_of, write, names, several, places = self._kinds[kind]
        held = fields_of(part)
        # A part in a new place is most like the last of its kind.
        base = before or self._last.get(kind)
        if base is None:
            changed: Iterable[int] = places
            texts, inside = [""] * len(held), {}
        else:
            changed = compress(places, map(is_not, held, base[2]))
            texts, inside = base[3].copy(), base[4]
        for i in changed:
            write_field = write[i]
            if write_field is not None:
                texts[i] = names[i] + write_field(held[i])
            else:
                value, known = held[i], inside.get(i)
                parts: Any = None
                if value is None:
                    text = "null"
                elif i in several:
                    text, parts = self._several(value, known or {})
                else:
                    parts = self.written(value, known)
                    text = parts.text
                texts[i], inside = names[i] + text, {**inside, i: parts}
        made = self._last[kind] = new_tuple(
            Written, (part, "{" + ",".join(texts) + "}", held, texts, inside)
        )
        return made

    def _several(
        self, parts: Mapping[int, Any], before: Mapping[int, tuple[str, Written]]
    ) -> tuple[str, dict[int, tuple[str, Written]]]:
        """Each with its text as an entry, `"number":…`."""
        found = {}
        for number, part in parts.items():
            made = before.get(number)
            if made is None or made[1][0] is not part:
                written = self.written(part, made and made[1])
                made = f'"{number}":{written[1]}', written
            found[number] = made
        # A quotation mark sorts before every digit, and so the entries as their numbers' texts do.
        return "{" + ",".join(sorted([text for text, _ in found.values()])) + "}", found

    def _learned(self, kind: Any) -> PartKind:
        hints = get_type_hints(kind, include_extras=True)
        names = sorted(hints)
        if issubclass(kind, tuple):
            fields_of: Any = itemgetter(*map(kind._fields.index, names))
        else:
            fields_of = attrgetter(*names)
        return PartKind(
            fields_of,
            tuple(self._writer(hints[name]) for name in names),
            tuple(f'"{name}":' for name in names),
            frozenset(i for i, name in enumerate(names) if get_origin(hints[name]) is Mapping),
            range(len(names)),
        )

    def _writer(self, hint: Any) -> Callable[[Any], str] | None:
        holds_parts = not self._classes.isdisjoint((hint, *get_args(hint)))
        return None if holds_parts else self._codecs.of(hint).text
