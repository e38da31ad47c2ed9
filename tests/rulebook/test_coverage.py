"""Every clause of the documents has a test, and every clause test names a clause."""

import re
from collections import Counter
from pathlib import Path

import pytest

from headsup.game.rulebook.loader import load_book
from tests.oracles.printed import printed_tables
from tests.rulebook import coverage
from tests.rulebook.clauses.inventory import Unshown, by_id, column, documents, parts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tests() -> coverage.Tests:
    return coverage.shown_by()


def test_every_clause_has_its_own_id() -> None:
    ids = Counter(clause.id for document in documents() for clause in document.clauses)
    assert [id for id, times in ids.items() if times > 1] == []
    for document in documents():
        for clause in document.clauses:
            assert clause.id.startswith(f"{document.cites} ")


def test_the_documents_are_those_of_the_rule_books() -> None:
    for document in documents():
        book = load_book(document.book)
        assert (document.number, document.cites) == (book.document, book.cites)


def test_every_printed_paytable_is_a_clause() -> None:
    columns = {column(table) for table in printed_tables()}
    assert len(columns) == 80
    assert columns <= by_id().keys()


def test_only_clauses_that_cannot_be_tested_give_a_reason() -> None:
    for clause in by_id().values():
        assert bool(clause.reason) == (clause.status is not None), clause.id


def test_decisions_are_numbered_as_in_the_register() -> None:
    decisions = (ROOT / "docs" / "rule-decisions.md").read_text(encoding="utf-8")
    known = set(re.findall(r"\*\*(R\d+)\*\*", decisions))
    assert known >= {number for clause in by_id().values() for number in clause.register}


@pytest.mark.slow
def test_markers_name_known_clauses(tests: coverage.Tests) -> None:
    unknown = {
        clause: (parts(clause) or "no such clause", names)
        for clause, names in tests.items()
        if clause not in by_id()
    }
    assert unknown == {}


@pytest.mark.slow
def test_every_clause_has_a_test_or_a_reason_for_none(tests: coverage.Tests) -> None:
    assert [id for id, clause in by_id().items() if not (clause.status or tests.get(id))] == []


@pytest.mark.slow
def test_a_clause_with_a_test_gives_no_reason_for_none(tests: coverage.Tests) -> None:
    waiting = (id for id, clause in by_id().items() if clause.status is Unshown.WAITING)
    assert [id for id in waiting if tests.get(id)] == []


@pytest.mark.slow
def test_at_least_97_percent_of_clauses_have_a_test(tests: coverage.Tests) -> None:
    assert coverage.percent_shown(tests) >= coverage.LEAST_SHOWN == 97


def test_a_test_named_after_a_document_marks_its_clause() -> None:
    assert coverage.unmarked() == []


@pytest.mark.slow
def test_the_coverage_page_is_current(tests: coverage.Tests) -> None:
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page(tests), "run: make coverage"
