"""The house kept in order: lengths, names and imports, as the README says they are."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "headsup"
LONGEST = 700  # lines of a module
CATALOGUE = "english.py"  # one sentence after another: a dictionary, as long as it must be


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
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST, path


def test_a_word_means_one_thing() -> None:
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
    """Only commands wait with what is heavy until they need it."""
    hidden = [
        f"{name}:{inner.lineno}"
        for name, tree in modules().items()
        if not name.startswith(("cli", "report/files"))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith("headsup")
    ]
    assert hidden == []


def test_nothing_is_kept_for_tests_alone() -> None:
    """What a module offers is used by another, or by the bench."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "bench").glob("*.py")]
    texts += [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    used = Counter(re.findall(r"\w+", "\n".join(texts)))
    alone = {
        offered
        for name, tree in modules().items()
        if "migrations" not in name
        for node in tree.body
        for offered in _offered(node)
        if used[offered] == 1
    }
    assert alone == FOR_PROGRAMS


# The stores that a program of one's own may choose from, and what all of them are.
FOR_PROGRAMS = {"MemoryStore", "Store"}


def _offered(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            if not node.decorator_list:
                yield node.name
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            if not name.startswith("__"):
                yield name
