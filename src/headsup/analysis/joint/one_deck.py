"""Rounds counted together with what else is dealt from the deck or made of the cards.

All 6 takes four further cards, none of which can lie on the board or with the dealer; Trips Plus by
New York's letter takes both hole cards and three of the board (R53). Neither follows from the hand,
so such rounds are counted apart: it takes a minute or two, once. Those of the maker's game, played
at its best, come with the program.
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np

from headsup.analysis import kernels
from headsup.analysis.cache import (
    ONE_DECK,
    Damaged,
    cache_folder,
    discard,
    forget_oldest,
    keep,
    read,
    source_hash,
)
from headsup.analysis.joint.staked_table import PACKETS_LEFT, SHAPE, pocket_group
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import SIX_CASES
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.strategy import KEPT, Strategy
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents

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
        """Of the counts: as `staked_table` has them, then by own hand, then by All 6's case."""
        hands, cases = len(Category) if self.own_hand else 1, SIX_CASES if self.packets else 1
        return (*SHAPE, hands, cases)

    @property
    def deals(self) -> int:
        """Of all rounds, each as often as its packets can lie."""
        return Deck().deals * (PACKETS_LEFT if self.packets else 1)

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
    known = known_counts(strategy, beside, folder)
    if known is not None:
        return known
    counts = count(strategy, beside)
    place = folder or cache_folder()
    if place is not None:
        keep(_file(strategy, beside, place), packed(counts))
        forget_oldest(place, ONE_DECK, KEPT)
    return counts


def known_counts(
    strategy: Strategy, beside: CountedWith, folder: Path | None = None
) -> Int64s | None:
    """The same if they came with the program or are kept: nothing is counted."""
    shipped = _shipped(strategy, beside)
    if shipped is not None:
        return unpacked(shipped, beside)
    place = folder or cache_folder()
    return None if place is None else _kept(_file(strategy, beside, place), beside)


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
    file = resources.files(__package__).joinpath(SHIPPED, name)
    return file.read_bytes() if file.is_file() else None


def _kept(file: Path, beside: CountedWith) -> Int64s | None:
    content = read(file)
    if content is None:
        return None
    try:
        return unpacked(bytes(content), beside)
    except Damaged as error:
        discard(file, str(error))
        return None


def _file(strategy: Strategy, beside: CountedWith, folder: Path) -> Path:
    """Named by what is decided and by the sources of everything that makes or reads it."""
    sources = (source_hash(Path(__file__).parents[1]), source_hash(Path(kernels.__file__).parent))
    made_by = "-".join(sources)
    return folder / f"{decisions_digest(strategy)}-{made_by}-{beside.name}{ONE_DECK[1:]}"


def packed(counts: Int64s) -> bytes:
    """Few of the places are taken: those, and what is there."""
    flat = counts.ravel()
    places = np.flatnonzero(flat)
    steps = np.diff(places, prepend=0).astype("<i4")
    return zlib.compress(steps.tobytes() + flat[places].astype("<i8").tobytes(), 9)


def unpacked(content: bytes, beside: CountedWith) -> Int64s:
    """Whole, or `Damaged`: what does not add up to all deals is no count of them."""
    try:
        raw = zlib.decompress(content)
    except zlib.error:
        raise Damaged("it cannot be unpacked") from None
    count = len(raw) // 12
    flat = np.zeros(int(np.prod(beside.shape)), np.int64)
    steps = np.frombuffer(raw, "<i4", count).astype(np.int64)
    deals = np.frombuffer(raw[4 * count :], "<i8", count)
    places = np.cumsum(steps)
    if (steps[1:] <= 0).any() or (places < 0).any() or (places >= len(flat)).any():
        raise Damaged("its places are not those of such rounds")
    if (deals < 0).any() or sum(deals.tolist()) != beside.deals:
        raise Damaged("its rounds are not all that can be dealt")
    flat[places] = deals
    return flat.reshape(beside.shape)


def first_of_group() -> list[int]:
    """[pocket class]: the first of those that Pocket Bonus pays alike."""
    firsts: dict[object, int] = {}
    return [firsts.setdefault(pocket_group(number), number) for number in range(RANKS * RANKS)]
