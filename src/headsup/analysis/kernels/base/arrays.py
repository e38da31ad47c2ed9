"""The arrays that kernels take, in groups: what each index means, and what is counted in it.

Numbers of boards, flops, types and holes are those of `numbering`. DealerCounts are exact integers:
of dealer hands beside one hole and one board, or of deals. Values are in units, of which
`Payoffs.unit` make one Ante, and are summed over the dealer hands, never divided.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int16s = NDArray[np.int16]
Uint8s = NDArray[np.uint8]

# What is written in `DealerCounts.verdict`: the player's category, plus QUALIFIES when the player's
# own hand would qualify, or IMPOSSIBLE when the board holds one of the cards.
QUALIFIES, IMPOSSIBLE = 16, 31
VERDICTS = 32
# What is written in arrays of actions: fold or check, raise the least, raise the most.
PASSIVE, MIN_RAISE, MAX_RAISE = 0, 1, 2
# What is added up in a tally, by verdict: deals, then their wins, ties and weak dealer hands.
TALLY_FIELDS = 4
# Above every strength: after the last one of a row.
END_OF_ROW = 1 << 30


# Known before any hand is compared (`evaluator`, `board_tables`, `sweep`).


class StrengthTables(NamedTuple):
    """A card is a number; seven of them added up say everything.

    `ranks[low[…] + high[…]]` is the strength of the ranks, `flush[mask]` that of one suit.
    """

    cards: Int64s  # [card]: its place in base 5 in the low or the high half, plus one in its suit
    places: Int64s  # [rank]: the same without the suit
    low: Int32s  # [base 5 of ranks 0–6]
    high: Int32s  # [base 5 of ranks 7–12]
    ranks: Int32s  # [low + high]: strength
    flush: Int32s  # [mask of ranks]: strength


class HoleTypes(NamedTuple):
    """Two hole cards as one suit sees them, and two ranks."""

    kinds: Uint8s  # [type, 2]
    pair: Uint8s  # [type]: the pair of its ranks
    ranks: Uint8s  # [pair, 2]: two ranks, ascending
    ways2: Int64s  # [off pair, type]: ways to deal two off cards beside the hole
    ways1: Int64s  # [off rank, type]


class RankBoards(NamedTuple):
    """Boards as ranks alone."""

    ranks: Uint8s  # [rank board, 5]: ascending
    ways: Int64s  # [rank board, pair]: ways to deal it beside the hole


class RankFlops(NamedTuple):
    ranks: Uint8s  # [rank flop, 3]: ascending
    ways: Int64s  # [rank flop, pair]


class SuitedBoards(NamedTuple):
    """Boards on which the flush suit may make a flush, by three, four or five cards of it."""

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

    cards: Uint8s  # [flop, 3]: of its representative
    weight: Int64s  # [flop]: real flops that it stands for
    ranks: Int16s  # [flop]: its rank flop
    views: Int16s  # [flop, suit]: the suited flop seen from it, -1 where no flush


class BoardTables(NamedTuple):
    types: HoleTypes
    rank_boards: RankBoards
    rank_flops: RankFlops
    suited_boards: SuitedBoards
    holes: Holes
    flops: Flops


class StrengthOrders(NamedTuple):
    """Pairs of ranks on every rank board, weakest first, and suited hole cards on every suit."""

    pairs: Uint8s  # [rank board, place]
    strengths: Int32s  # [rank board, place]: ascending
    flushes: Int16s  # [mask of suited ranks, place, 2]: suited hole ranks, -1 for none
    flush_strengths: Int32s  # [mask, place]: ascending; NEVER after the last


# Counted and summed by the solver.


class DeckTerms(NamedTuple):
    """What a deck holds as one suit sees it, and with which strength its dealer qualifies."""

    off: Int64s  # [rank]: cards of the three other suits
    suited: Int64s  # [rank]: 1 if the flush suit's card is there, else 0
    qualifier: int  # the lowest strength that qualifies; 0 if every hand does


class Ways(NamedTuple):
    """Ways to deal boards and flops beside each hole from one deck, as one suit sees it."""

    types: HoleTypes
    rank_boards: RankBoards
    rank_flops: Int64s  # [rank flop, pair]
    suited_flops: Int64s  # [suited flop, type]


class DealerCounts(NamedTuple):
    """Dealer hands, for each board (row) and pair or type of the player (column)."""

    win: Int16s  # that the player beats
    tie: Int16s
    weak: Int16s  # that do not qualify
    verdict: Uint8s

    @classmethod
    def empty(cls, boards: int, types: int) -> "DealerCounts":
        """For kernels to fill; memory that nobody has touched is zero at no cost."""
        win, tie, weak = (np.zeros((boards, types), np.int16) for _ in range(3))
        return cls(win, tie, weak, np.zeros((boards, types), np.uint8))


class Terms(NamedTuple):
    """What a hand is worth on the river against all dealer hands at once, in units."""

    pays: Int64s  # [verdict, 4]: of Ante and Odds, linear in 1, wins, ties, weak dealer hands
    fold: Int64s  # [verdict]
    least: int  # what the least river raise stakes
    most: int
    flop: int  # what the least flop raise stakes
    dealers: int  # dealer hands beside one hole and one board


class RiverChoice(NamedTuple):
    """What decides on the river, and what is summed up of it: `flops` has the sum."""

    margin: Int64s  # [verdict, 2]: the least raise less a fold, linear in dealer hands and wins,
    # ties and weak dealer hands; two pays of 32 bits in each word, the first of them below
    more: int  # what the most river raise stakes beyond the least
    later: int  # what the least river raise stakes beyond the least on the flop
    dealers: int


class Layer(NamedTuple):
    """One quantity summed over turns and rivers."""

    ranks: Int64s  # [rank flop, pair]
    suits: Int64s  # [suited flop, type]: the difference that a flush makes


class FlopGains(NamedTuple):
    """What actions on a flop gain over the least raise there, all by ranks or all by suits."""

    check: Int64s
    edge: Int64s  # for each unit that a larger raise stakes more; one row where there is none


class ExposedFlops(NamedTuple):
    """Flops that differ when some cards are known: suits are alike only as far as those are."""

    cards: Uint8s  # [flop, 3]
    weight: Int64s  # [flop]: real flops that it stands for
    ranks: Int16s  # [flop]: its rank flop
    views: Int16s  # [flop, suit]: the suited flop seen from each of the four, -1 where no flush


class ExposedLayers(NamedTuple):
    """Layers by ranks, and by suit for each sight: suits that see the same deck share one."""

    rank_check: Int64s  # [rank flop, pair]: what checking gains over the least raise
    rank_edge: Int64s
    sights: Int64s  # [suit]: the first index of the next two
    check: Int64s  # [sight, suited flop, type]
    edge: Int64s


class FlopShares(NamedTuple):
    """Deals decided on a flop, to hand down to its boards: × SCALE ÷ the ways to deal it."""

    ranks: Int64s  # [rank flop, pair]
    suits: Int32s  # [suited flop, type]


class FlopTallies(NamedTuple):
    """Deals × SCALE that were decided on the flop."""

    suited: Int64s  # [rank board, pair]: shares that fell on its suited boards
    flop: Int64s  # [row, river action, verdict, 4]


# One situation, for advice.


class Situation(NamedTuple):
    hole: Int64s  # [2]
    cards: Int64s  # [place]: every card that is not known
    unknown: int  # the same as a mask of 52 bits
    qualifier: int


class AdvicePays(NamedTuple):
    """In units, for each dealer hand."""

    base: Int64s  # [category, lose | tie | win, dealer qualifies]: of Ante and Odds
    fold: Int64s  # [category]
    least: int  # what the least river raise stakes
    most: int
