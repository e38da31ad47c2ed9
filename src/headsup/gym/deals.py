"""Many deals at once, as arrays: shuffled, looked at street by street, and compared.

A deal is nine cards: two hole cards, five of the board, two of the dealer; then four of All 6.
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
    FIRST_OFF_SUITED_TYPE,
    FIRST_SUITED_TYPE,
    PAIRS,
    RANKS,
    TYPES,
    set3_number,
)
from headsup.analysis.solver.strategy import canonical_flop

CARDS_DEALT = 9
HOLE, BOARD, DEALER, PACKET = slice(0, 2), slice(2, 7), slice(7, 9), slice(9, 13)
HIDDEN_CARD = 52  # in the place of a card that is not shown yet
CARDS_SHOWN = (2, 5, 7)  # cards that a player sees, by street: pocket, flop, river


def shuffle_decks(decks: Int64s, random: np.random.Generator, dealt: int = CARDS_DEALT) -> None:
    """Put so many cards by chance at the top of each deck (Fisher and Yates)."""
    rows = np.arange(len(decks))
    for place in range(dealt):
        other = random.integers(place, 52, len(decks))
        taken = decks[rows, other]
        decks[rows, other] = decks[:, place]
        decks[:, place] = taken


def hand_strengths(hands: Int64s) -> Int64s:
    """Of rows of seven cards, as in `headsup.game.values.hands`."""
    look: StrengthTables = strength_tables()
    key = look.cards[hands].sum(axis=1) + (0x3333 << SUIT_SHIFT)
    low = look.low[key & ((1 << LOW_BITS) - 1)].astype(np.int64)
    high = look.high[key >> LOW_BITS & ((1 << HIGH_BITS) - 1)]
    suited = key >> SUIT_SHIFT & FIVE_OF_A_SUIT
    flushes = np.flatnonzero(suited)
    low[flushes] = 0  # no rank code counts there
    high[flushes] = 0
    made: Int64s = look.ranks[low + high].astype(np.int64)
    if len(flushes):
        suit = np.log2(suited[flushes]).astype(np.int64) // 4
        held = hands[flushes]
        mask = ((held & 3 == suit[:, None]) << (held >> 2)).sum(axis=1)
        made[flushes] = look.flush[mask]
    return made


# As a strategy looks its decisions up (`headsup.analysis.solver.strategy`).


def pocket_classes(holes: Int64s) -> Int64s:
    high, low = holes.max(axis=1) >> 2, holes.min(axis=1) >> 2
    suited = holes[:, 0] & 3 == holes[:, 1] & 3
    classes: Int64s = np.where(suited, high * RANKS + low, low * RANKS + high)
    return classes


@cache
def canonical_flops() -> tuple[Int64s, Int64s]:
    """By set of three cards: the canonical flop's number, and what each suit is called on it."""
    rows, suits = np.zeros(22_100, np.int64), np.zeros((22_100, 4), np.int64)
    for flop in combinations(range(52), 3):
        at = set3_number(*flop)
        rows[at], suits[at] = canonical_flop(flop)
    return rows, suits


def flop_indices(holes: Int64s, flops: Int64s, columns: int) -> Int64s:
    """Where the decision of each hole on its flop stands."""
    low, middle, high = np.sort(flops, axis=1).T
    number = low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6
    rows, suits = canonical_flops()
    renamed = holes >> 2 << 2 | np.take_along_axis(suits[number], holes & 3, axis=1)
    first, second = renamed.min(axis=1), renamed.max(axis=1)
    places: Int64s = rows[number] * columns + first + second * (second - 1) // 2
    return places


@cache
def _set_numbers() -> Int64s:
    """By mask of ranks: its number among the sets of its size."""
    numbers = np.zeros(1 << RANKS, np.int64)
    for size in (3, 4, 5):
        for ranks in combinations(range(RANKS), size):
            mask = sum(1 << rank for rank in ranks)
            numbers[mask] = sum(comb(rank, place + 1) for place, rank in enumerate(ranks))
    return numbers


def river_indices(holes: Int64s, boards: Int64s) -> tuple[NDArray[np.bool_], Int64s]:
    """Whether a flush is possible on each board, and where its decision stands then, or else."""
    suits = (boards & 3)[:, :, None] == np.arange(4)
    counts = suits.sum(axis=1)
    suit, suited = counts.argmax(axis=1), counts.max(axis=1)
    possible = suited >= 3
    places = np.empty(len(boards), np.int64)
    plain = ~possible
    places[plain] = _rank_indices(holes[plain], boards[plain])
    places[possible] = _suited_indices(
        holes[possible], boards[possible], suit[possible], suited[possible]
    )
    return possible, places


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
    places: Int64s = board * PAIRS + low + high * (high + 1) // 2
    return places


def _suited_indices(holes: Int64s, boards: Int64s, suit: Int64s, suited: Int64s) -> Int64s:
    within = boards & 3 == suit[:, None]
    number = _set_numbers()[(within << (boards >> 2)).sum(axis=1)]
    # Off cards sorted to the front; of four suited cards there is one, of three there are two.
    off = np.sort(np.where(within, RANKS, boards >> 2), axis=1)
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
    one, both = low - RANKS, high - RANKS
    held = np.select(
        [high < RANKS, low < RANKS],
        [low + high * (high + 1) // 2, FIRST_OFF_SUITED_TYPE + low * RANKS + both],
        FIRST_SUITED_TYPE + one + both * (both - 1) // 2,
    )
    places: Int64s = row * TYPES + held
    return places
