"""The deck that is solved: four suits, and all ranks or only some."""

from dataclasses import dataclass
from math import comb

from headsup.analysis.kernels.base.numbering import RANKS

FLOPS_PER_BOARD = 10


@dataclass(frozen=True)
class Deck:
    """All thirteen ranks; tests use fewer, so that they can try every deal."""

    ranks: tuple[int, ...] = tuple(range(RANKS))

    @property
    def cards(self) -> int:
        return 4 * len(self.ranks)

    @property
    def dealer_hands(self) -> int:
        """How many hands the dealer may hold, given one hole and one board."""
        return comb(self.cards - 7, 2)

    @property
    def boards(self) -> int:
        """How many boards are possible, given one hole."""
        return comb(self.cards - 2, 5)

    @property
    def deals(self) -> int:
        """All ways to deal a hole, a flop, turn and river, and the dealer's hand."""
        return comb(self.cards, 2) * self.boards * FLOPS_PER_BOARD * self.dealer_hands
