"""Reading single fields of a rule book: each returns something usable and notes what is wrong."""

from collections.abc import Mapping
from typing import Any, Protocol

from headsup.game.refusal import Code, Mistake, Refusal, refusal
from headsup.game.rulebook.schema import BOOK_KEYS, HOUSE_MAY_SET

Raw = Mapping[str, Any]


# The longest texts that any document has are notices of 260 characters.
MAX_TEXT_CHARACTERS = 1_000
MAX_NAME_CHARACTERS = 100  # ids, labels, the outcomes' names


class ReportMistake(Protocol):
    """Where a mistake is noted: at which key, and what it is."""

    def __call__(self, key: str, why: Refusal, /) -> None: ...


class FieldReader:
    """`mistakes` grows instead of stopping at the first."""

    house = False  # a house may set only what `HOUSE_MAY_SET` names

    def __init__(self, file: str) -> None:
        self.file = file
        self.mistakes: list[Mistake] = []

    def wrong(self, key: str, why: Refusal, /) -> None:
        self.mistakes.append(Mistake(key, why, self.file))

    def permitted(self, part: str, raw: Raw, at: str = "") -> Raw:
        """What this book may say in this part; everything else is noted and left out."""
        known = BOOK_KEYS[part]
        open_to_it = HOUSE_MAY_SET.get(part, known) if self.house else known
        for key in raw:
            if key not in known:
                self.wrong(at + key, refusal(Code.UNKNOWN_KEY, "rules"))
            elif key not in open_to_it:
                self.wrong(at + key, refusal(Code.NOT_OPEN, "document"))
        return {key: value for key, value in raw.items() if key in open_to_it}

    def table(self, raw: Raw, key: str) -> Raw:
        value = raw.get(key, {})
        if not isinstance(value, Mapping):
            self.wrong(key, refusal(Code.BAD_RULES, "table"))
            return {}
        return self.permitted(key, value, f"{key}.")

    def blocks(self, raw: Raw, key: str) -> list[tuple[str, Raw]]:
        """Each block with its place, numbered as the operator wrote them."""
        value = raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(block, Mapping) for block in value):
            self.wrong(key, refusal(Code.BAD_RULES, "blocks", key=key))
            return []
        places = [f"{key}[{number}]" for number in range(1, len(value) + 1)]
        return [
            (at, self.permitted(key, block, f"{at}."))
            for at, block in zip(places, value, strict=True)
        ]

    def text(
        self, raw: Raw, key: str, at: str = "", default: str = "", most: int = MAX_TEXT_CHARACTERS
    ) -> str:
        value = raw.get(key, default)
        if not isinstance(value, str):
            self.wrong(at + key, refusal(Code.BAD_RULES, "text"))
            return default
        return value if self.fit_to_print(at + key, value, most) else default

    def words(
        self, raw: Raw, key: str, at: str = "", default: str = "", most: int = MAX_TEXT_CHARACTERS
    ) -> str:
        """Text that must say something."""
        value = raw.get(key, default)
        if not isinstance(value, str) or not value.strip():
            self.wrong(at + key, refusal(Code.BAD_RULES, "words"))
            return default
        return value if self.fit_to_print(at + key, value, most) else default

    def fit_to_print(self, at: str, text: str, most: int) -> bool:
        """What a book says is shown on screens and printed on sheets: one line, and not endless."""
        if not text.isprintable():
            self.wrong(at, refusal(Code.BAD_RULES, "printable"))
        elif len(text) > most:
            self.wrong(at, refusal(Code.BAD_RULES, "long", most=most))
        else:
            return True
        return False

    def one_of(self, raw: Raw, key: str, choices: tuple[str, ...], at: str = "") -> str:
        """The first choice where nothing is said."""
        value = raw.get(key, choices[0])
        if value not in choices:
            self.wrong(at + key, refusal(Code.BAD_RULES, "one_of", choices=choices))
            return choices[0]
        return str(value)

    def whole(self, raw: Raw, key: str, at: str, default: int, low: int, high: int) -> int:
        value = raw.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(at + key, refusal(Code.BAD_RULES, "whole", low=low, high=high))
            return default
        return value

    def flag(self, raw: Raw, key: str, at: str, default: bool = False) -> bool:
        value = raw.get(key, default)
        if not isinstance(value, bool):
            self.wrong(at + key, refusal(Code.BAD_RULES, "flag"))
            return default
        return value
