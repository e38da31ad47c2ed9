"""Rounds counted together with what else is dealt from the deck or made of the cards.

All 6 takes four further cards, none of which can lie on the board or with the dealer; Trips Plus by
New York's letter takes both hole cards and three of the board (R53). Neither follows from the hand,
so such rounds are counted apart: it takes a minute or two, once. Those of the maker's game, played
at its best, come with the program.
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np

from headsup.analysis import kernels
from headsup.analysis.cache import ONE_DECK, cache_folder, kept_or_made, read, source_hash
from headsup.analysis.kernels.arrays import Int64s
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.kernels.sidehands import SIX_CASES
from headsup.analysis.stakedtable import SHAPE, pocket_group
from headsup.analysis.strategy import KEPT, Strategy
from headsup.game.hands import Category
from headsup.game.money import Cents
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Wager

SHIPPED = "dealt"  # the folder of what comes with the program


@dataclass(frozen=True, slots=True)
class CountedWith:
    """What rounds are counted by, beyond how they are decided and end."""

    packets: bool  # what All 6's four cards make with the hole
    own_hand: bool  # the hand of both hole cards and three of the board

    @classmethod
    def of(cls, rules: TableRules, bets: Mapping[Wager, Cents]) -> "CountedWith":
        own_hand = rules.both_hole_cards and Wager.TRIPS_PLUS in bets
        return cls(Wager.ALL_6 in bets, own_hand)

    def __bool__(self) -> bool:
        return self.packets or self.own_hand

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the counts: as `stakedtable` has them, then by own hand, then by All 6's case."""
        hands, cases = len(Category) if self.own_hand else 1, SIX_CASES if self.packets else 1
        return (*SHAPE, hands, cases)

    @property
    def name(self) -> str:
        return "-".join(
            name for name, on in (("packets", self.packets), ("hands", self.own_hand)) if on
        )


CountBeside = Callable[[Strategy, CountedWith], Int64s]


def one_deck_counts(
    strategy: Strategy, beside: CountedWith, count: CountBeside, folder: Path | None = None
) -> Int64s:
    """Counted by what they turn on, or found as they were counted before.

    Of classes that Pocket Bonus pays alike, the first has the counts of all.
    """
    shipped = _shipped(strategy, beside)
    if shipped is not None:
        return unpacked(shipped, beside)
    content = kept_or_made(
        partial(_file, strategy, beside),
        lambda: packed(count(strategy, beside)),
        KEPT,
        folder or cache_folder(),
    )
    return unpacked(bytes(content), beside)


def known_counts(
    strategy: Strategy, beside: CountedWith, folder: Path | None = None
) -> Int64s | None:
    """The same if they came with the program or are kept: nothing is counted."""
    shipped = _shipped(strategy, beside)
    if shipped is not None:
        return unpacked(shipped, beside)
    place = folder or cache_folder()
    content = None if place is None else read(_file(strategy, beside, place))
    return None if content is None else unpacked(bytes(content), beside)


def decisions_digest(strategy: Strategy) -> str:
    """Names all that a strategy does, and which dealer's hands qualify."""
    digest = sha256(str(strategy.solution.payoffs.qualifier).encode())
    digest.update(np.asarray(strategy.solution.pocket_values.actions, np.uint8).tobytes())
    for section in strategy.packed:
        digest.update(np.ascontiguousarray(section).tobytes())
    return digest.hexdigest()[:16]


def shipped_name(strategy: Strategy, beside: CountedWith) -> str:
    return f"{decisions_digest(strategy)}-{beside.name}.bin"


def _shipped(strategy: Strategy, beside: CountedWith) -> bytes | None:
    name = shipped_name(strategy, beside)
    file = resources.files("headsup.analysis").joinpath(SHIPPED, name)
    return file.read_bytes() if file.is_file() else None


def _file(strategy: Strategy, beside: CountedWith, folder: Path) -> Path:
    made_by = source_hash(Path(kernels.__file__).parent)
    return folder / f"{decisions_digest(strategy)}-{made_by}-{beside.name}{ONE_DECK[1:]}"


def packed(counts: Int64s) -> bytes:
    """Few of the places are taken: those, and what is there."""
    flat = counts.ravel()
    places = np.flatnonzero(flat)
    steps = np.diff(places, prepend=0).astype("<i4")
    return zlib.compress(steps.tobytes() + flat[places].astype("<i8").tobytes(), 9)


def unpacked(content: bytes, beside: CountedWith) -> Int64s:
    raw = zlib.decompress(content)
    count = len(raw) // 12
    flat = np.zeros(int(np.prod(beside.shape)), np.int64)
    places = np.cumsum(np.frombuffer(raw, "<i4", count).astype(np.int64))
    flat[places] = np.frombuffer(raw, "<i8", count, 4 * count)
    return flat.reshape(beside.shape)


def first_of_group() -> list[int]:
    """[pocket class]: the first of those that Pocket Bonus pays alike."""
    firsts: dict[object, int] = {}
    return [firsts.setdefault(pocket_group(number), number) for number in range(RANKS * RANKS)]
