"""Evaluates seven-card hands by table lookup.

A strength is `category << 20`, followed by up to five ranks of four bits each, most important
first, as in `headsup.game.values.hands`. A hand is decided either by the ranks of a suit with five
or more cards, or by how often each rank occurs. Both are small enough to look up.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"
from functools import cache
from typing import Any

import numpy as np

from headsup.analysis.kernels.base.arrays import StrengthTables
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.numbering import RANKS

HIGH_CARD, ONE_PAIR, TWO_PAIR, TRIPS, STRAIGHT = 0, 1, 2, 3, 4
FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = 5, 6, 7, 8, 9

LOW_RANKS = 7  # ranks 0–6 are the low half of a rank code, 7–12 the high half
LOW_CODES, HIGH_CODES = 5**7, 5**6
RANK_CODES = 49_205  # combinations of seven cards by rank
LOW_BITS, HIGH_BITS = 17, 14
SUIT_SHIFT = LOW_BITS + HIGH_BITS
FIVE_OF_A_SUIT = 0x8888  # suit counters start at 3, so the fifth card carries into the top bit


@bare_kernel
def straight_top(mask: int) -> int:
    """The top rank of the best straight in a set of ranks, or -1; the wheel's top is the five."""
    for top in range(12, 3, -1):
        if (mask >> (top - 4)) & 31 == 31:
            return top
    return 3 if mask & 0x100F == 0x100F else -1


@bare_kernel
def top_ranks(mask: int, count: int) -> int:
    """The `count` highest ranks of a set, packed four bits each from bit 16 down."""
    packed = 0
    shift = 16
    for rank in range(12, -1, -1):
        if count > 0 and mask >> rank & 1:
            packed |= rank << shift
            shift -= 4
            count -= 1
    return packed


@bare_kernel
def flush_strength(mask: int) -> int:
    """The strength of five or more cards of one suit."""
    top = straight_top(mask)
    if top == 12:
        return ROYAL_FLUSH << 20 | top << 16
    if top >= 0:
        return STRAIGHT_FLUSH << 20 | top << 16
    return FLUSH << 20 | top_ranks(mask, 5)


@bare_kernel
def rank_strength(counts: int) -> int:
    """The strength by ranks alone. `counts` has three bits for each rank."""
    once, twice, thrice, four = 0, 0, 0, 0
    for rank in range(13):
        cards = counts >> (3 * rank) & 7
        once |= (cards == 1) << rank
        twice |= (cards == 2) << rank
        thrice |= (cards == 3) << rank
        four |= (cards == 4) << rank
    if four:
        quads = top_ranks(four, 1)
        return QUADS << 20 | quads | top_ranks(once | twice | thrice, 1) >> 4
    trips = top_ranks(thrice, 1)
    other_trips = thrice & ~(1 << (trips >> 16))
    if thrice and (twice or other_trips):
        return FULL_HOUSE << 20 | trips | top_ranks(twice | other_trips, 1) >> 4
    top = straight_top(once | twice | thrice)
    if top >= 0:
        return STRAIGHT << 20 | top << 16
    if thrice:
        return TRIPS << 20 | trips | top_ranks(once, 2) >> 4
    pair = top_ranks(twice, 1)
    other_pairs = twice & ~(1 << (pair >> 16))
    if other_pairs:
        second = top_ranks(other_pairs, 1)
        kickers = once | other_pairs & ~(1 << (second >> 16))
        return TWO_PAIR << 20 | pair | second >> 4 | top_ranks(kickers, 1) >> 8
    if twice:
        return ONE_PAIR << 20 | pair | top_ranks(once, 3) >> 4
    return HIGH_CARD << 20 | top_ranks(once, 5)


def rank_code(rank: int) -> int:
    """What one card of this rank adds to a rank code."""
    if rank < LOW_RANKS:
        return 5**rank
    return 5 ** (rank - LOW_RANKS) << LOW_BITS


@cache
def strength_tables() -> StrengthTables:
    rank_codes = np.array([rank_code(rank) for rank in range(13)], np.int64)
    card_codes = np.zeros(52, np.int64)
    for card in range(52):
        card_codes[card] = rank_codes[card >> 2] + (1 << (SUIT_SHIFT + 4 * (card & 3)))
    low, high = np.zeros(LOW_CODES, np.int32), np.zeros(HIGH_CODES, np.int32)
    ranks, flush = np.zeros(RANK_CODES, np.int32), np.zeros(1 << 13, np.int32)
    _rank_lookup(low, high, ranks, np.zeros(8, np.int64), np.zeros((8, HIGH_CODES), np.int64))
    _flush_lookup(flush)
    return StrengthTables(card_codes, rank_codes, low, high, ranks, flush)


@entry_kernel
def _flush_lookup(strengths: Any) -> None:
    for mask in range(1 << 13):
        strengths[mask] = flush_strength(mask)


@bare_kernel
def _unpack(code: int, ranks: int) -> tuple[int, int]:
    """Convert base 5 to three bits for each rank. Also returns the number of cards."""
    counts = 0
    cards = 0
    for rank in range(ranks):
        counts |= code % 5 << (3 * rank)
        cards += code % 5
        code //= 5
    return counts, cards


@entry_kernel
def _rank_lookup(low: Any, high: Any, ranks: Any, highs: Any, high_counts: Any) -> None:
    """Number every low half with k cards together with every high half with 7 - k.

    `highs` counts the high halves by their number of cards; `high_counts` has them unpacked.
    """
    for code in range(HIGH_CODES):
        counts, cards = _unpack(code, 13 - LOW_RANKS)
        if cards <= 7:
            high[code] = highs[cards]
            high_counts[cards, highs[cards]] = counts << (3 * LOW_RANKS)
            highs[cards] += 1
    total = 0
    for code in range(LOW_CODES):
        counts, cards = _unpack(code, LOW_RANKS)
        if cards <= 7:
            low[code] = total
            for i in range(highs[7 - cards]):
                ranks[total] = rank_strength(high_counts[7 - cards, i] | counts)
                total += 1


@entry_kernel
def evaluate(hands: Any, tables: StrengthTables, out: Any) -> None:
    """The strength of each row of seven cards."""
    card_codes, low, high = tables.card_codes, tables.low, tables.high
    ranks, flush = tables.ranks, tables.flush
    for i in range(hands.shape[0]):
        key = np.int64(0x3333) << SUIT_SHIFT
        for j in range(7):
            key += card_codes[hands[i, j]]
        suited = key >> SUIT_SHIFT & FIVE_OF_A_SUIT
        if suited:
            suit = 0
            while suited >> (4 * suit) & 8 == 0:
                suit += 1
            mask = 0
            for j in range(7):
                if hands[i, j] & 3 == suit:
                    mask |= 1 << (hands[i, j] >> 2)
            out[i] = flush[mask]
        else:
            low_code = key & ((1 << LOW_BITS) - 1)
            high_code = key >> LOW_BITS & ((1 << HIGH_BITS) - 1)
            out[i] = ranks[low[low_code] + high[high_code]]


@bare_kernel
def strength_on_board(board: int, masks: Any, a: int, b: int, tables: StrengthTables) -> int:
    """The strength of hole a, b. `board` is the sum of its card codes, `masks[suit]` its ranks."""
    key = board + tables.card_codes[a] + tables.card_codes[b]
    suited = key >> SUIT_SHIFT & FIVE_OF_A_SUIT
    if suited:
        suit = 0
        while suited >> (4 * suit) & 8 == 0:
            suit += 1
        mask = masks[suit]
        if a & 3 == suit:
            mask |= 1 << (a >> 2)
        if b & 3 == suit:
            mask |= 1 << (b >> 2)
        return np.int64(tables.flush[mask])
    low = tables.low[key & ((1 << LOW_BITS) - 1)]
    return np.int64(tables.ranks[low + tables.high[key >> LOW_BITS & ((1 << HIGH_BITS) - 1)]])


@bare_kernel
def kinds_strength(
    code: int, suited: int, mask: int, x: int, y: int, tables: StrengthTables
) -> int:
    """The strength of a board and two kinds. `suited` board cards are of the flush suit."""
    rank_codes, low, high = tables.rank_codes, tables.low, tables.high
    ranks, flush = tables.ranks, tables.flush
    suited_cards = suited + (x >= RANKS) + (y >= RANKS)
    if suited > 0 and suited_cards >= 5:
        if x >= RANKS:
            mask |= 1 << (x - RANKS)
        if y >= RANKS:
            mask |= 1 << (y - RANKS)
        return np.int64(flush[mask])
    key = code + rank_codes[x % RANKS] + rank_codes[y % RANKS]
    return np.int64(ranks[low[key & ((1 << LOW_BITS) - 1)] + high[key >> LOW_BITS]])
