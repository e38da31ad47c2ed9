"""What a person sees in a situation: hands made, hidden pairs, draws, outs of the dealer.

On flops by real holes, on rivers by boards and types as everywhere.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    Flops,
    Holes,
    HoleTypes,
    RankBoards,
    StrengthTables,
    SuitedBoards,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.compiled import kernel
from headsup.analysis.kernels.base.evaluator import (
    flush_strength,
    rank_strength,
    straight_top,
    strength_tables,
)
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
)
from headsup.analysis.kernels.protect.exposed import kinds_strength

Int8s = NDArray[np.int8]


class Features(NamedTuple):
    """[flop, hole] or [board, type]."""

    category: Int8s  # of the best hand, -1 where the cards cannot be dealt
    board: Int8s  # of the board's cards alone
    pair: Int8s  # the highest rank of a pair that holds a hole card, -1 if none
    high: Int8s  # the higher hole card's rank
    flush_draw: Int8s  # on flops: with four of a suit, the highest hole card of it; -1 if none
    straight_draw: Int8s  # on flops: ranks that would complete a straight of a hole card's
    outs: Int8s  # on rivers: single cards that beat the hand for the dealer


def _empty(*shape: int) -> Features:
    return Features(*(np.full(shape, -1, np.int8) for _ in range(7)))


@cache
def flop_features() -> Features:
    found, known = _empty(FLOPS, HOLES), board_tables()
    _see_flops(known.flops, known.holes, found)
    return found


@cache
def river_features() -> tuple[Features, Features]:
    """By ranks where no flush is possible, and by suits."""
    known = board_tables()
    by_ranks, by_suits = _empty(RANK_BOARDS, PAIRS), _empty(SUITED_BOARDS, TYPES)
    of_ranks = known.types._replace(kinds=known.types.ranks)
    _see_rank_boards(known.rank_boards, of_ranks, strength_tables(), by_ranks)
    _see_suited_boards(
        known.suited_boards, known.rank_boards, known.types, strength_tables(), by_suits
    )
    return by_ranks, by_suits


@kernel
def _see_flops(flops: Flops, holes: Holes, out: Features) -> None:
    for flop in range(FLOPS):
        cards = flops.cards[flop]
        flop_counts, used, flop_ranks = np.int64(0), np.int64(0), np.int64(0)
        for i in range(3):
            flop_counts += np.int64(1) << 3 * np.int64(cards[i] >> 2)
            flop_ranks |= 1 << np.int64(cards[i] >> 2)
            used |= np.int64(1) << np.int64(cards[i])
        alone = rank_strength(flop_counts) >> 20
        for hole in range(HOLES):
            a, b = np.int64(holes.cards[hole, 0]), np.int64(holes.cards[hole, 1])
            if (used >> a | used >> b) & 1:
                continue
            x, y = a >> 2, b >> 2
            counts = flop_counts + (np.int64(1) << 3 * x) + (np.int64(1) << 3 * y)
            made = rank_strength(counts) >> 20
            draw = -1
            for suit in range(4):
                suited = (a & 3 == suit) + (b & 3 == suit)
                for i in range(3):
                    suited += cards[i] & 3 == suit
                if suited == 5:
                    mask = flop_ranks | 1 << x | 1 << y
                    made = flush_strength(mask) >> 20
                if suited >= 4:
                    if a & 3 == suit:
                        draw = max(draw, x)
                    if b & 3 == suit:
                        draw = max(draw, y)
            pair = -1
            if x == y:
                pair = x
            if flop_ranks >> x & 1:
                pair = max(pair, x)
            if flop_ranks >> y & 1:
                pair = max(pair, y)
            ranks = flop_ranks | 1 << x | 1 << y
            completing = 0
            if straight_top(ranks) < 0:
                for rank in range(RANKS):
                    whole = straight_top(ranks | 1 << rank) >= 0
                    completing += whole and straight_top(flop_ranks | 1 << rank) < 0
            out.category[flop, hole] = made
            out.board[flop, hole] = alone
            out.pair[flop, hole] = pair
            out.high[flop, hole] = max(x, y)
            out.flush_draw[flop, hole] = draw
            out.straight_draw[flop, hole] = completing


@kernel
def _see_board(
    board: int, ranks: Any, suited: int, mask: int, left: Any, types: HoleTypes,
    look: StrengthTables, out: Features,
) -> None:  # fmt: skip
    """One row: `left` has the unseen cards of each kind, the player's own among them."""
    kinds = types.kinds
    code, counts, on_board = np.int64(0), np.int64(0), np.int64(0)
    for i in range(5):
        code += look.places[ranks[i]]
        counts += np.int64(1) << 3 * np.int64(ranks[i])
        on_board |= 1 << np.int64(ranks[i])
    alone = rank_strength(counts)
    if suited == 5:
        alone = max(alone, np.int64(flush_strength(mask)))
    strengths = np.zeros(2 * RANKS, np.int64)
    for kind in range(2 * RANKS if suited > 0 else RANKS):
        if left[kind] > 0:
            rank = kind % RANKS
            strengths[kind] = rank_strength(counts + (np.int64(1) << 3 * np.int64(rank)))
            if suited + (kind >= RANKS) >= 5:
                held = mask | (1 << rank if kind >= RANKS else 0)
                strengths[kind] = max(strengths[kind], np.int64(flush_strength(held)))
    for i in range(kinds.shape[0]):
        x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
        if left[y] <= 0 or left[x] <= (1 if x == y else 0):
            continue
        own = kinds_strength(code, suited, mask, x, y, look)
        outs = 0
        for kind in range(2 * RANKS if suited > 0 else RANKS):
            if strengths[kind] > own:
                outs += left[kind] - (x == kind) - (y == kind)
        pair = -1
        a, b = x % RANKS, y % RANKS
        if a == b:
            pair = a
        if on_board >> a & 1:
            pair = max(pair, a)
        if on_board >> b & 1:
            pair = max(pair, b)
        out.category[board, i] = own >> 20
        out.board[board, i] = alone >> 20
        out.pair[board, i] = pair
        out.high[board, i] = max(a, b)
        out.outs[board, i] = outs


@kernel
def _see_rank_boards(
    rank_boards: RankBoards, types: HoleTypes, look: StrengthTables, out: Features
) -> None:  # fmt: skip
    left = np.zeros(2 * RANKS, np.int64)
    for board in range(RANK_BOARDS):
        left[:RANKS] = 4
        for i in range(5):
            left[rank_boards.ranks[board, i]] -= 1
        if left.min() >= 0:
            _see_board(board, rank_boards.ranks[board], 0, 0, left, types, look, out)


@kernel
def _see_suited_boards(
    boards: SuitedBoards,
    rank_boards: RankBoards,
    types: HoleTypes,
    look: StrengthTables,
    out: Features,
) -> None:
    left = np.zeros(2 * RANKS, np.int64)
    for board in range(SUITED_BOARDS):
        mask = np.int64(boards.suited[board])
        ranks = rank_boards.ranks[boards.ranks[board]]
        for rank in range(RANKS):
            left[rank] = 3 + (mask >> rank & 1)
            left[RANKS + rank] = 1 - (mask >> rank & 1)
        for i in range(5):
            left[ranks[i]] -= 1
        if left.min() >= 0:
            suited = 3 if board < FIRST_FOUR_SUITED else 4 if board < FIRST_FIVE_SUITED else 5
            _see_board(board, ranks, suited, mask, left, types, look, out)
