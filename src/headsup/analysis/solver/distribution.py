"""The joint distribution of results when every action is fixed, as exact counts of deals.

Everything else about the game follows from it: edge, variance, frequencies, hit rates.
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
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, split_range
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.layers import CHUNKS
from headsup.analysis.solver.payoffs import CATEGORY_COUNT, LOSE, TIE, WIN
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns, live_ranks


class ResultCounter:
    """Counts results for one set of showdowns, whatever the actions."""

    def __init__(self, deck: Deck, showdowns: Showdowns, crew: KernelPool) -> None:
        self._on, self._crew = showdowns, crew
        self._known = known = board_tables()
        self._in_deck = live_ranks(deck)[known.holes.cards >> 2].all(1)
        self._tallied: tuple[RiverActions, RiverTally] | None = None

    def tally(self, actions: RiverActions) -> RiverTally:
        """All holes by these actions: any choice of holes is a weighted sum. The last is kept."""
        if self._tallied is None or self._tallied[0] is not actions:
            self._tallied = actions, RiverTally.count(self._on, actions, self._crew)
        return self._tallied[1]

    def distribute(self, actions: StrategyActions) -> Int64s:
        """Deals by [way to decide, category, LOSE | TIE | WIN, dealer qualifies].

        A folded hand is counted with the result it would have had.
        """
        (tallies,) = self._tallies(actions, np.ones(HOLES, np.bool_), np.zeros(PAIRS, np.uint8))
        return _by_result(tallies, self._on.dealers)

    def by_class(self, actions: StrategyActions) -> Int64s:
        """The same for each of the 169 pocket classes alone.

        Ranks do not say whether a hole is suited, so pairs, suited and other holes are three turns.
        """
        ranks = self._known.types.ranks.astype(np.int64)
        every = np.arange(PAIRS, dtype=np.uint8)
        high, low = divmod(self._known.holes.pocket.astype(np.int64), RANKS)
        found = np.zeros((RANKS * RANKS, DECISION_PATHS, CATEGORY_COUNT, 3, 2), np.int64)
        for group, numbers in (
            (high == low, ranks[:, 1] * RANKS + ranks[:, 0]),
            (high > low, ranks[:, 1] * RANKS + ranks[:, 0]),
            (high < low, ranks[:, 0] * RANKS + ranks[:, 1]),
        ):
            tallies = self._tallies(actions, group, every)
            results = _by_result(tallies.reshape(-1, *tallies.shape[2:]), self._on.dealers)
            found[numbers] += results.reshape(PAIRS, *found.shape[1:])
        return found

    def _tallies(
        self, actions: StrategyActions, holes: NDArray[np.bool_], rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, way to decide, verdict, 4] of these holes; `rows` has the row of each pair."""
        action = np.array(actions.pocket.actions)[self._known.holes.pocket]
        checked = holes & (action == PASSIVE)
        shares = [
            (way, self._share(actions, checked, flop_action))
            for way, flop_action in ((FLOP_MIN_RAISE, MIN_RAISE), (FLOP_MAX_RAISE, MAX_RAISE))
            if (actions.flop == flop_action).any()
        ]
        decided = self._spread(actions, _add_shares(*(part for _, part in shares)), rows)
        tallies = np.zeros((len(decided), DECISION_PATHS, VERDICTS, TALLY_FIELDS), np.int64)
        for way, part in shares:
            alone = len(shares) == 1
            of_part = decided if alone else self._spread(actions, part, rows)
            tallies[:, way] = of_part.sum(1)
        for way, raised in ((POCKET_MIN_RAISE, MIN_RAISE), (POCKET_MAX_RAISE, MAX_RAISE)):
            own = holes & (action == raised)
            tallies[:, way] = self._tally_holes(actions.river, own, rows).sum(1)
        left = self._tally_holes(actions.river, checked, rows) - decided
        for way, taken in (
            (RIVER_FOLD, PASSIVE),
            (RIVER_MIN_RAISE, MIN_RAISE),
            (RIVER_MAX_RAISE, MAX_RAISE),
        ):
            tallies[:, way] = left[:, taken]
        return tallies

    def _tally_holes(
        self, river: RiverActions, holes: NDArray[np.bool_], rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, action, verdict, 4] of these holes with every board they meet, in four suits."""
        tally, known = self.tally(river), self._known
        once = np.where(holes & self._in_deck, FLOPS_PER_BOARD * SCALE, 0)
        found = np.zeros((int(rows.max()) + 1, *tally.ranks.shape[1:]), np.int64)
        for times, place, size, counted, pair in (
            (1, known.holes.pair, PAIRS, tally.ranks, np.arange(PAIRS)),
            (4, known.holes.type[0], TYPES, tally.types, known.types.pair),
        ):
            weights = times * np.bincount(place, once, size).astype(np.int64)
            weighted = weights[:, None, None, None] * counted
            if len(found) == 1:
                found[0] += weighted.sum(0)
            else:
                np.add.at(found, rows[pair], weighted)
        return found

    def _share(
        self, actions: StrategyActions, checked: NDArray[np.bool_], action: int
    ) -> FlopShares:
        known = self._known
        sums = AccumulatorPool(_no_shares)

        def share(first: int, last: int) -> None:
            with sums.one() as shares:
                share_flops(
                    *(first, last, action, known.flops, known.holes, _each_share()),
                    *(checked, actions.flop, shares),
                )

        self._crew.run(partial(share, *part) for part in split_range(0, FLOPS, 8))
        return _add_shares(*sums.all())

    def _spread(
        self, actions: StrategyActions, shares: FlopShares, rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, river action, verdict, 4] of the deals shared out."""
        known, on, river = self._known, self._on, actions.river
        sums = AccumulatorPool(partial(_no_tallies, int(rows.max()) + 1))

        def spread(first: int, last: int) -> None:
            with sums.one() as tallies:
                spread_suited_boards(
                    *(first, last, known.suited_boards, known.types, on.suited_boards),
                    *(river.suited, shares.suits, rows, SpreadScratch.empty(), tallies),
                )

        calls: list[Callable[[], object]] = [
            partial(spread, first * PAIRS, last * PAIRS)
            for first, last in split_range(0, SETS_OF_THREE, CHUNKS)
        ]
        calls += [
            partial(spread, *part)
            for part in split_range(FIRST_FOUR_SUITED, SUITED_BOARDS, CHUNKS // 4)
        ]
        self._crew.run(calls)
        mine, *others = sums.all()
        for other in others:
            mine.suited[:] += other.suited

        def spread_ranks(first: int, last: int) -> None:
            with sums.one() as tallies:
                spread_rank_boards(
                    *(first, last, known.rank_boards, on.rank_boards, river.ranks, shares.ranks),
                    *(rows, np.zeros(PAIRS, np.int64), FlopTallies(mine.suited, tallies.flop)),
                )

        self._crew.run(partial(spread_ranks, *part) for part in split_range(0, RANK_BOARDS, 4))
        return np.asarray(np.sum([tallies.flop for tallies in sums.all()], 0))


@cache
def _each_share() -> FlopShares:
    """What one deal's share is for each flop: SCALE ÷ the ways to deal it, always whole."""
    known, ways = board_tables(), full_deck_ways()
    by_ranks, by_suits = (
        SCALE // np.maximum(each, 1) for each in (known.rank_flops.ways, ways.suited_flops)
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


def _by_result(tallies: Int64s, dealers: int) -> Int64s:
    """From sums of (1, wins, ties, weak dealer hands) by verdict to counts of each result."""
    if (tallies % SCALE).any():
        raise ArithmeticError("a count of deals is not whole")
    tallies = tallies // SCALE
    results = np.zeros((len(tallies), CATEGORY_COUNT, 3, 2), np.int64)
    boards, win, tie, weak = (tallies[:, :CATEGORY_COUNT, i] for i in range(4))
    results[:, :, WIN, 0] = win
    results[:, :, TIE, 0] = tie
    results[:, :, LOSE, 0] = weak - win - tie
    results[:, :, LOSE, 1] = dealers * boards - weak
    qualified = slice(QUALIFIES, QUALIFIES + CATEGORY_COUNT)
    boards, win, tie, weak = (tallies[:, qualified, i] for i in range(4))
    results[:, :, WIN, 0] += weak
    results[:, :, WIN, 1] += win - weak
    results[:, :, TIE, 1] += tie
    results[:, :, LOSE, 1] += dealers * boards - win - tie
    return results
