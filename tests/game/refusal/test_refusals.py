"""Every refusal in the source has a code, a sentence in the catalogue, and exactly its data."""

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

# Prefixes that are not codes: parts of other sentences.
PARTS = {"flaw", "mistakes"}


class Made(NamedTuple):
    """A call in the source that makes a refusal. The key is None if it is not a code and a case."""

    place: str
    key: str | None
    fields: frozenset[str]


class Source(NamedTuple):
    """All refusals, codes and constants in the source."""

    made: list[Made]
    codes: set[str]  # used as `Code.X`
    texts: set[object]  # all constants: a helper may take the case as an argument


@pytest.fixture(scope="module")
def source() -> Source:
    contents = Source([], set(), set())
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "refusal":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        contents.made.extend(_refusals_in(path, tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                contents.texts.add(node.value)
            elif isinstance(node, ast.Attribute) and _name(node.value) == "Code":
                contents.codes.add(node.attr)
    return contents


def _refusals_in(path: Path, tree: ast.Module) -> Iterator[Made]:
    for function, call in _calls(tree, None):
        if _name(call.func) not in MAKERS:
            continue
        place = f"{path.relative_to(SOURCE)}:{call.lineno}"
        case = call.args[1] if len(call.args) > 1 else ast.Constant("")
        fields = frozenset(word.arg for word in call.keywords if word.arg) - {"where"}
        codes = _codes(call.args[0], function, tree) if call.args else []
        if codes and isinstance(case, ast.Name | ast.Attribute):
            continue  # the case is chosen elsewhere
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
    """The code named in the call, or those that callers in the module pass as a parameter."""
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
    return [code for argument in passed for code in _codes(argument, None, tree)]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def sentence_fields(key: str) -> frozenset[str]:
    return frozenset(field for _, field, _, _ in Formatter().parse(SENTENCES[key]) if field)


def test_no_refusal_carries_its_own_sentence(source: Source) -> None:
    assert [refusal.place for refusal in source.made if refusal.key is None] == []


def test_every_refusal_has_its_sentence_in_the_catalogue(source: Source) -> None:
    assert [
        refusal
        for refusal in source.made
        if refusal.key is not None and refusal.key not in SENTENCES
    ] == []


def test_every_refusal_carries_exactly_the_data_of_its_sentence(source: Source) -> None:
    known = [refusal for refusal in source.made if refusal.key in SENTENCES]
    assert [
        refusal for refusal in known if refusal.fields != sentence_fields(str(refusal.key))
    ] == []


def test_every_sentence_belongs_to_a_code_and_is_used(source: Source) -> None:
    codes = {code.value for code in Code} | PARTS
    assert [key for key in SENTENCES if key.partition("/")[0] not in codes] == []
    used, texts = {refusal.key for refusal in source.made}, source.texts
    of_codes = [key for key in SENTENCES if key.partition("/")[0] not in PARTS]
    unused = [key for key in of_codes if key not in used and key.partition("/")[2] not in texts]
    assert unused == []


def test_every_code_is_used(source: Source) -> None:
    named, texts = source.codes, source.texts
    assert [code.name for code in Code if code.name not in named and code.value not in texts] == []


@pytest.mark.parametrize("key", sorted(SENTENCES))
def test_a_sentence_is_one_line_without_a_full_stop(key: str) -> None:
    sentence = SENTENCES[key]
    assert sentence == sentence.strip()
    assert sentence.isprintable()
    assert not sentence.endswith(".")


def test_the_place_comes_before_the_sentence() -> None:
    refusal = Refusal(Code.BAD_MONEY, where="seat 3", data={"value": "x"})
    assert refusal.message == "seat 3: 'x' is not an amount in dollars"
    assert refusal.within("line 7").message.startswith("line 7: seat 3: ")
