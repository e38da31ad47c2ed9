"""The machine code cache: named after the sources, private, and optional."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from headsup.analysis.cache import cache_folder, source_hash
from headsup.analysis.kernels.base import compiled

ROOT = Path(__file__).parents[3]
USE_ONE_KERNEL = (
    "from headsup.analysis.kernels.base.numbering import set3_number; "
    "from headsup.analysis.kernels.base.compiled import entry_kernel; "
    "assert entry_kernel(set3_number)(0, 1, 2) == 0; "
    "from headsup.analysis.cache import cache_folder; print(cache_folder())"
)


def run_python(code: list[str], **environment: str) -> str:
    inherited = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [sys.executable, *code],
        env=inherited | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"} | environment,
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
    assert run_python(["-c", USE_ONE_KERNEL], HEADSUP_CACHE_DIR=str(folder)) == str(folder)
    [kernels] = folder.iterdir()
    (machine_code,) = kernels.iterdir()
    assert machine_code.name.startswith("base.numbering.set3")


@pytest.mark.slow
def test_kernels_run_without_a_home_or_a_writable_folder(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = run_python(
        ["-c", USE_ONE_KERNEL],
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        TMPDIR=str(tmp_path / "absent"),
        HEADSUP_CACHE_DIR=str(blocked),
    )
    assert answer == "None"


@pytest.mark.slow
def test_without_a_home_the_temporary_folder_is_used(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = run_python(
        ["-c", USE_ONE_KERNEL],
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        TMPDIR=str(tmp_path),
    )
    assert Path(answer).parent == tmp_path
    assert Path(answer).stat().st_mode & 0o077 == 0


def test_a_folder_writable_by_others_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    tmp_path.chmod(0o777)
    assert cache_folder() is None
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345678)
    assert cache_folder() is None


def test_a_link_in_a_shared_folder_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can make one in /tmp, and it may lead to any folder of this user."""
    shared, mine = tmp_path / "shared", tmp_path / "mine"
    shared.mkdir()
    shared.chmod(0o1777)
    mine.mkdir(mode=0o700)
    name = f"headsup-{os.getuid()}"
    (shared / name).symlink_to(mine)
    monkeypatch.delenv("HEADSUP_CACHE_DIR", raising=False)
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    assert cache_folder() is None
    assert list(mine.iterdir()) == []
    (shared / name).unlink()
    assert cache_folder() == shared / name
    assert (shared / name).stat().st_mode & 0o777 == 0o700


def test_a_link_in_ones_own_folder_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(tmp_path / "link"))
    assert cache_folder() == tmp_path / "link"


def test_edited_kernels_get_a_new_folder(tmp_path: Path) -> None:
    kernels = Path(compiled.__file__).parents[1]
    shutil.copytree(kernels, tmp_path, ignore=shutil.ignore_patterns("*.pyc"), dirs_exist_ok=True)
    unchanged = source_hash.__wrapped__(tmp_path)
    assert unchanged == source_hash(kernels)
    with (tmp_path / "base" / "board_tables.py").open("a") as file:
        file.write("# edited\n")
    assert source_hash.__wrapped__(tmp_path) != unchanged


@pytest.mark.slow
def test_kernels_are_correct_as_plain_python() -> None:
    """The kernels as plain Python. All other tests run them compiled."""
    run_python(["-m", "tests.analysis.kernels.without_jit"], NUMBA_DISABLE_JIT="1")
