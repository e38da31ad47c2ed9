"""The layout rules of the source tree: sizes, names and imports."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "headsup"
MAX_MODULE_LINES = 700
MAX_FOLDER_FILES = 25
MIN_SINGLE_USE_LINES = 40  # a shorter module with one importer belongs in that importer
CATALOGUE = "english.py"  # a list of sentences, as long as needed


@cache
def modules() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(SOURCE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def test_no_module_is_long() -> None:
    for path in SOURCE.rglob("*.py"):
        if path.name == CATALOGUE:
            continue
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE_LINES, path


@pytest.mark.parametrize("tree", ["src", "tests"])
def test_no_folder_is_crowded(tree: str) -> None:
    crowded = {
        str(folder.relative_to(ROOT)): files
        for folder in (ROOT / tree).rglob("*")
        if folder.is_dir() and folder.name != "__pycache__"
        if (files := sum(path.is_file() for path in folder.iterdir())) > MAX_FOLDER_FILES
    }
    assert crowded == {}


def test_no_module_is_tiny() -> None:
    """A short module that only one other module uses belongs in that module."""
    importers = defaultdict(set)
    for name, tree in modules().items():
        for module in _imported(tree):
            importers[module].add(name)
    crumbs = {
        name
        for name, tree in modules().items()
        if not name.endswith("__init__.py") and "migrations" not in name
        if len(importers[_dotted(name)]) == 1
        if len(tree_lines(name)) < MIN_SINGLE_USE_LINES
    }
    assert crumbs == SMALL_ON_PURPOSE


SMALL_ON_PURPOSE = {"house/store/notebooks.py"}


# SQL implementations of protocols that must load without SQLAlchemy.


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _dotted(name: str) -> str:
    return "headsup." + name.removesuffix(".py").replace("/", ".")


def tree_lines(name: str) -> list[str]:
    return (SOURCE / name).read_text(encoding="utf-8").splitlines()


def test_no_two_types_share_a_name() -> None:
    """No two classes or types of a room have the same name."""
    places = defaultdict(list)
    for name, tree in modules().items():
        for word in _types(tree):
            places[name.partition("/")[0], word].append(name)
    assert {word: names for word, names in places.items() if len(names) > 1} == {}


def _types(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.ClassDef(name):
                yield name
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                if name[0].isupper() and not name.isupper():
                    yield name


def test_no_import_is_hidden_to_break_a_cycle() -> None:
    """Only commands may import heavy modules inside functions."""
    hidden = [
        f"{name}:{inner.lineno}"
        for name, tree in modules().items()
        if not name.startswith(("cli", "report/files")) and name not in LOADS_LATER
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith("headsup")
    ]
    assert hidden == []


# Dask is optional and takes a second to load, so it is imported only for a cluster. The workbench
# imports what computes only where the cache has no answer.
LOADS_LATER = {"analysis/workers/executor.py", "analysis/workbench.py"}


def test_no_public_name_exists_only_for_tests() -> None:
    """Every public name is used by another module or by the benchmarks."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "bench").glob("*.py")]
    texts += [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    used = Counter(re.findall(r"\w+", "\n".join(texts)))
    alone = {
        offered
        for name, tree in modules().items()
        if "migrations" not in name
        for node in tree.body
        for offered in _public_names(node)
        if used[offered] == 1
    }
    assert alone == FOR_PROGRAMS


# Stores for other programs, and their protocol.
FOR_PROGRAMS = {"MemoryStore", "Store"}


def _public_names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            if not node.decorator_list:
                yield node.name
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            if not name.startswith("__"):
                yield name


# Functions that are named by a participle alone: a changed copy of a value, or news from a caller.
PARTICIPLES = {"scaled", "unsorted", "requalified", "failed", "recovered"}
IRREGULAR = {
    *("asked", "told", "kept", "heard", "made", "found", "shown", "given", "taken", "held"),
    *("seen", "sent", "done", "gone", "lost", "known", "said", "brought", "chosen", "dealt"),
    *("drawn", "met", "paid", "written", "won", "begun", "broken", "spoken", "fed", "built"),
}


def test_no_function_is_named_by_a_participle_alone() -> None:
    """Functions are verbs, events are participles: `claim`, not `claimed`."""
    participles = {
        f"{name}: {function.name}"
        for name, tree in modules().items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if not any("property" in ast.unparse(item) for item in function.decorator_list)
        if function.name not in PARTICIPLES
        if function.name in IRREGULAR or re.fullmatch(r"(?!proceed|seed)[a-z]+ed", function.name)
    }
    assert participles == set()


# What no native speaker writes, and this program once did.
DIALECT = re.compile(
    r"\b(the own|is to be had|are to be had|of then|anew|told apart|heard of)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("ending", ["py", "js", "html"])
def test_texts_are_idiomatic(ending: str) -> None:
    """In docstrings, comments and messages; HTTP routes and JSON keys keep their names."""
    matches = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in sorted(SOURCE.rglob(f"*.{ending}"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if DIALECT.search(line)
    ]
    assert matches == []


def test_no_test_imports_another_test() -> None:
    """What two tests share is in `tests/support`, so that a test file can change alone."""
    shared = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for module in _imported(ast.parse(path.read_text(encoding="utf-8")))
        if module.startswith("tests.")
        if re.search(r"\.(test_\w+|conftest)", module)
    ]
    assert shared == []


def test_helpers_of_tests_are_in_one_folder() -> None:
    apart = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if not path.name.startswith("test_") and path.name != "conftest.py"
        if path.relative_to(ROOT).parts[1] not in ("support", "oracles")
    }
    assert apart == PROGRAMS_OF_TESTS


# What `make coverage` runs and its data, and a program that one test runs in its own process.
PROGRAMS_OF_TESTS = {
    "tests/analysis/kernels/without_jit.py",
    "tests/rulebook/clauses/inventory.py",
    "tests/rulebook/coverage.py",
}
