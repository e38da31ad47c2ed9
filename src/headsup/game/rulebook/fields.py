"""Reading single fields of a rule book: each returns something usable and notes what is wrong."""

from collections.abc import Mapping
from typing import Any, Protocol

from headsup.game.refusal import Mistake
from headsup.game.rulebook.schema import HOUSE_MAY_SET, KEYS

Raw = Mapping[str, Any]


class Wrong(Protocol):
    """Where a mistake is noted: the key, the reason, the code."""

    def __call__(self, key: str, reason: str, code: str = ..., /) -> None: ...


class Fields:
    """`mistakes` grows instead of stopping at the first."""

    house = False  # a house may set only what `HOUSE_MAY_SET` names

    def __init__(self, file: str) -> None:
        self.file = file
        self.mistakes: list[Mistake] = []

    def wrong(self, key: str, reason: str, code: str = "bad_rules") -> None:
        self.mistakes.append(Mistake(key, reason, code, self.file))

    def permitted(self, part: str, raw: Raw, at: str = "") -> Raw:
        """What this book may say in this part; everything else is noted and left out."""
        known = KEYS[part]
        open_to_it = HOUSE_MAY_SET.get(part, known) if self.house else known
        for key in raw:
            if key not in known:
                self.wrong(at + key, "unknown key", "unknown_key")
            elif key not in open_to_it:
                reason = 'is for the document to say; only kind = "study" may depart from it'
                self.wrong(at + key, reason, "not_open")
        return {key: value for key, value in raw.items() if key in open_to_it}

    def table(self, raw: Raw, key: str) -> Raw:
        value = raw.get(key, {})
        if not isinstance(value, Mapping):
            self.wrong(key, "must be a table")
            return {}
        return self.permitted(key, value, f"{key}.")

    def blocks(self, raw: Raw, key: str) -> list[tuple[str, Raw]]:
        """Each block with its place, numbered as the operator wrote them."""
        value = raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(block, Mapping) for block in value):
            self.wrong(key, f"must be blocks headed [[{key}]]")
            return []
        places = [f"{key}[{number}]" for number in range(1, len(value) + 1)]
        return [
            (at, self.permitted(key, block, f"{at}."))
            for at, block in zip(places, value, strict=True)
        ]

    def text(self, raw: Raw, key: str, at: str = "", default: str = "") -> str:
        value = raw.get(key, default)
        if not isinstance(value, str):
            self.wrong(at + key, "must be text")
            return default
        return value

    def words(self, raw: Raw, key: str, at: str = "", default: str = "") -> str:
        """Text that must say something."""
        value = raw.get(key, default)
        if not isinstance(value, str) or not value.strip():
            self.wrong(at + key, "must be text that is not empty")
            return default
        return value

    def one_of(self, raw: Raw, key: str, choices: tuple[str, ...], at: str = "") -> str:
        """The first choice where nothing is said."""
        value = raw.get(key, choices[0])
        if value not in choices:
            self.wrong(at + key, f"must be one of {', '.join(choices)}")
            return choices[0]
        return str(value)

    def whole(self, raw: Raw, key: str, at: str, default: int, low: int, high: int) -> int:
        value = raw.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(at + key, f"must be a whole number from {low} to {high}")
            return default
        return value

    def flag(self, raw: Raw, key: str, at: str, default: bool = False) -> bool:
        value = raw.get(key, default)
        if not isinstance(value, bool):
            self.wrong(at + key, "must be true or false")
            return default
        return value
