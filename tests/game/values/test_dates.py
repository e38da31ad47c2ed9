"""Days of the calendar, against the standard library's own."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.values.dates import is_iso_date


def known(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_a_day_is_one_of_the_calendar(year: int, month: int, day: int) -> None:
    text = f"{year:04d}-{month:02d}-{day:02d}"
    assert is_iso_date(text) == known(text)


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 2100])
def test_the_29th_of_february_comes_in_leap_years(year: int) -> None:
    assert is_iso_date(f"{year}-02-29") == known(f"{year}-02-29")


@pytest.mark.parametrize(
    "text", ["", "2026", "20261231", "2026-W01-1", "٢٠٢٦-12-31", "2026-12-31 "]
)
def test_a_day_has_one_spelling(text: str) -> None:
    assert not is_iso_date(text)
