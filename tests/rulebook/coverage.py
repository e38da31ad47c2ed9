"""`python -m tests.rulebook.coverage` writes docs/coverage.md: each clause and its tests.

Tests name their clauses with `@pytest.mark.clause("NY (j)(1)")`. pytest itself collects them, in a
process of its own, so that a marker counts wherever pytest sees one. A test that is skipped or
expected to fail shows nothing.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.rulebook.clauses.inventory import Clause, Document, Unshown, by_id, documents

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coverage.md"
LEAST_SHOWN = 97
"""Percent of the clauses that tests must show."""

Tests: TypeAlias = Mapping[str, Sequence[str]]
"""Clause → the tests that show it, as `tests/rulebook/test_galaxy.py::test_g_1`."""


def shown_by() -> Tests:
    """Collects the clause markers through pytest."""
    asked = subprocess.run(
        [sys.executable, "-m", "tests.rulebook.coverage", "--collect"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        raise RuntimeError(f"the tests cannot be collected:\n{asked.stdout}{asked.stderr}")
    tests: Tests = json.loads(asked.stdout.splitlines()[-1])
    return tests


class _Collector:
    def __init__(self) -> None:
        self.tests: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            if item.get_closest_marker("skip") or item.get_closest_marker("xfail"):
                continue
            for marker in item.iter_markers("clause"):
                for clause in marker.args:
                    self.tests[clause].add(item.nodeid.partition("[")[0])


def _collect() -> int:
    marked = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "mark.clause" in path.read_text(encoding="utf-8")
    ]
    collector = _Collector()
    code = pytest.main(
        ["--collect-only", "-qq", "-p", "no:cacheprovider", "--rootdir", str(ROOT), *marked],
        plugins=[collector],
    )
    print(json.dumps({clause: sorted(tests) for clause, tests in collector.tests.items()}))
    return int(code)


def unmarked() -> list[str]:
    """Tests whose name cites a document (`test_ny_…`) but that have no clause marker."""
    named = re.compile(r"^((?:@.*\n|[ )\]}].*\n)*)def (test_(?:g|gw|ny|sh|wa)_\w+)", re.MULTILINE)
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }
    return [
        f"{path.relative_to(ROOT).as_posix()}::{name}"
        for path, text in texts.items()
        if "\npytestmark = pytest.mark.clause(" not in text
        for decorators, name in named.findall(text)
        if "mark.clause(" not in decorators
    ]


# The page.

INTRODUCTION = f"""\
# Coverage of the rule documents

Every clause of the five published documents, in the order and numbering of their own text: what it
says, where a person meets it in headsup, and the test that shows it. A paragraph that holds several
rules is taken apart, so that each can be right or wrong on its own, and every note, every column of
a paytable and every inscription of a layout stands alone. The sentences are ours; the documents'
own words govern.

- **shown**: at least one test fails if headsup breaks the clause. `make test` runs them all.
- **administrative**: the clause binds people or papers outside the game; the reason is given.
- **waiting**: the part of headsup that the clause speaks of is still to come; the reason is given.

A clause is met in a command (`rules`, `rules show`, `settle`, `play`, `advise`, `par`, `replay`,
`audit`), in a rule book of one's own, at a table (its opening, and the commands of dealer and
players), in the views of seat, dealer and rail, on the TableVision display, or in the record that
is kept; on the felt or nowhere if headsup has no part in it.

Numbers such as R36 are decisions where a document is silent, unclear or against another; see
[rule-decisions.md](rule-decisions.md).

This page is written by `make coverage` from the tests. `make test` fails when a clause has neither
test nor reason, when a test names a clause that is not listed here, when less than {LEAST_SHOWN} %
of the clauses are shown, or when this page is not what the tests say.
"""


def page(tests: Tests) -> str:
    parts = [INTRODUCTION, *_summary(tests)]
    for document in documents():
        parts += _document(document, tests)
    return "\n".join(parts) + "\n"


def status(clause: Clause, tests: Tests) -> str:
    return clause.status.value if clause.status else "shown" if tests.get(clause.id) else "MISSING"


def percent_shown(tests: Tests) -> float:
    shown = sum(status(clause, tests) == "shown" for clause in by_id().values())
    return 100 * shown / len(by_id())


def _summary(tests: Tests) -> Iterator[str]:
    yield "| Document | Rule book | Clauses | Shown | Administrative | Waiting |"
    yield "|---|---|---:|---:|---:|---:|"
    rows = [
        [document.title, f"`{document.book}`", *_counts(list(document.clauses), tests)]
        for document in documents()
    ]
    total = ["**All**", "", *_counts(list(by_id().values()), tests)]
    for row in (*rows, total):
        yield _row(row)
    yield ""
    yield f"{percent_shown(tests):.1f} % of the clauses are shown by a test."
    yield ""


def _counts(clauses: Sequence[Clause], tests: Tests) -> list[str]:
    kinds = [status(clause, tests) for clause in clauses]
    columns = ("shown", Unshown.ADMINISTRATIVE, Unshown.WAITING)
    return [str(len(clauses)), *(str(kinds.count(kind)) for kind in columns)]


def _document(document: Document, tests: Tests) -> Iterator[str]:
    yield f"## {document.cites}: {document.title}"
    yield ""
    for section in document.sections:
        yield f"### {section.heading}"
        yield ""
        yield "| Clause | What it says | Where it is met | Status | Shown by |"
        yield "|---|---|---|---|---|"
        for clause in section.clauses:
            yield _row(
                [
                    clause.id,
                    " ".join([clause.says, *_decisions(clause)]),
                    ", ".join(clause.met),
                    status(clause, tests),
                    clause.reason or "<br>".join(map(_link, tests.get(clause.id, ()))),
                ]
            )
        yield ""


def _decisions(clause: Clause) -> list[str]:
    return [f"({', '.join(clause.register)})"] if clause.register else []


def _link(test: str) -> str:
    return f"[{test}](../{test.partition('::')[0]})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> int:
    if sys.argv[1:] == ["--collect"]:
        return _collect()
    tests = shown_by()
    PAGE.write_text(page(tests), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {percent_shown(tests):.1f} % of {len(by_id())} clauses shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
