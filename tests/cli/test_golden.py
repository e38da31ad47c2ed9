"""Screens compared with text files in `golden/`.

After an intended change, write them again and read the difference:

    WRITE_GOLDEN=1 .venv/bin/python -m pytest tests/cli/test_golden.py && git diff tests/cli/golden
"""

import pytest

from headsup.game.rulebook.loader import SHIPPED_BOOKS
from tests.support.cli.golden import GOLDEN, check_golden
from tests.support.cli.run import EXAMPLE, headsup

SCREENS: dict[str, tuple[object, ...]] = {
    "settle": ("settle", EXAMPLE),
    "settle-lines": ("settle", GOLDEN / "rounds.jsonl"),
    "rules": ("rules",),
    **{f"rules-show-{book}": ("rules", "show", book) for book in SHIPPED_BOOKS},
    "play": ("play", "--seed", "friend", "--no-save"),
}
# Two hands with every wager on: one raised on the flop, one folded.
KEYS = b"t 5\np5\n6 5\nj\n\nc\nr\n\nc\nc\nf\nq\n"


@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str) -> None:
    check_golden(name, headsup(*SCREENS[name], stdin=KEYS).out)
