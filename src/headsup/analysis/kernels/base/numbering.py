"""Boards, flops and hole cards as one suit sees them, numbered.

Fix a suit, the *flush suit*. Seen from it, a card is a **kind**: `rank` when it is of one of the
three other suits (which of them never matters), `13 + rank` when it is of the flush suit. Two hole
cards are a **type**, a pair of kinds. A board is its set of suited ranks and its multiset of off
ranks; likewise a flop. All are numbered in colexicographic order, so that each number is a sum of
binomials.

Plain Python, so that a saved strategy is read without Numba; kernels compile what they need.
"""

RANKS = 13
PAIRS = 91  # two ranks, or both off cards of a board: multisets
TYPES = 338  # 91 off-off, 169 off-suited, 78 suited-suited
FIRST_OFF_SUITED_TYPE, FIRST_SUITED_TYPE = 91, 260
HOLES = 1326
RANK_BOARDS = 6188  # multisets of five ranks; thirteen of them no deck can deal
RANK_FLOPS = 455

SETS_OF_THREE, SETS_OF_FOUR, SETS_OF_FIVE = 286, 715, 1287  # sets of three, four, five ranks
FIRST_FOUR_SUITED = SETS_OF_THREE * PAIRS  # boards with three, four, five cards of the flush suit
FIRST_FIVE_SUITED = FIRST_FOUR_SUITED + SETS_OF_FOUR * RANKS
SUITED_BOARDS = FIRST_FIVE_SUITED + SETS_OF_FIVE
FIRST_TWO_SUITED_FLOP = RANKS * PAIRS  # flops with one, two, three cards of the flush suit
FIRST_THREE_SUITED_FLOP = FIRST_TWO_SUITED_FLOP + 78 * RANKS
SUITED_FLOPS = FIRST_THREE_SUITED_FLOP + SETS_OF_THREE

FIRST_TWO_TONE = RANK_FLOPS  # canonical flops: rainbow, two-tone, one suit
FIRST_MONOTONE = FIRST_TWO_TONE + 78 * RANKS
FLOPS = FIRST_MONOTONE + SETS_OF_THREE


def pair_number(a: int, b: int) -> int:
    """A multiset of two ranks, a <= b."""
    return a + b * (b + 1) // 2


def set2_number(a: int, b: int) -> int:
    """A set of two, a < b."""
    return a + b * (b - 1) // 2


def set3_number(a: int, b: int, c: int) -> int:
    """A set of three, a < b < c."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


def multiset3_number(a: int, b: int, c: int) -> int:
    """A multiset of three ranks, ascending: the set of a, b + 1, c + 2."""
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


def multiset5_number(a: int, b: int, c: int, d: int, e: int) -> int:
    """A multiset of five ranks, ascending."""
    d, e = d + 3, e + 4
    four = d * (d - 1) * (d - 2) * (d - 3) // 24
    return multiset3_number(a, b, c) + four + e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120


def type_number(x: int, y: int) -> int:
    """The type of two kinds, in any order."""
    a, b = min(x, y), max(x, y)
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_OFF_SUITED_TYPE + a * RANKS + b - RANKS
    return FIRST_SUITED_TYPE + set2_number(a - RANKS, b - RANKS)


def hole_number(a: int, b: int) -> int:
    """Two cards, in any order, as 0–1325."""
    return set2_number(min(a, b), max(a, b))


def pocket_class(a: int, b: int) -> int:
    """The pocket class of two cards in a 13 × 13 chart: suited above the diagonal."""
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high
