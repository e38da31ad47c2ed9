"""Days as the core knows them: text that names a day of the calendar; no clock."""

import re

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_iso_date(text: str) -> bool:
    """A day like 2026-12-31, in the one spelling that sorts."""
    parts = _DAY.fullmatch(text)
    if parts is None:
        return False
    year, month, day = (int(part) for part in parts.groups())
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _length(year, month)


def _length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _LENGTHS[month - 1]
