"""The results of every hole against every dealer hand on every board, for one qualifier."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, split
from headsup.analysis.deck import Deck
from headsup.analysis.kernels.arrays import DealerCounts, DeckTerms
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import PAIRS, RANK_BOARDS, RANKS, SUITED_BOARDS, TYPES
from headsup.analysis.kernels.showdowns import count_rank_boards, count_suited_boards
from headsup.analysis.kernels.sweep import orders

CHUNKS = 32


def live_ranks(deck: Deck) -> NDArray[np.int64]:
    """[rank]: 1 if the deck has it."""
    return np.array([rank in deck.ranks for rank in range(RANKS)], np.int64)


@dataclass(frozen=True)
class Showdowns:
    deck: Deck
    qualifier: int
    rank_boards: DealerCounts
    suited_boards: DealerCounts

    @classmethod
    def count(cls, deck: Deck, qualifier: int, crew: Crew) -> "Showdowns":
        known, order, deck_terms = lattice(), orders(), DeckTerms(live_ranks(deck), qualifier)
        ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
        suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
        boards, types = known.rank_boards, known.types
        calls: list[Callable[[], object]] = [
            partial(
                count_suited_boards,
                *part,
                deck_terms,
                known.suited_boards,
                boards,
                types,
                order,
                suited,
            )
            for part in split(0, SUITED_BOARDS, CHUNKS)
        ]
        calls += [
            partial(count_rank_boards, *part, deck_terms, boards, types, order, ranks)
            for part in split(0, RANK_BOARDS, 2)
        ]
        crew.run(calls)
        return cls(deck, qualifier, ranks, suited)
