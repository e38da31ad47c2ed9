"""Counts of rounds that include All 6's packet or the hand of both hole cards.

All 6 uses four more cards, none of which can be on the board or in the dealer's hand. Trips Plus as
New York words it needs both hole cards and three of the board (R53). Neither follows from the
seven-card hand, so such rounds are counted separately, which takes a minute or two, once. The
counts for best play of Galaxy's game come with the program.
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from headsup.analysis.cache import (
    ONE_DECK,
    DamagedFile,
    delete_oldest,
    discard,
    read_sealed,
    write_sealed,
)
from headsup.analysis.counts.side_cases import pocket_bonus_outcome
from headsup.analysis.joint.staked_table import COUNTS_SHAPE, PACKETS_PER_DEAL
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import ALL_6_CASES
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.strategy import Strategy
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents

SHIPPED_FOLDER = "dealt"  # the counts that come with the program


@dataclass(frozen=True, slots=True)
class ExtraAxes:
    """The extra axes by which rounds are counted."""

    packets: bool  # the outcome of All 6
    both_hole_cards: bool  # the hand of both hole cards and three of the board

    @classmethod
    def of(cls, rules: TableRules, bets: Mapping[Wager, Cents]) -> "ExtraAxes":
        both = rules.both_hole_cards and Wager.TRIPS_PLUS in bets
        return cls(Wager.ALL_6 in bets, both)

    def __bool__(self) -> bool:
        return self.packets or self.both_hole_cards

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the counts: that of `staked_table`, then both-hole-cards hand, then All 6
        case."""
        hands, cases = (
            len(Category) if self.both_hole_cards else 1,
            ALL_6_CASES if self.packets else 1,
        )
        return (*COUNTS_SHAPE, hands, cases)

    @property
    def deals(self) -> int:
        """The sum of all counts: every deal, with every possible packet."""
        return Deck().deals * (PACKETS_PER_DEAL if self.packets else 1)

    @property
    def name(self) -> str:
        return "-".join(
            name
            for name, included in (("packets", self.packets), ("hands", self.both_hole_cards))
            if included
        )


def load_or_count(
    strategy: Strategy, axes: ExtraAxes, count: Callable[[], Int64s], folder: Path | None
) -> Int64s:
    """The counts with these extra axes: shipped, cached or counted now.

    Pocket classes that Pocket Bonus pays alike are merged into the first of them.
    """
    stored = find_one_deck_counts(strategy, axes, folder)
    if stored is not None:
        return stored
    counts = count()
    if folder is not None:
        write_sealed(_file(strategy, axes, folder), pack_counts(counts))
        delete_oldest(folder, ONE_DECK.pattern, ONE_DECK.max_files)
    return counts


def find_one_deck_counts(strategy: Strategy, axes: ExtraAxes, folder: Path | None) -> Int64s | None:
    """The counts if they are shipped or cached, else None."""
    shipped = _read_shipped(strategy, axes)
    if shipped is not None:
        return unpack_counts(shipped, axes)
    return None if folder is None else _read_cached(_file(strategy, axes, folder), axes)


def shipped_name(strategy: Strategy, axes: ExtraAxes) -> str:
    return f"{strategy.decisions_key}-{axes.name}.bin"


def _read_shipped(strategy: Strategy, axes: ExtraAxes) -> bytes | None:
    name = shipped_name(strategy, axes)
    file = resources.files(__package__).joinpath(SHIPPED_FOLDER, name)
    return file.read_bytes() if file.is_file() else None


def _read_cached(file: Path, axes: ExtraAxes) -> Int64s | None:
    content = read_sealed(file)
    if content is None:
        return None
    try:
        return unpack_counts(bytes(content), axes)
    except DamagedFile as error:
        discard(file, str(error))
        return None


def _file(strategy: Strategy, axes: ExtraAxes, folder: Path) -> Path:
    return ONE_DECK.file(folder, [strategy.decisions_key, axes.name])


def pack_counts(counts: Int64s) -> bytes:
    """Compress the non-zero entries: the distances between them, and their values."""
    flat = counts.ravel()
    positions = np.flatnonzero(flat)
    steps = np.diff(positions, prepend=0).astype("<i4")
    return zlib.compress(steps.tobytes() + flat[positions].astype("<i8").tobytes(), 9)


def unpack_counts(content: bytes, axes: ExtraAxes) -> Int64s:
    """Raises `DamagedFile` unless the counts add up to all deals."""
    try:
        raw = zlib.decompress(content)
    except zlib.error:
        raise DamagedFile("it cannot be unpacked") from None
    count = len(raw) // 12
    flat = np.zeros(int(np.prod(axes.shape)), np.int64)
    steps = np.frombuffer(raw, "<i4", count).astype(np.int64)
    deals = np.frombuffer(raw[4 * count :], "<i8", count)
    positions = np.cumsum(steps)
    if (steps[1:] <= 0).any() or (positions < 0).any() or (positions >= len(flat)).any():
        raise DamagedFile("its entries are out of range")
    if (deals < 0).any() or sum(deals.tolist()) != axes.deals:
        raise DamagedFile("its rounds do not add up to all deals")
    flat[positions] = deals
    return flat.reshape(axes.shape)


def first_of_group() -> list[int]:
    """[pocket class]: the first class that Pocket Bonus pays the same."""
    firsts: dict[object, int] = {}
    return [
        firsts.setdefault(pocket_bonus_outcome(number), number) for number in range(RANKS * RANKS)
    ]
