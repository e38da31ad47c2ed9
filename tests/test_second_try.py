"""`make test` retries failed tests alone and names those that then pass. Other failures stay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"
VARIABLES = ("MISSING=", "WORKERS=2")
PASSES = "def test_passes(): pass"
ALONE = "import os\ndef test_alone(): assert 'PYTEST_XDIST_WORKER' not in os.environ"
FAILS = "def test_fails(): assert False"
CRASHES = "import os\ndef test_crashes(): os._exit(1)"
UNIMPORTABLE = "import nothing_of_this_name"
INTERRUPTED = "def test_ends_it(): raise KeyboardInterrupt"


def run_suite(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Run the Makefile's recipe on test files with these contents."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    for number, content in enumerate(files):
        (folder / f"test_{number}.py").write_text(content)
    programs = Path(sys.executable).parent
    return subprocess.run(
        ["make", "-f", MAKEFILE, "-o", ".venv/.installed", "every", f"BIN={programs}", *VARIABLES],
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
def test_a_test_that_passes_alone_is_green_and_named(tmp_path: Path) -> None:
    done = run_suite(tmp_path, PASSES, ALONE)
    assert done.returncode == 0, done.stdout
    again = done.stdout.partition("Retrying alone")[2]
    assert "PASSED test_1.py::test_alone" in again
    assert "test_passes" not in again
    assert "passed only when run alone" in again


@pytest.mark.slow
def test_nothing_is_retried_if_all_tests_pass(tmp_path: Path) -> None:
    done = run_suite(tmp_path, PASSES)
    assert done.returncode == 0, done.stdout
    assert "alone" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    [(PASSES, ALONE, FAILS), (PASSES, UNIMPORTABLE), (PASSES, INTERRUPTED), (PASSES, CRASHES), ()],
    ids=["failure", "collection", "interrupt", "crash", "no tests"],
)
def test_other_failures_stay_red(files: tuple[str, ...], tmp_path: Path) -> None:
    done = run_suite(tmp_path, *files)
    assert done.returncode != 0, done.stdout
    assert "passed only when run alone" not in done.stdout
