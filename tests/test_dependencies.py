"""pyproject.toml is honest: it names every library in use, and versions that work.

`make oldest` runs the fast tests with the oldest versions allowed.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator

import pytest

from tests.support.oldest import ROOT, oldest, pinned, requirements

SOURCE = ROOT / "src" / "headsup"
IMPORT_NAMES = {"argon2-cffi": "argon2", "prometheus-client": "prometheus_client"}
WITH_ANOTHER = {"llvmlite": "numba", "uvloop": "uvicorn", "dask": "distributed"}
NUMBA_INTERNALS = "analysis/kernels/base/numba_compiler.py"  # caches machine code


def imports() -> Iterator[tuple[str, str]]:
    """Each file with the modules it imports, also inside functions and by name."""
    for path in SOURCE.rglob("*.py"):
        file = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    yield from ((file, name.name) for name in names)
                case ast.ImportFrom(module=str(module), names=names):
                    yield from ((file, f"{module}.{name.name}") for name in names)
                case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=name)]):
                    yield file, str(name)


def third_party() -> list[tuple[str, str]]:
    own = {"headsup", "__future__", *sys.stdlib_module_names}
    found = [(file, module) for file, module in imports() if module.split(".")[0] not in own]
    assert len(found) > 200
    return found


def test_every_library_in_use_is_a_requirement() -> None:
    declared = {IMPORT_NAMES.get(name, name) for _, name, _ in requirements()}
    used = {module.split(".")[0] for _, module in third_party()}
    assert {WITH_ANOTHER.get(name, name) for name in used} <= declared


def test_no_private_module_of_a_library_is_imported() -> None:
    private = [found for found in third_party() if re.search(r"\._", found[1])]
    assert private == []
    assert {file for file, module in third_party() if module.startswith("numba.core")} == {
        NUMBA_INTERNALS
    }


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def test_the_tested_version_is_allowed() -> None:
    pins = pinned()
    for _, name, least in requirements():
        assert _number(pins[name]) >= _number(least), name


def test_the_oldest_versions_are_those_of_pyproject() -> None:
    versions = dict(line.split("==") for line in oldest())
    assert versions["uvicorn"] == "0.52.1"  # the first that waits for slow sockets
    assert versions["pytest"] == pinned()["pytest"]
    assert set(versions) == {name for _, name, _ in requirements()}


@pytest.mark.parametrize("extra", ["server", "reports", "cluster", "gym", "bench", "dev"])
def test_every_extra_exists_and_is_installed_by_make(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extra in project["optional-dependencies"]
    installed = re.findall(r"\.\[([\w,]+)\]", (ROOT / "Makefile").read_text(encoding="utf-8"))
    everything = "dev" if extra == "bench" else extra  # dev includes bench
    assert any(everything in extras.split(",") for extras in installed)
