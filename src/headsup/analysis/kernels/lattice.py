"""Boards, flops and hole cards as one suit sees them, numbered.

Fix a suit, the *flush suit*. Seen from it, a card is a **kind**: `rank` when it is of one of the
three other suits (which of them never matters), `13 + rank` when it is of the flush suit. Two hole
cards are a **type**, a pair of kinds. A board is its set of suited ranks and its multiset of off
ranks; likewise a flop. All are numbered in colexicographic order, so that each number is a sum of
binomials.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.compiled import kernel

RANKS = 13
PAIRS = 91  # two ranks, or both off cards of a board: multisets
TYPES = 338  # 91 off-off, 169 off-suited, 78 suited-suited
FIRST_OFF_SUITED, FIRST_SUITED = 91, 260
HOLES = 1326
RANK_BOARDS = 6188  # multisets of five ranks; thirteen of them no deck can deal
RANK_FLOPS = 455

THREES, FOURS, FIVES = 286, 715, 1287  # sets of three, four, five ranks
FIRST_FOUR = THREES * PAIRS  # boards with three, four, five cards of the flush suit
FIRST_FIVE = FIRST_FOUR + FOURS * RANKS
SUITED_BOARDS = FIRST_FIVE + FIVES
FIRST_TWO_FLOP = RANKS * PAIRS  # flops with one, two, three cards of the flush suit
FIRST_THREE_FLOP = FIRST_TWO_FLOP + 78 * RANKS
SUITED_FLOPS = FIRST_THREE_FLOP + THREES

FIRST_TWO_TONE = RANK_FLOPS  # canonical flops: rainbow, two-tone, one suit
FIRST_MONOTONE = FIRST_TWO_TONE + 78 * RANKS
FLOPS = FIRST_MONOTONE + THREES


@kernel
def pair_number(a: int, b: int) -> int:
    """A multiset of two ranks, a <= b."""
    return a + b * (b + 1) // 2


@kernel
def set2(a: int, b: int) -> int:
    """A set of two, a < b."""
    return a + b * (b - 1) // 2


@kernel
def set3(a: int, b: int, c: int) -> int:
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


@kernel
def multiset3(a: int, b: int, c: int) -> int:
    return set3(a, b + 1, c + 2)


@kernel
def multiset5(a: int, b: int, c: int, d: int, e: int) -> int:
    """A multiset of five ranks, ascending."""
    d, e = d + 3, e + 4
    four = d * (d - 1) * (d - 2) * (d - 3) // 24
    return set3(a, b + 1, c + 2) + four + e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120


@kernel
def type_number(x: int, y: int) -> int:
    """The type of two kinds, in any order."""
    a, b = min(x, y), max(x, y)
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_OFF_SUITED + a * RANKS + b - RANKS
    return FIRST_SUITED + set2(a - RANKS, b - RANKS)


@kernel
def hole_number(a: int, b: int) -> int:
    """Two cards, in any order, as 0–1325."""
    return set2(min(a, b), max(a, b))


class Lattice(NamedTuple):
    """What is known of the numbers above before any hand is compared."""

    kinds: NDArray[np.uint8]  # [type, 2]
    pair_of_type: NDArray[np.uint8]
    ways2: NDArray[np.int64]  # [off pair, type]: ways to deal two off cards beside the hole
    ways1: NDArray[np.int64]  # [off rank, type]
    off_pair: NDArray[np.uint8]  # [pair, 2]: its two ranks
    rank_board: NDArray[np.uint8]  # [rank board, 5]: its ranks, ascending
    rank_board_ways: NDArray[np.int64]  # [rank board, pair]: ways to deal it beside the hole
    rank_flop: NDArray[np.uint8]
    rank_flop_ways: NDArray[np.int64]
    holes: NDArray[np.uint8]  # [hole, 2]
    pair_of_hole: NDArray[np.uint8]
    class_of_hole: NDArray[np.uint8]
    type_of_hole: NDArray[np.uint16]  # [suit, hole]
    suited_threes: NDArray[np.uint8]
    suited_fours: NDArray[np.uint8]
    suited_fives: NDArray[np.uint8]
    flops: NDArray[np.uint8]  # [canonical flop, 3]: cards of its representative
    flop_weight: NDArray[np.int64]  # real flops that it stands for
    flop_ranks: NDArray[np.int16]  # its rank flop
    flop_views: NDArray[np.int16]  # [flop, suit]: the suited flop seen from it, -1 where no flush
    board_ranks: NDArray[np.int16]  # [suited board]: its rank board
    board_suited: NDArray[np.uint16]  # [suited board]: the mask of its suited ranks


def _sets(count: int) -> list[tuple[int, ...]]:
    return sorted(combinations(range(RANKS), count), key=lambda ranks: ranks[::-1])


def _multisets(count: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(range(RANKS), count)
    return sorted(chosen, key=lambda ranks: ranks[::-1])


def _bytes(rows: object) -> NDArray[np.uint8]:
    return np.array(rows, np.uint8)


def _ways(dealt: NDArray[np.uint8], held: NDArray[np.uint8], of_a_rank: int) -> NDArray[np.int64]:
    """Ways to deal each row of ranks from a deck that lacks the hole cards `held`.

    Kinds of the flush suit are no ranks, and take nothing from the off cards.
    """
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(5)])
    ranks = np.arange(RANKS)
    times = (dealt[:, :, None] == ranks).sum(1)
    lacking = (held[:, :, None] == ranks).sum(1)
    ways = np.ones((len(dealt), len(held)), np.int64)
    for rank in range(RANKS):
        ways *= choose[of_a_rank - lacking[None, :, rank], times[:, None, rank]]
    return ways


def class_number(a: int, b: int) -> int:
    """The pocket class of two cards in a 13 × 13 chart: suited above the diagonal."""
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high


def _flops() -> tuple[list[tuple[int, int, int]], list[int]]:
    """One flop of each pattern of suits: clubs, diamonds, hearts in the order first needed."""
    flops = [(4 * a, 4 * b + 1, 4 * c + 2) for a, b, c in _multisets(3)]
    weights = [
        24 // prod((1, 1, 2, 6)[ranks.count(r)] for r in set(ranks)) for ranks in _multisets(3)
    ]
    flops += [(4 * a, 4 * b, 4 * off + 1) for a, b in _sets(2) for off in range(RANKS)]
    weights += [12] * (78 * RANKS)
    flops += [(4 * a, 4 * b, 4 * c) for a, b, c in _sets(3)]
    weights += [4] * THREES
    return flops, weights


def _view(flop: tuple[int, ...], suit: int) -> int:
    suited = sorted(card >> 2 for card in flop if card & 3 == suit)
    off = sorted(card >> 2 for card in flop if card & 3 != suit)
    match suited:
        case [a]:
            return int(a * PAIRS + pair_number(*off))
        case [a, b]:
            return int(FIRST_TWO_FLOP + set2(a, b) * RANKS + off[0])
        case [a, b, c]:
            return int(FIRST_THREE_FLOP + set3(a, b, c))
    return -1


def _suited_boards() -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Rank board and mask of suited ranks, of every board that allows a flush."""
    ranks, masks = [], []
    for count in (3, 4, 5):
        suited, off = np.array(_sets(count)), np.array(_multisets(5 - count), np.int64)
        off = off.reshape(len(off), 5 - count)
        ranks.append(np.hstack([suited.repeat(len(off), 0), np.tile(off, (len(suited), 1))]))
        masks.append((1 << suited).sum(1).repeat(len(off)))
    return _rank_numbers(np.sort(np.concatenate(ranks), 1)), np.concatenate(masks).astype(np.uint16)


def _rank_numbers(rows: NDArray[np.int64]) -> NDArray[np.int16]:
    """`multiset5` of many boards at once."""
    binomial = np.array([[comb(n, k) for k in range(6)] for n in range(RANKS + 5)])
    numbers = np.zeros(len(rows), np.int64)
    for i in range(5):
        numbers += binomial[rows[:, i] + i, i + 1]
    return numbers.astype(np.int16)


@cache
def lattice() -> Lattice:
    off_pairs = _multisets(2)
    kinds = list(off_pairs)
    kinds += [(off, RANKS + suited) for off in range(RANKS) for suited in range(RANKS)]
    kinds += [(RANKS + a, RANKS + b) for a, b in _sets(2)]
    ranks = [sorted(kind % RANKS for kind in pair) for pair in kinds]
    holes = [(a, b) for b in range(52) for a in range(b)]
    flops, weights = _flops()
    boards, rank_flops = _bytes(_multisets(5)), _bytes(_multisets(3))
    pairs = _bytes(off_pairs)
    board_ranks, board_suited = _suited_boards()

    def seen_from(suit: int) -> list[int]:
        def kind(card: int) -> int:
            return (card >> 2) + (RANKS if card & 3 == suit else 0)

        return [int(type_number(kind(a), kind(b))) for a, b in holes]

    types = np.array([seen_from(suit) for suit in range(4)], np.uint16)
    return Lattice(
        kinds=_bytes(kinds),
        pair_of_type=_bytes([pair_number(a, b) for a, b in ranks]),
        ways2=_ways(pairs, _bytes(kinds), 3),
        ways1=_ways(_bytes(_multisets(1)), _bytes(kinds), 3),
        off_pair=pairs,
        rank_board=boards,
        rank_board_ways=_ways(boards, pairs, 4),
        rank_flop=rank_flops,
        rank_flop_ways=_ways(rank_flops, pairs, 4),
        holes=_bytes(holes),
        pair_of_hole=_bytes([pair_number(a >> 2, b >> 2) for a, b in holes]),
        class_of_hole=_bytes([class_number(a, b) for a, b in holes]),
        type_of_hole=types,
        suited_threes=_bytes(_sets(3)),
        suited_fours=_bytes(_sets(4)),
        suited_fives=_bytes(_sets(5)),
        flops=_bytes(flops),
        flop_weight=np.array(weights, np.int64),
        flop_ranks=np.array(
            [multiset3(*sorted(card >> 2 for card in flop)) for flop in flops], np.int16
        ),
        flop_views=np.array([[_view(flop, suit) for suit in range(3)] for flop in flops], np.int16),
        board_ranks=board_ranks,
        board_suited=board_suited,
    )
