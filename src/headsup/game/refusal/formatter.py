"""Fills a refusal's data into its sentence from the catalogue.

A sentence is always one printable line of bounded length, whatever value was refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from string import Formatter
from typing import Any

from headsup.game.refusal.english import OR_SEPARATOR, SENTENCES, SUGGESTION
from headsup.game.rulebook.wagers import felt_name
from headsup.game.values.money import show_dollars, show_micro_dollars


def show_value(value: object) -> str:
    """A refused value in JSON's spelling; long values are cut, lists and objects only named."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 1000:
        return "a number of hundreds of digits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def closest_name(name: object, known: Iterable[str]) -> str:
    """The known name most like a mistyped one, or "" if none is close."""
    by_simple_name = {_simplify(candidate): candidate for candidate in known}
    matches = get_close_matches(_simplify(str(name)[:60]), by_simple_name, 1, 0.7)
    return by_simple_name[matches[0]] if matches else ""


def _simplify(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def truncate(text: str, max_length: int = 300) -> str:
    return text if len(text) <= max_length else text[: max_length - 3] + "..."


def escape_unprintable(text: str) -> str:
    """Escape line breaks, control characters and lone surrogates, for any screen to show."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


class _SentenceFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int) and value.bit_length() > 1000:
            return show_value(value)  # Python refuses to print integers this long
        match format_spec:
            case "$":
                return show_dollars(value)
            case "u$":
                return show_micro_dollars(value)
            case "words":
                return str(value).replace("_", " ")
            case "felt":
                return felt_name(value)
            case "shown":
                return show_value(value)
            case "list":
                return ", ".join(map(str, value))
            case "flaw":
                data = {name: getattr(value, name) for name in ("field", "found", "among")}
                return format_sentence(f"flaw/{value.expected}", data)
            case "mean":
                return SUGGESTION.format(name=value) if value else ""
            case "or":
                return OR_SEPARATOR.join(map(str, value))
            case "message":
                return str(value.message)
            case "mistakes":
                return "; ".join(mistake_lines(value))
            case "times":
                return OR_SEPARATOR.join(f"{multiple}×" for multiple in value)
            case _:
                return str(super().format_field(value, format_spec))


_FORMATTER = _SentenceFormatter()

_MAX_MISTAKES = 20


def mistake_lines(mistakes: Sequence[object]) -> tuple[str, ...]:
    """The first twenty mistakes, and how many more there are."""
    lines = [str(mistake) for mistake in mistakes[:_MAX_MISTAKES]]
    if more := len(mistakes) - len(lines):
        lines.append(format_sentence("mistakes/more", {"more": more, "all": len(mistakes)}))
    return tuple(lines)


def format_sentence(key: str, data: Mapping[str, object]) -> str:
    """The sentence for a code, or code/case, filled with its data."""
    if key.endswith("/mistakes"):  # a list of mistakes, whatever code they share
        key = "mistakes"
    return _FORMATTER.vformat(SENTENCES[key], (), data)
