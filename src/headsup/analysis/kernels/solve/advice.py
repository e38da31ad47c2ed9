"""One hole in one situation, against every dealer hand and every card to come.

Unknown cards are a mask of 52 bits, so any cards may be known to be out.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import AdvicePays, Int64s, Situation, StrengthTables
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.base.thread_memory import allocate_padded

WIN_SUM, TIE_SUM, BASE_SUM, BEST_SUM = 0, 1, 2, 3  # what is summed over dealer hands and boards
SUMS = 4


class AdviceScratch(NamedTuple):
    """Of one board at a time."""

    board: Int64s  # [5]
    left: Int64s  # [kind]: unknown cards, as the flush suit sees them
    counts: Int64s  # [lose | tie | win, dealer qualifies]: dealer hands
    sums: Int64s  # [WIN … BEST]
    at: Int64s  # [5]: places of the board's cards among those unknown


def advice_scratch() -> AdviceScratch:
    shapes = ((5,), (2 * RANKS,), (3, 2), (SUMS,), (5,))
    return AdviceScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


@entry_kernel
def count_showdown(asked: Situation, look: StrengthTables, used: AdviceScratch) -> int:
    """Fill `used.counts` on `used.board`; returns the hole's own strength.

    Dealer cards of one rank count once for each suit that is left, and the flush suit apart.
    """
    hole, unknown, qualifier = asked.hole, asked.unknown, asked.qualifier
    places, low, high, ranks, flush = look.places, look.low, look.high, look.ranks, look.flush
    board, left, counts = used.board, used.left, used.counts
    suit, mask, code = -1, 0, 0
    for i in range(5):
        unknown &= ~(1 << np.int64(board[i]))
        code += places[board[i] >> 2]
    for s in range(4):
        suited = 0
        for i in range(5):
            suited += board[i] & 3 == s
        if suited >= 3:
            suit = s
    for i in range(5):
        if board[i] & 3 == suit:
            mask |= 1 << np.int64(board[i] >> 2)
    on_board = 0
    for rank in range(RANKS):
        on_board += mask >> rank & 1
    low_mask = (1 << LOW_BITS) - 1

    own_mask = mask
    for i in range(2):
        if hole[i] & 3 == suit:
            own_mask |= 1 << np.int64(hole[i] >> 2)
    own_suited = 0
    for rank in range(RANKS):
        own_suited += own_mask >> rank & 1
    own_code = code + places[hole[0] >> 2] + places[hole[1] >> 2]
    own = np.int64(ranks[low[own_code & low_mask] + high[own_code >> LOW_BITS]])
    if own_suited >= 5:
        own = np.int64(flush[own_mask])

    for rank in range(RANKS):
        cards = unknown >> (4 * rank) & 15
        suited = cards >> suit & 1 if suit >= 0 else 0
        left[RANKS + rank] = suited
        left[rank] = (cards & 1) + (cards >> 1 & 1) + (cards >> 2 & 1) + (cards >> 3) - suited
    counts[:] = 0
    kinds = RANKS if suit < 0 else 2 * RANKS
    for x in range(kinds):
        if left[x] == 0:
            continue
        x_rank = x if x < RANKS else x - RANKS
        x_code = code + places[x_rank]
        for y in range(x + 1):
            hands = left[x] * left[y] if x != y else left[x] * (left[x] - 1) // 2
            if hands == 0:
                continue
            y_rank = y if y < RANKS else y - RANKS
            suited = on_board + (x >= RANKS) + (y >= RANKS)
            if suit >= 0 and suited >= 5:
                held = mask
                if x >= RANKS:
                    held |= 1 << x_rank
                if y >= RANKS:
                    held |= 1 << y_rank
                strength = np.int64(flush[held])
            else:
                key = x_code + places[y_rank]
                strength = np.int64(ranks[low[key & low_mask] + high[key >> LOW_BITS]])
            result = 1 + (own > strength) - (own < strength)
            counts[result, 1 if strength >= qualifier else 0] += hands
    return own


@bare_kernel
def value_board(
    asked: Situation, look: StrengthTables, terms: AdvicePays, used: AdviceScratch
) -> None:
    """Fill `used.sums` on one board: wins, ties, Ante and Odds, and the best river value."""
    category = count_showdown(asked, look, used) >> 20
    pays, counts, sums = terms.base, used.counts, used.sums
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
    raised = max(base + terms.least * edge, base + terms.most * edge)
    sums[BEST_SUM] = max(terms.fold[category] * dealers, raised)


@entry_kernel
def sum_turns_and_rivers(
    asked: Situation, look: StrengthTables, terms: AdvicePays, used: AdviceScratch, totals: Any
) -> None:
    """Sums over every turn and river among the unknown cards; `used.board` begins with the flop."""
    board, sums, cards = used.board, used.sums, asked.cards
    for i in range(len(cards)):
        for j in range(i):
            board[3], board[4] = cards[i], cards[j]
            value_board(asked, look, terms, used)
            for s in range(SUMS):
                totals[s] += sums[s]


@entry_kernel
def sum_boards(
    last: int, asked: Situation, look: StrengthTables, terms: AdvicePays, used: AdviceScratch,
    totals: Any, flops: Any,
) -> None:  # fmt: skip
    """Sums over every board whose last card is `cards[last]`, in all and for each flop in it."""
    board, sums, cards, at = used.board, used.sums, asked.cards, used.at
    at[4] = last
    for d in range(last):
        for c in range(d):
            for b in range(c):
                for a in range(b):
                    at[0], at[1], at[2], at[3] = a, b, c, d
                    for i in range(5):
                        board[i] = cards[at[i]]
                    value_board(asked, look, terms, used)
                    for s in range(SUMS):
                        totals[s] += sums[s]
                    for i in range(5):
                        for j in range(i):
                            for k in range(j):
                                x, y, z = at[k], at[j], at[i]
                                y2 = y * (y - 1) // 2
                                flop = x + y2 + z * (z - 1) * (z - 2) // 6
                                for s in range(SUMS):
                                    flops[flop, s] += sums[s]


@entry_kernel
def sum_best_flops(flops: Any, boards: int, least: int, most: int) -> int:
    """The sum over flops of the best of raising and checking; `boards` is turns × dealers."""
    total = np.int64(0)
    for flop in range(flops.shape[0]):
        edge = 2 * flops[flop, WIN_SUM] + flops[flop, TIE_SUM] - boards
        base = flops[flop, BASE_SUM]
        total += max(flops[flop, BEST_SUM], base + least * edge, base + most * edge)
    return total
