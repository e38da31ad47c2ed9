"""Damaged machine code is noticed, told of and compiled again; a later run is silent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from headsup.analysis.kernels.compiled import is_compiled, kernel, trouble

trouble.append(print)


@kernel
def doubled(x):
    return 2 * x


if __name__ == "__main__":
    print("compiled before" if is_compiled() else "first run")
    print(doubled(21))
"""


def run(folder: Path) -> list[str]:
    module = folder / "little_kernel.py"
    module.write_text(MODULE)
    done = subprocess.run(
        [sys.executable, str(module)],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "left"), [("nbi", 0), ("nbi", 7), ("nbc", 40)])
def test_damaged_machine_code_is_told_of_and_made_again(
    tmp_path: Path, ending: str, left: int
) -> None:
    assert run(tmp_path) == ["first run", "42"]
    assert run(tmp_path) == ["compiled before", "42"]
    (damaged,) = tmp_path.glob(f"cache/kernels-*/**/*.{ending}")
    damaged.write_bytes(damaged.read_bytes()[:left])
    _, told, answer = run(tmp_path)
    assert "the compiled doubled cannot be used and is made again" in told
    assert answer == "42"
    assert run(tmp_path) == ["compiled before", "42"]
