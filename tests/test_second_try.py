"""`make test` tries once more, alone, what failed while every core was busy: what passes then is
named, and everything else stays red."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"
GIVEN = ("MISSING=", "WORKERS=2")
PASSES = "def test_passes(): pass"
ALONE = "import os\ndef test_alone(): assert 'PYTEST_XDIST_WORKER' not in os.environ"
FAILS = "def test_fails(): assert False"
CRASHES = "import os\ndef test_crashes(): os._exit(1)"
TORN = "import nothing_of_this_name"
INTERRUPTED = "def test_ends_it(): raise KeyboardInterrupt"


def suite(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """The recipe itself, on a suite of these files."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    for number, content in enumerate(files):
        (folder / f"test_{number}.py").write_text(content)
    programs = Path(sys.executable).parent
    return subprocess.run(
        ["make", "-f", MAKEFILE, "-o", ".venv/.installed", "every", f"BIN={programs}", *GIVEN],
        cwd=folder,
        env={
            **{name: text for name, text in os.environ.items() if not name.startswith("PYTEST")},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p xdist",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_what_passes_alone_is_green_and_named(tmp_path: Path) -> None:
    done = suite(tmp_path, PASSES, ALONE)
    assert done.returncode == 0, done.stdout
    again = done.stdout.partition("Once more, alone")[2]
    assert "PASSED test_1.py::test_alone" in again
    assert "test_passes" not in again
    assert "passed only alone" in again


@pytest.mark.slow
def test_nothing_is_tried_again_when_all_is_well(tmp_path: Path) -> None:
    done = suite(tmp_path, PASSES)
    assert done.returncode == 0, done.stdout
    assert "alone" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    [(PASSES, ALONE, FAILS), (PASSES, TORN), (PASSES, INTERRUPTED), (PASSES, CRASHES), ()],
    ids=["failure", "collection", "interrupt", "crash", "no tests"],
)
def test_everything_else_stays_red(files: tuple[str, ...], tmp_path: Path) -> None:
    done = suite(tmp_path, *files)
    assert done.returncode != 0, done.stdout
    assert "passed only alone" not in done.stdout
