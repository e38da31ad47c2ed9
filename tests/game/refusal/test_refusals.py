"""Every refusal in the source has a code, a sentence in the catalogue, and the data it tells."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

from headsup.game.refusal import Code, Refusal
from headsup.game.refusal.english import SENTENCES

SOURCE = Path(__file__).parents[3] / "src" / "headsup"
MAKERS = {"Refused", "Refusal", "refusal"}

# Sentences of no code: parts of others.
PARTS = {"flaw", "mistakes"}


class Made(NamedTuple):
    """One call in the source that makes a refusal; without a key it brings its own sentence."""

    place: str
    key: str | None
    fields: frozenset[str]


class Source(NamedTuple):
    """What the whole source says of refusals."""

    made: list[Made]
    codes: set[str]  # named as `Code.X`
    texts: set[object]  # all constants: a helper may be given the case of the refusal it makes


@pytest.fixture(scope="module")
def source() -> Source:
    found = Source([], set(), set())
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "refusal":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found.made.extend(_made_in(path, tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                found.texts.add(node.value)
            elif isinstance(node, ast.Attribute) and _name(node.value) == "Code":
                found.codes.add(node.attr)
    return found


def _made_in(path: Path, tree: ast.Module) -> Iterator[Made]:
    for function, call in _calls(tree, None):
        if _name(call.func) not in MAKERS:
            continue
        place = f"{path.relative_to(SOURCE)}:{call.lineno}"
        case = call.args[1] if len(call.args) > 1 else ast.Constant("")
        fields = frozenset(word.arg for word in call.keywords if word.arg) - {"where"}
        codes = _codes(call.args[0], function, tree) if call.args else []
        if codes and isinstance(case, ast.Name | ast.Attribute):
            continue  # one of several cases, chosen elsewhere
        if not codes or not isinstance(case, ast.Constant):
            yield Made(place, None, fields)
            continue
        for code in codes:
            value = Code[code].value
            yield Made(place, f"{value}/{case.value!s}" if case.value else value, fields)


def _calls(
    node: ast.AST, function: ast.FunctionDef | None
) -> Iterator[tuple[ast.FunctionDef | None, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield function, child
        yield from _calls(child, child if isinstance(child, ast.FunctionDef) else function)


def _codes(node: ast.expr, function: ast.FunctionDef | None, tree: ast.Module) -> list[str]:
    """The code that is named, or those that callers in the module pass for a parameter."""
    if isinstance(node, ast.Attribute) and _name(node.value) == "Code":
        return [node.attr]
    if not isinstance(node, ast.Name) or function is None:
        return []
    names = [argument.arg for argument in function.args.args]
    if node.id not in names:
        return []
    at = names.index(node.id)
    passed = [
        call.args[at]
        for _, call in _calls(tree, None)
        if _name(call.func) == function.name and len(call.args) > at
    ]
    return [code for given in passed for code in _codes(given, None, tree)]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def told(key: str) -> frozenset[str]:
    """The fields of a sentence."""
    return frozenset(field for _, field, _, _ in Formatter().parse(SENTENCES[key]) if field)


def test_no_refusal_brings_its_sentence_along(source: Source) -> None:
    assert [one.place for one in source.made if one.key is None] == []


def test_every_refusal_has_its_sentence_in_the_catalogue(source: Source) -> None:
    assert [one for one in source.made if one.key is not None and one.key not in SENTENCES] == []


def test_every_refusal_brings_exactly_the_data_of_its_sentence(source: Source) -> None:
    known = [one for one in source.made if one.key in SENTENCES]
    assert [one for one in known if one.fields != told(str(one.key))] == []


def test_every_sentence_is_of_a_code_and_is_used(source: Source) -> None:
    codes = {code.value for code in Code} | PARTS
    assert [key for key in SENTENCES if key.partition("/")[0] not in codes] == []
    used, given = {one.key for one in source.made}, source.texts
    of_codes = [key for key in SENTENCES if key.partition("/")[0] not in PARTS]
    unused = [key for key in of_codes if key not in used and key.partition("/")[2] not in given]
    assert unused == []


def test_every_code_is_used(source: Source) -> None:
    named, given = source.codes, source.texts
    assert [code.name for code in Code if code.name not in named and code.value not in given] == []


@pytest.mark.parametrize("key", sorted(SENTENCES))
def test_a_sentence_is_one_line_without_a_stop(key: str) -> None:
    sentence = SENTENCES[key]
    assert sentence == sentence.strip()
    assert sentence.isprintable()
    assert not sentence.endswith(".")


def test_where_stands_before_the_sentence() -> None:
    refusal = Refusal(Code.BAD_MONEY, where="seat 3", data={"value": "x"})
    assert refusal.message == "seat 3: 'x' is not an amount in dollars"
    assert refusal.within("line 7").message.startswith("line 7: seat 3: ")
