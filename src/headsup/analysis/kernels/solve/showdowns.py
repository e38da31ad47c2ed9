"""Counts wins, ties and weak dealer hands on every board, which no paytable affects."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    DealerCounts,
    DeckTerms,
    HoleTypes,
    RankBoards,
    StrengthOrders,
    SuitedBoards,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import FIRST_FIVE_SUITED, FIRST_FOUR_SUITED, RANKS
from headsup.analysis.kernels.solve.sweep import SweepScratch, sweep, sweep_scratch
from headsup.analysis.kernels.solve.three_suited import (
    RankPlaces,
    SuitedScratch,
    count_three_suited,
    fill_places,
    suited_scratch,
)


class CountScratch(NamedTuple):
    """Scratch memory of one thread, for all kinds of boards."""

    sweep: SweepScratch
    suited: SuitedScratch

    @classmethod
    def empty(cls) -> "CountScratch":
        return cls(sweep_scratch(), suited_scratch())


@entry_kernel
def count_rank_boards(
    first: int, last: int, deck_terms: DeckTerms,
    rank_boards: RankBoards, types: HoleTypes, orders: StrengthOrders, places: RankPlaces,
    scratch: SweepScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count rank boards, as if no flush were possible."""
    remaining, off = scratch.remaining, deck_terms.off
    suited, ranks = deck_terms.suited, rank_boards.ranks
    for board in range(first, last):
        for rank in range(RANKS):
            remaining[rank] = off[rank] + suited[rank]
        possible = True
        for i in range(5):
            remaining[ranks[board, i]] -= 1
            possible &= remaining[ranks[board, i]] >= 0
        if not possible:
            counts.verdict[board, :] = IMPOSSIBLE
            continue
        sweep(board, board, 0, 0, deck_terms.qualifier, types, orders, scratch, counts)
        fill_places(board, deck_terms.qualifier, remaining, scratch.below, types, orders, places)


@bare_kernel
def fill_remaining(
    rank_board: int,
    mask: int,
    deck_terms: DeckTerms,
    rank_boards: RankBoards,
    scratch: SweepScratch,
) -> bool:
    """Fill `scratch.remaining` for a board. Returns whether the deck can deal it."""
    remaining, possible = scratch.remaining, True
    for rank in range(RANKS):
        remaining[rank] = deck_terms.off[rank] + (mask >> rank & 1)
        remaining[RANKS + rank] = deck_terms.suited[rank] - (mask >> rank & 1)
        possible &= remaining[RANKS + rank] >= 0
    for i in range(5):
        remaining[rank_boards.ranks[rank_board, i]] -= 1
        possible &= remaining[rank_boards.ranks[rank_board, i]] >= 0
    return possible


@entry_kernel
def count_suited_boards(
    first: int, last: int, deck_terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: HoleTypes, orders: StrengthOrders, places: RankPlaces, scratch: CountScratch,
    by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count suited boards, after the rank boards."""
    qualifier, remaining = deck_terms.qualifier, scratch.sweep.remaining
    board_ranks, board_suited = boards.ranks, boards.suited
    for board in range(first, last):
        ranks = board_ranks[board]
        mask = np.int64(board_suited[board])
        if not fill_remaining(ranks, mask, deck_terms, rank_boards, scratch.sweep):
            counts.verdict[board, :] = IMPOSSIBLE
            continue
        if board < FIRST_FOUR_SUITED:
            count_three_suited(
                board, ranks, mask, qualifier, remaining, types, orders, places, scratch.suited,
                by_ranks, counts,
            )  # fmt: skip
        else:
            suited = 4 if board < FIRST_FIVE_SUITED else 5
            sweep(board, ranks, suited, mask, qualifier, types, orders, scratch.sweep, counts)
