"""Lays out one board: all hands by strength, and the hands of each card and suit below a strength.

Distinct strengths are numbered from the weakest; these numbers are the **levels**.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.all6.packets import RANK_LANES
from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.arrays import Int64s, StrengthTables, Uint8s, allocate_padded
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import PAIRS, RANKS

pair_number = bare_kernel(numbering.pair_number)

KINDS = 2 * RANKS
MAX_LEVELS = 340  # at most one more than there are types
HAND_SETS, FLUSH_LANES = 4, 2  # see `board_packets`
ANY_SUIT = 4  # the last index of `BoardLayout.below`
# Indices of `BoardLayout.sizes`.
RANK_PAIRS, FLUSHES, LEVELS, WEAK_LEVELS = 0, 1, 2, 3


class BoardLayout(NamedTuple):
    """The arrays of one board, and scratch memory for `board_packets`."""

    masks: Int64s  # [suit]: the board's ranks
    kind: Int64s  # [card]
    on_board: Uint8s  # [card]: 1 if the board has it
    remaining: Int64s  # [rank]: cards left in the deck
    strengths: Int64s  # [hand]: pairs of ranks first, then flushes
    first: Int64s  # [hand]: its two kinds
    second: Int64s
    order: Int64s  # hands by strength
    level: Int64s  # [hand]
    category: Int64s  # [level]
    ranked: Int64s  # pairs of ranks by strength
    in_deck: Int64s  # [kind]: cards left
    rank_level: Int64s  # [pair]: the level by ranks alone
    levels: Int64s  # [kind, kind]
    # [level, card, suit]: hands below the level of this card and one that is not of the suit; with
    # ANY_SUIT, of this card and any other
    below: Uint8s
    off_below: Int64s  # [level, suit, rank]: the same summed over the rank's cards of other suits
    pairs: Int64s  # [suit, number, ranks | level]: hands of two cards of the suit, by level
    # [suit, number, suited rank | other rank | hands | level]: hands of one card of the suit
    mixed: Int64s
    two_suited_below: Int64s  # [level, suit]
    one_suited_below: Int64s  # [level, suit]
    ranks_below: Int64s  # [level]
    hands_below: Int64s  # [level]
    sizes: Int64s  # [RANK_PAIRS | FLUSHES | LEVELS | WEAK_LEVELS]: how many there are
    two_suited_count: Int64s  # [suit]
    one_suited_count: Int64s  # [suit]
    running_sums: Int64s  # [number, 4]
    non_flush: Int64s  # [pair, set, lane]: packets with holes of these ranks that make no flush
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
def lay_out(
    board: Any, suit: int, qualifier: int, tables: StrengthTables, layout: BoardLayout
) -> None:
    """Lay out a board. `suit` is the suit that may make a flush, or -1."""
    masks, kind, on_board, remaining = layout.masks, layout.kind, layout.on_board, layout.remaining
    masks[:] = 0
    on_board[:] = 0
    remaining[:] = 4
    code = np.int64(0)
    for i in range(5):
        card = board[i]
        masks[card & 3] |= 1 << (card >> 2)
        on_board[card] = 1
        remaining[card >> 2] -= 1
        code += tables.rank_codes[card >> 2]
    layout.in_deck[:] = 0
    for card in range(52):
        kind[card] = (card >> 2) + (RANKS if card & 3 == suit else 0)
        layout.in_deck[kind[card]] += 1 - on_board[card]
    _find_strengths(code, suit, tables, layout)
    _number_levels(qualifier, layout)
    _find_levels(layout)
    _list_hands(suit, layout)


@bare_kernel
def _find_strengths(code: int, suit: int, tables: StrengthTables, layout: BoardLayout) -> None:
    strengths, first, second = layout.strengths, layout.first, layout.second
    count = 0
    for v in range(RANKS):
        for u in range(v + 1):
            key = code + tables.rank_codes[u] + tables.rank_codes[v]
            possible = layout.remaining[u] > 0 and layout.remaining[v] > (1 if u == v else 0)
            strengths[count] = -1
            if possible:
                low = tables.low[key & ((1 << LOW_BITS) - 1)]
                strengths[count] = tables.ranks[low + tables.high[key >> LOW_BITS]]
            first[count], second[count] = u, v
            count += 1
    layout.sizes[RANK_PAIRS] = count
    if suit >= 0:
        mask = layout.masks[suit]
        suited = 0
        for rank in range(RANKS):
            suited += mask >> rank & 1
        for v in range(RANKS):
            if mask >> v & 1:
                continue
            for u in range(RANKS):
                if suited >= 4 and layout.remaining[u] - (1 - (mask >> u & 1)) > 0:
                    strengths[count] = tables.flush[mask | 1 << v]
                    first[count], second[count] = u, RANKS + v
                    count += 1
                if u < v and not mask >> u & 1:
                    strengths[count] = tables.flush[mask | 1 << v | 1 << u]
                    first[count], second[count] = RANKS + u, RANKS + v
                    count += 1
        if suited == 5:  # with two off cards the board's own flush counts
            for v in range(RANKS):
                for u in range(v + 1):
                    strengths[count] = tables.flush[mask]
                    first[count], second[count] = u, v
                    count += 1
    layout.sizes[FLUSHES] = count - layout.sizes[RANK_PAIRS]


@bare_kernel
def _number_levels(qualifier: int, layout: BoardLayout) -> None:
    strengths, order, level = layout.strengths, layout.order, layout.level
    count = layout.sizes[RANK_PAIRS] + layout.sizes[FLUSHES]
    for i in range(count):
        order[i] = i
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            hand, position = order[i], i
            while position >= gap and strengths[order[position - gap]] > strengths[hand]:
                order[position] = order[position - gap]
                position -= gap
            order[position] = hand
        gap //= 3
    number, before, weak, ranked = -1, np.int64(-2), 0, 0
    for i in range(count):
        if order[i] < layout.sizes[RANK_PAIRS]:
            layout.ranked[ranked] = order[i]
            ranked += 1
        strength = strengths[order[i]]
        if strength != before:
            number += 1
            before = strength
            weak += strength < qualifier
            layout.category[number] = strength >> 20
        level[order[i]] = number
    layout.sizes[LEVELS], layout.sizes[WEAK_LEVELS] = number + 1, weak


@bare_kernel
def _find_levels(layout: BoardLayout) -> None:
    levels, level = layout.levels, layout.level
    ranks, flushes = layout.sizes[RANK_PAIRS], layout.sizes[FLUSHES]
    for i in range(ranks):
        u, v = layout.first[i], layout.second[i]
        layout.rank_level[i] = level[i]
        for x in range(u, KINDS, RANKS):
            for y in range(v, KINDS, RANKS):
                levels[x, y] = level[i]
                levels[y, x] = level[i]
    for i in range(ranks, ranks + flushes):
        x, y = layout.first[i], layout.second[i]
        levels[x, y] = level[i]
        levels[y, x] = level[i]


@bare_kernel
def _list_hands(suit: int, layout: BoardLayout) -> None:
    """Count each card's hands below each level, and list the hands of each suit by level."""
    below, levels, kind, on_board = layout.below, layout.levels, layout.kind, layout.on_board
    count = layout.sizes[LEVELS]
    for level in range(count + 1):
        for card in range(52):
            for other in range(5):
                below[level, card, other] = 0
    layout.hands_below[:] = 0
    for x in range(52):
        if on_board[x]:
            continue
        for y in range(x):
            if not on_board[y]:
                level = levels[kind[x], kind[y]] + 1
                layout.hands_below[level] += 1
                for other in range(4):
                    below[level, x, other] += y & 3 != other
                    below[level, y, other] += x & 3 != other
                below[level, x, ANY_SUIT] += 1
                below[level, y, ANY_SUIT] += 1
    for level in range(count):
        for card in range(52):
            for other in range(5):
                below[level + 1, card, other] += below[level, card, other]
    for level in range(count + 1):
        for s in range(4):
            for rank in range(RANKS):
                total = np.int64(0)
                for t in range(4):
                    total += 0 if t == s else below[level, 4 * rank + t, s]
                layout.off_below[level, s, rank] = total
    layout.two_suited_count[:] = 0
    layout.one_suited_count[:] = 0
    layout.two_suited_below[:] = 0
    layout.one_suited_below[:] = 0
    layout.ranks_below[:] = 0
    for s in range(4):
        for i in range(layout.sizes[RANK_PAIRS] + layout.sizes[FLUSHES]):
            hand = layout.order[i]
            x, y = layout.first[hand], layout.second[hand]
            level = layout.level[hand]
            if hand < layout.sizes[RANK_PAIRS]:
                if s == 0:
                    layout.ranks_below[level + 1] += 1
                _list_by_ranks(s, suit, x, y, level, layout)
            else:
                _list_flush(s, suit, x, y, level, layout)
    for level in range(count):
        layout.ranks_below[level + 1] += layout.ranks_below[level]
        layout.hands_below[level + 1] += layout.hands_below[level]
        for s in range(4):
            layout.two_suited_below[level + 1, s] += layout.two_suited_below[level, s]
            layout.one_suited_below[level + 1, s] += layout.one_suited_below[level, s]


@bare_kernel
def is_in_deck(rank: int, s: int, layout: BoardLayout) -> int:
    return 1 - layout.on_board[4 * rank + s]


@bare_kernel
def _list_by_ranks(s: int, suit: int, u: int, v: int, level: int, layout: BoardLayout) -> None:
    """List the hands of these ranks without a flush that have one or two cards of suit s."""
    for x in range(u, KINDS, RANKS):
        for y in range(v, KINDS, RANKS):
            if u == v and y < x:
                continue
            if layout.levels[x, y] == level:
                _list_kinds(s, suit, x, y, level, layout)


@bare_kernel
def _list_flush(s: int, suit: int, x: int, y: int, level: int, layout: BoardLayout) -> None:
    if layout.levels[x, y] != layout.rank_level[rank_pair(x, y)]:
        _list_kinds(s, suit, x, y, level, layout)


@bare_kernel
def rank_pair(x: int, y: int) -> int:
    u, v = x % RANKS, y % RANKS
    return pair_number(min(u, v), max(u, v))


@bare_kernel
def _count_in_suit(kind: int, s: int, suit: int, layout: BoardLayout) -> int:
    """1 if the card of this kind and suit s is in the deck."""
    if (kind >= RANKS) != (s == suit):
        return 0
    return is_in_deck(kind % RANKS, s, layout)


@bare_kernel
def _count_off_suit(kind: int, s: int, suit: int, layout: BoardLayout) -> int:
    """Cards of this kind in the deck that are not of suit s."""
    if kind >= RANKS:
        return 0 if suit < 0 or s == suit else is_in_deck(kind - RANKS, suit, layout)
    count = 0
    for t in range(4):
        if t not in (suit, s):
            count += is_in_deck(kind, t, layout)
    return count


@bare_kernel
def _list_kinds(s: int, suit: int, x: int, y: int, level: int, layout: BoardLayout) -> None:
    u, v = x % RANKS, y % RANKS
    in_x, in_y = _count_in_suit(x, s, suit, layout), _count_in_suit(y, s, suit, layout)
    if in_x and in_y and u != v:
        row = layout.pairs[s, layout.two_suited_count[s]]
        row[0], row[1] = 1 << u | 1 << v, level
        layout.two_suited_count[s] += 1
        layout.two_suited_below[level + 1, s] += 1
    if in_x:
        _list_mixed(s, u, v, _count_off_suit(y, s, suit, layout), level, layout)
    if in_y and x != y:
        _list_mixed(s, v, u, _count_off_suit(x, s, suit, layout), level, layout)


@bare_kernel
def _list_mixed(
    s: int, suited_rank: int, other_rank: int, hands: int, level: int, layout: BoardLayout
) -> None:
    if hands > 0:
        row = layout.mixed[s, layout.one_suited_count[s]]
        row[0], row[1], row[2], row[3] = 1 << suited_rank, other_rank, hands, level
        layout.one_suited_count[s] += 1
        layout.one_suited_below[level + 1, s] += 1
