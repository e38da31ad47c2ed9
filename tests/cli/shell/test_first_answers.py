"""Answers are printed without importing anything that compiles."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.values.cards import format_cards
from tests.support.cli.run import ROOT

# Each takes longer to load than such an answer should take in all.
HEAVY = {
    "numba", "llvmlite", "pydantic", "asyncio", "sqlalchemy", "fastapi", "dask", "distributed",
    "typst", "scipy", "gymnasium",
}  # fmt: skip
COMMAND = f"""
import sys
from headsup.cli import main
try:
    main()
finally:
    print(*sorted({HEAVY} & {{*sys.modules}}), file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("solve",),
        ("solve", "--json"),
        ("advise", "--hole", "AsKd", "--json"),
        ("par",),
        ("par", "--json"),
        ("par", "--json", "--set", "trips_plus_hand=both_hole_cards"),
    ],
    ids=" ".join,
)
def test_the_answer_to_a_printed_game_loads_nothing_heavy(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    """Its results come with the program, so there is nothing to compute."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words, "--rules", "new-york"],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(tmp_path / "cache")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout
    assert done.stderr == "\n"


FLOP, RIVER, SEEN = "Ah7c2d", "Ah7c2dTc9s", "QhQs3c"
MOST_SEEN = format_cards(range(40))  # few boards are left to go through
HOLE = ["advise", "--hole", "AsKd", "--json"]
QUESTIONS = [
    ["solve", "--json", "--no-cache"],
    HOLE,
    [*HOLE, "--board", FLOP],
    [*HOLE, "--board", FLOP, "--seen", SEEN],
    [*HOLE, "--board", RIVER],
    [*HOLE, "--board", RIVER, "--seen", SEEN],
    [*HOLE, "--seen", MOST_SEEN],
    *(["par", "--json", "--rules", book] for book in SHIPPED_BOOKS),
    ["strategy", "evaluate", "published", "--json"],
    ["simulate", "--rounds", "1000", "--json"],
    ["session", "--json"],
    ["protect", "--see", "dealer=1", "--json"],
]
ASK = f"""
import sys
from headsup.cli import main
for question in {QUESTIONS}:
    sys.argv = ["headsup", *question]
    try:
        main()
    except SystemExit as done:
        assert not done.code
    assert "numba" not in sys.modules, question
"""


@pytest.mark.slow(seconds=20)
def test_a_first_answer_needs_no_compiler(tmp_path: Path) -> None:
    """On a machine where nothing was ever computed, as all code comes with the program."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(tmp_path / "cache")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr
