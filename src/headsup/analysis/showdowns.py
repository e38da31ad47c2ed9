"""The results of every hole against every dealer hand on every board, for one qualifier."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, split
from headsup.analysis.kernels.lattice import (
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
    lattice,
)
from headsup.analysis.kernels.showdowns import count_rank_boards, count_suited_boards
from headsup.analysis.kernels.sweep import IMPOSSIBLE, orders

CHUNKS = 32


@dataclass(frozen=True)
class Deck:
    """Four suits of some ranks: thirteen in the game, fewer where tests try every deal."""

    ranks: tuple[int, ...] = tuple(range(RANKS))

    @property
    def live(self) -> NDArray[np.int64]:
        return np.array([rank in self.ranks for rank in range(RANKS)], np.int64)

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
        return comb(self.cards, 2) * self.boards * 10 * self.dealers


@dataclass(frozen=True)
class Counts:
    """One row for each board: wins, ties, dealer hands that do not qualify, and the verdict."""

    win: NDArray[np.int16]
    tie: NDArray[np.int16]
    weak: NDArray[np.int16]
    verdict: NDArray[np.uint8]

    @classmethod
    def empty(cls, boards: int, types: int) -> "Counts":
        win, tie, weak = (np.zeros((boards, types), np.int16) for _ in range(3))
        return cls(win, tie, weak, np.full((boards, types), IMPOSSIBLE, np.uint8))

    @property
    def rows(
        self,
    ) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16], NDArray[np.uint8]]:
        return self.win, self.tie, self.weak, self.verdict


@dataclass(frozen=True)
class Showdowns:
    deck: Deck
    qualifier: int
    rank_boards: Counts
    suited_boards: Counts

    @classmethod
    def count(cls, deck: Deck, qualifier: int, crew: Crew) -> "Showdowns":
        known, order = lattice(), orders()
        ranks = Counts.empty(RANK_BOARDS, PAIRS)
        suited = Counts.empty(SUITED_BOARDS, TYPES)
        calls: list[Callable[[], object]] = [
            partial(
                count_suited_boards,
                *(first, last, deck.live, qualifier, known.board_ranks, known.board_suited),
                *(known.rank_board, known.kinds, known.off_pair, *order, *suited.rows),
            )
            for first, last in split(0, SUITED_BOARDS, CHUNKS)
        ]
        calls += [
            partial(
                count_rank_boards,
                *(first, last, deck.live, qualifier, known.rank_board, known.kinds),
                *(known.off_pair, *order, *ranks.rows),
            )
            for first, last in split(0, RANK_BOARDS, 2)
        ]
        crew.run(calls)
        return cls(deck, qualifier, ranks, suited)
