"""What is to be learnt of a solved game: how best play goes with each kind of hand, and what a
short card of rules costs. Kept on the disk, since counting takes a few seconds."""

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

FORMAT_VERSION = 2  # of what is kept; another is counted again


@dataclass(frozen=True, slots=True)
class ShortCard:
    """A shipped strategy that fits on a card. What the house gains per Ante from who plays by it,
    and how much of that best play would have kept, in all and by street."""

    strategy: str
    words: Mapping[str, str]  # by street
    house_edge: Fraction
    cost: Fraction
    streets: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class KindOfHand:
    """Of the hands that were checked before: how many are of this kind, how many of it raise."""

    name: str
    frequency: Fraction
    raised: Fraction


@dataclass(frozen=True, slots=True)
class Lessons:
    card: ShortCard
    flop: tuple[KindOfHand, ...]
    river: tuple[KindOfHand, ...]  # boards by rank alone: flushes are left aside


def cached_lessons(
    payoffs: Payoffs, count: Callable[[Payoffs], Lessons], folder: Path | None = None
) -> Lessons:
    """Counted once for each game; `count` is handed in, so that whoever finds them kept need load
    neither the strategy nor the kernels."""
    named = partial(_file, payoffs)
    content = load_or_compute(
        named,
        lambda: _write(count(payoffs)),
        MAX_CACHED_FILES,
        folder or cache_folder(),
        _has_current_format,
    )
    return _read(json.loads(bytes(content)))


def _file(payoffs: Payoffs, folder: Path) -> Path:
    return strategy_file(payoffs, folder).with_suffix(LESSON_FILES[1:])


# Kept.


def _write(found: Lessons) -> bytes:
    kinds = {
        street: [[one.name, str(one.frequency), str(one.raised)] for one in of_street]
        for street, of_street in (("flop", found.flop), ("river", found.river))
    }
    card = {
        "strategy": found.card.strategy,
        "words": dict(found.card.words),
        "house_edge": str(found.card.house_edge),
        "cost": str(found.card.cost),
        "streets": {street: str(cost) for street, cost in found.card.streets.items()},
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
