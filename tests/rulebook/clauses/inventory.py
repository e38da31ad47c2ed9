"""The five documents, clause by clause: the inventory that clause tests are held against.

One TOML file per document, in the order of its text. A clause is the smallest piece that can be
right or wrong on its own: a numbered paragraph or, where one paragraph holds several rules, each of
them under a word of its own; a note; a column of a paytable; an inscription of the layout. What it
says is told in our words; addresses, signatures and contact persons are no clauses.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from tests.oracles.printed import PrintedTable

CLAUSES = Path(__file__).parent
BOOKS = ("galaxy", "galaxy-wpt", "new-york", "sugarhouse", "washington")


class Unshown(StrEnum):
    """Why no test can show a clause."""

    ADMINISTRATIVE = "administrative"
    WAITING = "waiting"


class Place(StrEnum):
    """Where a person meets a clause."""

    RULES = "rules"
    RULES_SHOW = "rules show"
    OWN_BOOKS = "own rule books"
    SETTLE = "settle"
    PLAY = "play"
    ADVISE = "advise"
    PAR = "par"
    TABLE_OPENING = "table opening"
    TABLE = "table"
    VIEWS = "views"
    TABLEVISION = "TableVision"
    REPLAY = "replay"
    RECORD = "record"
    AUDIT = "audit"
    FELT = "felt"
    NOWHERE = "nowhere"


@dataclass(frozen=True)
class Clause:
    id: str
    says: str
    met: tuple[Place, ...]
    register: tuple[str, ...] = ()
    """The decisions that read it, docs/rule-decisions.md."""
    status: Unshown | None = None
    reason: str = ""


@dataclass(frozen=True)
class Section:
    heading: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Document:
    book: str
    number: str
    cites: str
    title: str
    sections: tuple[Section, ...]

    @property
    def clauses(self) -> Iterator[Clause]:
        for section in self.sections:
            yield from section.clauses


@cache
def documents() -> tuple[Document, ...]:
    return tuple(_read(book) for book in BOOKS)


@cache
def by_id() -> dict[str, Clause]:
    return {clause.id: clause for document in documents() for clause in document.clauses}


def parts(id: str) -> list[str]:
    """The clauses within a paragraph that is cited whole."""
    return [known for known in by_id() if known.startswith((f"{id} ", f"{id},", f"{id}("))]


def _read(book: str) -> Document:
    raw = tomllib.loads((CLAUSES / f"{book}.toml").read_text(encoding="utf-8"))
    sections = tuple(
        Section(section["heading"], tuple(_clause(**clause) for clause in section["clauses"]))
        for section in raw["section"]
    )
    return Document(book, raw["document"], raw["cites"], raw["title"], sections)


def _clause(
    id: str,
    says: str,
    met: list[str],
    register: Sequence[str] = (),
    status: str | None = None,
    reason: str = "",
) -> Clause:
    places = tuple(map(Place, met))
    return Clause(id, says, places, tuple(register), Unshown(status) if status else None, reason)


# Paytable columns.

_WHERE = {
    ("000", "odds"): "G 11(e)",
    ("000", "bad_beat"): "G 11(i)",
    ("000", "trips_plus"): "G Trips Plus",
    ("000", "pocket_bonus"): "G Pocket Bonus",
    ("000", "all_6"): "G All 6 Bonus",
    ("000", "progressive"): "G Progressive",
    ("001", "odds"): "GW 10(e)",
    ("001", "bad_beat"): "GW 10(i)",
    ("001", "trips_plus"): "GW Trips Plus",
    ("001", "pocket_bonus"): "GW Pocket Bonus",
    ("002", "odds"): "NY (f)(5)",
    ("002", "bad_beat"): "NY (f)(7)",
    ("002", "trips_plus"): "NY (g)",
    ("002", "pocket_bonus"): "NY (i)",
    ("002", "progressive"): "NY (k)(4)",
    ("003", "odds"): "SH Odds table, #Win",
    ("003", "bad_beat"): "SH Odds table, Bad Beat",
    ("003", "trips_plus"): "SH Trips Plus table",
    ("003", "pocket_bonus"): "SH Pocket Bonus table",
    ("004", "odds"): "WA App. A",
    ("004", "bad_beat"): "WA App. A",
    ("004", "trips_plus"): "WA App. B",
    ("004", "pocket_bonus"): "WA App. C",
    ("004", "progressive"): "WA App. D",
}
_ON_THE_FELT = {
    "odds": "GW Layout Odds",
    "bad_beat": "GW Layout Bad Beat",
    "trips_plus": "GW Layout Trips Plus",
    "pocket_bonus": "GW Layout Pocket Bonus",
}


def column(table: PrintedTable) -> str:
    """The clause that a printed paytable is: `G Trips Plus PT3`, `NY (g) table C`."""
    if table.id == "layout":
        return _ON_THE_FELT[table.wager]
    where = _WHERE[table.document, table.wager]
    match table.document:
        case "000" | "001":
            return f"{where} PT{table.id}"
        case "002":
            return f"{where} table" if table.id == "1" else f"{where} table {table.id}"
        case "003":
            return where
        case _:
            return f"{where} {table.id}"
