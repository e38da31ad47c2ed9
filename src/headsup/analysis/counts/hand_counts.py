"""How often each hand is dealt, read from `card_counts.json`. Paytables do not matter here.

`hand_counting` writes the file, and a test counts everything again with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from headsup.game.rulebook.outcomes import Outcome
from headsup.game.values.hands import CATEGORIES, Category

FILE = "card_counts.json"


class StraightFlushCase(NamedTuple):
    """Straight flushes in one suit that the Progressive pays alike, with an example."""

    best: Category
    flopped: Category  # of hole and flop; HIGH_CARD with fewer than five cards of the suit
    royal_on_board: bool
    deals: int
    example: tuple[int, ...]  # ranks of hole, flop, turn, river; -1 for another suit


@dataclass(frozen=True)
class HandCounts:
    six: Mapping[str, int]  # hands of six cards, by the category of the best five
    seven: Mapping[str, int]
    both_hole_cards: Mapping[str, int]  # hole and board, by both hole cards and three of the board
    straight_flushes: tuple[StraightFlushCase, ...]
    all_6: tuple[Mapping[Outcome, int], ...]  # [pocket class]: over all its holes and packets


@cache
def hand_counts() -> HandCounts:
    return read_counts((resources.files(__package__) / FILE).read_text(encoding="ascii"))


def write_counts(counts: HandCounts) -> str:
    """The counts as JSON, one field per line."""
    fields: dict[str, Any] = {
        "six": counts.six,
        "seven": counts.seven,
        "both_hole_cards": counts.both_hole_cards,
        "straight_flushes": [
            [case.best.key, case.flopped.key, case.royal_on_board, case.deals, case.example]
            for case in counts.straight_flushes
        ],
        "all_6": [{key.value: ways for key, ways in row.items()} for row in counts.all_6],
    }
    lines = (f"{json.dumps(name)}: {json.dumps(field)}" for name, field in fields.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_counts(text: str) -> HandCounts:
    raw = json.loads(text)
    return HandCounts(
        raw["six"],
        raw["seven"],
        raw["both_hole_cards"],
        tuple(
            StraightFlushCase(CATEGORIES[best], CATEGORIES[flopped], royal, deals, tuple(example))
            for best, flopped, royal, deals, example in raw["straight_flushes"]
        ),
        tuple({Outcome(key): ways for key, ways in row.items()} for row in raw["all_6"]),
    )
