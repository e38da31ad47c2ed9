"""Refusals: what was asked cannot be done, and why. A refusal is an answer, not a bug."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


class Refused(ValueError):
    """One refusal: a `code` for programs, a sentence for people naming what and where."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = _printable(message)
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal as a value: what a state machine answers instead of events."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a rule book or a choice of rules."""

    key: str
    reason: str
    code: str = "bad_rules"
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.file else self.key
        return _printable(f"{where}: {self.reason}")


class RulesRefused(Refused):
    """Everything wrong with a rule book at once, so that one run mends it."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        codes = {mistake.code for mistake in self.mistakes}
        code = codes.pop() if len(codes) == 1 else "bad_rules"
        super().__init__(code, "; ".join(str(mistake) for mistake in self.mistakes))


def shown(value: object) -> str:
    """A refused value inside a sentence, as JSON writes it; what is long or nested is cut."""
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


def _printable(text: str) -> str:
    """One line that any screen can show: control characters and half characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
