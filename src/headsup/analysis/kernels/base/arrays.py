"""Defines the groups of arrays that kernels work on: the meaning of each index and number.

Boards, flops, types and holes are numbered as in `numbering`. Counts are exact integers: of deals,
or of the dealer's hands against one hole on one board. Values are in units, `Payoffs.unit` of them
to the Ante, and are summed over the dealer's hands, never divided.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int16s = NDArray[np.int16]
Uint8s = NDArray[np.uint8]

# A verdict (`DealerCounts.verdict`) is the player's category, plus QUALIFIES if that hand would
# qualify, or IMPOSSIBLE if the board holds one of the cards.
QUALIFIES, IMPOSSIBLE = 16, 31
VERDICTS = 32
# Actions: fold or check, smallest raise, largest raise.
PASSIVE, MIN_RAISE, MAX_RAISE = 0, 1, 2
# Fields of a tally: deals, and sums of their wins, ties and weak dealer hands.
TALLY_FIELDS = 4
# Ends a row of strengths; greater than any of them.
END_OF_ROW = 1 << 30


# Tables that do not depend on the rules (`evaluator`, `board_tables`, `sweep`).


class StrengthTables(NamedTuple):
    """Each card has a code; the sum of seven codes decides the strength.

    `ranks[low[…] + high[…]]` is the strength by ranks, `flush[mask]` that of one suit.
    """

    card_codes: Int64s  # [card]: its rank code, plus one in the counter of its suit
    rank_codes: Int64s  # [rank]: power of five in the low or the high half
    low: Int32s  # [base 5 of ranks 0–6]
    high: Int32s  # [base 5 of ranks 7–12]
    ranks: Int32s  # [low + high]: strength
    flush: Int32s  # [mask of ranks]: strength


class HoleTypes(NamedTuple):
    """Types of hole cards from the point of view of one suit, and pairs of ranks."""

    kinds: Uint8s  # [type, 2]
    pair: Uint8s  # [type]: the pair of its ranks
    ranks: Uint8s  # [pair, 2]: two ranks, ascending
    ways2: Int64s  # [off pair, type]: ways to deal these two off cards with this hole
    ways1: Int64s  # [off rank, type]: ways to deal one off card


class RankBoards(NamedTuple):
    """Boards as ranks alone."""

    ranks: Uint8s  # [rank board, 5]: ascending
    ways: Int64s  # [rank board, pair]: ways to deal the board with this hole


class RankFlops(NamedTuple):
    ranks: Uint8s  # [rank flop, 3]: ascending
    ways: Int64s  # [rank flop, pair]


class SuitedBoards(NamedTuple):
    """Boards with three, four or five cards of the flush suit."""

    threes: Uint8s  # [set of three, 3]: suited ranks, ascending
    fours: Uint8s  # [set of four, 4]
    fives: Uint8s  # [set of five, 5]
    ranks: Int16s  # [suited board]: its rank board
    suited: NDArray[np.uint16]  # [suited board]: the mask of its suited ranks


class Holes(NamedTuple):
    cards: Uint8s  # [hole, 2]
    pair: Uint8s  # [hole]: the pair of its ranks
    pocket: Uint8s  # [hole]: its pocket class
    type: NDArray[np.uint16]  # [suit, hole]


class Flops(NamedTuple):
    """Canonical flops."""

    cards: Uint8s  # [flop, 3]: of the representative
    weight: Int64s  # [flop]: number of real flops it represents
    ranks: Int16s  # [flop]: its rank flop
    suited_flops: Int16s  # [flop, suit]: the flop as the suit views it, -1 if it has no such card


class BoardTables(NamedTuple):
    types: HoleTypes
    rank_boards: RankBoards
    rank_flops: RankFlops
    suited_boards: SuitedBoards
    holes: Holes
    flops: Flops


class StrengthOrders(NamedTuple):
    """Hole cards ordered by strength: pairs of ranks per board, suited ranks per set of ranks."""

    pairs: Uint8s  # [rank board, place]
    strengths: Int32s  # [rank board, place]: ascending
    flushes: Int16s  # [mask of suited board ranks, place, 2]: suited hole ranks, -1 for none
    flush_strengths: Int32s  # [mask, place]: ascending; END_OF_ROW after the last


# Arrays that the solver fills.


class DeckTerms(NamedTuple):
    """A deck from the point of view of one suit, and the dealer's qualifier."""

    off: Int64s  # [rank]: cards of the three other suits
    suited: Int64s  # [rank]: 1 if the deck has the flush suit's card, else 0
    qualifier: int  # the lowest strength that qualifies; 0 if all do


class Ways(NamedTuple):
    """Ways to deal boards and flops with each hole from one deck."""

    types: HoleTypes
    rank_boards: RankBoards
    rank_flops: Int64s  # [rank flop, pair]
    suited_flops: Int64s  # [suited flop, type]


class DealerCounts(NamedTuple):
    """Numbers of dealer hands, by [board, pair or type of the player]."""

    win: Int16s  # that the player beats
    tie: Int16s
    weak: Int16s  # that do not qualify
    verdict: Uint8s

    @classmethod
    def empty(cls, boards: int, types: int) -> "DealerCounts":
        """Zeroed arrays for kernels to fill. Untouched memory costs nothing."""
        win, tie, weak = (np.zeros((boards, types), np.int16) for _ in range(3))
        return cls(win, tie, weak, np.zeros((boards, types), np.uint8))


class Terms(NamedTuple):
    """What a hand is worth on the river against all dealer hands together, in units."""

    pays: Int64s  # [verdict, 4]: Ante and Odds, as coefficients of 1, wins, ties, weak dealer hands
    fold: Int64s  # [verdict]
    least: int  # stake of the smallest river raise
    most: int  # stake of the largest
    flop: int  # stake of the smallest flop raise
    dealers: int  # number of dealer hands against one hole on one board


class RiverChoice(NamedTuple):
    """The terms that decide river actions and their gains; see `flops` for the formula."""

    # [verdict, 2]: the smallest raise less a fold, as coefficients of all dealer hands, wins, ties
    # and weak dealer hands; two of 32 bits in each word, the first one in the lower half
    margin: Int64s
    extra_stake: int  # what the largest river raise stakes beyond the smallest
    later_stake: int  # what the smallest river raise stakes beyond the smallest flop raise
    dealers: int


class Layer(NamedTuple):
    """A quantity summed over all turns and rivers."""

    ranks: Int64s  # [rank flop, pair]
    suits: Int64s  # [suited flop, type]: the difference that a flush makes


class FlopGains(NamedTuple):
    """Gains of flop actions over the smallest raise there, either by ranks or by suits."""

    check: Int64s
    edge: Int64s  # per extra unit staked; one row if there is no larger raise


class ExposedFlops(NamedTuple):
    """Flops up to permutations of suits that leave the known cards unchanged."""

    cards: Uint8s  # [flop, 3]
    weight: Int64s  # [flop]: number of real flops it represents
    ranks: Int16s  # [flop]: its rank flop
    suited_flops: Int16s  # [flop, suit]: the flop as the suit views it, -1 if it has no such card


class ExposedLayers(NamedTuple):
    """Layers by ranks, and by suit for each suit view."""

    rank_check: Int64s  # [rank flop, pair]: gain of checking over the smallest raise
    rank_edge: Int64s
    suit_views: Int64s  # [suit]: first index of the next two
    check: Int64s  # [suit view, suited flop, type]
    edge: Int64s


class FlopShares(NamedTuple):
    """Deals decided on a flop, for its boards: × SCALE ÷ the ways to deal the flop."""

    ranks: Int64s  # [rank flop, pair]
    suits: Int32s  # [suited flop, type]


class FlopTallies(NamedTuple):
    """Deals × SCALE that were decided on the flop."""

    suited: Int64s  # [rank board, pair]: the shares of its suited boards
    flop: Int64s  # [row, river action, verdict, 4]


# One situation, for advice.


class Situation(NamedTuple):
    hole: Int64s  # [2]
    cards: Int64s  # all unknown cards
    unknown: int  # the unknown cards as a mask of 52 bits
    qualifier: int


class AdvicePays(NamedTuple):
    """Payoffs in units, for each dealer hand."""

    base: Int64s  # [category, lose | tie | win, dealer qualifies]: Ante and Odds
    fold: Int64s  # [category]
    least: int  # stake of the smallest river raise
    most: int  # stake of the largest


# Memory for one thread alone. Threads that write to the same cache line slow each other down (false
# sharing), and small arrays allocated one after another often share a line.

CACHE_LINE_BYTES = 128  # processors fetch lines of 64 bytes in pairs


def allocate_padded(*specifications: tuple[Sequence[int], type[np.generic]]) -> list[NDArray[Any]]:
    """Zeroed arrays of these shapes and types, each on its own cache lines."""
    sizes = [prod(shape) * np.dtype(dtype).itemsize for shape, dtype in specifications]
    padded_sizes = [-(-size // CACHE_LINE_BYTES) * CACHE_LINE_BYTES for size in sizes]
    memory = np.zeros(sum(padded_sizes) + CACHE_LINE_BYTES, np.uint8)
    offset = -memory.__array_interface__["data"][0] % CACHE_LINE_BYTES
    arrays = []
    for (shape, dtype), size, padded in zip(specifications, sizes, padded_sizes, strict=True):
        arrays.append(memory[offset : offset + size].view(dtype).reshape(tuple(shape)))
        offset += padded
    return arrays
