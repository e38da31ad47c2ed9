"""The results of every hole against every dealer hand on every board, for one qualifier."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, split
from headsup.analysis.deck import Deck
from headsup.analysis.kernels.arrays import DealerCounts, DeckTerms, Ways
from headsup.analysis.kernels.lattice import lattice, whole_ways
from headsup.analysis.kernels.numbering import PAIRS, RANK_BOARDS, RANKS, SUITED_BOARDS, TYPES
from headsup.analysis.kernels.requalify import requalify_suited_boards
from headsup.analysis.kernels.showdowns import count_rank_boards, count_suited_boards
from headsup.analysis.kernels.sweep import orders, scratch
from headsup.analysis.kernels.threesuited import RankPlaces, suited_scratch

CHUNKS = 32


def live_ranks(deck: Deck) -> NDArray[np.int64]:
    """[rank]: 1 if the deck has it."""
    return np.array([rank in deck.ranks for rank in range(RANKS)], np.int64)


@dataclass(frozen=True)
class Showdowns:
    """On boards as ranks alone, and as one suit sees those on which it may make a flush."""

    dealers: int  # hands the dealer may have beside one hole and one board
    rank_boards: DealerCounts
    suited_boards: DealerCounts
    ways: Ways

    @classmethod
    def count(cls, deck: Deck, qualifier: int, crew: Crew) -> "Showdowns":
        """Of a whole deck: every suit sees the same."""
        live = live_ranks(deck)
        return cls.beside(DeckTerms(3 * live, live, qualifier), deck.dealers, whole_ways(), crew)

    def requalified(self, deck: Deck, qualifier: int, crew: Crew) -> "Showdowns":
        """The same of a whole deck for a dealer who qualifies with another hand, up to a flush:
        who wins or ties is counted already, and shared."""
        live, known, order = live_ranks(deck), lattice(), orders()
        terms, places = DeckTerms(3 * live, live, qualifier), RankPlaces.empty()
        ranks = _by_ranks(terms, places, crew)
        before = self.suited_boards
        weak, verdict = np.empty_like(before.weak), np.empty_like(before.verdict)
        suited = DealerCounts(before.win, before.tie, weak, verdict)
        crew.run(
            partial(
                requalify_suited_boards,
                *(*part, terms, known.suited_boards, known.rank_boards, known.types, order),
                *(places, scratch(), suited_scratch(), ranks, before, suited),
            )
            for part in split(0, SUITED_BOARDS, CHUNKS)
        )
        return Showdowns(self.dealers, ranks, suited, self.ways)

    @classmethod
    def beside(cls, terms: DeckTerms, dealers: int, ways: Ways, crew: Crew) -> "Showdowns":
        """Of a deck that may lack some cards, as one suit sees it."""
        known, order, places = lattice(), orders(), RankPlaces.empty()
        ranks = _by_ranks(terms, places, crew)
        suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
        crew.run(
            partial(
                count_suited_boards,
                *(*part, terms, known.suited_boards, known.rank_boards, known.types, order),
                *(places, scratch(), suited_scratch(), ranks, suited),
            )
            for part in split(0, SUITED_BOARDS, CHUNKS)
        )
        return cls(dealers, ranks, suited, ways)


def _by_ranks(terms: DeckTerms, places: RankPlaces, crew: Crew) -> DealerCounts:
    """Boards as ranks alone; fills `places` for those with suits."""
    known, order, ranks = lattice(), orders(), DealerCounts.empty(RANK_BOARDS, PAIRS)
    boards, types = known.rank_boards, known.types
    crew.run(
        partial(count_rank_boards, *part, terms, boards, types, order, places, scratch(), ranks)
        for part in split(0, RANK_BOARDS, 4)
    )
    return ranks
