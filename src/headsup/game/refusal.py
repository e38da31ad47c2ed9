"""Refusals: what was asked cannot be done, and why. A refusal is an answer, not a bug."""

from collections.abc import Iterable
from dataclasses import dataclass


class Refused(ValueError):
    """One refusal: a `code` for programs, a sentence for people naming what and where."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a rule book or a choice of rules."""

    key: str
    reason: str
    code: str = "bad_rules"
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.file else self.key
        return f"{where}: {self.reason}"


class RulesRefused(Refused):
    """Everything wrong with a rule book at once, so that one run mends it."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        codes = {mistake.code for mistake in self.mistakes}
        code = codes.pop() if len(codes) == 1 else "bad_rules"
        super().__init__(code, "; ".join(str(mistake) for mistake in self.mistakes))
