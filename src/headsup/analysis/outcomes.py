"""The joint distribution of results under fixed decisions, as exact counts of deals.

Everything else about the game follows from it: edge, variance, frequencies, hit rates.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, Sums, split
from headsup.analysis.decisions import FLOPS_OF_A_BOARD, Decisions
from headsup.analysis.kernels.flops import LEAST, MOST, PASSIVE
from headsup.analysis.kernels.lattice import (
    FIRST_FOUR,
    FLOPS,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    SUITED_BOARDS,
    SUITED_FLOPS,
    THREES,
    TYPES,
    lattice,
)
from headsup.analysis.kernels.outcomes import (
    SCALE,
    share_flops,
    spread_rank_boards,
    spread_suited_boards,
    tally_rank_boards,
    tally_suited_boards,
)
from headsup.analysis.kernels.sweep import QUALIFIES
from headsup.analysis.layers import CHUNKS, VERDICTS, Int64s, view_ways
from headsup.analysis.payoffs import CATEGORIES, LOSE, TIE, WIN
from headsup.analysis.showdowns import Showdowns

POCKET_LEAST, POCKET_MOST, FLOP_LEAST, FLOP_MOST, RIVER_FOLD, RIVER_LEAST, RIVER_MOST = range(7)


@dataclass(frozen=True)
class Shares:
    """Deals decided on a flop, to hand down to its boards: × SCALE ÷ the ways to deal it."""

    ranks: Int64s  # [rank flop, pair]
    suits: NDArray[np.int32]  # [suited flop, type]

    @classmethod
    def none(cls) -> "Shares":
        return cls(
            np.zeros((RANK_FLOPS, PAIRS), np.int64), np.zeros((SUITED_FLOPS, TYPES), np.int32)
        )

    def take(self, other: "Shares") -> None:
        self.ranks[:] += other.ranks
        self.suits[:] += other.suits


class Distributor:
    """Counts results for one set of showdowns, whatever the decisions."""

    def __init__(self, showdowns: Showdowns, crew: Crew) -> None:
        """Tally all holes, from which any choice of pocket hands is a weighted sum."""
        self._on, self._crew = showdowns, crew
        self._known = known = lattice()
        self._in_deck = showdowns.deck.live[known.holes >> 2].all(1)
        self._rank_tally = np.zeros((PAIRS, VERDICTS, 4), np.int64)
        self._tally = np.zeros((TYPES, VERDICTS, 4), np.int64)
        self._boards = np.zeros((RANK_BOARDS, TYPES), np.int64)
        tally_rank_boards(known.rank_board_ways, *showdowns.rank_boards.rows, self._rank_tally)
        sums = Sums(lambda: (np.zeros_like(self._boards), np.zeros_like(self._tally)))

        def tally(first: int, last: int) -> None:
            with sums.one() as (boards, tallied):
                tally_suited_boards(
                    *(first, last, known.board_ranks, known.pair_of_type, known.ways2),
                    *(known.ways1, *showdowns.suited_boards.rows, *showdowns.rank_boards.rows),
                    *(boards, tallied),
                )

        crew.run(partial(tally, *part) for part in split(0, SUITED_BOARDS, CHUNKS))
        for boards, tallied in sums.all():
            self._boards += boards
            self._tally += tallied

    def distribute(self, decisions: Decisions) -> Int64s:
        """Deals by [decision, category, LOSE | TIE | WIN, dealer qualifies].

        A folded hand is counted with the result it would have had.
        """
        action = np.array(decisions.pocket.actions)[self._known.class_of_hole]
        tallies = np.zeros((7, VERDICTS, 4), np.int64)
        tallies[POCKET_LEAST] = self._tally_holes(action == LEAST)
        tallies[POCKET_MOST] = self._tally_holes(action == MOST)
        checked = action == PASSIVE
        shares = [
            (decision, self._share(decisions, checked, flop_action))
            for decision, flop_action in ((FLOP_LEAST, LEAST), (FLOP_MOST, MOST))
            if (decisions.flop == flop_action).any()
        ]
        together = Shares.none()
        for _, part in shares:
            together.take(part)
        raised, river = self._spread(decisions, checked, together)
        for decision, part in shares:
            alone = len(shares) == 1
            tallies[decision] = raised if alone else self._spread(decisions, checked, part)[0]
        tallies[RIVER_FOLD], tallies[RIVER_MOST] = river[PASSIVE], river[MOST]
        everything = self._tally_holes(np.ones_like(checked))
        tallies[RIVER_LEAST] = everything - tallies.sum(0)
        return _by_result(tallies, self._on.deck.dealers)

    def _weights(self, holes: NDArray[np.bool_]) -> tuple[Int64s, Int64s]:
        """Deals of each hole with each board it meets, by pair and by type; all four suits."""
        once = np.where(holes & self._in_deck, FLOPS_OF_A_BOARD * SCALE, 0)
        by_pair = np.bincount(self._known.pair_of_hole, once, PAIRS)
        by_type = 4 * np.bincount(self._known.type_of_hole[0], once, TYPES)
        return by_pair.astype(np.int64), by_type.astype(np.int64)

    def _tally_holes(self, holes: NDArray[np.bool_]) -> Int64s:
        by_pair, by_type = self._weights(holes)
        tally = np.einsum("i,ijk->jk", by_pair, self._rank_tally)
        return np.asarray(tally + np.einsum("i,ijk->jk", by_type, self._tally))

    def _share(self, decisions: Decisions, checked: NDArray[np.bool_], action: int) -> "Shares":
        known = self._known
        sums = Sums(Shares.none)

        def share(first: int, last: int) -> None:
            with sums.one() as shares:
                share_flops(
                    *(first, last, action, known.flop_weight, known.flop_ranks, known.flop_views),
                    *(known.pair_of_hole, known.type_of_hole, known.rank_flop_ways, view_ways()),
                    *(checked, decisions.flop, shares.ranks, shares.suits),
                )

        self._crew.run(partial(share, *part) for part in split(0, FLOPS, 8))
        mine, *others = sums.all()
        for other in others:
            mine.take(other)
        return mine

    def _spread(
        self, decisions: Decisions, checked: NDArray[np.bool_], shares: "Shares"
    ) -> tuple[Int64s, Int64s]:
        """Tallies of the deals shared out, and by river action of those that are left."""
        known, on, river_actions = self._known, self._on, decisions.river
        by_pair, by_type = self._weights(checked)
        sums = Sums(
            lambda: (
                np.zeros((RANK_BOARDS, PAIRS), np.int64),
                np.zeros((VERDICTS, 4), np.int64),
                np.zeros((3, VERDICTS, 4), np.int64),
            )
        )

        def spread(first: int, last: int) -> None:
            with sums.one() as tallies:
                spread_suited_boards(
                    *(first, last, known.suited_threes, known.suited_fours, known.suited_fives),
                    *(known.off_pair, known.board_ranks, known.pair_of_type, known.ways2),
                    *(known.ways1, *on.suited_boards.rows, river_actions.suited, by_type),
                    *(shares.suits, *tallies),
                )

        calls: list[Callable[[], object]] = [
            partial(spread, first * PAIRS, last * PAIRS) for first, last in split(0, THREES, CHUNKS)
        ]
        calls += [partial(spread, *part) for part in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
        self._crew.run(calls)
        (suited_shares, raised, river), *others = sums.all()
        for other in others:
            for mine, theirs in zip((suited_shares, raised, river), other, strict=True):
                mine += theirs
        spread_rank_boards(
            *(known.rank_board, known.rank_board_ways, *on.rank_boards.rows, river_actions.ranks),
            *(by_pair, self._boards, by_type, known.pair_of_type, shares.ranks, suited_shares),
            *(raised, river),
        )
        return raised, river


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
