"""Counts the deals of every result when all actions are fixed.

Edge, variance, frequencies and hit rates all follow from these counts.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    MAX_RAISE,
    MIN_RAISE,
    PASSIVE,
    QUALIFIES,
    TALLY_FIELDS,
    VERDICTS,
    FlopShares,
    FlopTallies,
    Int64s,
)
from headsup.analysis.kernels.base.board_tables import board_tables, full_deck_ways
from headsup.analysis.kernels.base.numbering import (
    FIRST_FOUR_SUITED,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANKS,
    SETS_OF_THREE,
    SUITED_BOARDS,
    SUITED_FLOPS,
    TYPES,
)
from headsup.analysis.kernels.solve.distribution import (
    SCALE,
    SpreadScratch,
    share_flops,
    spread_rank_boards,
    spread_suited_boards,
)
from headsup.analysis.kernels.solve.river_tally import ACTIONS
from headsup.analysis.solver.actions import (
    DECISION_PATHS,
    FLOP_MAX_RAISE,
    FLOP_MIN_RAISE,
    POCKET_MAX_RAISE,
    POCKET_MIN_RAISE,
    RIVER_FOLD,
    RIVER_MAX_RAISE,
    RIVER_MIN_RAISE,
    RiverActions,
    StrategyActions,
)
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.layers import CHUNKS
from headsup.analysis.solver.payoffs import CATEGORY_COUNT, LOSE, TIE, WIN
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns, live_ranks
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, split_range


class ResultCounter:
    """Counts results for one set of showdowns and any actions."""

    def __init__(self, deck: Deck, showdowns: Showdowns, pool: KernelPool) -> None:
        self._deck, self._showdowns, self._pool = deck, showdowns, pool
        self._tables = tables = board_tables()
        self._in_deck = live_ranks(deck)[tables.holes.cards >> 2].all(1)
        self._last_tally: tuple[RiverActions, RiverTally] | None = None

    def tally(self, actions: RiverActions) -> RiverTally:
        """The tally of these river actions. The last one is cached."""
        if self._last_tally is None or self._last_tally[0] is not actions:
            self._last_tally = actions, RiverTally.count(self._showdowns, actions, self._pool)
        return self._last_tally[1]

    def count_results(self, actions: StrategyActions) -> Int64s:
        """Deals by [decision path, category, LOSE | TIE | WIN, dealer qualifies].

        A folded hand is counted with the result it would have had.
        """
        (tallies,) = self._tallies(actions, np.ones(HOLES, np.bool_), np.zeros(PAIRS, np.uint8))
        return _check_counts(_by_result(tallies, self._showdowns.dealer_hands), self._deck)

    def by_class(self, actions: StrategyActions) -> Int64s:
        """The same for each of the 169 pocket classes.

        Ranks do not say whether a hole is suited, so pairs, suited and offsuit holes are counted
        one after the other.
        """
        ranks = self._tables.types.ranks.astype(np.int64)
        every = np.arange(PAIRS, dtype=np.uint8)
        high, low = divmod(self._tables.holes.pocket.astype(np.int64), RANKS)
        counts = np.zeros((RANKS * RANKS, DECISION_PATHS, CATEGORY_COUNT, 3, 2), np.int64)
        for group, numbers in (
            (high == low, ranks[:, 1] * RANKS + ranks[:, 0]),
            (high > low, ranks[:, 1] * RANKS + ranks[:, 0]),
            (high < low, ranks[:, 0] * RANKS + ranks[:, 1]),
        ):
            tallies = self._tallies(actions, group, every)
            results = _by_result(
                tallies.reshape(-1, *tallies.shape[2:]), self._showdowns.dealer_hands
            )
            counts[numbers] += results.reshape(PAIRS, *counts.shape[1:])
        return _check_counts(counts, self._deck)

    def _tallies(
        self, actions: StrategyActions, holes: NDArray[np.bool_], rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, decision path, verdict, 4]: tallies of holes; `rows` gives the row of each pair."""
        action = np.array(actions.pocket.actions)[self._tables.holes.pocket]
        checked = holes & (action == PASSIVE)
        shares = [
            (way, self._share(actions, checked, flop_action))
            for way, flop_action in ((FLOP_MIN_RAISE, MIN_RAISE), (FLOP_MAX_RAISE, MAX_RAISE))
            if (actions.flop == flop_action).any()
        ]
        decided_on_flop = self._spread(actions, _add_shares(*(part for _, part in shares)), rows)
        tallies = np.zeros((len(decided_on_flop), DECISION_PATHS, VERDICTS, TALLY_FIELDS), np.int64)
        for way, part in shares:
            is_only_part = len(shares) == 1
            of_part = decided_on_flop if is_only_part else self._spread(actions, part, rows)
            tallies[:, way] = of_part.sum(1)
        for way, pocket_action in ((POCKET_MIN_RAISE, MIN_RAISE), (POCKET_MAX_RAISE, MAX_RAISE)):
            raised_holes = holes & (action == pocket_action)
            tallies[:, way] = self._tally_holes(actions.river, raised_holes, rows).sum(1)
        reached_river = self._tally_holes(actions.river, checked, rows) - decided_on_flop
        for way, river_action in (
            (RIVER_FOLD, PASSIVE),
            (RIVER_MIN_RAISE, MIN_RAISE),
            (RIVER_MAX_RAISE, MAX_RAISE),
        ):
            tallies[:, way] = reached_river[:, river_action]
        return tallies

    def _tally_holes(
        self, river: RiverActions, holes: NDArray[np.bool_], rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, action, verdict, 4]: tallies of these holes on all boards, in all four suits."""
        tally, tables = self.tally(river), self._tables
        weights_of_holes = np.where(holes & self._in_deck, FLOPS_PER_BOARD * SCALE, 0)
        tallies = np.zeros((int(rows.max()) + 1, *tally.ranks.shape[1:]), np.int64)
        for suits, index, size, counts, pair in (
            (1, tables.holes.pair, PAIRS, tally.ranks, np.arange(PAIRS)),
            (4, tables.holes.type[0], TYPES, tally.types, tables.types.pair),
        ):
            weights = suits * np.bincount(index, weights_of_holes, size).astype(np.int64)
            weighted = weights[:, None, None, None] * counts
            if len(tallies) == 1:
                tallies[0] += weighted.sum(0)
            else:
                np.add.at(tallies, rows[pair], weighted)
        return tallies

    def _share(
        self, actions: StrategyActions, checked: NDArray[np.bool_], action: int
    ) -> FlopShares:
        tables = self._tables
        sums = AccumulatorPool(_no_shares)

        def share(first: int, last: int) -> None:
            with sums.borrow() as shares:
                share_flops(
                    *(first, last, action, tables.flops, tables.holes, _share_per_deal()),
                    *(checked, actions.flop, shares),
                )

        self._pool.run(partial(share, *part) for part in split_range(0, FLOPS, 8))
        return _add_shares(*sums.collect())

    def _spread(
        self, actions: StrategyActions, shares: FlopShares, rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, river action, verdict, 4]: tallies of the deals that the shares cover."""
        tables, showdowns, river = self._tables, self._showdowns, actions.river
        sums = AccumulatorPool(partial(_no_tallies, int(rows.max()) + 1))

        def spread(first: int, last: int) -> None:
            with sums.borrow() as tallies:
                spread_suited_boards(
                    *(first, last, tables.suited_boards, tables.types, showdowns.suited_boards),
                    *(river.suited, shares.suits, rows, SpreadScratch.empty(), tallies),
                )

        tasks: list[Callable[[], object]] = [
            partial(spread, first * PAIRS, last * PAIRS)
            for first, last in split_range(0, SETS_OF_THREE, CHUNKS)
        ]
        tasks += [
            partial(spread, *part)
            for part in split_range(FIRST_FOUR_SUITED, SUITED_BOARDS, CHUNKS // 4)
        ]
        self._pool.run(tasks)
        total, *others = sums.collect()
        for other in others:
            total.suited[:] += other.suited

        def spread_ranks(first: int, last: int) -> None:
            with sums.borrow() as tallies:
                spread_rank_boards(
                    *(
                        first,
                        last,
                        tables.rank_boards,
                        showdowns.rank_boards,
                        river.ranks,
                        shares.ranks,
                    ),
                    *(rows, np.zeros(PAIRS, np.int64), FlopTallies(total.suited, tallies.flop)),
                )

        self._pool.run(partial(spread_ranks, *part) for part in split_range(0, RANK_BOARDS, 4))
        return np.asarray(np.sum([tallies.flop for tallies in sums.collect()], 0))


@cache
def _share_per_deal() -> FlopShares:
    """One deal's share of each flop: SCALE divided by the ways to deal it, always whole."""
    tables, ways = board_tables(), full_deck_ways()
    by_ranks, by_suits = (
        SCALE // np.maximum(ways_to_deal, 1)
        for ways_to_deal in (tables.rank_flops.ways, ways.suited_flops)
    )
    return FlopShares(by_ranks, by_suits.astype(np.int32))


def _no_shares() -> FlopShares:
    return FlopShares(
        np.zeros((RANK_FLOPS, PAIRS), np.int64), np.zeros((SUITED_FLOPS, TYPES), np.int32)
    )


def _add_shares(*parts: FlopShares) -> FlopShares:
    total = _no_shares()
    for part in parts:
        total.ranks[:] += part.ranks
        total.suits[:] += part.suits
    return total


def _no_tallies(rows: int) -> FlopTallies:
    return FlopTallies(
        np.zeros((RANK_BOARDS, PAIRS), np.int64),
        np.zeros((rows, ACTIONS, VERDICTS, TALLY_FIELDS), np.int64),
    )


def _check_counts(counts: Int64s, deck: Deck) -> Int64s:
    """Raise if a count is negative or the counts do not add up to all deals."""
    if (counts < 0).any() or int(counts.sum()) != deck.deals:
        raise ArithmeticError("the results do not add up to the deals")
    return counts


def _by_result(tallies: Int64s, dealer_hands: int) -> Int64s:
    """Turn sums of (1, wins, ties, weak dealer hands) by verdict into counts of each result."""
    if (tallies % SCALE).any():
        raise ArithmeticError("a count of deals is not a whole number")
    tallies = tallies // SCALE
    results = np.zeros((len(tallies), CATEGORY_COUNT, 3, 2), np.int64)
    boards, win, tie, weak = (tallies[:, :CATEGORY_COUNT, i] for i in range(4))
    results[:, :, WIN, 0] = win
    results[:, :, TIE, 0] = tie
    results[:, :, LOSE, 0] = weak - win - tie
    results[:, :, LOSE, 1] = dealer_hands * boards - weak
    qualified = slice(QUALIFIES, QUALIFIES + CATEGORY_COUNT)
    boards, win, tie, weak = (tallies[:, qualified, i] for i in range(4))
    results[:, :, WIN, 0] += weak
    results[:, :, WIN, 1] += win - weak
    results[:, :, TIE, 1] += tie
    results[:, :, LOSE, 1] += dealer_hands * boards - win - tie
    return results
