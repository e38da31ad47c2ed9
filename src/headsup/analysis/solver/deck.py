"""The deck that is solved: four suits of some ranks."""

from dataclasses import dataclass
from math import comb

from headsup.analysis.kernels.base.numbering import RANKS

FLOPS_PER_BOARD = 10


@dataclass(frozen=True)
class Deck:
    """Thirteen ranks in the game, fewer where tests try every deal."""

    ranks: tuple[int, ...] = tuple(range(RANKS))

    @property
    def cards(self) -> int:
        return 4 * len(self.ranks)

    @property
    def dealers(self) -> int:
        """Dealer hands beside one hole and one board."""
        return comb(self.cards - 7, 2)

    @property
    def boards(self) -> int:
        """Boards beside one hole."""
        return comb(self.cards - 2, 5)

    @property
    def deals(self) -> int:
        """Hole, then flop, then turn and river, then the dealer's hand."""
        return comb(self.cards, 2) * self.boards * FLOPS_PER_BOARD * self.dealers
