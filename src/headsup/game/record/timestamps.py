"""Times as a log has them: UTC, on a day there is, to the microsecond at most."""

import re
from functools import lru_cache

_UTC = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@lru_cache(maxsize=64)  # what is decided together is written with one time
def is_utc_time(text: str) -> bool:
    """Whether the text is a moment like 2026-01-31T12:00:00Z."""
    return _UTC.fullmatch(text) is not None and _is_calendar_day(text[:10])


@lru_cache(maxsize=64)  # a table asks thousands of times on one day
def _is_calendar_day(date: str) -> bool:
    year, month, day = map(int, date.split("-"))
    if year == 0 or not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def is_before(one: str, other: str) -> bool:
    """Whether one moment is earlier than another."""
    if one == other:  # as of all that is decided together
        return False
    if one[:19] != other[:19]:
        return one[:19] < other[:19]
    return _sortable(one) < _sortable(other)


def _sortable(time: str) -> str:
    return time[:-1].ljust(20, ".").ljust(26, "0")
