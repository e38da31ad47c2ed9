"""How the data of a refusal are told in the sentences of the catalogue."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from headsup.game.refusal.english import OR_SEPARATOR, SENTENCES, SUGGESTION
from headsup.game.refusal.text import show_value
from headsup.game.rulebook.wagers import felt_name
from headsup.game.values.money import show_dollars, show_micro_dollars


class _SentenceFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int) and value.bit_length() > 1000:
            return show_value(value)  # Python itself would not write it out
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
                return format_sentence(f"flaw/{value.wanted}", data)
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
    """The first twenty; nobody mends more in one go."""
    lines = [str(mistake) for mistake in mistakes[:_MAX_MISTAKES]]
    if more := len(mistakes) - len(lines):
        lines.append(format_sentence("mistakes/more", {"more": more, "all": len(mistakes)}))
    return tuple(lines)


def format_sentence(key: str, data: Mapping[str, object]) -> str:
    """The sentence of this code, or code/case, about these data."""
    if key.endswith("/mistakes"):  # several, under the code that they share
        key = "mistakes"
    return _FORMATTER.vformat(SENTENCES[key], (), data)
