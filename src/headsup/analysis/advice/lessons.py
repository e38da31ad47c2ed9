"""What a solved game teaches: how best play treats each kind of hand, and what a short card costs.

Lessons are cached on disk, since counting them takes a few seconds.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from headsup.analysis.cache import LESSON_FILES, cache_folder, load_or_compute
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import MAX_CACHED_FILES, strategy_file

FORMAT_VERSION = 2  # of the cached file; files of other versions are counted again


@dataclass(frozen=True, slots=True)
class ShortCard:
    """A strategy that fits on a card: its house edge per Ante, and its cost against best play.

    `cost` is the total, `streets` the cost by street.
    """

    strategy: str
    words: Mapping[str, str]  # by street
    house_edge: Fraction
    cost: Fraction
    streets: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class KindOfHand:
    """A kind of hand: its share of hands not yet raised, and how often best play raises it."""

    name: str
    frequency: Fraction
    raised: Fraction


@dataclass(frozen=True, slots=True)
class Lessons:
    card: ShortCard
    flop: tuple[KindOfHand, ...]
    river: tuple[KindOfHand, ...]  # boards by rank alone, ignoring flushes


def cached_lessons(
    payoffs: Payoffs, count: Callable[[Payoffs], Lessons], folder: Path | None = None
) -> Lessons:
    """The lessons of a game, from the cache if possible.

    `count` is a parameter so that reading the cache does not load the strategy or the kernels.
    """
    content = load_or_compute(
        partial(_file, payoffs),
        lambda: _write(count(payoffs)),
        MAX_CACHED_FILES,
        folder or cache_folder(),
        _has_current_format,
    )
    return _read(json.loads(bytes(content)))


def _file(payoffs: Payoffs, folder: Path) -> Path:
    return strategy_file(payoffs, folder).with_suffix(LESSON_FILES[1:])


# The cached file.


def _write(lessons: Lessons) -> bytes:
    kinds = {
        street: [[kind.name, str(kind.frequency), str(kind.raised)] for kind in street_kinds]
        for street, street_kinds in (("flop", lessons.flop), ("river", lessons.river))
    }
    card = {
        "strategy": lessons.card.strategy,
        "words": dict(lessons.card.words),
        "house_edge": str(lessons.card.house_edge),
        "cost": str(lessons.card.cost),
        "streets": {street: str(cost) for street, cost in lessons.card.streets.items()},
    }
    return json.dumps({"form": FORMAT_VERSION, "card": card, **kinds}).encode()


def _has_current_format(content: memoryview) -> bool:
    return bool(json.loads(bytes(content)).get("form") == FORMAT_VERSION)


def _read(raw: Mapping[str, Any]) -> Lessons:
    flop, river = (
        tuple(KindOfHand(name, *map(Fraction, shares)) for name, *shares in raw[street])
        for street in ("flop", "river")
    )
    card = raw["card"]
    streets = {street: Fraction(cost) for street, cost in card["streets"].items()}
    edge, cost = Fraction(card["house_edge"]), Fraction(card["cost"])
    return Lessons(ShortCard(card["strategy"], card["words"], edge, cost, streets), flop, river)
