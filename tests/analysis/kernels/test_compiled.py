"""Where machine code is kept: named by the sources, private, and never a condition to run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headsup.analysis.cache import cache_folder, source_hash
from headsup.analysis.kernels.base import compiled

ROOT = Path(__file__).parents[3]
USE_ONE_KERNEL = (
    "from headsup.analysis.kernels.solve.flops import set3_number; "
    "assert set3_number(0, 1, 2) == 0; "
    "from headsup.analysis.cache import cache_folder; print(cache_folder())"
)


def run(code: list[str], **environment: str) -> str:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [sys.executable, *code],
        env=kept | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"} | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_the_named_folder_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    assert run(["-c", USE_ONE_KERNEL], HEADSUP_CACHE_DIR=str(folder)) == str(folder)
    [kernels] = folder.iterdir()
    (machine_code,) = kernels.iterdir()
    assert machine_code.name.startswith("base.numbering.set3")


@pytest.mark.slow
def test_no_home_and_nowhere_to_write_still_runs(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = run(
        ["-c", USE_ONE_KERNEL],
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        TMPDIR=str(tmp_path / "absent"),
        HEADSUP_CACHE_DIR=str(blocked),
    )
    assert answer == "None"


@pytest.mark.slow
def test_without_a_home_the_temporary_folder_serves(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = run(
        ["-c", USE_ONE_KERNEL],
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        TMPDIR=str(tmp_path),
    )
    assert Path(answer).parent == tmp_path
    assert Path(answer).stat().st_mode & 0o077 == 0


def test_a_folder_that_others_may_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    tmp_path.chmod(0o777)
    assert cache_folder() is None
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345678)
    assert cache_folder() is None


def test_edited_kernels_have_another_name(tmp_path: Path) -> None:
    kernels = Path(compiled.__file__).parents[1]
    shutil.copytree(kernels, tmp_path, ignore=shutil.ignore_patterns("*.pyc"), dirs_exist_ok=True)
    unchanged = source_hash.__wrapped__(tmp_path)
    assert unchanged == source_hash(kernels)
    with (tmp_path / "base" / "board_tables.py").open("a") as file:
        file.write("# edited\n")
    assert source_hash.__wrapped__(tmp_path) != unchanged


@pytest.mark.slow
def test_kernels_are_right_as_plain_python() -> None:
    """What the compiler makes of them is tested elsewhere; this is what they say."""
    run(["-m", "tests.analysis.kernels.without_jit"], NUMBA_DISABLE_JIT="1")
