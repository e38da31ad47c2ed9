"""Checks and compares dates and UTC times, which the core handles as text. It has no clock."""

import re
from functools import lru_cache

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_iso_date(text: str) -> bool:
    """A calendar day written like 2026-12-31; only this spelling sorts as text."""
    parts = _DAY.fullmatch(text)
    if parts is None:
        return False
    year, month, day = (int(part) for part in parts.groups())
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _month_length(year, month)


def _month_length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTH_LENGTHS[month - 1]


# Times in a log: UTC, with at most microseconds.

_UTC = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@lru_cache(maxsize=64)  # entries decided together share one time
def is_utc_time(text: str) -> bool:
    """A time written like 2026-01-31T12:00:00Z."""
    return _UTC.fullmatch(text) is not None and _is_calendar_day(text[:10])


@lru_cache(maxsize=64)  # a table checks the same day thousands of times
def _is_calendar_day(date: str) -> bool:
    year, month, day = map(int, date.split("-"))
    if year == 0 or not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def is_before(time: str, other: str) -> bool:
    """Whether `time` is earlier than `other`."""
    if time == other:  # the usual case: entries decided together
        return False
    if time[:19] != other[:19]:
        return time[:19] < other[:19]
    return _pad_fraction(time) < _pad_fraction(other)


def _pad_fraction(time: str) -> str:
    return time[:-1].ljust(20, ".").ljust(26, "0")
