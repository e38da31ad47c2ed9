"""One board laid out: all hands on it in order of strength, and the hands of each card and suit.

Distinct strengths are numbered from the weakest: **levels**.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.ranks import RANK_LANES
from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Int64s, StrengthTables, Uint8s
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import PAIRS, RANKS
from headsup.analysis.kernels.base.thread_memory import allocate_padded

pair_number = bare_kernel(numbering.pair_number)

KINDS = 2 * RANKS
MAX_LEVELS = 340  # of strength on one board, at most: one more than types
HAND_SETS, FLUSH_LANES = 4, 2  # as `board_packets` sums up
ANY_SUIT = 4  # the last place of `BoardLayout.below`


class BoardLayout(NamedTuple):
    """Of one board."""

    masks: Int64s  # [suit]: its ranks in it
    kind: Int64s  # [card]
    out: Uint8s  # [card]: 1 where the board has it
    left: Int64s  # [rank]
    strengths: Int64s  # [number]: of pairs of ranks, then of flushes
    first: Int64s  # [number]: kinds
    second: Int64s
    order: Int64s  # [number], by strength
    level: Int64s  # [number]
    made: Int64s  # [level]: the category
    ranked: Int64s  # [place]: pairs of ranks by strength
    in_deck: Int64s  # [kind]: cards
    of_ranks: Int64s  # [pair]: the level that ranks alone give
    levels: Int64s  # [kind, kind]
    # [level, card, suit]: hands of the card below the level with one of another suit than this,
    # and with any in the last place
    below: Uint8s
    off_below: Int64s  # [level, suit, rank]: the same, summed up over cards of other suits
    pairs: Int64s  # [suit, number, bits | level]: two cards of the suit, by level
    crossed: Int64s  # [suit, number, bit | rank | hands | level]: one of the suit with another
    pairs_below: Int64s  # [level, suit]
    crossed_below: Int64s  # [level, suit]
    ranks_below: Int64s  # [level]
    hands_below: Int64s  # [level]
    sizes: Int64s  # [pairs of ranks | flushes | levels | weak levels]
    pairs_count: Int64s  # [suit]
    crossed_count: Int64s  # [suit]
    runs: Int64s  # [number, 4]: sums on the way
    alike: Int64s  # [pair, set, lane]: of holes of these ranks that make no flush
    by_ranks: Int64s  # [kind, kind, set, lane]
    one_suited: Int64s  # [suit, rank, kind, set, lane]
    two_suited: Int64s  # [suit, hole, set, lane]
    hands: Int64s  # [set]


def layout_scratch() -> BoardLayout:
    long, byte = np.int64, np.uint8
    return BoardLayout(
        *allocate_padded(
            *(((4,), long), ((52,), long), ((52,), byte), ((RANKS,), long)),
            *(((MAX_LEVELS,), long), ((MAX_LEVELS,), long), ((MAX_LEVELS,), long)),
            *(((MAX_LEVELS,), long), ((MAX_LEVELS,), long), ((MAX_LEVELS,), long)),
            *(((PAIRS,), long), ((KINDS,), long), ((PAIRS,), long)),
            *(((KINDS, KINDS), long), ((MAX_LEVELS, 52, 5), byte), ((MAX_LEVELS, 4, RANKS), long)),
            *(((4, 78, 2), long), ((4, RANKS * KINDS, 4), long)),
            *(((MAX_LEVELS, 4), long), ((MAX_LEVELS, 4), long), ((MAX_LEVELS,), long)),
            *(
                ((MAX_LEVELS,), long),
                ((4,), long),
                ((4,), long),
                ((4,), long),
                ((MAX_LEVELS + 1, 4), long),
            ),
            ((PAIRS, HAND_SETS, RANK_LANES), long),
            ((KINDS, KINDS, HAND_SETS, RANK_LANES), long),
            ((4, RANKS, KINDS, HAND_SETS, FLUSH_LANES), long),
            ((4, 78, HAND_SETS, FLUSH_LANES), long),
            ((HAND_SETS,), long),
        )
    )


@bare_kernel
def lay_out(board: Any, suit: int, qualifier: int, look: StrengthTables, used: BoardLayout) -> None:
    """Sort all hands on the board; `suit` is the one that may make a flush, or -1."""
    masks, kind, out, left = used.masks, used.kind, used.out, used.left
    masks[:] = 0
    out[:] = 0
    left[:] = 4
    code = np.int64(0)
    for i in range(5):
        card = board[i]
        masks[card & 3] |= 1 << (card >> 2)
        out[card] = 1
        left[card >> 2] -= 1
        code += look.places[card >> 2]
    used.in_deck[:] = 0
    for card in range(52):
        kind[card] = (card >> 2) + (RANKS if card & 3 == suit else 0)
        used.in_deck[kind[card]] += 1 - out[card]
    _find_strengths(code, suit, look, used)
    _number_levels(qualifier, used)
    _find_levels(used)
    _list_hands(suit, used)


@bare_kernel
def _find_strengths(code: int, suit: int, look: StrengthTables, used: BoardLayout) -> None:
    strengths, first, second = used.strengths, used.first, used.second
    count = 0
    for v in range(RANKS):
        for u in range(v + 1):
            key = code + look.places[u] + look.places[v]
            possible = used.left[u] > 0 and used.left[v] > (1 if u == v else 0)
            strengths[count] = -1
            if possible:
                low = look.low[key & ((1 << LOW_BITS) - 1)]
                strengths[count] = look.ranks[low + look.high[key >> LOW_BITS]]
            first[count], second[count] = u, v
            count += 1
    used.sizes[0] = count
    if suit >= 0:
        mask = used.masks[suit]
        suited = 0
        for rank in range(RANKS):
            suited += mask >> rank & 1
        for v in range(RANKS):
            if mask >> v & 1:
                continue
            for u in range(RANKS):
                if suited >= 4 and used.left[u] - (1 - (mask >> u & 1)) > 0:
                    strengths[count] = look.flush[mask | 1 << v]
                    first[count], second[count] = u, RANKS + v
                    count += 1
                if u < v and not mask >> u & 1:
                    strengths[count] = look.flush[mask | 1 << v | 1 << u]
                    first[count], second[count] = RANKS + u, RANKS + v
                    count += 1
        if suited == 5:  # two off cards leave the board's own flush
            for v in range(RANKS):
                for u in range(v + 1):
                    strengths[count] = look.flush[mask]
                    first[count], second[count] = u, v
                    count += 1
    used.sizes[1] = count - used.sizes[0]


@bare_kernel
def _number_levels(qualifier: int, used: BoardLayout) -> None:
    strengths, order, level = used.strengths, used.order, used.level
    count = used.sizes[0] + used.sizes[1]
    for i in range(count):
        order[i] = i
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            moved, at = order[i], i
            while at >= gap and strengths[order[at - gap]] > strengths[moved]:
                order[at] = order[at - gap]
                at -= gap
            order[at] = moved
        gap //= 3
    number, before, weak, ranked = -1, np.int64(-2), 0, 0
    for i in range(count):
        if order[i] < used.sizes[0]:
            used.ranked[ranked] = order[i]
            ranked += 1
        strength = strengths[order[i]]
        if strength != before:
            number += 1
            before = strength
            weak += strength < qualifier
            used.made[number] = strength >> 20
        level[order[i]] = number
    used.sizes[2], used.sizes[3] = number + 1, weak


@bare_kernel
def _find_levels(used: BoardLayout) -> None:
    levels, level = used.levels, used.level
    ranks, flushes = used.sizes[0], used.sizes[1]
    for i in range(ranks):
        u, v = used.first[i], used.second[i]
        used.of_ranks[i] = level[i]
        for x in range(u, KINDS, RANKS):
            for y in range(v, KINDS, RANKS):
                levels[x, y] = level[i]
                levels[y, x] = level[i]
    for i in range(ranks, ranks + flushes):
        x, y = used.first[i], used.second[i]
        levels[x, y] = level[i]
        levels[y, x] = level[i]


@bare_kernel
def _list_hands(suit: int, used: BoardLayout) -> None:
    """Cards' hands below each level, and the hands of each suit in order of level."""
    below, levels, kind, out = used.below, used.levels, used.kind, used.out
    count = used.sizes[2]
    for at in range(count + 1):
        for card in range(52):
            for other in range(5):
                below[at, card, other] = 0
    used.hands_below[:] = 0
    for x in range(52):
        if out[x]:
            continue
        for y in range(x):
            if not out[y]:
                at = levels[kind[x], kind[y]] + 1
                used.hands_below[at] += 1
                for other in range(4):
                    below[at, x, other] += y & 3 != other
                    below[at, y, other] += x & 3 != other
                below[at, x, ANY_SUIT] += 1
                below[at, y, ANY_SUIT] += 1
    for at in range(count):
        for card in range(52):
            for other in range(5):
                below[at + 1, card, other] += below[at, card, other]
    for at in range(count + 1):
        for s in range(4):
            for rank in range(RANKS):
                total = np.int64(0)
                for t in range(4):
                    total += 0 if t == s else below[at, 4 * rank + t, s]
                used.off_below[at, s, rank] = total
    used.pairs_count[:] = 0
    used.crossed_count[:] = 0
    used.pairs_below[:] = 0
    used.crossed_below[:] = 0
    used.ranks_below[:] = 0
    for s in range(4):
        for i in range(used.sizes[0] + used.sizes[1]):
            number = used.order[i]
            x, y = used.first[number], used.second[number]
            at = used.level[number]
            if number < used.sizes[0]:
                if s == 0:
                    used.ranks_below[at + 1] += 1
                _list_by_ranks(s, suit, x, y, at, used)
            else:
                _list_flush(s, suit, x, y, at, used)
    for at in range(count):
        used.ranks_below[at + 1] += used.ranks_below[at]
        used.hands_below[at + 1] += used.hands_below[at]
        for s in range(4):
            used.pairs_below[at + 1, s] += used.pairs_below[at, s]
            used.crossed_below[at + 1, s] += used.crossed_below[at, s]


@bare_kernel
def is_in_deck(rank: int, s: int, used: BoardLayout) -> int:
    return 1 - used.out[4 * rank + s]


@bare_kernel
def _list_by_ranks(s: int, suit: int, u: int, v: int, at: int, used: BoardLayout) -> None:
    """Hands of these two ranks that make no flush, with one or two cards of suit s."""
    for x in range(u, KINDS, RANKS):
        for y in range(v, KINDS, RANKS):
            if u == v and y < x:
                continue
            if used.levels[x, y] == at:
                _list_kinds(s, suit, x, y, at, used)


@bare_kernel
def _list_flush(s: int, suit: int, x: int, y: int, at: int, used: BoardLayout) -> None:
    if used.levels[x, y] != used.of_ranks[rank_pair(x, y)]:
        _list_kinds(s, suit, x, y, at, used)


@bare_kernel
def rank_pair(x: int, y: int) -> int:
    u, v = x % RANKS, y % RANKS
    return pair_number(min(u, v), max(u, v))


@bare_kernel
def _of_kind(kind: int, s: int, suit: int, used: BoardLayout) -> int:
    """1 where the card of this kind and of suit s is in the deck."""
    if (kind >= RANKS) != (s == suit):
        return 0
    return is_in_deck(kind % RANKS, s, used)


@bare_kernel
def _others(kind: int, s: int, suit: int, used: BoardLayout) -> int:
    """Cards of this kind in the deck that are not of suit s."""
    if kind >= RANKS:
        return 0 if suit < 0 or s == suit else is_in_deck(kind - RANKS, suit, used)
    count = 0
    for t in range(4):
        if t not in (suit, s):
            count += is_in_deck(kind, t, used)
    return count


@bare_kernel
def _list_kinds(s: int, suit: int, x: int, y: int, at: int, used: BoardLayout) -> None:
    u, v = x % RANKS, y % RANKS
    in_x, in_y = _of_kind(x, s, suit, used), _of_kind(y, s, suit, used)
    if in_x and in_y and u != v:
        row = used.pairs[s, used.pairs_count[s]]
        row[0], row[1] = 1 << u | 1 << v, at
        used.pairs_count[s] += 1
        used.pairs_below[at + 1, s] += 1
    if in_x:
        _list_crossed(s, u, v, _others(y, s, suit, used), at, used)
    if in_y and x != y:
        _list_crossed(s, v, u, _others(x, s, suit, used), at, used)


@bare_kernel
def _list_crossed(s: int, own: int, other: int, hands: int, at: int, used: BoardLayout) -> None:
    if hands > 0:
        row = used.crossed[s, used.crossed_count[s]]
        row[0], row[1], row[2], row[3] = 1 << own, other, hands, at
        used.crossed_count[s] += 1
        used.crossed_below[at + 1, s] += 1
