"""Wins, ties and weak dealer hands on every board: what all paytables have in common."""

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
    """Of one thread, for boards with any number of suited cards."""

    sweep: SweepScratch
    suited: SuitedScratch

    @classmethod
    def empty(cls) -> "CountScratch":
        return cls(sweep_scratch(), suited_scratch())


@entry_kernel
def count_rank_boards(
    first: int, last: int, deck_terms: DeckTerms,
    rank_boards: RankBoards, types: HoleTypes, orders: StrengthOrders, places: RankPlaces,
    used: SweepScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Boards as ranks alone, as if no flush were possible."""
    left, off, suited, ranks = used.left, deck_terms.off, deck_terms.suited, rank_boards.ranks
    for board in range(first, last):
        for rank in range(RANKS):
            left[rank] = off[rank] + suited[rank]
        dealt = True
        for i in range(5):
            left[ranks[board, i]] -= 1
            dealt &= left[ranks[board, i]] >= 0
        if not dealt:
            counts.verdict[board, :] = IMPOSSIBLE
            continue
        sweep(board, board, 0, 0, deck_terms.qualifier, types, orders, used, counts)
        fill_places(board, deck_terms.qualifier, left, used.below, types, orders, places)


@bare_kernel
def fill_remaining(
    rank_board: int, mask: int, deck_terms: DeckTerms, rank_boards: RankBoards, used: SweepScratch
) -> bool:
    """What a board leaves of each kind; whether the deck can deal it."""
    left, dealt = used.left, True
    for rank in range(RANKS):
        left[rank] = deck_terms.off[rank] + (mask >> rank & 1)
        left[RANKS + rank] = deck_terms.suited[rank] - (mask >> rank & 1)
        dealt &= left[RANKS + rank] >= 0
    for i in range(5):
        left[rank_boards.ranks[rank_board, i]] -= 1
        dealt &= left[rank_boards.ranks[rank_board, i]] >= 0
    return dealt


@entry_kernel
def count_suited_boards(
    first: int, last: int, deck_terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: HoleTypes, orders: StrengthOrders, places: RankPlaces, used: CountScratch,
    by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Boards on which the flush suit may make a flush, once those of ranks are counted."""
    qualifier, left = deck_terms.qualifier, used.sweep.left
    board_ranks, board_suited = boards.ranks, boards.suited
    for board in range(first, last):
        ranks = board_ranks[board]
        mask = np.int64(board_suited[board])
        if not fill_remaining(ranks, mask, deck_terms, rank_boards, used.sweep):
            counts.verdict[board, :] = IMPOSSIBLE
            continue
        if board < FIRST_FOUR_SUITED:
            count_three_suited(
                board, ranks, mask, qualifier, left, types, orders, places, used.suited,
                by_ranks, counts,
            )  # fmt: skip
        else:
            suited = 4 if board < FIRST_FIVE_SUITED else 5
            sweep(board, ranks, suited, mask, qualifier, types, orders, used.sweep, counts)
