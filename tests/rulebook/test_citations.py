"""Every citation in the shipped rule books is a clause of the document or a rule decision."""

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from headsup.game.rulebook.loader import SHIPPED_BOOKS
from tests.rulebook.clauses.inventory import by_id, parts

DECISIONS = Path(__file__).parents[2] / "docs" / "rule-decisions.md"
CITING = ("clauses", "offers")
"""Tables of a book in which every value is a citation."""


def citations(book: str) -> Iterator[str]:
    text = (
        resources.files("headsup.game.rulebook").joinpath(f"books/{book}.toml").read_text("utf-8")
    )
    yield from _clauses_in(tomllib.loads(text))


def _clauses_in(value: Any, key: str = "", within: str = "") -> Iterator[str]:
    match value:
        case dict():
            for inner, item in value.items():
                yield from _clauses_in(item, inner, key)
        case list():
            for item in value:
                yield from _clauses_in(item, key, within)
        case str() if value and (key.endswith("clause") or within in CITING):
            yield value


def exists(clause: str) -> bool:
    return clause in by_id() or bool(parts(clause))


def unknown_parts(citation: str, decisions: set[str]) -> list[str]:
    """The unknown parts of citations such as `NY (e)(4), (6)` or `WA App. D notes 5–6`."""
    if exists(citation):
        return []
    missing, last = [], ""
    for piece in re.split(r", |–", re.sub(r"notes (\d+)–(\d+)", r"note \1, note \2", citation)):
        if piece in decisions:
            continue
        match = next((clause for clause in _readings(piece, last) if exists(clause)), "")
        if not match:
            missing.append(piece)
        last = match or last
    return missing


def _readings(piece: str, last: str) -> Iterator[str]:
    """A piece as a full citation, or as the continuation of the clause cited before it."""
    yield piece
    for end in range(len(last), 0, -1):
        yield last[:end] + piece
        yield f"{last[:end]} {piece}"


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_every_citation_is_a_clause_or_a_decision(book: str) -> None:
    decisions = set(re.findall(r"\*\*(R\d+)\*\*", DECISIONS.read_text(encoding="utf-8")))
    cited = set(citations(book))
    assert cited
    assert {text: missing for text in cited if (missing := unknown_parts(text, decisions))} == {}


@pytest.mark.parametrize(
    ("citation", "missing"),
    [
        ("NY (e)(4), (6)", []),
        ("NY (j)(1), (2)(i)", []),
        ("G 11(e)–(f)", []),
        ("WA App. D notes 5–6", []),
        ("WA 5, App. A note 3", []),
        ("NY (e)(4), (16)", ["(16)"]),
        ("G 12", ["G 12"]),
        ("WA App. D note 9", ["WA App. D note 9"]),
        ("G 11(a), R999", ["R999"]),
    ],
)
def test_a_citation_of_a_missing_clause_is_found(citation: str, missing: list[str]) -> None:
    assert unknown_parts(citation, {"R97"}) == missing
