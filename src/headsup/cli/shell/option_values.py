"""The value typed behind an option, as the type its command asks for.

Typer would ask Pydantic, whose import takes longer than most of our commands.
"""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, get_origin

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.values.counts import is_ascii_number


class ValueReader:
    """Reads what commands ask for: text, numbers, files, names out of a list, and lists of text."""

    def __init__(self, param: Any) -> None:
        self.annotation = param.type_descriptor.annotation
        self.least = param.type_descriptor.parameter_info.min
        self.most = param.type_descriptor.parameter_info.max

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 (Typer's own call)
        if get_origin(self.annotation) is list:
            return list(value or ())
        if value is None or not isinstance(value, str):  # nothing was typed, so it is the default
            return value
        if self.annotation is int or self.annotation is float:
            return self._number(value, param)
        if isinstance(self.annotation, type) and issubclass(self.annotation, Enum):
            return self._one_of(value, param, [member.value for member in self.annotation])
        return Path(value) if self.annotation is Path else value

    def _one_of(self, typed: str, param: Any, known: list[str]) -> Any:
        if typed in known:
            return self.annotation(typed)
        raise refusal_for_choice(param.opts[0], typed, known)

    def _number(self, typed: str, param: Any) -> int | float:
        if not is_ascii_number(typed):
            raise self._refused(param)
        try:
            number = int(typed.replace(",", "")) if self.annotation is int else float(typed)
        except ValueError:
            raise self._refused(param) from None
        least = number if self.least is None else self.least
        most = number if self.most is None else self.most
        if not least <= number <= most:
            raise self._refused(param)
        return number

    def _refused(self, param: Any) -> Refused:
        if self.annotation is float:
            case = "measure"
        elif self.least is None:
            case = "number_any"
        else:
            case = "number_least" if self.most is None else "number"
        return Refused(
            Code.BAD_ARGUMENTS, case, where=param.opts[0], least=self.least, most=self.most
        )


def refusal_for_choice(option: str, typed: str, known: Sequence[str]) -> Refused:
    """What was typed is none of the names that this option knows."""
    return Refused(
        Code.BAD_CHOICE,
        "none_of",
        where=option,
        name=typed[:40],
        known=known,
        meant=closest_name(typed, known),
    )
