"""What hands the cards make, whatever they pay: counted once, and read from `cardcounts.json`.

A test counts all of it again with `card_counting`, which also writes the file.
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
    """Deals in one suit that the progressive treats alike, with one of them."""

    best: Category
    flopped: Category  # of hole and flop; HIGH_CARD where they are too few of the suit
    royal_on_board: bool
    deals: int
    example: tuple[int, ...]  # ranks of hole, flop, turn and river; -1 is of another suit


@dataclass(frozen=True)
class HandCounts:
    six: Mapping[str, int]  # hands of six cards, by the category of the best five
    seven: Mapping[str, int]
    both_hole_cards: Mapping[str, int]  # hole and board, by both hole cards and three of the board
    straight_flushes: tuple[StraightFlushCase, ...]
    all_6: tuple[Mapping[Outcome, int], ...]  # [pocket class]: over its holes and all packets


@cache
def hand_counts() -> HandCounts:
    return read_counts((resources.files(__package__) / FILE).read_text(encoding="ascii"))


def write_counts(counts: HandCounts) -> str:
    """Every field on a line of its own."""
    fields: dict[str, Any] = {
        "six": counts.six,
        "seven": counts.seven,
        "both_hole_cards": counts.both_hole_cards,
        "straight_flushes": [
            [one.best.key, one.flopped.key, one.royal_on_board, one.deals, one.example]
            for one in counts.straight_flushes
        ],
        "all_6": [{key.value: ways for key, ways in of.items()} for of in counts.all_6],
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
        tuple({Outcome(key): ways for key, ways in of.items()} for of in raw["all_6"]),
    )
