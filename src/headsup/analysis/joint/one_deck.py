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
    ONE_DECK_FILES,
    DamagedFile,
    cache_folder,
    delete_oldest,
    discard,
    read_sealed,
    source_hash,
    write_sealed,
)
from headsup.analysis.joint.staked_table import COUNTS_SHAPE, PACKETS_PER_DEAL, pocket_bonus_outcome
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import ALL_6_CASES
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.strategy import MAX_CACHED_FILES, Strategy
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents

SHIPPED_FOLDER = "dealt"  # the folder of what comes with the program


@dataclass(frozen=True, slots=True)
class ExtraAxes:
    """What rounds are counted by, beyond how they are decided and end."""

    packets: bool  # what All 6's four cards make with the hole
    own_hand: bool  # the hand of both hole cards and three of the board

    @classmethod
    def of(cls, rules: TableRules, bets: Mapping[Wager, Cents]) -> "ExtraAxes":
        own_hand = rules.both_hole_cards and Wager.TRIPS_PLUS in bets
        return cls(Wager.ALL_6 in bets, own_hand)

    def __bool__(self) -> bool:
        return self.packets or self.own_hand

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the counts: as `staked_table` has them, then by own hand, then by All 6's case."""
        hands, cases = len(Category) if self.own_hand else 1, ALL_6_CASES if self.packets else 1
        return (*COUNTS_SHAPE, hands, cases)

    @property
    def deals(self) -> int:
        """Of all rounds, each as often as its packets can lie."""
        return Deck().deals * (PACKETS_PER_DEAL if self.packets else 1)

    @property
    def name(self) -> str:
        return "-".join(
            name for name, on in (("packets", self.packets), ("hands", self.own_hand)) if on
        )


OneDeckCounter = Callable[[Strategy, ExtraAxes], Int64s]


def cached_one_deck_counts(
    strategy: Strategy, beside: ExtraAxes, count: OneDeckCounter, folder: Path | None = None
) -> Int64s:
    """Counted by what they turn on, or found as they were counted before.

    Of classes that Pocket Bonus pays alike, the first has the counts of all.
    """
    known = find_one_deck_counts(strategy, beside, folder)
    if known is not None:
        return known
    counts = count(strategy, beside)
    place = folder or cache_folder()
    if place is not None:
        write_sealed(_file(strategy, beside, place), pack_counts(counts))
        delete_oldest(place, ONE_DECK_FILES, MAX_CACHED_FILES)
    return counts


def find_one_deck_counts(
    strategy: Strategy, beside: ExtraAxes, folder: Path | None = None
) -> Int64s | None:
    """The same if they came with the program or are kept: nothing is counted."""
    shipped = _read_shipped(strategy, beside)
    if shipped is not None:
        return unpack_counts(shipped, beside)
    place = folder or cache_folder()
    return None if place is None else _read_cached(_file(strategy, beside, place), beside)


def decisions_digest(strategy: Strategy) -> str:
    """Names all that a strategy does, and which dealer's hands qualify."""
    digest = sha256(str(strategy.solution.payoffs.qualifier).encode())
    digest.update(np.asarray(strategy.solution.pocket_values.actions, np.uint8).tobytes())
    for section in strategy.packed:
        digest.update(np.ascontiguousarray(section).tobytes())
    return digest.hexdigest()[:16]


def shipped_name(strategy: Strategy, beside: ExtraAxes) -> str:
    return f"{decisions_digest(strategy)}-{beside.name}.bin"


def _read_shipped(strategy: Strategy, beside: ExtraAxes) -> bytes | None:
    name = shipped_name(strategy, beside)
    file = resources.files(__package__).joinpath(SHIPPED_FOLDER, name)
    return file.read_bytes() if file.is_file() else None


def _read_cached(file: Path, beside: ExtraAxes) -> Int64s | None:
    content = read_sealed(file)
    if content is None:
        return None
    try:
        return unpack_counts(bytes(content), beside)
    except DamagedFile as error:
        discard(file, str(error))
        return None


def _file(strategy: Strategy, beside: ExtraAxes, folder: Path) -> Path:
    """Named by what is decided and by the sources of everything that makes or reads it."""
    sources = (source_hash(Path(__file__).parents[1]), source_hash(Path(kernels.__file__).parent))
    made_by = "-".join(sources)
    return folder / f"{decisions_digest(strategy)}-{made_by}-{beside.name}{ONE_DECK_FILES[1:]}"


def pack_counts(counts: Int64s) -> bytes:
    """Few of the places are taken: those, and what is there."""
    flat = counts.ravel()
    places = np.flatnonzero(flat)
    steps = np.diff(places, prepend=0).astype("<i4")
    return zlib.compress(steps.tobytes() + flat[places].astype("<i8").tobytes(), 9)


def unpack_counts(content: bytes, beside: ExtraAxes) -> Int64s:
    """Whole, or `DamagedFile`: what does not add up to all deals is no count of them."""
    try:
        raw = zlib.decompress(content)
    except zlib.error:
        raise DamagedFile("it cannot be unpacked") from None
    count = len(raw) // 12
    flat = np.zeros(int(np.prod(beside.shape)), np.int64)
    steps = np.frombuffer(raw, "<i4", count).astype(np.int64)
    deals = np.frombuffer(raw[4 * count :], "<i8", count)
    places = np.cumsum(steps)
    if (steps[1:] <= 0).any() or (places < 0).any() or (places >= len(flat)).any():
        raise DamagedFile("its places are not those of such rounds")
    if (deals < 0).any() or sum(deals.tolist()) != beside.deals:
        raise DamagedFile("its rounds are not all that can be dealt")
    flat[places] = deals
    return flat.reshape(beside.shape)


def first_of_group() -> list[int]:
    """[pocket class]: the first of those that Pocket Bonus pays alike."""
    firsts: dict[object, int] = {}
    return [
        firsts.setdefault(pocket_bonus_outcome(number), number) for number in range(RANKS * RANKS)
    ]
