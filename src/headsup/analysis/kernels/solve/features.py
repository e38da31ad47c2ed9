"""Computes what a person sees in a situation: the hand made, hidden pairs, draws, dealer outs.

Also what a patient person can count: the dealer hands that win.

Flops have one row per canonical flop and real hole, rivers one per board and type.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    DealerCounts,
    DeckTerms,
    Flops,
    Holes,
    HoleTypes,
    Int16s,
    Int64s,
    RankBoards,
    StrengthTables,
    SuitedBoards,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import (
    flush_strength,
    kinds_strength,
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
from headsup.analysis.kernels.solve.showdowns import (
    CountScratch,
    count_rank_boards,
    count_suited_boards,
)
from headsup.analysis.kernels.solve.sweep import strength_orders, sweep_scratch
from headsup.analysis.kernels.solve.three_suited import RankPlaces

Int8s = NDArray[np.int8]
SUITS = 4
DEALER_HANDS = 990  # two of the 45 cards that are neither on the board nor the player's


class Features(NamedTuple):
    """[flop, hole] or [board, type]."""

    category: Int8s  # of the best hand; -1 if the cards cannot be dealt
    board: Int8s  # of the board's cards alone
    pair: Int8s  # the highest rank of a pair that includes a hole card; -1 if none
    high: Int8s  # the higher hole card's rank
    low: Int8s  # the lower hole card's rank
    suits: Int8s  # on flops: how many suits the three cards have
    span: Int8s  # on flops: from the lowest to the highest rank, ace low or high; -1 if paired
    flush_draw: Int8s  # on flops with four of a suit: the highest hole card of it; -1 if none
    straight_draw: Int8s  # on flops: ranks that would complete a straight with a hole card
    outs: Int8s  # on rivers: single cards that beat the hand for the dealer
    beaten: Int16s  # on rivers: dealer hands that beat the hand


class FeatureScratch(NamedTuple):
    """Scratch memory for one board, by kind."""

    remaining: Int64s  # the unseen cards and the player's
    strengths: Int64s  # of the board with one card of this kind

    @classmethod
    def empty(cls) -> "FeatureScratch":
        return cls(np.zeros(2 * RANKS, np.int64), np.zeros(2 * RANKS, np.int64))


def _empty(*shape: int) -> Features:
    columns: list[NDArray[Any]] = [np.full(shape, -1, np.int8) for _ in Features._fields]
    return Features._make(columns)._replace(beaten=np.full(shape, -1, np.int16))


@cache
def flop_features() -> Features:
    features, tables = _empty(FLOPS, HOLES), board_tables()
    _fill_flops(tables.flops, tables.holes, features)
    return features


@cache
def river_features() -> tuple[Features, Features]:
    """The features by ranks where no flush is possible, and by suits where one is."""
    tables = board_tables()
    by_ranks, by_suits = _empty(RANK_BOARDS, PAIRS), _empty(SUITED_BOARDS, TYPES)
    rank_types = tables.types._replace(kinds=tables.types.ranks)
    strengths, scratch = strength_tables(), FeatureScratch.empty()
    _fill_rank_boards(tables.rank_boards, rank_types, strengths, scratch, by_ranks)
    _fill_suited_boards(
        tables.suited_boards, tables.rank_boards, tables.types, strengths, scratch, by_suits
    )
    for features, counts in zip((by_ranks, by_suits), _count_dealer_hands(), strict=True):
        dealt = features.category >= 0
        features.beaten[dealt] = (DEALER_HANDS - counts.win - counts.tie)[dealt]
    return by_ranks, by_suits


def _count_dealer_hands() -> tuple[DealerCounts, DealerCounts]:
    tables, order, places = board_tables(), strength_orders(), RankPlaces.empty()
    deck = DeckTerms(np.full(RANKS, SUITS - 1), np.ones(RANKS, np.int64), 0)
    by_ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
    by_suits = DealerCounts.empty(SUITED_BOARDS, TYPES)
    boards = deck, tables.rank_boards, tables.types, order, places
    count_rank_boards(0, RANK_BOARDS, *boards, sweep_scratch(), by_ranks)
    boards = deck, tables.suited_boards, tables.rank_boards, tables.types, order, places
    count_suited_boards(0, SUITED_BOARDS, *boards, CountScratch.empty(), by_ranks, by_suits)
    return by_ranks, by_suits


@bare_kernel
def _flop_suits(cards: Any) -> int:
    mask = 1 << (cards[0] & 3) | 1 << (cards[1] & 3) | 1 << (cards[2] & 3)
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1)


@bare_kernel
def _flop_span(cards: Any) -> int:
    """Of three different ranks. The ace counts as the lowest rank where that is closer."""
    lowest, highest, second = RANKS, -1, -1
    for i in range(3):
        rank = np.int64(cards[i] >> 2)
        lowest = min(lowest, rank)
        if rank > highest:
            highest, second = rank, highest
        else:
            second = max(second, rank)
    if highest == RANKS - 1:
        return min(highest - lowest, second + 1)
    return highest - lowest


@entry_kernel
def _fill_flops(flops: Flops, holes: Holes, out: Features) -> None:
    for flop in range(FLOPS):
        cards = flops.cards[flop]
        flop_counts, flop_mask, flop_ranks = np.int64(0), np.int64(0), np.int64(0)
        for i in range(3):
            flop_counts += np.int64(1) << 3 * np.int64(cards[i] >> 2)
            flop_ranks |= 1 << np.int64(cards[i] >> 2)
            flop_mask |= np.int64(1) << np.int64(cards[i])
        board_category = rank_strength(flop_counts) >> 20
        suits, span = _flop_suits(cards), _flop_span(cards) if board_category == 0 else -1
        for hole in range(HOLES):
            a, b = np.int64(holes.cards[hole, 0]), np.int64(holes.cards[hole, 1])
            if (flop_mask >> a | flop_mask >> b) & 1:
                continue
            x, y = a >> 2, b >> 2
            counts = flop_counts + (np.int64(1) << 3 * x) + (np.int64(1) << 3 * y)
            category = rank_strength(counts) >> 20
            flush_draw = -1
            for suit in range(4):
                suited = (a & 3 == suit) + (b & 3 == suit)
                for i in range(3):
                    suited += cards[i] & 3 == suit
                if suited == 5:
                    mask = flop_ranks | 1 << x | 1 << y
                    category = flush_strength(mask) >> 20
                if suited >= 4:
                    if a & 3 == suit:
                        flush_draw = max(flush_draw, x)
                    if b & 3 == suit:
                        flush_draw = max(flush_draw, y)
            pair = -1
            if x == y:
                pair = x
            if flop_ranks >> x & 1:
                pair = max(pair, x)
            if flop_ranks >> y & 1:
                pair = max(pair, y)
            ranks = flop_ranks | 1 << x | 1 << y
            straight_ranks = 0
            if straight_top(ranks) < 0:
                for rank in range(RANKS):
                    completes = straight_top(ranks | 1 << rank) >= 0
                    straight_ranks += completes and straight_top(flop_ranks | 1 << rank) < 0
            out.category[flop, hole] = category
            out.board[flop, hole] = board_category
            out.pair[flop, hole] = pair
            out.high[flop, hole] = max(x, y)
            out.low[flop, hole] = min(x, y)
            out.suits[flop, hole] = suits
            out.span[flop, hole] = span
            out.flush_draw[flop, hole] = flush_draw
            out.straight_draw[flop, hole] = straight_ranks


@bare_kernel
def _fill_board(
    board: int, ranks: Any, suited: int, mask: int, types: HoleTypes, tables: StrengthTables,
    scratch: FeatureScratch, out: Features,
) -> None:  # fmt: skip
    """Fill the row of one board, unless the deck does not have its cards."""
    kinds, remaining, strengths = types.kinds, scratch.remaining, scratch.strengths
    for kind in range(2 * RANKS):
        if remaining[kind] < 0:
            return
    code, counts, board_ranks = np.int64(0), np.int64(0), np.int64(0)
    for i in range(5):
        code += tables.rank_codes[ranks[i]]
        counts += np.int64(1) << 3 * np.int64(ranks[i])
        board_ranks |= 1 << np.int64(ranks[i])
    board_strength = rank_strength(counts)
    if suited == 5:
        board_strength = max(board_strength, np.int64(flush_strength(mask)))
    strengths[:] = 0
    for kind in range(2 * RANKS if suited > 0 else RANKS):
        if remaining[kind] > 0:
            rank = kind % RANKS
            strengths[kind] = rank_strength(counts + (np.int64(1) << 3 * np.int64(rank)))
            if suited + (kind >= RANKS) >= 5:
                suit_mask = mask | (1 << rank if kind >= RANKS else 0)
                strengths[kind] = max(strengths[kind], np.int64(flush_strength(suit_mask)))
    for i in range(kinds.shape[0]):
        x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
        if remaining[y] <= 0 or remaining[x] <= (1 if x == y else 0):
            continue
        strength = kinds_strength(code, suited, mask, x, y, tables)
        outs = 0
        for kind in range(2 * RANKS if suited > 0 else RANKS):
            if strengths[kind] > strength:
                outs += remaining[kind] - (x == kind) - (y == kind)
        pair = -1
        a, b = x % RANKS, y % RANKS
        if a == b:
            pair = a
        if board_ranks >> a & 1:
            pair = max(pair, a)
        if board_ranks >> b & 1:
            pair = max(pair, b)
        out.category[board, i] = strength >> 20
        out.board[board, i] = board_strength >> 20
        out.pair[board, i] = pair
        out.high[board, i] = max(a, b)
        out.low[board, i] = min(a, b)
        out.outs[board, i] = outs


@entry_kernel
def _fill_rank_boards(
    rank_boards: RankBoards, types: HoleTypes, tables: StrengthTables, scratch: FeatureScratch,
    out: Features,
) -> None:  # fmt: skip
    remaining = scratch.remaining
    for board in range(RANK_BOARDS):
        remaining[:] = 0
        for rank in range(RANKS):
            remaining[rank] = 4
        for i in range(5):
            remaining[rank_boards.ranks[board, i]] -= 1
        _fill_board(board, rank_boards.ranks[board], 0, 0, types, tables, scratch, out)


@entry_kernel
def _fill_suited_boards(
    boards: SuitedBoards, rank_boards: RankBoards, types: HoleTypes, tables: StrengthTables,
    scratch: FeatureScratch, out: Features,
) -> None:  # fmt: skip
    remaining = scratch.remaining
    for board in range(SUITED_BOARDS):
        mask = np.int64(boards.suited[board])
        ranks = rank_boards.ranks[boards.ranks[board]]
        for rank in range(RANKS):
            remaining[rank] = 3 + (mask >> rank & 1)
            remaining[RANKS + rank] = 1 - (mask >> rank & 1)
        for i in range(5):
            remaining[ranks[i]] -= 1
        suited = 3 if board < FIRST_FOUR_SUITED else 4 if board < FIRST_FIVE_SUITED else 5
        _fill_board(board, ranks, suited, mask, types, tables, scratch, out)
