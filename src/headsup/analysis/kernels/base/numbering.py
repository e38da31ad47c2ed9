"""Numbers boards, flops and hole cards from the point of view of one suit.

Fix a suit, the *flush suit*. From its point of view each card is a **kind**: `rank` if it is of
another suit (which one never matters), `13 + rank` if it is of the flush suit. Two hole cards are a
**type**, a pair of kinds. A board or flop is a set of suited ranks and a multiset of off ranks. All
are numbered in colexicographic order, so each number is a sum of binomials. Plural constants such
as `PAIRS` are counts.

These are plain functions, so that a stored strategy can be read without Numba. Kernels compile the
ones they need.
"""

RANKS = 13
PAIRS = 91  # multisets of two ranks
TYPES = 338  # 91 off-off, 169 off-suited, 78 suited-suited
FIRST_ONE_SUITED_TYPE, FIRST_TWO_SUITED_TYPE = 91, 260
HOLES = 1326
RANK_BOARDS = 6188  # multisets of five ranks; thirteen of them cannot be dealt
RANK_FLOPS = 455

SETS_OF_THREE, SETS_OF_FOUR, SETS_OF_FIVE = 286, 715, 1287  # of ranks
FIRST_FOUR_SUITED = SETS_OF_THREE * PAIRS  # first boards with four cards of the flush suit
FIRST_FIVE_SUITED = FIRST_FOUR_SUITED + SETS_OF_FOUR * RANKS
SUITED_BOARDS = FIRST_FIVE_SUITED + SETS_OF_FIVE
FIRST_TWO_SUITED_FLOP = RANKS * PAIRS  # first flops with two cards of the flush suit
FIRST_THREE_SUITED_FLOP = FIRST_TWO_SUITED_FLOP + 78 * RANKS
SUITED_FLOPS = FIRST_THREE_SUITED_FLOP + SETS_OF_THREE

FIRST_TWO_TONE = RANK_FLOPS  # canonical flops: rainbow, two-tone, monotone
FIRST_MONOTONE = FIRST_TWO_TONE + 78 * RANKS
FLOPS = FIRST_MONOTONE + SETS_OF_THREE


def pair_number(a: int, b: int) -> int:
    """The number of a multiset of two ranks, a <= b."""
    return a + b * (b + 1) // 2


def set2_number(a: int, b: int) -> int:
    """The number of a set of two, a < b."""
    return a + b * (b - 1) // 2


def set3_number(a: int, b: int, c: int) -> int:
    """The number of a set of three, a < b < c."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


def multiset3_number(a: int, b: int, c: int) -> int:
    """The number of a multiset of three ranks, ascending: that of the set a, b + 1, c + 2."""
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


def multiset5_number(a: int, b: int, c: int, d: int, e: int) -> int:
    """The number of a multiset of five ranks, ascending."""
    d, e = d + 3, e + 4
    four = d * (d - 1) * (d - 2) * (d - 3) // 24
    return multiset3_number(a, b, c) + four + e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120


def type_number(x: int, y: int) -> int:
    """The type of two kinds, in any order."""
    a, b = min(x, y), max(x, y)
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_ONE_SUITED_TYPE + a * RANKS + b - RANKS
    return FIRST_TWO_SUITED_TYPE + set2_number(a - RANKS, b - RANKS)


def hole_number(a: int, b: int) -> int:
    """The number of two cards, in any order: 0–1325."""
    return set2_number(min(a, b), max(a, b))


def pocket_class(a: int, b: int) -> int:
    """The pocket class of two cards in a 13 × 13 chart: suited above the diagonal."""
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high
