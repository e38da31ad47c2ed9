"""Counts how every hole does against all dealer hands on every board, for one qualifier."""

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
from headsup.analysis.solver.deck import Deck
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, split_range

CHUNKS = 32


def live_ranks(deck: Deck) -> NDArray[np.int64]:
    """[rank]: 1 if the deck has the rank, else 0."""
    return np.array([rank in deck.ranks for rank in range(RANKS)], np.int64)


@dataclass(frozen=True)
class Showdowns:
    """Showdown counts: by ranks alone, and by suit where that suit may make a flush."""

    dealer_hands: int  # hands the dealer may hold, given one hole and one board
    qualifier: int
    rank_boards: DealerCounts
    suited_boards: DealerCounts
    ways: Ways
    deals: Uint8s  # [rank board, type]: how many boards of these ranks allow a flush

    @classmethod
    def count(cls, deck: Deck, qualifier: int, pool: KernelPool) -> "Showdowns":
        """Count for a deck with four equal suits."""
        live = live_ranks(deck)
        return cls.count_partial_deck(
            DeckTerms(3 * live, live, qualifier), deck.dealer_hands, full_deck_ways(), pool
        )

    def requalified(self, deck: Deck, qualifier: int, pool: KernelPool) -> "Showdowns":
        """Showdowns for another qualifier, at most a flush.

        Wins and ties do not change. The other arrays are overwritten: do not use the old object.
        """
        live, tables, order = live_ranks(deck), board_tables(), strength_orders()
        terms = DeckTerms(3 * live, live, qualifier)
        ranks = RequalifiedBoards.of(self.rank_boards)
        pool.run(
            partial(
                requalify_rank_boards,
                *(*part, terms, tables.rank_boards, tables.types, order),
                *(self.qualifier, sweep_scratch(), ranks),
            )
            for part in split_range(0, RANK_BOARDS, 4)
        )
        pool.run(
            partial(
                requalify_suited_boards,
                *(*part, terms, tables.suited_boards, tables.rank_boards, tables.types, order),
                *(CountScratch.empty(), ranks, self.suited_boards),
            )
            for part in split_range(0, SUITED_BOARDS, CHUNKS)
        )
        return replace(self, qualifier=qualifier)

    @classmethod
    def count_partial_deck(
        cls, terms: DeckTerms, dealers: int, ways: Ways, pool: KernelPool
    ) -> "Showdowns":
        """Count for one suit of a deck that may lack some cards."""
        tables, order, rank_places = board_tables(), strength_orders(), RankPlaces.empty()
        ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
        pool.run(
            partial(
                count_rank_boards,
                *(
                    *part,
                    terms,
                    tables.rank_boards,
                    tables.types,
                    order,
                    rank_places,
                    sweep_scratch(),
                    ranks,
                ),
            )
            for part in split_range(0, RANK_BOARDS, 4)
        )
        suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
        pool.run(
            partial(
                count_suited_boards,
                *(*part, terms, tables.suited_boards, tables.rank_boards, tables.types, order),
                *(rank_places, CountScratch.empty(), ranks, suited),
            )
            for part in split_range(0, SUITED_BOARDS, CHUNKS)
        )
        deals = suited_deals(suited, ways, pool)
        return cls(dealers, terms.qualifier, ranks, suited, ways, deals)


def suited_deals(suited: DealerCounts, ways: Ways, pool: KernelPool) -> Uint8s:
    """[rank board, type]: how many boards of these ranks allow a flush."""
    boards, ones = board_tables().suited_boards, np.ones(TYPES, np.int64)
    sums = AccumulatorPool(empty_deals)

    def count(first: int, last: int) -> None:
        with sums.borrow() as deals:
            count_deals(first, last, boards, ways.types, suited.verdict, ones, deals)

    pool.run(partial(count, *part) for part in split_range(0, SUITED_BOARDS, 4))
    deals, *others = sums.collect()
    for other in others:
        deals += other
    return deals
