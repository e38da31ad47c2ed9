"""Values one hole in one situation against all dealer hands and all cards to come.

Unknown cards are a mask of 52 bits, so any cards may be known to be out of play.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    AdvicePays,
    Int64s,
    Situation,
    StrengthTables,
    allocate_padded,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import RANKS

WIN_SUM, TIE_SUM, BASE_SUM, BEST_SUM = 0, 1, 2, 3  # sums over dealer hands and boards
SUMS = 4


class AdviceScratch(NamedTuple):
    """Scratch memory for one board at a time."""

    board: Int64s  # [5]
    remaining: Int64s  # [kind]: unknown cards, from the point of view of the flush suit
    counts: Int64s  # [lose | tie | win, dealer qualifies]: dealer hands
    sums: Int64s  # [WIN_SUM … BEST_SUM]
    indices: Int64s  # [5]: of the board's cards among the unknown cards


def advice_scratch() -> AdviceScratch:
    shapes = ((5,), (2 * RANKS,), (3, 2), (SUMS,), (5,))
    return AdviceScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@entry_kernel
def count_showdown(situation: Situation, tables: StrengthTables, scratch: AdviceScratch) -> int:
    """Fill `scratch.counts` for `scratch.board`. Returns the strength of the player's hand.

    Dealer cards of a rank are taken together, except the one of the flush suit.
    """
    hole, unknown, qualifier = situation.hole, situation.unknown, situation.qualifier
    rank_codes, low, high = tables.rank_codes, tables.low, tables.high
    ranks, flush = tables.ranks, tables.flush
    board, remaining, counts = scratch.board, scratch.remaining, scratch.counts
    suit, mask, code = -1, 0, 0
    for i in range(5):
        unknown &= ~(1 << np.int64(board[i]))
        code += rank_codes[board[i] >> 2]
    for s in range(4):
        suited = 0
        for i in range(5):
            suited += board[i] & 3 == s
        if suited >= 3:
            suit = s
    for i in range(5):
        if board[i] & 3 == suit:
            mask |= 1 << np.int64(board[i] >> 2)
    board_suited = 0
    for rank in range(RANKS):
        board_suited += mask >> rank & 1
    low_mask = (1 << LOW_BITS) - 1

    player_mask = mask
    for i in range(2):
        if hole[i] & 3 == suit:
            player_mask |= 1 << np.int64(hole[i] >> 2)
    player_suited = 0
    for rank in range(RANKS):
        player_suited += player_mask >> rank & 1
    player_code = code + rank_codes[hole[0] >> 2] + rank_codes[hole[1] >> 2]
    player = np.int64(ranks[low[player_code & low_mask] + high[player_code >> LOW_BITS]])
    if player_suited >= 5:
        player = np.int64(flush[player_mask])

    for rank in range(RANKS):
        cards = unknown >> (4 * rank) & 15
        suited = cards >> suit & 1 if suit >= 0 else 0
        remaining[RANKS + rank] = suited
        remaining[rank] = (cards & 1) + (cards >> 1 & 1) + (cards >> 2 & 1) + (cards >> 3) - suited
    counts[:] = 0
    kinds = RANKS if suit < 0 else 2 * RANKS
    for x in range(kinds):
        if remaining[x] == 0:
            continue
        x_rank = x if x < RANKS else x - RANKS
        x_code = code + rank_codes[x_rank]
        for y in range(x + 1):
            hands = (
                remaining[x] * remaining[y] if x != y else remaining[x] * (remaining[x] - 1) // 2
            )
            if hands == 0:
                continue
            y_rank = y if y < RANKS else y - RANKS
            suited = board_suited + (x >= RANKS) + (y >= RANKS)
            if suit >= 0 and suited >= 5:
                dealer_mask = mask
                if x >= RANKS:
                    dealer_mask |= 1 << x_rank
                if y >= RANKS:
                    dealer_mask |= 1 << y_rank
                strength = np.int64(flush[dealer_mask])
            else:
                key = x_code + rank_codes[y_rank]
                strength = np.int64(ranks[low[key & low_mask] + high[key >> LOW_BITS]])
            result = 1 + (player > strength) - (player < strength)
            counts[result, 1 if strength >= qualifier else 0] += hands
    return player


@bare_kernel
def value_board(
    situation: Situation, tables: StrengthTables, terms: AdvicePays, scratch: AdviceScratch
) -> None:
    """Fill `scratch.sums` for one board: wins, ties, Ante and Odds, and the best river value."""
    category = count_showdown(situation, tables, scratch) >> 20
    pays, counts, sums = terms.base, scratch.counts, scratch.sums
    base = np.int64(0)
    dealers = np.int64(0)
    for result in range(3):
        for qualifies in range(2):
            base += counts[result, qualifies] * pays[category, result, qualifies]
            dealers += counts[result, qualifies]
    win = counts[2, 0] + counts[2, 1]
    edge = win - counts[0, 0] - counts[0, 1]
    sums[WIN_SUM] = win
    sums[TIE_SUM] = counts[1, 0] + counts[1, 1]
    sums[BASE_SUM] = base
    raise_value = max(base + terms.least * edge, base + terms.most * edge)
    sums[BEST_SUM] = max(terms.fold[category] * dealers, raise_value)


@entry_kernel
def sum_turns_and_rivers(
    situation: Situation,
    tables: StrengthTables,
    terms: AdvicePays,
    scratch: AdviceScratch,
    totals: Any,
) -> None:
    """Sum over all turns and rivers. `scratch.board` begins with the flop."""
    board, sums, cards = scratch.board, scratch.sums, situation.cards
    for i in range(len(cards)):
        for j in range(i):
            board[3], board[4] = cards[i], cards[j]
            value_board(situation, tables, terms, scratch)
            for s in range(SUMS):
                totals[s] += sums[s]


@entry_kernel
def sum_boards(
    last: int, situation: Situation, tables: StrengthTables, terms: AdvicePays,
    scratch: AdviceScratch, totals: Any, flops: Any,
) -> None:  # fmt: skip
    """Sum over all boards whose last card is `cards[last]`, in total and for each flop."""
    board, sums, cards, indices = scratch.board, scratch.sums, situation.cards, scratch.indices
    indices[4] = last
    for d in range(last):
        for c in range(d):
            for b in range(c):
                for a in range(b):
                    indices[0], indices[1], indices[2], indices[3] = a, b, c, d
                    for i in range(5):
                        board[i] = cards[indices[i]]
                    value_board(situation, tables, terms, scratch)
                    for s in range(SUMS):
                        totals[s] += sums[s]
                    for i in range(5):
                        for j in range(i):
                            for k in range(j):
                                x, y, z = indices[k], indices[j], indices[i]
                                y2 = y * (y - 1) // 2
                                flop = x + y2 + z * (z - 1) * (z - 2) // 6
                                for s in range(SUMS):
                                    flops[flop, s] += sums[s]


@entry_kernel
def sum_best_flops(flops: Any, showdowns: int, least: int, most: int) -> int:
    """Sum the best of raising and checking over all flops.

    `showdowns` is the number of turns and rivers × dealer hands.
    """
    total = np.int64(0)
    for flop in range(flops.shape[0]):
        edge = 2 * flops[flop, WIN_SUM] + flops[flop, TIE_SUM] - showdowns
        base = flops[flop, BASE_SUM]
        total += max(flops[flop, BEST_SUM], base + least * edge, base + most * edge)
    return total
