"""Times as a log has them: UTC, on a day there is, to the microsecond at most."""

import re

_UTC = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,6}))?Z", re.ASCII
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_time(text: str) -> bool:
    """Whether the text is a moment like 2026-01-31T12:00:00Z."""
    found = _UTC.fullmatch(text)
    if found is None:
        return False
    year, month, day = (int(found[i]) for i in (1, 2, 3))
    if year == 0 or not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def is_before(one: str, other: str) -> bool:
    """Whether one moment is earlier than another."""
    return _sortable(one) < _sortable(other)


def _sortable(time: str) -> str:
    return time[:-1].ljust(20, ".").ljust(26, "0")
