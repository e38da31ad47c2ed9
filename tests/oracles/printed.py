"""The paytables of the five rule documents, read from the transcriptions in tests/rulebook/printed.

A transcription holds what a document prints and nothing else; what a printed
label means is said here, what a printed cell pays is said in the oracles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PRINTED = Path(__file__).parent.parent / "rulebook" / "printed"
DOCUMENTS = ("000", "001", "002", "003", "004")

# Printed row labels, lower case, by outcome. A bare label such as "Pair" belongs to
# the Pocket Bonus, which has names of its own, so the two vocabularies stay apart.
HAND_LABELS = {
    "royal_flush": ("royal flush", "royal"),
    "straight_flush": ("straight flush", "five-card straight flush"),
    "four_of_a_kind": (
        "four of a kind",
        "four-of-a-kind",
        "quads",
        'four-of-a kind "quads"',
        'four of a kind "quads"',
    ),
    "full_house": ("full house",),
    "flush": ("flush",),
    "straight": ("straight",),
    "three_of_a_kind": (
        "three of a kind",
        "three-of-a-kind",
        "trips",
        "trips (three-of-a-kind)",
    ),
    "two_pair": ("two (2) pairs",),
    "one_pair": ("one (1) pair",),
    "high_card": ("high cards",),
    "other": ("all other", "other hands"),
    "six_card_royal_diamonds": ("six-card royal diamonds",),
    "six_card_royal": ("six-card royal other",),
    "five_card_royal": ("five-card royal",),
    "flopped_royal_flush_in_spades": (
        "flopped royal flush in spades",
        "royal flush in spades on flop",
    ),
    "flopped_royal_flush": ("flopped royal flush", "royal flush on flop"),
    "community_royal_flush": ("community royal flush",),
    "flopped_straight_flush": ("flopped straight flush",),
}
POCKET_LABELS = {
    "pair_of_aces": ("pair of aces", "pocket aces", "pocket rockets (aces)"),
    "suited_ace_face": (
        "suited ace and face",
        "ace-face suited",
        "ace-jack, ace-queen, ace-king suited",
    ),
    "unsuited_ace_face": (
        "unsuited ace and face",
        "ace-face",
        "ace-face (unsuited)",
        "ace-jack, ace-queen, ace-king unsuited",
    ),
    "pair": (
        "pair of kings or lower",
        "pair 2's - k's",
        "pair (2-k)",
        "pair (2's through kings)",
        "pair",
    ),
}


@dataclass(frozen=True)
class PrintedTable:
    """One printed paytable: one column of figures under one label."""

    document: str
    wager: str
    id: str
    where: str
    basis: str
    """`to 1` and `for 1` as a note says; `in the cells` (3:1, 3 to 1); `unstated`."""
    label: str
    cells: dict[str, str]
    """Outcome → the cell as printed; a blank cell is `-`."""


@cache
def printed_tables() -> tuple[PrintedTable, ...]:
    return tuple(table for document in DOCUMENTS for table in _read_document(document))


@cache
def printed_table(document: str, wager: str, table_id: str) -> PrintedTable:
    for table in printed_tables():
        if (table.document, table.wager, table.id) == (document, wager, table_id):
            return table
    raise LookupError(f"document {document} prints no {wager} table {table_id!r}")


def _read_document(document: str) -> Iterator[PrintedTable]:
    text = (PRINTED / f"{document}.txt").read_text(encoding="utf-8")
    for block in text.split("\n[")[1:]:
        yield from _read_block(document, block.splitlines()[1:])


def _read_block(document: str, lines: list[str]) -> Iterator[PrintedTable]:
    """A block is a few `name value` lines, then a grid whose columns are the tables."""
    facts = dict(line.split(maxsplit=1) for line in lines if line and "|" not in line)
    grid = [[cell.strip() for cell in line.split(" | ")] for line in lines if "|" in line]
    labels, rows = grid[0][1:], grid[1:]
    ids = facts["id"].split()
    wagers = facts["wager"].split()
    if len(wagers) == 1:
        wagers *= len(ids)
    columns = zip(wagers, ids, labels, strict=True)
    for column, (wager, table_id, label) in enumerate(columns, start=1):
        cells = _read_cells(wager, rows, column)
        yield PrintedTable(document, wager, table_id, facts["where"], facts["basis"], label, cells)


def _read_cells(wager: str, rows: list[list[str]], column: int) -> dict[str, str]:
    cells: dict[str, str] = {}
    for row in rows:
        outcome = _outcome(wager, row[0])
        if outcome in cells:
            raise ValueError(f"{wager}: two rows mean {outcome}")
        cells[outcome] = row[column]
    return cells


def _outcome(wager: str, label: str) -> str:
    vocabulary = POCKET_LABELS if wager == "pocket_bonus" else HAND_LABELS
    for outcome, labels in vocabulary.items():
        if label.lower() in labels:
            return outcome
    raise ValueError(f"no outcome is printed as {label!r}")
