"""Whole tables dealt by chance: one to six seats that share dealer and board.

Chance is counted, not carried: what a round draws is a hash of seed, round and draw, so any chunk
of rounds comes out the same whoever deals it, and in whatever order. The hash is SplitMix64's. A
card that is out already is drawn again; a draw favours no card by more than one part in 2²⁶.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels import numbering
from headsup.analysis.kernels.arrays import PASSIVE, Bytes, Int64s, Lookup
from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.evaluator import FIVE_OF_A_SUIT, HIGH_BITS, LOW_BITS, SUIT_SHIFT
from headsup.analysis.kernels.numbering import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_OFF_SUITED,
    FIRST_SUITED,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
)

DRAWS = 256  # numbers set aside for each round, many more than it takes
WEYL = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
MAIN, TRIPS, POCKET, WAGERS = 0, 1, 2, 3
TOTAL, SQUARE, ALONE = 0, 1, 2  # of a table's round: its net, the square, the seats' squares

pair_number, set2 = kernel(numbering.pair_number), kernel(numbering.set2)
set3, multiset3 = kernel(numbering.set3), kernel(numbering.multiset3)


class Playbook(NamedTuple):
    """A strategy's every decision, to be looked up by cards."""

    pocket: Bytes  # [pocket class]: action
    flop_rows: NDArray[np.int16]  # [set of three cards]: its canonical flop
    flop_suits: Bytes  # [set of three cards, suit]: what the suit is called on it
    flop: Bytes  # [canonical flop, hole], packed four to a byte
    river_ranks: Bytes  # [rank board, pair], packed
    river_suited: Bytes  # [suited board, type], packed
    sets: NDArray[np.int16]  # [mask of ranks]: its number among the sets of its size


class TablePays(NamedTuple):
    """What each result nets a seat, in cents."""

    main: Int64s  # [multiple, category, lose | tie | win, dealer qualifies]; multiple 0 folds
    multiples: Int64s  # [street, action]: the first index of `main`
    trips: Int64s  # [folded, category]
    pocket: Int64s  # [folded, pocket class]
    qualifier: int


@kernel
def _drawn(seed: Any, counter: Any) -> int:
    value = seed + (counter + np.uint64(1)) * WEYL
    value = (value ^ (value >> np.uint64(30))) * MIX_1
    value = (value ^ (value >> np.uint64(27))) * MIX_2
    value ^= value >> np.uint64(31)
    return np.int64(((value >> np.uint64(32)) * np.uint64(52)) >> np.uint64(32))


@kernel
def _packed(actions: Any, at: int) -> int:
    return actions[at >> 2] >> (2 * (at & 3)) & 3


@kernel
def _evaluate(board: int, masks: Any, a: int, b: int, look: Lookup) -> int:
    """`board` sums the codes of its cards, `masks[suit]` has its ranks of a suit."""
    key = board + look.cards[a] + look.cards[b]
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
        return np.int64(look.flush[mask])
    low = look.low[key & ((1 << LOW_BITS) - 1)]
    return np.int64(look.ranks[low + look.high[key >> LOW_BITS & ((1 << HIGH_BITS) - 1)]])


@kernel
def _river_row(board: Any, masks: Any, sets: Any, ranks: Any) -> Any:
    """The flush suit, or -1, and the number of the suited or the rank board."""
    suit = -1
    for s in range(4):
        suited = 0
        for i in range(5):
            suited += board[i] & 3 == s
        if suited >= 3:
            suit = s
    count = 0
    for i in range(5):
        if suit < 0 or board[i] & 3 != suit:
            rank, at = board[i] >> 2, count
            while at > 0 and ranks[at - 1] > rank:
                ranks[at] = ranks[at - 1]
                at -= 1
            ranks[at] = rank
            count += 1
    if suit < 0:
        d, e = ranks[3] + 3, ranks[4] + 4
        four = d * (d - 1) * (d - 2) * (d - 3) // 24
        five = e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120
        return suit, multiset3(ranks[0], ranks[1], ranks[2]) + four + five
    number = np.int64(sets[masks[suit]])
    if count == 2:
        return suit, number * PAIRS + pair_number(ranks[0], ranks[1])
    return suit, FIRST_FOUR + number * RANKS + ranks[0] if count == 1 else FIRST_FIVE + number


@kernel
def _type_number(a: int, b: int) -> int:
    """The type of two kinds, a <= b."""
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_OFF_SUITED + a * RANKS + b - RANKS
    return FIRST_SUITED + set2(a - RANKS, b - RANKS)


@kernel
def _pocket_class(a: int, b: int) -> int:
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high


@kernel
def play_rounds(
    first: int, last: int, seats: int, seed: Any, book: Playbook, pays: TablePays, look: Lookup,
    sums: Any,
) -> None:  # fmt: skip
    """Rounds first to last of this seed; `sums[wager, TOTAL | SQUARE | ALONE]` are whole cents."""
    cards = np.zeros(2 * seats + 7, np.int64)
    board, masks, ranks = np.zeros(5, np.int64), np.zeros(4, np.int64), np.zeros(5, np.int64)
    totals = np.zeros(WAGERS, np.int64)
    for number in range(first, last):
        counter = np.uint64(number) * np.uint64(DRAWS)
        used = np.int64(0)
        for i in range(2 * seats + 7):
            card = _drawn(seed, counter)
            counter += np.uint64(1)
            while used >> card & 1:
                card = _drawn(seed, counter)
                counter += np.uint64(1)
            used |= np.int64(1) << card
            cards[i] = card
        masks[:] = 0
        code = np.int64(0x3333) << SUIT_SHIFT
        for i in range(5):
            board[i] = cards[2 + i]
            code += look.cards[board[i]]
            masks[board[i] & 3] |= 1 << (board[i] >> 2)
        dealer = _evaluate(code, masks, cards[0], cards[1], look)
        qualifies = 1 if dealer >= pays.qualifier else 0
        x, y, z = board[0], board[1], board[2]
        low, high = min(x, y, z), max(x, y, z)
        flop = set3(low, x + y + z - low - high, high)
        flop_row = np.int64(book.flop_rows[flop])
        suit, row = _river_row(board, masks, book.sets, ranks)
        totals[:] = 0
        for seat in range(seats):
            a, b = cards[7 + 2 * seat], cards[8 + 2 * seat]
            own = _evaluate(code, masks, a, b, look)
            pocket = _pocket_class(a, b)
            street, action = 0, np.int64(book.pocket[pocket])
            if action == PASSIVE:
                c = (a >> 2 << 2) | np.int64(book.flop_suits[flop, a & 3])
                d = (b >> 2 << 2) | np.int64(book.flop_suits[flop, b & 3])
                held = set2(min(c, d), max(c, d))
                street, action = 1, np.int64(_packed(book.flop, flop_row * HOLES + held))
            if action == PASSIVE:
                street = 2
                if suit < 0:
                    held = pair_number(min(a, b) >> 2, max(a, b) >> 2)
                    action = np.int64(_packed(book.river_ranks, row * PAIRS + held))
                else:
                    kind = (a >> 2) + (RANKS if a & 3 == suit else 0)
                    other = (b >> 2) + (RANKS if b & 3 == suit else 0)
                    held = _type_number(min(kind, other), max(kind, other))
                    action = np.int64(_packed(book.river_suited, row * TYPES + held))
            folded = 1 if street == 2 and action == PASSIVE else 0
            multiple = pays.multiples[street, action]
            result = 1 + (own > dealer) - (own < dealer)
            main = pays.main[multiple, own >> 20, result, qualifies]
            trips, bonus = pays.trips[folded, own >> 20], pays.pocket[folded, pocket]
            totals[MAIN] += main
            totals[TRIPS] += trips
            totals[POCKET] += bonus
            sums[MAIN, ALONE] += main * main
            sums[TRIPS, ALONE] += trips * trips
            sums[POCKET, ALONE] += bonus * bonus
        for wager in range(WAGERS):
            sums[wager, TOTAL] += totals[wager]
            sums[wager, SQUARE] += totals[wager] * totals[wager]
