"""Damaged machine code is noticed, told of and compiled again; a later run is silent."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from headsup.analysis.cache import listeners
from headsup.analysis.kernels.compiled import is_compiled, kernel

listeners.add(print)


@kernel
def doubled(x):
    return 2 * x


@kernel
def tripled(x):
    return 3 * x


if __name__ == "__main__":
    print("compiled before" if is_compiled() else "first run")
    print(doubled(21), tripled(14))
"""


def run(folder: Path, largest: int | None = None) -> list[str]:
    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    module = folder / "little_kernel.py"
    module.write_text(MODULE)
    done = subprocess.run(
        [sys.executable, str(module)],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=limit,
        timeout=120,
    )
    return done.stdout.splitlines()


def kept(folder: Path, name: str) -> Path:
    (path,) = folder.glob(f"cache/kernels-*/__main__.{name}-*.kernel")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("place", [0.0, 0.01, 0.5, 1.0], ids=["seal", "head", "code", "end"])
def test_a_flipped_bit_in_machine_code_is_told_of_and_made_again(
    tmp_path: Path, place: float
) -> None:
    assert run(tmp_path) == ["first run", "42 42"]
    path = kept(tmp_path, "doubled")
    whole = bytearray(path.read_bytes())
    whole[int(place * (len(whole) - 1))] ^= 4
    path.write_bytes(whole)
    _, told, answer = run(tmp_path)
    assert told == f"{path} cannot be used and is made again: its checksum does not match"
    assert answer == "42 42"
    assert run(tmp_path) == ["compiled before", "42 42"]


@pytest.mark.slow
def test_one_kernel_in_the_place_of_another_is_not_run(tmp_path: Path) -> None:
    run(tmp_path)
    kept(tmp_path, "tripled").replace(kept(tmp_path, "doubled"))
    _, told, answer = run(tmp_path)
    assert "doubled" in told
    assert answer == "42 42"


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 40])
def test_machine_code_cut_short_is_told_of_and_made_again(tmp_path: Path, size: int) -> None:
    run(tmp_path)
    path = kept(tmp_path, "doubled")
    path.write_bytes(path.read_bytes()[:size])
    _, told, answer = run(tmp_path)
    assert told.startswith(f"{path} cannot be used and is made again")
    assert answer == "42 42"


@pytest.mark.slow
def test_on_a_full_disk_kernels_run_and_one_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / "little_kernel.py").write_text(MODULE)
    first, told, answer = run(tmp_path, largest=2048)
    assert (first, answer) == ("first run", "42 42")
    assert told == "nothing can be kept for the next run: File too large"
    assert not [*tmp_path.glob("cache/**/*.kernel"), *tmp_path.glob("cache/**/*.tmp")]
