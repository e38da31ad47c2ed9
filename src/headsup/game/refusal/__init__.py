"""Refusals: why a request cannot be carried out. A refusal is an answer, not a bug.

A refusal holds a code for programs and the data of its case. The sentence that people read is made
from them with one catalogue (`english`). The core returns a `Refusal`; code that reads files and
messages raises it as `Refused`.
"""

import copyreg
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headsup.game.refusal.codes import Code as Code
from headsup.game.refusal.formatter import closest_name as closest_name
from headsup.game.refusal.formatter import (
    escape_unprintable,
    format_sentence,
    mistake_lines,
    truncate,
)
from headsup.game.refusal.formatter import show_value as show_value


@dataclass(frozen=True, slots=True)
class Refusal:
    """`where` names the seat, key or file; `case` picks one of the code's sentences."""

    code: Code
    case: str = ""
    where: str = ""
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """One printable line: where, what is wrong and, if it helps, which clause says so."""
        key = f"{self.code}/{self.case}" if self.case else self.code.value
        reason = format_sentence(key, self.data)
        return escape_unprintable(f"{self.where}: {reason}" if self.where else reason)

    def within(self, place: str) -> "Refusal":
        """The same refusal with the enclosing file, line or part named before `where`."""
        return replace(self, where=f"{place}: {self.where}" if self.where else place)


def refusal(code: Code, case: str = "", /, *, where: str = "", **data: object) -> Refusal:
    return Refusal(code, case, where, data)


class Refused(ValueError):
    """A refusal as an exception."""

    def __init__(self, code: Code, case: str = "", /, *, where: str = "", **data: object):
        self.refusal = Refusal(code, case, where, data)
        super().__init__(self.refusal)

    @classmethod
    def of(cls, refusal: Refusal) -> "Refused":
        return cls(refusal.code, refusal.case, where=refusal.where, **refusal.data)

    @property
    def code(self) -> Code:
        return self.refusal.code

    @property
    def message(self) -> str:
        return self.refusal.message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without calling `__init__` again, whose arguments are not `args`.

        Worker processes send refusals back. One that cannot be read there stops all of them.
        """
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a rule book or a choice of rules, and the key it is at (or "")."""

    key: str
    refusal: Refusal
    file: str = ""

    @property
    def code(self) -> Code:
        return self.refusal.code

    @property
    def reason(self) -> str:
        return self.refusal.message

    def __str__(self) -> str:
        location = ": ".join(part for part in (self.file, truncate(self.key, 100)) if part)
        return escape_unprintable(f"{location}: {truncate(self.reason, 1000)}")


class MistakesRefused(Refused):
    """Everything wrong with a file at once, so that it can be fixed in one go."""

    def __init__(self, mistakes: Iterable[Mistake], code: Code) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(code, "mistakes", mistakes=self.mistakes)

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each mistake. A long list is cut off and ends with the total."""
        return mistake_lines(self.mistakes)


class RulesRefused(MistakesRefused):
    """Mistakes in a rule book or in a choice of rules; their common code if they share one."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        all_mistakes = tuple(mistakes)
        codes = {mistake.code for mistake in all_mistakes}
        super().__init__(all_mistakes, codes.pop() if len(codes) == 1 else Code.BAD_RULES)
