"""The examples in docs/python.md run as shown."""

import doctest
import re
from pathlib import Path

import pytest

import headsup

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.slow  # it solves the game
def test_every_example_prints_what_is_shown() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (done.failed, done.attempted > 20) == (0, True)


def test_every_name_is_documented() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert documented == set(headsup.__all__) - {"__version__"}
