"""The results of every hole against every dealer hand on every board, for one qualifier."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import DealerCounts, DeckTerms, Uint8s, Ways
from headsup.analysis.kernels.base.board_tables import board_tables, full_deck_ways
from headsup.analysis.kernels.base.numbering import PAIRS, RANK_BOARDS, RANKS, SUITED_BOARDS, TYPES
from headsup.analysis.kernels.solve.requalify import (
    RequalifiedBoards,
    requalify_rank_boards,
    requalify_suited_boards,
)
from headsup.analysis.kernels.solve.river_tally import count_deals, empty_deals
from headsup.analysis.kernels.solve.showdowns import (
    CountScratch,
    count_rank_boards,
    count_suited_boards,
)
from headsup.analysis.kernels.solve.sweep import strength_orders, sweep_scratch
from headsup.analysis.kernels.solve.three_suited import RankPlaces
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, split_range
from headsup.analysis.solver.deck import Deck

CHUNKS = 32


def live_ranks(deck: Deck) -> NDArray[np.int64]:
    """[rank]: 1 if the deck has it."""
    return np.array([rank in deck.ranks for rank in range(RANKS)], np.int64)


@dataclass(frozen=True)
class Showdowns:
    """On boards as ranks alone, and as one suit sees those on which it may make a flush."""

    dealers: int  # hands the dealer may have beside one hole and one board
    qualifier: int
    rank_boards: DealerCounts
    suited_boards: DealerCounts
    ways: Ways
    deals: Uint8s  # [rank board, type]: real boards of the ranks on which a flush is possible

    @classmethod
    def count(cls, deck: Deck, qualifier: int, crew: KernelPool) -> "Showdowns":
        """Of a whole deck: every suit sees the same."""
        live = live_ranks(deck)
        return cls.beside(
            DeckTerms(3 * live, live, qualifier), deck.dealers, full_deck_ways(), crew
        )

    def requalified(self, deck: Deck, qualifier: int, crew: KernelPool) -> "Showdowns":
        """The same of a whole deck for a dealer who qualifies with another hand, up to a flush.

        Who wins or ties is counted already. The rest is written over: these showdowns are no more.
        """
        live, known, order = live_ranks(deck), board_tables(), strength_orders()
        terms = DeckTerms(3 * live, live, qualifier)
        ranks = RequalifiedBoards.of(self.rank_boards)
        crew.run(
            partial(
                requalify_rank_boards,
                *(*part, terms, known.rank_boards, known.types, order),
                *(self.qualifier, sweep_scratch(), ranks),
            )
            for part in split_range(0, RANK_BOARDS, 4)
        )
        crew.run(
            partial(
                requalify_suited_boards,
                *(*part, terms, known.suited_boards, known.rank_boards, known.types, order),
                *(CountScratch.empty(), ranks, self.suited_boards),
            )
            for part in split_range(0, SUITED_BOARDS, CHUNKS)
        )
        return replace(self, qualifier=qualifier)

    @classmethod
    def beside(cls, terms: DeckTerms, dealers: int, ways: Ways, crew: KernelPool) -> "Showdowns":
        """Of a deck that may lack some cards, as one suit sees it."""
        known, order, places = board_tables(), strength_orders(), RankPlaces.empty()
        ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
        crew.run(
            partial(
                count_rank_boards,
                *(
                    *part,
                    terms,
                    known.rank_boards,
                    known.types,
                    order,
                    places,
                    sweep_scratch(),
                    ranks,
                ),
            )
            for part in split_range(0, RANK_BOARDS, 4)
        )
        suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
        crew.run(
            partial(
                count_suited_boards,
                *(*part, terms, known.suited_boards, known.rank_boards, known.types, order),
                *(places, CountScratch.empty(), ranks, suited),
            )
            for part in split_range(0, SUITED_BOARDS, CHUNKS)
        )
        deals = suited_deals(suited, ways, crew)
        return cls(dealers, terms.qualifier, ranks, suited, ways, deals)


def suited_deals(suited: DealerCounts, ways: Ways, crew: KernelPool) -> Uint8s:
    boards, sums, ones = (
        board_tables().suited_boards,
        AccumulatorPool(empty_deals),
        np.ones(TYPES, np.int64),
    )

    def count(first: int, last: int) -> None:
        with sums.one() as deals:
            count_deals(first, last, boards, ways.types, suited.verdict, ones, deals)

    crew.run(partial(count, *part) for part in split_range(0, SUITED_BOARDS, 4))
    deals, *others = sums.all()
    for more in others:
        deals += more
    return deals
