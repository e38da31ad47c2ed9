"""The joint distribution of results when every action is fixed, as exact counts of deals.

Everything else about the game follows from it: edge, variance, frequencies, hit rates.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.actions import (
    FLOP_LEAST,
    FLOP_MOST,
    POCKET_LEAST,
    POCKET_MOST,
    RIVER_FOLD,
    RIVER_LEAST,
    RIVER_MOST,
    WAYS_TO_DECIDE,
    BestActions,
)
from headsup.analysis.chunks import Crew, Sums, split
from headsup.analysis.deck import FLOPS_OF_A_BOARD, Deck
from headsup.analysis.kernels.arrays import (
    LEAST,
    MOST,
    PASSIVE,
    QUALIFIES,
    TALLIED,
    VERDICTS,
    CheckedHoles,
    Int64s,
    Shares,
    Tallies,
)
from headsup.analysis.kernels.distribution import (
    SCALE,
    share_flops,
    spread_rank_boards,
    spread_suited_boards,
    tally_rank_boards,
    tally_suited_boards,
)
from headsup.analysis.kernels.lattice import lattice, whole_ways
from headsup.analysis.kernels.numbering import (
    FIRST_FOUR,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANKS,
    SUITED_BOARDS,
    SUITED_FLOPS,
    THREES,
    TYPES,
)
from headsup.analysis.layers import CHUNKS
from headsup.analysis.payoffs import CATEGORIES, LOSE, TIE, WIN
from headsup.analysis.showdowns import Showdowns, live_ranks


class Distributor:
    """DealerCounts results for one set of showdowns, whatever the actions."""

    def __init__(self, deck: Deck, showdowns: Showdowns, crew: Crew) -> None:
        """Tally all holes, from which any choice of pocket hands is a weighted sum."""
        self._on, self._crew = showdowns, crew
        self._known = known = lattice()
        self._in_deck = live_ranks(deck)[known.holes.cards >> 2].all(1)
        self._rank_tally = np.zeros((PAIRS, VERDICTS, TALLIED), np.int64)
        self._tally = np.zeros((TYPES, VERDICTS, TALLIED), np.int64)
        self._boards = np.zeros((RANK_BOARDS, TYPES), np.int64)
        tally_rank_boards(known.rank_boards.ways, showdowns.rank_boards, self._rank_tally)
        sums = Sums(lambda: (np.zeros_like(self._boards), np.zeros_like(self._tally)))

        def tally(first: int, last: int) -> None:
            with sums.one() as (boards, tallied):
                tally_suited_boards(
                    *(first, last, known.suited_boards, known.types),
                    *(showdowns.suited_boards, showdowns.rank_boards, boards, tallied),
                )

        crew.run(partial(tally, *part) for part in split(0, SUITED_BOARDS, CHUNKS))
        for boards, tallied in sums.all():
            self._boards += boards
            self._tally += tallied

    def distribute(self, actions: BestActions) -> Int64s:
        """Deals by [way to decide, category, LOSE | TIE | WIN, dealer qualifies].

        A folded hand is counted with the result it would have had.
        """
        (tallies,) = self._tallies(actions, np.ones(HOLES, np.bool_), np.zeros(PAIRS, np.uint8))
        return _by_result(tallies, self._on.dealers)

    def by_class(self, actions: BestActions) -> Int64s:
        """The same for each of the 169 pocket classes alone.

        Ranks do not say whether a hole is suited, so pairs, suited and other holes are three turns.
        """
        ranks = self._known.types.ranks.astype(np.int64)
        every = np.arange(PAIRS, dtype=np.uint8)
        high, low = divmod(self._known.holes.pocket.astype(np.int64), RANKS)
        found = np.zeros((RANKS * RANKS, WAYS_TO_DECIDE, CATEGORIES, 3, 2), np.int64)
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
        self, actions: BestActions, holes: NDArray[np.bool_], rows: NDArray[np.uint8]
    ) -> Int64s:
        """[row, way to decide, verdict, 4] of these holes; `rows` has the row of each pair."""
        action = np.array(actions.pocket.actions)[self._known.holes.pocket]
        checked = holes & (action == PASSIVE)
        shares = [
            (way, self._share(actions, checked, flop_action))
            for way, flop_action in ((FLOP_LEAST, LEAST), (FLOP_MOST, MOST))
            if (actions.flop == flop_action).any()
        ]
        together = _added(*(part for _, part in shares))
        all_tallies = self._spread(actions, checked, together, rows)
        count = len(all_tallies.flop)
        tallies = np.zeros((count, WAYS_TO_DECIDE, VERDICTS, TALLIED), np.int64)
        for way, part in shares:
            alone = len(shares) == 1
            of_part = all_tallies if alone else self._spread(actions, checked, part, rows)
            tallies[:, way] = of_part.flop
        tallies[:, RIVER_FOLD] = all_tallies.river[:, PASSIVE]
        tallies[:, RIVER_MOST] = all_tallies.river[:, MOST]
        for row in range(count):
            own = holes & (rows[self._known.holes.pair] == row)
            tallies[row, POCKET_LEAST] = self._tally_holes(own & (action == LEAST))
            tallies[row, POCKET_MOST] = self._tally_holes(own & (action == MOST))
            tallies[row, RIVER_LEAST] = self._tally_holes(own) - tallies[row].sum(0)
        return tallies

    def _weights(self, holes: NDArray[np.bool_]) -> CheckedHoles:
        """Deals of each hole with each board it meets, by pair and by type; all four suits."""
        once = np.where(holes & self._in_deck, FLOPS_OF_A_BOARD * SCALE, 0)
        by_pair = np.bincount(self._known.holes.pair, once, PAIRS)
        by_type = 4 * np.bincount(self._known.holes.type[0], once, TYPES)
        return CheckedHoles(by_pair.astype(np.int64), by_type.astype(np.int64))

    def _tally_holes(self, holes: NDArray[np.bool_]) -> Int64s:
        weights = self._weights(holes)
        tally = np.einsum("i,ijk->jk", weights.pairs, self._rank_tally)
        return np.asarray(tally + np.einsum("i,ijk->jk", weights.types, self._tally))

    def _share(self, actions: BestActions, checked: NDArray[np.bool_], action: int) -> Shares:
        known = self._known
        sums = Sums(_no_shares)

        def share(first: int, last: int) -> None:
            with sums.one() as shares:
                share_flops(
                    *(first, last, action, known.flops, known.holes),
                    *(
                        known.rank_flops.ways,
                        whole_ways().suited_flops,
                        checked,
                        actions.flop,
                        shares,
                    ),
                )

        self._crew.run(partial(share, *part) for part in split(0, FLOPS, 8))
        return _added(*sums.all())

    def _spread(
        self,
        actions: BestActions,
        checked: NDArray[np.bool_],
        shares: Shares,
        rows: NDArray[np.uint8],
    ) -> Tallies:
        """Tallies of the deals shared out, and by river action of those that are left."""
        known, on, river = self._known, self._on, actions.river
        undecided = self._weights(checked)
        sums = Sums(partial(_no_tallies, int(rows.max()) + 1))

        def spread(first: int, last: int) -> None:
            with sums.one() as tallies:
                spread_suited_boards(
                    *(first, last, known.suited_boards, known.types, on.suited_boards),
                    *(river.suited, undecided.types, shares.suits, rows, tallies),
                )

        calls: list[Callable[[], object]] = [
            partial(spread, first * PAIRS, last * PAIRS) for first, last in split(0, THREES, CHUNKS)
        ]
        calls += [partial(spread, *part) for part in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
        self._crew.run(calls)
        all_tallies, *others = sums.all()
        for other in others:
            for mine, theirs in zip(all_tallies, other, strict=True):
                mine += theirs
        spread_rank_boards(
            *(known.rank_boards, known.types, on.rank_boards, river.ranks, undecided),
            *(self._boards, shares.ranks, rows, all_tallies),
        )
        return all_tallies


def _no_shares() -> Shares:
    return Shares(
        np.zeros((RANK_FLOPS, PAIRS), np.int64), np.zeros((SUITED_FLOPS, TYPES), np.int32)
    )


def _added(*parts: Shares) -> Shares:
    total = _no_shares()
    for part in parts:
        total.ranks[:] += part.ranks
        total.suits[:] += part.suits
    return total


def _no_tallies(rows: int) -> Tallies:
    return Tallies(
        np.zeros((RANK_BOARDS, PAIRS), np.int64),
        np.zeros((rows, VERDICTS, TALLIED), np.int64),
        np.zeros((rows, 3, VERDICTS, TALLIED), np.int64),
    )


def _by_result(tallies: Int64s, dealers: int) -> Int64s:
    """From sums of (1, wins, ties, weak dealer hands) by verdict to counts of each result."""
    if (tallies % SCALE).any():
        raise ArithmeticError("a count of deals is not whole")
    tallies = tallies // SCALE
    results = np.zeros((len(tallies), CATEGORIES, 3, 2), np.int64)
    boards, win, tie, weak = (tallies[:, :CATEGORIES, i] for i in range(4))
    results[:, :, WIN, 0] = win
    results[:, :, TIE, 0] = tie
    results[:, :, LOSE, 0] = weak - win - tie
    results[:, :, LOSE, 1] = dealers * boards - weak
    qualified = slice(QUALIFIES, QUALIFIES + CATEGORIES)
    boards, win, tie, weak = (tallies[:, qualified, i] for i in range(4))
    results[:, :, WIN, 0] += weak
    results[:, :, WIN, 1] += win - weak
    results[:, :, TIE, 1] += tie
    results[:, :, LOSE, 1] += dealers * boards - win - tie
    return results
