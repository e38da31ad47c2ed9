"""How the data of a refusal are told in the sentences of the catalogue."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from headsup.game.refusal.english import MEAN, OR, SENTENCES
from headsup.game.refusal.text import shown
from headsup.game.rulebook.wagers import felt_name
from headsup.game.values.money import dollars, micro_dollars


class _Teller(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int) and value.bit_length() > 1000:
            return shown(value)  # Python itself would not write it out
        match format_spec:
            case "$":
                return dollars(value)
            case "u$":
                return micro_dollars(value)
            case "words":
                return str(value).replace("_", " ")
            case "felt":
                return felt_name(value)
            case "shown":
                return shown(value)
            case "list":
                return ", ".join(map(str, value))
            case "flaw":
                data = {name: getattr(value, name) for name in ("field", "found", "among")}
                return sentence(f"flaw/{value.wanted}", data)
            case "mean":
                return MEAN.format(name=value) if value else ""
            case "or":
                return OR.join(map(str, value))
            case "message":
                return str(value.message)
            case "mistakes":
                return "; ".join(mistake_lines(value))
            case "times":
                return OR.join(f"{multiple}×" for multiple in value)
            case _:
                return str(super().format_field(value, format_spec))


_TELLER = _Teller()

_MOST_MISTAKES = 20


def mistake_lines(mistakes: Sequence[object]) -> tuple[str, ...]:
    """The first twenty; nobody mends more in one go."""
    lines = [str(mistake) for mistake in mistakes[:_MOST_MISTAKES]]
    if more := len(mistakes) - len(lines):
        lines.append(sentence("mistakes/more", {"more": more, "all": len(mistakes)}))
    return tuple(lines)


def sentence(key: str, data: Mapping[str, object]) -> str:
    """The sentence of this code, or code/case, about these data."""
    if key.endswith("/mistakes"):  # several, under the code that they share
        key = "mistakes"
    return _TELLER.vformat(SENTENCES[key], (), data)
