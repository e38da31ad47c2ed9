"""Cached answers are printed without importing anything that compiles."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import format_cards
from tests.cli.run import ROOT, headsup

# Each takes longer to load than an answer from the cache should take in all.
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


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with New York's strategy, lessons and rounds, and no machine code."""
    folder = tmp_path_factory.mktemp("cache")
    bench, payoffs = Workbench(find_folder=lambda: folder), compile_payoffs(table_rules("new-york"))
    bench.lessons(payoffs)
    bench.round_counts(bench.strategy(payoffs))
    return folder


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
def test_an_answer_from_the_cache_loads_nothing_heavy(words: tuple[str, ...], solved: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words, "--rules", "new-york"],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(solved)},
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
QUESTIONS = [
    ["--board", FLOP],
    ["--board", FLOP, "--seen", SEEN],
    ["--board", RIVER],
    ["--board", RIVER, "--seen", SEEN],
    ["--seen", MOST_SEEN],
]
ASK = f"""
import sys
from headsup.cli import main
for question in {QUESTIONS}:
    sys.argv = ["headsup", "advise", "--hole", "AsKd", "--json", *question]
    try:
        main()
    except SystemExit as done:
        assert not done.code
print("numba" in sys.modules, file=sys.stderr)
"""


def test_advice_uses_cached_machine_code() -> None:
    answers = [
        headsup("advise", "--hole", "AsKd", "--json", *question).out for question in QUESTIONS
    ]
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout == "".join(answers)
    assert done.stderr == "False\n"
