"""What names a table's rules in records: a hash of everything they say (R4).

Of the rules in force and their clauses, not of the text they were read from: however a rule book
is spelled, and whether the book or the table made a choice, the same rules have one fingerprint.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from headsup.game.rulebook.model import Pay, RuleBook

# What a book is called and where it was read, and what it leaves open or offers besides: the
# choices that were made stand in the table's rules.
_NOT_IN_FORCE = frozenset(
    {"id", "file", "options", "choices", "paytables", "closed", "optional_tables", "needs_limit",
     "conditions", "bonus", "limits"}
)  # fmt: skip


def fingerprint(rules: Any, apart: frozenset[str]) -> str:
    """SHA-256 of compiled rules: every field by name but those `apart`."""
    said = _by_name(rules, apart)
    said["option_clauses"] = {key: option.clause for key, option in rules.book.options.items()}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _by_name(value: Any, apart: frozenset[str] = frozenset()) -> dict[str, Any]:
    names = (field.name for field in fields(value))
    return {name: _plain(getattr(value, name)) for name in names if name not in apart}


def _plain(value: Any) -> Any:
    if isinstance(value, Pay):  # 3:2 and 1.5 are spellings of one pay
        return [value.kind.value, str(value.amount)]
    if isinstance(value, RuleBook):
        return _by_name(value, _NOT_IN_FORCE)
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        return _by_name(value)
    raise TypeError(f"{type(value).__name__} has no place in rules")
