"""Deals with a straight flush or a royal, one by one: which of the progressive's cases each is,
where it is decided, and how it ends."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, StrengthTables
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import SUIT_SHIFT
from headsup.analysis.kernels.simulate.decisions import (
    DecisionIndex,
    Playbooks,
    flop_index,
    flush_suit,
    pocket_class,
    river_index,
    suited_board_number,
    unpack_action,
)
from headsup.analysis.kernels.simulate.side_cases import LATE_STRAIGHT_FLUSH, progressive_case
from headsup.analysis.kernels.simulate.tables import strength_on_board


class ProgressiveScratch(NamedTuple):
    """Where one hand is worked out."""

    orders: Int64s  # [flop, 5]: places of the board, the flop's three first
    board: Int64s  # [5]: in any order
    dealt: Int64s  # [5]: the flop first
    masks: Int64s  # [suit]: the board's ranks in it
    hand: Int64s  # [6]
    ends: Int64s  # [lose | tie | win, dealer qualifies]: hands that the dealer may have

    @classmethod
    def empty(cls) -> "ProgressiveScratch":
        board, dealt, masks, hand = (np.zeros(size, np.int64) for size in (5, 5, 4, 6))
        flops = [[*flop, *({*range(5)} - {*flop})] for flop in combinations(range(5), 3)]
        orders = np.array(flops, np.int64)
        return cls(orders, board, dealt, masks, hand, np.zeros((3, 2), np.int64))


@bare_kernel
def count_progressive_cases(
    first: int, last: int, sevens: Any, qualifier: int, places: DecisionIndex, books: Playbooks,
    look: StrengthTables, used: ProgressiveScratch, counts: Any,
) -> None:  # fmt: skip
    """Add all deals of these seven cards, each a straight flush of theirs, to
    `counts[class, way to decide, case, result, dealer qualifies]`; cases begin with the first
    that is a straight flush."""
    board, dealt, ends = used.board, used.dealt, used.ends
    for number in range(first, last):
        seven = sevens[number]
        for i in range(7):
            for j in range(i + 1, 7):
                a, b = seven[i], seven[j]
                at = 0
                for k in range(7):
                    if k not in (i, j):
                        board[at] = seven[k]
                        at += 1
                made, river = _compare_with_dealers(a, b, qualifier, places, books, look, used)
                pocket = pocket_class(a, b)
                action = np.int64(books.pocket[0, pocket])
                for order in used.orders:
                    for k in range(5):
                        dealt[k] = board[order[k]]
                    case = progressive_case(a, b, dealt, made, used.hand) - LATE_STRAIGHT_FLUSH
                    way = action - 1
                    if action == PASSIVE:
                        on_flop = unpack_action(books.flop, 0, flop_index(a, b, dealt, places))
                        way = 4 + river if on_flop == PASSIVE else 1 + on_flop
                    row = counts[pocket, way, case]
                    for result in range(3):
                        row[result, 0] += ends[result, 0]
                        row[result, 1] += ends[result, 1]


@bare_kernel
def _compare_with_dealers(
    a: int, b: int, qualifier: int, places: DecisionIndex, books: Playbooks, look: StrengthTables,
    used: ProgressiveScratch,
) -> Any:  # fmt: skip
    """What the hand makes and does on the river; `used.ends` has how it ends."""
    board, masks, ends = used.board, used.masks, used.ends
    masks[:] = 0
    ends[:] = 0
    code = np.int64(0x3333) << SUIT_SHIFT
    taken = np.int64(1) << a | np.int64(1) << b
    for i in range(5):
        code += look.cards[board[i]]
        masks[board[i] & 3] |= 1 << (board[i] >> 2)
        taken |= np.int64(1) << board[i]
    own = strength_on_board(code, masks, a, b, look)
    for x in range(52):
        if taken >> x & 1:
            continue
        for y in range(x):
            if not taken >> y & 1:
                dealer = strength_on_board(code, masks, x, y, look)
                result = 1 + (own > dealer) - (own < dealer)
                ends[result, 1 if dealer >= qualifier else 0] += 1
    suit = flush_suit(code >> SUIT_SHIFT)  # three cards of a straight flush are on the board
    row = suited_board_number(board, suit, masks[suit], places.sets)
    return own >> 20, unpack_action(books.river_suited, 0, river_index(a, b, suit, row))
