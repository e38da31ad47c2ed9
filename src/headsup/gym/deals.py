"""Many deals at once as arrays: shuffling, looking up decisions and comparing hands.

A deal is nine cards: two hole cards, five board cards and the dealer's two; then four for All 6.
"""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s, StrengthTables
from headsup.analysis.kernels.base.evaluator import (
    FIVE_OF_A_SUIT,
    HIGH_BITS,
    LOW_BITS,
    SUIT_SHIFT,
    strength_tables,
)
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_ONE_SUITED_TYPE,
    FIRST_TWO_SUITED_TYPE,
    PAIRS,
    RANKS,
    TYPES,
    set3_number,
)
from headsup.analysis.solver.strategy import canonical_flop

CARDS_DEALT = 9
HOLE, BOARD, DEALER, PACKET = slice(0, 2), slice(2, 7), slice(7, 9), slice(9, 13)
HIDDEN_CARD = 52  # stands for a card that is not shown yet
CARDS_SHOWN = (2, 5, 7)  # how many cards a player sees on pocket, flop and river


def shuffle_decks(
    decks: Int64s, random: np.random.Generator, cards_dealt: int = CARDS_DEALT
) -> None:
    """Shuffle the first `cards_dealt` cards of each deck (Fisher–Yates)."""
    rows = np.arange(len(decks))
    for position in range(cards_dealt):
        other = random.integers(position, 52, len(decks))
        picked = decks[rows, other]
        decks[rows, other] = decks[:, position]
        decks[:, position] = picked


def hand_strengths(hands: Int64s) -> Int64s:
    """[row]: the strength of seven cards, as in `headsup.game.values.hands`."""
    tables: StrengthTables = strength_tables()
    key = tables.card_codes[hands].sum(axis=1) + (0x3333 << SUIT_SHIFT)
    low = tables.low[key & ((1 << LOW_BITS) - 1)].astype(np.int64)
    high = tables.high[key >> LOW_BITS & ((1 << HIGH_BITS) - 1)]
    suited = key >> SUIT_SHIFT & FIVE_OF_A_SUIT
    flushes = np.flatnonzero(suited)
    low[flushes] = 0  # flushes are looked up by suit instead
    high[flushes] = 0
    strengths: Int64s = tables.ranks[low + high].astype(np.int64)
    if len(flushes):
        suit = np.log2(suited[flushes]).astype(np.int64) // 4
        flush_hands = hands[flushes]
        mask = ((flush_hands & 3 == suit[:, None]) << (flush_hands >> 2)).sum(axis=1)
        strengths[flushes] = tables.flush[mask]
    return strengths


# Indices of decisions, the same as in `headsup.analysis.solver.strategy`.


def pocket_classes(holes: Int64s) -> Int64s:
    """[row]: the pocket class of a hole."""
    high, low = holes.max(axis=1) >> 2, holes.min(axis=1) >> 2
    suited = holes[:, 0] & 3 == holes[:, 1] & 3
    classes: Int64s = np.where(suited, high * RANKS + low, low * RANKS + high)
    return classes


@cache
def canonical_flops() -> tuple[Int64s, Int64s]:
    """[set of three cards]: the canonical flop's number, and the new name of each suit on it."""
    rows, suits = np.zeros(22_100, np.int64), np.zeros((22_100, 4), np.int64)
    for flop in combinations(range(52), 3):
        number = set3_number(*flop)
        rows[number], suits[number] = canonical_flop(flop)
    return rows, suits


def flop_indices(holes: Int64s, flops: Int64s, columns: int) -> Int64s:
    """[row]: the index of the decision for a hole on its flop."""
    low, middle, high = np.sort(flops, axis=1).T
    number = low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6
    rows, suits = canonical_flops()
    renamed = holes >> 2 << 2 | np.take_along_axis(suits[number], holes & 3, axis=1)
    first, second = renamed.min(axis=1), renamed.max(axis=1)
    indices: Int64s = rows[number] * columns + first + second * (second - 1) // 2
    return indices


@cache
def _set_numbers() -> Int64s:
    """[mask of ranks]: the number of this set among the sets of its size."""
    numbers = np.zeros(1 << RANKS, np.int64)
    for size in (3, 4, 5):
        for ranks in combinations(range(RANKS), size):
            mask = sum(1 << rank for rank in ranks)
            numbers[mask] = sum(comb(rank, index + 1) for index, rank in enumerate(ranks))
    return numbers


def river_indices(holes: Int64s, boards: Int64s) -> tuple[NDArray[np.bool_], Int64s]:
    """[row]: whether the board allows a flush, and the index of the decision in that section."""
    suits = (boards & 3)[:, :, None] == np.arange(4)
    counts = suits.sum(axis=1)
    suit, suited = counts.argmax(axis=1), counts.max(axis=1)
    has_flush = suited >= 3
    indices = np.empty(len(boards), np.int64)
    no_flush = ~has_flush
    indices[no_flush] = _rank_indices(holes[no_flush], boards[no_flush])
    indices[has_flush] = _suited_indices(
        holes[has_flush], boards[has_flush], suit[has_flush], suited[has_flush]
    )
    return has_flush, indices


def _rank_indices(holes: Int64s, boards: Int64s) -> Int64s:
    a, b, c, d, e = (np.sort(boards >> 2, axis=1) + np.arange(5)).T
    board = (
        a
        + b * (b - 1) // 2
        + c * (c - 1) * (c - 2) // 6
        + d * (d - 1) * (d - 2) * (d - 3) // 24
        + e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120
    )
    low, high = np.sort(holes >> 2, axis=1).T
    indices: Int64s = board * PAIRS + low + high * (high + 1) // 2
    return indices


def _suited_indices(holes: Int64s, boards: Int64s, suit: Int64s, suited: Int64s) -> Int64s:
    is_suited = boards & 3 == suit[:, None]
    number = _set_numbers()[(is_suited << (boards >> 2)).sum(axis=1)]
    # Offsuit cards sorted to the front: one with four suited cards, two with three.
    off = np.sort(np.where(is_suited, RANKS, boards >> 2), axis=1)
    first, second = off[:, 0], off[:, 1]
    row = np.select(
        [suited == 3, suited == 4],
        [
            number * PAIRS + first + second * (second + 1) // 2,
            FIRST_FOUR_SUITED + number * RANKS + first,
        ],
        FIRST_FIVE_SUITED + number,
    )
    kinds = np.sort((holes >> 2) + RANKS * (holes & 3 == suit[:, None]), axis=1)
    low, high = kinds.T
    low_suited, high_suited = low - RANKS, high - RANKS
    hole_type = np.select(
        [high < RANKS, low < RANKS],
        [low + high * (high + 1) // 2, FIRST_ONE_SUITED_TYPE + low * RANKS + high_suited],
        FIRST_TWO_SUITED_TYPE + low_suited + high_suited * (high_suited - 1) // 2,
    )
    indices: Int64s = row * TYPES + hole_type
    return indices
