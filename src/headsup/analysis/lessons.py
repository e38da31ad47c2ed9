"""What is to be learnt of a solved game: how best play goes with each kind of hand, and what a
short card of rules costs. Kept on the disk, since counting takes a few seconds."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from headsup.analysis.cache import cache_folder, forget_oldest, keep, read
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.strategy import KEPT, strategy_file
from headsup.game.wagers import Street

SHORT_CARD: Mapping[Street, str] = {
    Street.POCKET: "Raise with a pair of threes or better, any ace, K7 or K4 suited, QT or Q8 "
    "suited, JT suited, or better. Check the rest.",
    Street.FLOP: "Raise with a pair or better that uses your cards, but not with two deuces "
    "alone; and with four to a flush if you hold a ten or higher. Check the rest.",
    Street.RIVER: "Raise with anything better than the board alone; if the board is two pair or "
    "better, always; with no better than the board, if at most one higher card could be held "
    "against yours, two if the board is a pair. Fold the rest.",
}


@dataclass(frozen=True, slots=True)
class CardCost:
    """What the house gains per Ante from who plays by the card, and how much of it best play
    would have kept."""

    house_edge: Fraction
    cost: Fraction


@dataclass(frozen=True, slots=True)
class KindOfHand:
    """Of the hands that were checked before: how many are of this kind, how many of it raise."""

    name: str
    frequency: Fraction
    raised: Fraction


@dataclass(frozen=True, slots=True)
class Lessons:
    card: CardCost
    flop: tuple[KindOfHand, ...]
    river: tuple[KindOfHand, ...]  # boards by rank alone: flushes are left aside


def lessons(
    payoffs: Payoffs, count: Callable[[Payoffs], Lessons], folder: Path | None = None
) -> Lessons:
    """Counted once for each game; `count` is handed in, so that whoever finds them kept need load
    neither the strategy nor the kernels."""
    folder = folder or cache_folder()
    path = strategy_file(payoffs, folder) if folder else None
    path = path.with_suffix(".lessons") if path else None
    content = read(path) if path else None
    if content is not None:
        return _read(bytes(content))
    found = count(payoffs)
    if path and folder:
        keep(path, _written(found))
        forget_oldest(folder, "*.lessons", KEPT)
    return found


# Kept.


def _written(found: Lessons) -> bytes:
    kinds = {
        street: [[one.name, str(one.frequency), str(one.raised)] for one in of_street]
        for street, of_street in (("flop", found.flop), ("river", found.river))
    }
    card = [str(found.card.house_edge), str(found.card.cost)]
    return json.dumps({"card": card, **kinds}).encode()


def _read(content: bytes) -> Lessons:
    raw = json.loads(content)
    flop, river = (
        tuple(KindOfHand(name, *map(Fraction, shares)) for name, *shares in raw[street])
        for street in ("flop", "river")
    )
    return Lessons(CardCost(*map(Fraction, raw["card"])), flop, river)
