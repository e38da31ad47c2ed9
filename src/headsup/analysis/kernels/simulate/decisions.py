"""Looks up the decisions of strategies by cards."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Uint8s
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_ONE_SUITED_TYPE,
    FIRST_TWO_SUITED_TYPE,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
)

pair_number, set2_number = bare_kernel(numbering.pair_number), bare_kernel(numbering.set2_number)
set3_number, multiset3_number = (
    bare_kernel(numbering.set3_number),
    bare_kernel(numbering.multiset3_number),
)


class DecisionIndex(NamedTuple):
    """Tables that turn cards into indices of `Playbooks`."""

    flop_rows: NDArray[np.int16]  # [set of three cards]: the canonical flop
    flop_suits: Uint8s  # [set of three cards, suit]: the suit on the canonical flop
    sets: NDArray[np.int16]  # [mask of ranks]: number among the sets of that size


class Playbooks(NamedTuple):
    """All decisions of all styles of play."""

    pocket: Uint8s  # [style, pocket class]: action
    flop: Uint8s  # [style, canonical flop and hole], packed four to a byte
    river_ranks: Uint8s  # [style, rank board and pair], packed
    river_suited: Uint8s  # [style, suited board and type], packed


@bare_kernel
def unpack_action(actions: Any, style: int, index: int) -> int:
    return np.int64(actions[style, index >> 2]) >> (2 * (index & 3)) & 3


@bare_kernel
def pocket_class(a: int, b: int) -> int:
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high


@bare_kernel
def flop_index(a: int, b: int, board: Any, index: DecisionIndex) -> int:
    """The index of a hole and flop in `Playbooks.flop`."""
    x, y, z = board[0], board[1], board[2]
    low, high = min(x, y, z), max(x, y, z)
    flop = set3_number(low, x + y + z - low - high, high)
    c = (a >> 2 << 2) | np.int64(index.flop_suits[flop, a & 3])
    d = (b >> 2 << 2) | np.int64(index.flop_suits[flop, b & 3])
    return np.int64(index.flop_rows[flop]) * HOLES + set2_number(min(c, d), max(c, d))


@bare_kernel
def river_index(a: int, b: int, suit: int, row: int) -> int:
    """The index in `Playbooks.river_suited`, or in `river_ranks` if `suit` is -1."""
    if suit < 0:
        return row * PAIRS + pair_number(min(a, b) >> 2, max(a, b) >> 2)
    kind = (a >> 2) + (RANKS if a & 3 == suit else 0)
    other = (b >> 2) + (RANKS if b & 3 == suit else 0)
    return row * TYPES + _type_number(min(kind, other), max(kind, other))


@bare_kernel
def _type_number(a: int, b: int) -> int:
    """The type of two kinds, a <= b."""
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_ONE_SUITED_TYPE + a * RANKS + b - RANKS
    return FIRST_TWO_SUITED_TYPE + set2_number(a - RANKS, b - RANKS)


@bare_kernel
def flush_suit(suits: int) -> int:
    """The suit of three or more board cards, or -1. `suits` counts each suit from 3."""
    reached_three = (suits + 0x2222) & 0x8888
    if reached_three == 0:
        return -1
    suit = 0
    while reached_three >> (4 * suit) & 8 == 0:
        suit += 1
    return suit


@bare_kernel
def rank_board_number(board: Any) -> int:
    """The number of the rank board. Sorts without branches, which no processor could predict."""
    a, b, c, d, e = board[0] >> 2, board[1] >> 2, board[2] >> 2, board[3] >> 2, board[4] >> 2
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    b, e = min(b, e), max(b, e)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    d, e = d + 3, e + 4
    four = d * (d - 1) * (d - 2) * (d - 3) // 24
    return multiset3_number(a, b, c) + four + e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120


@bare_kernel
def suited_board_number(board: Any, suit: int, mask: int, sets: Any) -> int:
    """The number of the suited board. `mask` has its ranks of the suit."""
    count, low, high = 0, 0, 0
    for i in range(5):
        if board[i] & 3 != suit:
            rank = board[i] >> 2
            low, high = (min(low, rank), max(high, rank)) if count else (rank, rank)
            count += 1
    number = np.int64(sets[mask])
    if count == 2:
        return number * PAIRS + pair_number(low, high)
    return FIRST_FOUR_SUITED + number * RANKS + low if count == 1 else FIRST_FIVE_SUITED + number
