"""Dates, compared with the standard library."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.values.dates import is_iso_date


def in_calendar(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_a_valid_day_is_one_in_the_calendar(year: int, month: int, day: int) -> None:
    text = f"{year:04d}-{month:02d}-{day:02d}"
    assert is_iso_date(text) == in_calendar(text)


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 2100])
def test_february_29_exists_only_in_leap_years(year: int) -> None:
    assert is_iso_date(f"{year}-02-29") == in_calendar(f"{year}-02-29")


@pytest.mark.parametrize(
    "text", ["", "2026", "20261231", "2026-W01-1", "٢٠٢٦-12-31", "2026-12-31 "]
)
def test_a_day_has_only_one_spelling(text: str) -> None:
    assert not is_iso_date(text)
