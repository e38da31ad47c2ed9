"""docs/python.md, run as it stands."""

import doctest
import re
from pathlib import Path

import pytest

import headsup

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.slow  # it solves the game
def test_every_example_answers_as_shown() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (done.failed, done.attempted > 20) == (0, True)


def test_every_name_is_told_of() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told == set(headsup.__all__) - {"__version__"}
