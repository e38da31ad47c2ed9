"""Damaged machine code is detected, reported and compiled again; later runs are silent."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

# Each kernel multiplies by its own number.
NAMES = ("seal", "head", "code", "end", "emptied", "cut", "replaced", "whole")
MODULE = """
from headsup.analysis.cache import cache_warnings
from headsup.analysis.kernels.base.compiled import entry_kernel as as_entry

cache_warnings.add(print)
"""
MODULE += "".join(
    f"""
@as_entry
def {name}(x: int) -> int:
    return {factor} * x
"""
    for factor, name in enumerate(NAMES)
)
MODULE += f"""
print({", ".join(f"{name}(10)" for name in NAMES)})
"""
ANSWER = "0 10 20 30 40 50 60 70"


def run(folder: Path, largest: int | None = None) -> list[str]:
    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    module = folder / "little_kernels.py"
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


def cache_file(folder: Path, name: str) -> Path:
    (path,) = folder.glob(f"cache/kernels-*/__main__.{name}-*.kernel")
    return path


def flip(path: Path, place: float) -> None:
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 4
    path.write_bytes(data)


COMPILING = "compiling machine code for this calculation; this takes up to a minute, once"


@pytest.mark.slow
def test_damaged_machine_code_is_reported_and_rebuilt(tmp_path: Path) -> None:
    """Flipped bits, files cut short, and one kernel in place of another."""
    assert run(tmp_path) == [COMPILING, ANSWER]
    paths = {name: cache_file(tmp_path, name) for name in NAMES}
    for name, place in (("seal", 0.0), ("head", 0.01), ("code", 0.5), ("end", 1.0)):
        flip(paths[name], place)
    paths["emptied"].write_bytes(b"")
    paths["cut"].write_bytes(paths["cut"].read_bytes()[:40])
    paths["replaced"].write_bytes(paths["whole"].read_bytes())
    *warnings, answer = run(tmp_path)
    assert answer == ANSWER
    warnings.remove(COMPILING)
    damaged = [path for name, path in paths.items() if name != "whole"]
    assert len(warnings) == len(damaged)
    for path, sentence in zip(damaged, warnings, strict=True):
        assert sentence.startswith(f"{path} cannot be used and will be rebuilt: it")
    assert run(tmp_path) == [ANSWER]


@pytest.mark.slow
def test_on_a_full_disk_kernels_run_and_print_one_warning(tmp_path: Path) -> None:
    assert run(tmp_path, largest=512) == [
        COMPILING,
        "cannot write to the cache: File too large",
        ANSWER,
    ]
    assert not [path for path in tmp_path.glob("cache/**/*") if path.is_file()]
