"""The machine code that comes with the program: current, complete, checked and reproducible."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from headsup.analysis.cache import DamagedFile, cache_warnings
from headsup.analysis.kernels.base import object_code, shipped_code
from headsup.analysis.kernels.base.compiled import EntryKernel, code_name
from headsup.analysis.kernels.base.shipped_code import (
    KERNELS,
    SHIPPED_FOLDER,
    ShippedCode,
    read_shipped_code,
)
from headsup.tools.shipped_code import TARGETS, modules_used_by
from tests.support.cli.run import ROOT

FILES = [SHIPPED_FOLDER / f"{target.name}.code" for target in TARGETS]
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
REBUILD = "run `make code`"


def entries() -> set[str]:
    """The names of all entries of all kernel modules."""
    modules = [path.relative_to(KERNELS).with_suffix("") for path in KERNELS.glob("*/*.py")]
    names = [".".join(module.parts) for module in modules if module.name != "__init__"]
    return {
        code_name(kernel.py_func)
        for name in names
        for kernel in vars(import_module(f"headsup.analysis.kernels.{name}")).values()
        if isinstance(kernel, EntryKernel)
    }


def test_there_is_a_file_for_each_target_and_no_other() -> None:
    assert sorted(SHIPPED_FOLDER.iterdir()) == sorted(FILES)


@each_file
def test_shipped_code_was_compiled_from_these_sources(path: Path) -> None:
    shipped = read_shipped_code(path)
    assert shipped.changed_modules(shipped.sources) == [], REBUILD
    for module, used in shipped.uses.items():
        assert used == sorted(modules_used_by(module)), REBUILD


@each_file
def test_every_entry_has_shipped_code(path: Path) -> None:
    """If not: a kernel that `headsup.tools.shipped_code` does not call, or a stale file."""
    shipped = {key.partition("(")[0] for key in read_shipped_code(path).entries}
    assert shipped == entries(), REBUILD


@each_file
def test_shipped_files_are_small(path: Path) -> None:
    assert path.stat().st_size < 200_000


def test_code_of_an_edited_module_is_not_used() -> None:
    shipped = read_shipped_code(FILES[0])
    key = next(key for key in shipped.entries if key.startswith("solve.sweep._rank_strengths("))
    name, _, types = key.removesuffix(")").partition("(")
    assert shipped.find(name, types) is not None
    assert shipped.find(name, "int") is None
    edited = replace(shipped, sources={**shipped.sources, "base.arrays": "0" * 16})
    assert edited.find(name, types) is None
    elsewhere = replace(shipped, sources={**shipped.sources, "all6.rounds": "0" * 16})
    assert elsewhere.find(name, types) is not None


@pytest.mark.parametrize("place", [0.0, 0.001, 0.01, 0.5, 1.0])
def test_a_damaged_file_is_refused(tmp_path: Path, place: float) -> None:
    data = bytearray(FILES[0].read_bytes())
    data[int(place * (len(data) - 1))] ^= 16
    path = tmp_path / FILES[0].name
    path.write_bytes(data)
    with pytest.raises(DamagedFile):
        read_shipped_code(path)


def test_a_file_for_another_processor_is_refused_under_this_name(tmp_path: Path) -> None:
    path = tmp_path / FILES[0].name
    path.write_bytes(FILES[1].read_bytes())
    with pytest.raises(DamagedFile):
        read_shipped_code(path)


def test_a_damaged_installation_is_reported_and_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / FILES[0].name
    damaged.write_bytes(FILES[0].read_bytes()[:-1])
    monkeypatch.setattr(shipped_code, "shipped_file", lambda: damaged)
    sentences: list[str] = []
    monkeypatch.setattr(cache_warnings, "callbacks", [sentences.append])
    monkeypatch.setattr(cache_warnings, "sent", set())
    assert shipped_code.shipped_code.__wrapped__() is None
    (sentence,) = sentences
    assert sentence.startswith(f"ignoring {damaged} (")
    assert damaged.is_file()


@pytest.mark.parametrize(
    ("triple", "features", "name"),
    [
        ("x86_64-unknown-linux-gnu", shipped_code.X86_64_V3, "linux-x86_64_v3.code"),
        ("x86_64-alpine-linux-musl", {*shipped_code.X86_64_V3, "sse"}, "linux-x86_64_v3.code"),
        ("x86_64-unknown-linux-gnu", shipped_code.X86_64_V3 - {"bmi2"}, "linux-x86_64.code"),
        ("x86_64-pc-windows-msvc", shipped_code.X86_64_V3, None),
        ("arm64-apple-darwin24.6.0", {"neon"}, None),
        ("riscv64-unknown-linux-gnu", set(), None),
        ("i686-pc-linux-gnu", set(), None),
    ],
)
def test_code_is_chosen_by_system_and_processor(
    triple: str, features: set[str], name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_code, "process_triple", lambda: triple)
    monkeypatch.setattr(shipped_code, "host_features", lambda: frozenset(features))
    path = shipped_code.shipped_file()
    assert (path.name if path else None) == name


# The solver with the code of each target that this processor can run.
SOLVE = """
import sys
from headsup.analysis.kernels.base import shipped_code
path = shipped_code.SHIPPED_FOLDER / sys.argv.pop(1)
shipped_code.shipped_file = lambda: path
from headsup.cli import main
try:
    main()
finally:
    print("numba" in sys.modules, file=sys.stderr)
"""


@pytest.mark.slow(seconds=4)
@pytest.mark.skipif(
    not object_code.process_triple().startswith("x86_64"), reason="the targets are x86-64"
)
def test_every_target_gives_the_same_answers(tmp_path: Path) -> None:
    runnable = [
        path
        for path in FILES
        if "v3" not in path.name or object_code.host_features() >= shipped_code.X86_64_V3
    ]
    answers = {
        subprocess.run(
            [sys.executable, "-c", SOLVE, path.name, "solve", "--no-cache", "--json"],
            env={**os.environ, "HEADSUP_CACHE_DIR": str(tmp_path / path.stem)},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for path in runnable
    }
    (answer,) = answers
    assert '"840983767/35658730800"' in answer


REBUILT_KERNELS = """
import os, sys
from pathlib import Path
from headsup.tools.shipped_code import PORTABLE, TARGETS, Recorder
os.environ.update(PORTABLE)
from headsup.analysis.kernels.base import shipped_code
from headsup.analysis.kernels.base.compiled import code_sources
recorder = Recorder()
code_sources.append(recorder)
import numpy as np
from headsup.analysis.kernels.base import evaluator
tables = evaluator.strength_tables()
evaluator.evaluate(np.zeros((1, 7), np.int64), tables, np.zeros(1, np.int64))
for target in TARGETS:
    shipped_code.write_shipped_code(Path(f"{target.name}.code"), recorder.ship(target))
"""


@pytest.mark.slow(seconds=10)
def test_code_is_the_same_bytes_whenever_it_is_built(tmp_path: Path) -> None:
    """A few kernels, as building all of them takes a minute or two."""
    pinned = (ROOT / "constraints.txt").read_text().splitlines()
    if not {f"{name}=={version(name)}" for name in ("numba", "llvmlite")} <= {*pinned}:
        pytest.skip("other versions of Numba and LLVM make other code")
    subprocess.run([sys.executable, "-c", REBUILT_KERNELS], cwd=tmp_path, check=True, timeout=120)
    for path in FILES:
        committed, rebuilt = read_shipped_code(path), read_shipped_code(tmp_path / path.name)
        assert len(rebuilt.entries) == 3
        for key in rebuilt.entries:
            assert _object(rebuilt, key) == _object(committed, key), (key, REBUILD)


def _object(shipped: ShippedCode, key: str) -> bytes:
    _, offset, length = shipped.entries[key]
    return shipped.code[offset : offset + length]
