"""The joint distribution of results under fixed decisions, as exact counts of deals.

Everything else about the game follows from it: edge, variance, frequencies, hit rates.
"""

from collections import deque
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, split
from headsup.analysis.decisions import LEAST, MOST, PASSIVE, Decisions, view_ways
from headsup.analysis.kernels.lattice import (
    FIRST_FOUR,
    HOLES,
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
    flop_shares,
    spread_rank_boards,
    spread_suited_boards,
)
from headsup.analysis.kernels.sweep import QUALIFIES
from headsup.analysis.payoffs import CATEGORIES, LOSE, TIE, WIN
from headsup.analysis.showdowns import CHUNKS, Showdowns

Int64s = NDArray[np.int64]
FLOPS_OF_A_BOARD = 10

POCKET_LEAST, POCKET_MOST, FLOP_LEAST, FLOP_MOST, RIVER_FOLD, RIVER_LEAST, RIVER_MOST = range(7)


def distribute(decisions: Decisions, showdowns: Showdowns, crew: Crew) -> Int64s:
    """Deals by [decision, category, LOSE | TIE | WIN, dealer qualifies], folds as if shown down."""
    known = lattice()
    pocket = decisions.pocket[known.class_of_hole]
    in_deck = showdowns.deck.live[known.holes >> 2].all(1)
    rest = np.where(in_deck & (pocket == PASSIVE), FLOPS_OF_A_BOARD * SCALE, 0)
    to_come = Part(showdowns, crew, rest)
    joint = np.zeros((7, CATEGORIES, 3, 2), np.int64)
    for decision, action in ((POCKET_LEAST, LEAST), (POCKET_MOST, MOST)):
        holes = in_deck & (pocket == action)
        if holes.any():
            part = Part(showdowns, crew, np.where(holes, FLOPS_OF_A_BOARD * SCALE, 0))
            joint[decision] = part.results()[0]
    for decision, action in ((FLOP_LEAST, LEAST), (FLOP_MOST, MOST)):
        if (decisions.flop == action).any():
            part = Part(showdowns, crew, np.zeros(HOLES, np.int64))
            part.take(decisions, pocket == PASSIVE, action)
            joint[decision] = part.results()[0]
            to_come.give(part)
    joint[RIVER_FOLD:] = to_come.results(decisions)
    return joint


class Part:
    """Some of all (hole, flop) deals, and the results on their boards."""

    def __init__(self, showdowns: Showdowns, crew: Crew, holes: Int64s) -> None:
        """`holes[h]` deals of each hole with every board; one suit stands for all four."""
        known = lattice()
        self._showdowns, self._crew = showdowns, crew
        self._by_ranks = np.bincount(known.pair_of_hole, holes, PAIRS).astype(np.int64)
        self._by_suits = 4 * np.bincount(known.type_of_hole[0], holes, TYPES).astype(np.int64)
        self._rank_shares = np.zeros((RANK_FLOPS, PAIRS), np.int64)
        self._shares = np.zeros((SUITED_FLOPS, TYPES), np.int64)

    def take(self, decisions: Decisions, checked: NDArray[np.bool_], action: int) -> None:
        """Add the flops on which `action` is taken."""
        known = lattice()
        flop_shares(
            *(action, known.flops, known.flop_weight, known.flop_ranks, known.flop_views),
            *(known.pair_of_hole, known.type_of_hole, known.rank_flop_ways, view_ways()),
            *(checked, decisions.flop, self._rank_shares, self._shares),
        )

    def give(self, part: "Part") -> None:
        """Take another part's flops out of this one."""
        self._rank_shares -= part._rank_shares
        self._shares -= part._shares

    def results(self, decisions: Decisions | None = None) -> Int64s:
        """Counts by [river action, category, result, dealer qualifies]; all in row 0 if none."""
        known, ranks, suited = lattice(), self._showdowns.rank_boards, self._showdowns.suited_boards
        if decisions is None:
            on_ranks = np.broadcast_to(np.zeros(1, np.uint8), ranks.verdict.shape)
            on_suited = np.broadcast_to(np.zeros(1, np.uint8), suited.verdict.shape)
        else:
            on_ranks, on_suited = decisions.river_ranks, decisions.river_suited
        spare: deque[tuple[Int64s, Int64s]] = deque()

        def spread(first: int, last: int) -> None:
            counts, deals = spare.pop() if spare else _tallies()
            spread_suited_boards(
                *(first, last, known.suited_threes, known.suited_fours, known.suited_fives),
                *(known.off_pair, known.board_ranks, known.pair_of_type, known.ways2, known.ways1),
                *(*suited.rows, on_suited, self._by_suits, self._shares, counts, deals),
            )
            spare.append((counts, deals))

        calls: list[Callable[[], object]] = []
        calls += [partial(spread, a * PAIRS, b * PAIRS) for a, b in split(0, THREES, CHUNKS)]
        calls += [partial(spread, a, b) for a, b in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
        self._crew.run(calls)
        counts, deals = spare.pop()
        for other_counts, other_deals in spare:
            counts += other_counts
            deals += other_deals
        spread_rank_boards(
            *(known.rank_board, known.rank_board_ways, *ranks.rows, on_ranks),
            *(self._by_ranks, self._rank_shares, deals, counts),
        )
        return _by_result(counts, self._showdowns.deck.dealers)


def _tallies() -> tuple[Int64s, Int64s]:
    return np.zeros((3, 32, 4), np.int64), np.zeros((RANK_BOARDS, PAIRS), np.int64)


def _by_result(counts: Int64s, dealers: int) -> Int64s:
    """From sums of (1, wins, ties, weak dealer hands) by verdict to counts of each result."""
    if (counts % SCALE).any():
        raise ArithmeticError("a count of deals is not whole")
    counts = counts // SCALE
    results = np.zeros((3, CATEGORIES, 3, 2), np.int64)
    boards, win, tie, weak = (counts[:, :CATEGORIES, i] for i in range(4))
    results[:, :, WIN, 0] = win
    results[:, :, TIE, 0] = tie
    results[:, :, LOSE, 0] = weak - win - tie
    results[:, :, LOSE, 1] = dealers * boards - weak
    qualified = slice(QUALIFIES, QUALIFIES + CATEGORIES)
    boards, win, tie, weak = (counts[:, qualified, i] for i in range(4))
    results[:, :, WIN, 0] += weak
    results[:, :, WIN, 1] += win - weak
    results[:, :, TIE, 1] += tie
    results[:, :, LOSE, 1] += dealers * boards - win - tie
    return results
