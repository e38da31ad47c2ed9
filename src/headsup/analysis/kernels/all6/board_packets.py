"""One board with every hole: what All 6's four cards make beside board, hole and dealer.

All are dealt from one deck, so a packet is counted only where board and dealer hold none of its
cards. For a hole, packets are summed up over the dealer's hands below a **level** of strength: up
to its own they lose to it, up to the next they tie. By ranks (`add_by_ranks`) the sum takes the
dealer's pairs of ranks in order of strength, and moves the hands that make a flush from the place
of their ranks to their own. What packets that make a flush change (`add_one_suited`,
`add_two_suited`) turns on the cards of one suit that are out: those of the board, and of the dealer
none, one or two.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.all6.board_layout import ANY_SUIT, BoardLayout, rank_pair
from headsup.analysis.kernels.all6.packets import LAST_LANE, PacketTables, widen_lanes
from headsup.analysis.kernels.all6.ranks import RANK_LANES
from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import RANKS

set2_number = bare_kernel(numbering.set2_number)

# Hands of the dealer that are summed up: weaker ones, those up to a tie, those that do not qualify,
# and all.
BEATEN, UP_TO_TIE, UNQUALIFIED, ALL_HANDS, HAND_SETS = 0, 1, 2, 3, 4


@bare_kernel
def threshold(which: int, own: int, used: BoardLayout) -> int:
    """Hands of a set are below this level; `own` is the hole's."""
    if which == BEATEN:
        return own
    if which == UP_TO_TIE:
        return own + 1
    return used.sizes[3] if which == UNQUALIFIED else used.sizes[2]


@bare_kernel
def count_hands_below(level: int, a: int, b: int, used: BoardLayout) -> int:
    """The dealer's, without the hole's cards."""
    row = used.below[level]
    total = used.hands_below[level] - np.int64(row[a, ANY_SUIT]) - np.int64(row[b, ANY_SUIT])
    return total + (used.levels[used.kind[a], used.kind[b]] < level)


@bare_kernel
def sum_non_flush_holes(beside: Any, used: BoardLayout) -> None:
    """Packets by ranks beside holes that make no flush, into `used.alike`."""
    for v in range(RANKS):
        for u in range(v + 1):
            if used.left[u] > 0 and used.left[v] > (1 if u == v else 0):
                pair = rank_pair(u, v)
                _sum_ranks(u, v, used.of_ranks[pair], beside[pair], used, used.alike[pair])


@bare_kernel
def add_by_ranks(x: int, y: int, beside: Any, used: BoardLayout) -> None:
    """Packets by ranks beside a hole of these kinds, into `used.by_ranks`."""
    pair, own = rank_pair(x, y), used.levels[x, y]
    rows, sums = beside[pair], used.by_ranks[x, y]
    if own != used.of_ranks[pair]:
        _sum_ranks(x % RANKS, y % RANKS, own, rows, used, sums)
    else:
        for which in range(HAND_SETS):
            for lane in range(RANK_LANES):
                sums[which, lane] = used.alike[pair, which, lane]
    ranks, flushes, weak = used.sizes[0], used.sizes[1], used.sizes[3]
    for number in range(ranks, ranks + flushes):
        p, q = used.first[number], used.second[number]
        ways = _hands_of(p, q, x, y, used)
        if ways == 0:
            continue
        pair, flush = rank_pair(p, q), used.level[number]
        by_ranks, row = used.of_ranks[pair], rows[pair]
        for which in range(3):
            level = own if which == BEATEN else own + 1 if which == UP_TO_TIE else weak
            moved = ways * (np.int64(flush < level) - np.int64(by_ranks < level))
            if moved != 0:
                sums[which, 0] += moved * row[0]
                sums[which, 1] += moved * row[1]
                sums[which, 2] += moved * row[2]


@bare_kernel
def _sum_ranks(u: int, v: int, own: int, rows: Any, used: BoardLayout, sums: Any) -> None:
    """The dealer's pairs of ranks in order of strength, as if no flush were possible."""
    left, runs = used.left, used.runs
    left[u] -= 1
    left[v] -= 1
    zero, one, two = np.int64(0), np.int64(0), np.int64(0)
    runs[0, 0], runs[0, 1], runs[0, 2] = 0, 0, 0
    for at in range(used.sizes[0]):
        number = used.ranked[at]
        p, q = used.first[number], used.second[number]
        if left[p] > 0 and left[q] > 0:
            ways = left[p] * left[q] if p != q else left[p] * (left[p] - 1) // 2
            row = rows[number]
            zero += ways * row[0]
            one += ways * row[1]
            two += ways * row[2]
        runs[at + 1, 0], runs[at + 1, 1], runs[at + 1, 2] = zero, one, two
    for which in range(HAND_SETS):
        place = used.ranks_below[threshold(which, own, used)]
        for lane in range(RANK_LANES):
            sums[which, lane] = runs[place, lane]
    left[u] += 1
    left[v] += 1


@bare_kernel
def _hands_of(p: int, q: int, x: int, y: int, used: BoardLayout) -> int:
    """The dealer's of kinds p and q beside a hole of x and y."""
    one = used.in_deck[p] - (p == x) - (p == y)
    if p == q:
        return one * (one - 1) // 2 if one > 1 else 0
    other = used.in_deck[q] - (q == x) - (q == y)
    return one * other if one > 0 and other > 0 else 0


@bare_kernel
def add_one_suited(
    own: int, kind: int, s: int, example: int, lanes: Any, used: BoardLayout
) -> None:
    """What packets of four cards of suit s change beside a hole with the card of rank `own` in it
    and one of another suit of this kind, say `example`."""
    mask, other, card = used.masks[s], kind % RANKS, 4 * own + s
    sums, runs, pairs = used.one_suited[s, own, kind], used.runs, used.pairs[s]
    one, two = np.int64(0), np.int64(0)
    for i in range(used.pairs_count[s]):
        runs[i, 0], runs[i, 1] = one, two
        row = lanes[mask | pairs[i, 0], own, other]
        one += row[0]
        two += row[1]
    count = used.pairs_count[s]
    runs[count, 0], runs[count, 1] = one, two
    low = used.levels[used.kind[card], kind]
    weak, top = used.sizes[3], used.sizes[2]
    at_low, at_tie = used.pairs_below[low, s], used.pairs_below[low + 1, s]
    at_weak, at_top = used.pairs_below[weak, s], used.pairs_below[top, s]
    win, win_2, tie, tie_2 = runs[at_low, 0], runs[at_low, 1], runs[at_tie, 0], runs[at_tie, 1]
    poor, poor_2 = runs[at_weak, 0], runs[at_weak, 1]
    all_1, all_2 = runs[at_top, 0], runs[at_top, 1]
    below = used.below
    for rank in range(RANKS):
        x = 4 * rank + s
        if used.out[x] or x == card:
            continue
        row = lanes[mask | 1 << rank, own, other]
        one, two = row[0], row[1]
        met = used.levels[used.kind[x], kind]
        hands = np.int64(below[low, x, s]) - (met < low)
        win += hands * one
        win_2 += hands * two
        hands = np.int64(below[low + 1, x, s]) - (met <= low)
        tie += hands * one
        tie_2 += hands * two
        hands = np.int64(below[weak, x, s]) - (met < weak)
        poor += hands * one
        poor_2 += hands * two
        hands = np.int64(below[top, x, s]) - 1
        all_1 += hands * one
        all_2 += hands * two
    sums[BEATEN, 0], sums[BEATEN, 1], sums[UP_TO_TIE, 0], sums[UP_TO_TIE, 1] = (
        win,
        win_2,
        tie,
        tie_2,
    )
    sums[UNQUALIFIED, 0], sums[UNQUALIFIED, 1], sums[ALL_HANDS, 0], sums[ALL_HANDS, 1] = (
        poor,
        poor_2,
        all_1,
        all_2,
    )
    row = lanes[mask, own, other]
    for which in range(HAND_SETS):
        level = threshold(which, low, used)
        none = count_hands_below(level, card, example, used) - (sums[which, 1] >> LAST_LANE)
        sums[which, 0] += none * row[0]
        sums[which, 1] = (sums[which, 1] + none * row[1]) & ((np.int64(1) << LAST_LANE) - 1)


@bare_kernel
def add_two_suited(
    low: int, high: int, s: int, board: Any, packets: PacketTables, used: BoardLayout
) -> None:
    """What packets with three or four cards of suit s change beside two of them."""
    lanes, moved = packets.two_suited, packets.ranks_moved
    mask, hole, held = used.masks[s], set2_number(low, high), 1 << low | 1 << high
    sums, runs, pairs, crossed = used.two_suited[s, hole], used.runs, used.pairs[s], used.crossed[s]
    one, two, valid = np.int64(0), np.int64(0), np.int64(0)
    for i in range(used.pairs_count[s]):
        runs[i, 0], runs[i, 1], runs[i, 2] = one, two, valid
        if pairs[i, 0] & held == 0:
            with_pair = mask | pairs[i, 0]
            one += lanes[with_pair, hole, 0]
            two += lanes[with_pair, hole, 1]
            row = moved[with_pair, hole]
            for k in range(5):
                if board[k] & 3 != s:
                    two -= widen_lanes(row[board[k] >> 2])
            valid += 1
    count = used.pairs_count[s]
    runs[count, 0], runs[count, 1], runs[count, 2] = one, two, valid
    two = np.int64(0)
    for i in range(used.crossed_count[s]):
        runs[i, 3] = two
        two += crossed[i, 2] * widen_lanes(moved[mask | crossed[i, 0], hole, crossed[i, 1]])
    runs[used.crossed_count[s], 3] = two
    a, b = 4 * low + s, 4 * high + s
    own = used.levels[used.kind[a], used.kind[b]]
    levels = (own, own + 1, used.sizes[3], used.sizes[2])
    for which in range(HAND_SETS):
        level = levels[which]
        at = used.pairs_below[level, s]
        sums[which, 0] = runs[at, 0]
        sums[which, 1] = runs[at, 1] - runs[used.crossed_below[level, s], 3]
        used.hands[which] = count_hands_below(level, a, b, used) - runs[at, 2]
    for rank in range(RANKS):
        x = 4 * rank + s
        if used.out[x] or held >> rank & 1:
            continue
        with_x = mask | 1 << rank
        value, row = lanes[with_x, hole, 1], moved[with_x, hole]
        for k in range(5):
            if board[k] & 3 != s:
                value -= widen_lanes(row[board[k] >> 2])
        for which in range(HAND_SETS):
            hands = np.int64(used.below[levels[which], x, s])
            sums[which, 0] += hands * lanes[with_x, hole, 0]
            sums[which, 1] += hands * value
            used.hands[which] -= hands
    value, row = lanes[mask, hole, 1], moved[mask, hole]
    for k in range(5):
        if board[k] & 3 != s:
            value -= widen_lanes(row[board[k] >> 2])
    for which in range(HAND_SETS):
        sums[which, 0] += used.hands[which] * lanes[mask, hole, 0]
        sums[which, 1] += used.hands[which] * value
    for rank in range(RANKS):
        value = widen_lanes(row[rank])
        for which in range(HAND_SETS):
            sums[which, 1] -= used.off_below[levels[which], s, rank] * value
