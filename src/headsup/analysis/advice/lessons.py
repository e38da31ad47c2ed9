"""What a solved game teaches: best play by kind of hand, and what a short strategy costs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class ShortStrategy:
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
    card: ShortStrategy
    flop: tuple[KindOfHand, ...]
    river: tuple[KindOfHand, ...]  # boards by rank alone, ignoring flushes


# The stored form.


def encode_lessons(lessons: Lessons) -> bytes:
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
    return json.dumps({"card": card, **kinds}).encode()


def decode_lessons(content: bytes) -> Lessons:
    raw = json.loads(content)
    flop, river = (
        tuple(KindOfHand(name, *map(Fraction, shares)) for name, *shares in raw[street])
        for street in ("flop", "river")
    )
    card = raw["card"]
    streets = {street: Fraction(cost) for street, cost in card["streets"].items()}
    edge, cost = Fraction(card["house_edge"]), Fraction(card["cost"])
    return Lessons(ShortStrategy(card["strategy"], card["words"], edge, cost, streets), flop, river)
