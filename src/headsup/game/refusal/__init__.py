"""Refusals: what was asked cannot be done, and why. A refusal is an answer, not a bug.

A refusal is a code for programs and the data of its case; what a person reads is made from them
in one catalogue (`english`). The core answers with `Refusal`, a value; the edge, where texts and
messages are read, raises it as `Refused`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from headsup.game.refusal.codes import Code as Code
from headsup.game.refusal.formatter import format_sentence, mistake_lines
from headsup.game.refusal.text import closest_name as closest_name
from headsup.game.refusal.text import escape_unprintable, truncate
from headsup.game.refusal.text import show_value as show_value


@dataclass(frozen=True, slots=True)
class Refusal:
    """`where` names the seat, key or file that it is about; `case` one of several sentences."""

    code: Code
    case: str = ""
    where: str = ""
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """One printable line: where, what is wrong and, if it helps, by which clause."""
        key = f"{self.code}/{self.case}" if self.case else self.code.value
        reason = format_sentence(key, self.data)
        return escape_unprintable(f"{self.where}: {reason}" if self.where else reason)

    def within(self, place: str) -> "Refusal":
        """The same, where it stands inside a file, a line or a part."""
        return replace(self, where=f"{place}: {self.where}" if self.where else place)


def refusal(code: Code, case: str = "", /, *, where: str = "", **data: object) -> Refusal:
    return Refusal(code, case, where, data)


class Refused(ValueError):
    """A refusal on its way out of a reader or a command."""

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


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a file or a choice of rules: at which key, if at one, and what."""

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
        where = ": ".join(part for part in (self.file, truncate(self.key, 100)) if part)
        return escape_unprintable(f"{where}: {truncate(self.reason, 1000)}")


class MistakesRefused(Refused):
    """Everything wrong with a file at once, so that one run mends it."""

    def __init__(self, mistakes: Iterable[Mistake], code: Code) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(code, "mistakes", mistakes=self.mistakes)

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each mistake; of very many the first, and how many there are."""
        return mistake_lines(self.mistakes)


class RulesRefused(MistakesRefused):
    """Of a rule book, or of a choice of rules."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        found = tuple(mistakes)
        codes = {mistake.code for mistake in found}
        super().__init__(found, codes.pop() if len(codes) == 1 else Code.BAD_RULES)
