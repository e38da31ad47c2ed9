"""Values one hole in one situation against all dealer hands and all cards to come.

Unknown cards are a mask of 52 bits, so any cards may be known to be out of play. Before the flop
two million boards may come, but a board's value depends only on its ranks and on which of them are
of the suit that may make a flush. So each such board is valued once, and then looked up.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    AdvicePays,
    Int64s,
    RankBoards,
    Situation,
    StrengthTables,
    SuitedBoards,
    allocate_padded,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import RANK_BOARDS, RANKS, SUITED_BOARDS
from headsup.analysis.kernels.simulate.decisions import (
    flush_suit,
    rank_board_number,
    suited_board_number,
)

NO_FLUSH = -1
SUITS = 4
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
    """Fill `scratch.counts` for `scratch.board`. Returns the strength of the player's hand."""
    unknown, board, remaining = situation.unknown, scratch.board, scratch.remaining
    suit, mask, code = NO_FLUSH, 0, 0
    for i in range(5):
        unknown &= ~(1 << np.int64(board[i]))
        code += tables.rank_codes[board[i] >> 2]
    for s in range(4):
        suited = 0
        for i in range(5):
            suited += board[i] & 3 == s
        if suited >= 3:
            suit = s
    for i in range(5):
        if board[i] & 3 == suit:
            mask |= 1 << np.int64(board[i] >> 2)
    for rank in range(RANKS):
        remaining[RANKS + rank] = _count_cards(unknown, rank, suit, 1)
        remaining[rank] = _count_cards(unknown, rank, suit, 0)
    return _count_dealer_hands(situation, suit, mask, code, tables, scratch)


@bare_kernel
def _count_cards(unknown: int, rank: int, suit: int, suited: int) -> int:
    """The unknown cards of a rank that are of the suit, or that are not."""
    cards = unknown >> (4 * rank) & 15
    of_suit = cards >> suit & 1 if suit >= 0 else 0
    if suited:
        return of_suit
    return (cards & 1) + (cards >> 1 & 1) + (cards >> 2 & 1) + (cards >> 3) - of_suit


@bare_kernel
def _count_dealer_hands(
    situation: Situation, suit: int, mask: int, code: int, tables: StrengthTables,
    scratch: AdviceScratch,
) -> int:  # fmt: skip
    """Fill `scratch.counts` for a board of these ranks. Returns the strength of the player's hand.

    `scratch.remaining` must be filled. Dealer cards of a rank are taken together, except the one of
    the flush suit.
    """
    hole, qualifier = situation.hole, situation.qualifier
    rank_codes, low, high = tables.rank_codes, tables.low, tables.high
    ranks, flush = tables.ranks, tables.flush
    remaining, counts = scratch.remaining, scratch.counts
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
    _value_counts(count_showdown(situation, tables, scratch) >> 20, terms, scratch)


@bare_kernel
def _value_counts(category: int, terms: AdvicePays, scratch: AdviceScratch) -> None:
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


class BoardValues(NamedTuple):
    """The sums of every board that may come."""

    ranks: Int64s  # [rank board, sum]: where no suit may make a flush
    suits: Int64s  # [suit, suited board, sum]

    @classmethod
    def empty(cls) -> "BoardValues":
        return cls(
            np.zeros((RANK_BOARDS, SUMS), np.int64),
            np.zeros((SUITS, SUITED_BOARDS, SUMS), np.int64),
        )


@entry_kernel
def value_rank_boards(
    first: int, last: int, situation: Situation, tables: StrengthTables, terms: AdvicePays,
    boards: RankBoards, scratch: AdviceScratch, values: BoardValues,
) -> None:  # fmt: skip
    """Value these boards without a flush, if the unknown cards have their ranks."""
    remaining = scratch.remaining
    for board in range(first, last):
        code, possible = np.int64(0), True
        for rank in range(RANKS):
            remaining[rank] = _count_cards(situation.unknown, rank, NO_FLUSH, 0)
        for i in range(5):
            rank = np.int64(boards.ranks[board, i])
            code += tables.rank_codes[rank]
            remaining[rank] -= 1
            possible &= remaining[rank] >= 0
        if possible:
            player = _count_dealer_hands(situation, NO_FLUSH, 0, code, tables, scratch)
            _value_counts(player >> 20, terms, scratch)
            for s in range(SUMS):
                values.ranks[board, s] = scratch.sums[s]


@entry_kernel
def value_suited_boards(
    first: int, last: int, suit: int, situation: Situation, tables: StrengthTables,
    terms: AdvicePays, boards: SuitedBoards, rank_boards: RankBoards, scratch: AdviceScratch,
    values: BoardValues,
) -> None:  # fmt: skip
    """Value these boards with three or more cards of the suit, if they can be dealt."""
    remaining = scratch.remaining
    for board in range(first, last):
        mask, code, possible = np.int64(boards.suited[board]), np.int64(0), True
        for rank in range(RANKS):
            suited = mask >> rank & 1
            remaining[rank] = _count_cards(situation.unknown, rank, suit, 0) + suited
            remaining[RANKS + rank] = _count_cards(situation.unknown, rank, suit, 1) - suited
            possible &= remaining[RANKS + rank] >= 0
        for i in range(5):
            rank = np.int64(rank_boards.ranks[boards.ranks[board], i])
            code += tables.rank_codes[rank]
            remaining[rank] -= 1
            possible &= remaining[rank] >= 0
        if possible:
            player = _count_dealer_hands(situation, suit, mask, code, tables, scratch)
            _value_counts(player >> 20, terms, scratch)
            for s in range(SUMS):
                values.suits[suit, board, s] = scratch.sums[s]


@entry_kernel
def sum_boards(
    last: int, situation: Situation, values: BoardValues, sets: Any, scratch: AdviceScratch,
    totals: Any, flops: Any,
) -> None:  # fmt: skip
    """Sum over all boards whose last card is `cards[last]`, in total and for each flop.

    `sets[mask]` is the number of a set of ranks among those of its size.
    """
    board, sums, cards, indices = scratch.board, scratch.sums, situation.cards, scratch.indices
    indices[4] = last
    for d in range(last):
        for c in range(d):
            for b in range(c):
                for a in range(b):
                    indices[0], indices[1], indices[2], indices[3] = a, b, c, d
                    suits = np.int64(0x3333)
                    for i in range(5):
                        board[i] = cards[indices[i]]
                        suits += np.int64(1) << 4 * (board[i] & 3)
                    suit = flush_suit(suits)
                    if suit < 0:
                        number = rank_board_number(board)
                        for s in range(SUMS):
                            sums[s] = values.ranks[number, s]
                    else:
                        mask = np.int64(0)
                        for i in range(5):
                            if board[i] & 3 == suit:
                                mask |= 1 << (board[i] >> 2)
                        number = suited_board_number(board, suit, mask, sets)
                        for s in range(SUMS):
                            sums[s] = values.suits[suit, number, s]
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
