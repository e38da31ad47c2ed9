"""Reads single fields of a rule book.

Each method reports what is wrong and still returns a usable value, so that one run finds every
mistake.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from headsup.game.refusal import Code, Mistake, Refusal, refusal
from headsup.game.rulebook.schema import BOOK_KEYS, HOUSE_MAY_SET

Raw = Mapping[str, Any]

# The longest texts in any document are notices of 260 characters.
MAX_TEXT_CHARACTERS = 1_000
MAX_NAME_CHARACTERS = 100  # ids, labels and names of outcomes


class ReportMistake(Protocol):
    """Records a mistake at a key."""

    def __call__(self, key: str, why: Refusal, /) -> None: ...


class FieldReader:
    """Collects mistakes in `mistakes` instead of stopping at the first."""

    house = False  # whether only the keys in HOUSE_MAY_SET are allowed

    def __init__(self, file: str) -> None:
        self.file = file
        self.mistakes: list[Mistake] = []

    def report_mistake(self, key: str, why: Refusal, /) -> None:
        self.mistakes.append(Mistake(key, why, self.file))

    def keep_allowed_keys(self, part: str, raw: Raw, prefix: str = "") -> Raw:
        """The allowed keys of a part. Others are reported and left out."""
        known = BOOK_KEYS[part]
        allowed = HOUSE_MAY_SET.get(part, known) if self.house else known
        for key in raw:
            if key not in known:
                self.report_mistake(prefix + key, refusal(Code.UNKNOWN_KEY, "rules"))
            elif key not in allowed:
                self.report_mistake(prefix + key, refusal(Code.NOT_OPEN, "document"))
        return {key: value for key, value in raw.items() if key in allowed}

    def read_table(self, raw: Raw, key: str) -> Raw:
        value = raw.get(key, {})
        if not isinstance(value, Mapping):
            self.report_mistake(key, refusal(Code.BAD_RULES, "table"))
            return {}
        return self.keep_allowed_keys(key, value, f"{key}.")

    def read_blocks(self, raw: Raw, key: str) -> list[tuple[str, Raw]]:
        """Each block with its path, such as `paytable[2]`, in the order of the file."""
        value = raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(block, Mapping) for block in value):
            self.report_mistake(key, refusal(Code.BAD_RULES, "blocks", key=key))
            return []
        paths = [f"{key}[{number}]" for number in range(1, len(value) + 1)]
        return [
            (path, self.keep_allowed_keys(key, block, f"{path}."))
            for path, block in zip(paths, value, strict=True)
        ]

    def read_text(
        self,
        raw: Raw,
        key: str,
        prefix: str = "",
        default: str = "",
        max_length: int = MAX_TEXT_CHARACTERS,
    ) -> str:
        value = raw.get(key, default)
        if not isinstance(value, str):
            self.report_mistake(prefix + key, refusal(Code.BAD_RULES, "text"))
            return default
        return value if self.check_printable(prefix + key, value, max_length) else default

    def read_nonempty_text(
        self,
        raw: Raw,
        key: str,
        prefix: str = "",
        default: str = "",
        max_length: int = MAX_TEXT_CHARACTERS,
    ) -> str:
        """Text that must not be empty."""
        value = raw.get(key, default)
        if not isinstance(value, str) or not value.strip():
            self.report_mistake(prefix + key, refusal(Code.BAD_RULES, "words"))
            return default
        return value if self.check_printable(prefix + key, value, max_length) else default

    def check_printable(self, path: str, text: str, max_length: int) -> bool:
        """Report text that screens and sheets cannot show: more than one line, or too long."""
        if not text.isprintable():
            self.report_mistake(path, refusal(Code.BAD_RULES, "printable"))
        elif len(text) > max_length:
            self.report_mistake(path, refusal(Code.BAD_RULES, "long", most=max_length))
        else:
            return True
        return False

    def read_choice(self, raw: Raw, key: str, choices: tuple[str, ...], prefix: str = "") -> str:
        """One of several words; the first if the key is missing."""
        value = raw.get(key, choices[0])
        if value not in choices:
            self.report_mistake(prefix + key, refusal(Code.BAD_RULES, "one_of", choices=choices))
            return choices[0]
        return str(value)

    def read_whole_number(
        self, raw: Raw, key: str, prefix: str, default: int, low: int, high: int
    ) -> int:
        value = raw.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.report_mistake(prefix + key, refusal(Code.BAD_RULES, "whole", low=low, high=high))
            return default
        return value

    def read_flag(self, raw: Raw, key: str, prefix: str, default: bool = False) -> bool:
        value = raw.get(key, default)
        if not isinstance(value, bool):
            self.report_mistake(prefix + key, refusal(Code.BAD_RULES, "flag"))
            return default
        return value
