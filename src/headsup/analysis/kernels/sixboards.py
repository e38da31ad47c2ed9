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

from headsup.analysis.kernels import numbering
from headsup.analysis.kernels.compiled import bare_kernel
from headsup.analysis.kernels.laidboard import LaidBoard, free, pair_of
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.kernels.sixpackets import LAST, Packets, widened

pair_number, set2 = bare_kernel(numbering.pair_number), bare_kernel(numbering.set2)

# Hands of the dealer that are summed up: weaker ones, those up to a tie, those that do not qualify,
# and all.
WIN, TIE, WEAK, ALL, SETS = 0, 1, 2, 3, 4


@bare_kernel
def threshold(which: int, own: int, used: LaidBoard) -> int:
    """Hands of a set are below this level; `own` is the hole's."""
    if which == WIN:
        return own
    if which == TIE:
        return own + 1
    return used.sizes[3] if which == WEAK else used.sizes[2]


@bare_kernel
def hands_below(level: int, a: int, b: int, used: LaidBoard) -> int:
    """The dealer's, without the hole's cards."""
    total, row = used.hands_below[level], used.below[level]
    for t in range(4):
        total -= np.int64(row[a, t]) + np.int64(row[b, t])
    return total + (used.levels[used.kind[a], used.kind[b]] < level)


@bare_kernel
def add_by_ranks(x: int, y: int, suit: int, beside: Any, used: LaidBoard) -> None:
    """Packets by ranks beside a hole of these kinds, into `used.by_ranks`."""
    u, v = x % RANKS, y % RANKS
    left, runs, sums = used.left, used.runs, used.by_ranks[x, y]
    left[u] -= 1
    left[v] -= 1
    rows = beside[pair_number(min(u, v), max(u, v))]
    zero, one, two = np.int64(0), np.int64(0), np.int64(0)
    runs[0, 0], runs[0, 1], runs[0, 2] = 0, 0, 0
    at, ranks, flushes = 0, used.sizes[0], used.sizes[1]
    for i in range(ranks + flushes):
        number = used.order[i]
        if number >= ranks:
            continue
        p, q = used.first[number], used.second[number]
        ways = left[p] * left[q] if p != q else left[p] * (left[p] - 1) // 2
        if left[p] > 0 and left[q] > 0:
            row = rows[number]
            zero += ways * row[0]
            one += ways * row[1]
            two += ways * row[2]
        at += 1
        runs[at, 0], runs[at, 1], runs[at, 2] = zero, one, two
    own = used.levels[x, y]
    for which in range(SETS):
        level = threshold(which, own, used)
        place = used.ranks_below[level]
        sums[which, 0], sums[which, 1] = runs[place, 0], runs[place, 1]
        sums[which, 2] = runs[place, 2]
    left[u] += 1
    left[v] += 1
    if flushes == 0:
        return
    win, tie, weak = own, own + 1, used.sizes[3]
    for number in range(ranks, ranks + flushes):
        p, q = used.first[number], used.second[number]
        ways = _hands_of(p, q, x, y, suit, used)
        if ways == 0:
            continue
        pair, flush = pair_of(p, q), used.level[number]
        by_ranks = used.of_ranks[pair]
        row = rows[pair]
        for which in range(3):
            level = win if which == WIN else tie if which == TIE else weak
            moved = ways * (np.int64(flush < level) - np.int64(by_ranks < level))
            if moved != 0:
                sums[which, 0] += moved * row[0]
                sums[which, 1] += moved * row[1]
                sums[which, 2] += moved * row[2]


@bare_kernel
def _in_deck(kind: int, suit: int, used: LaidBoard) -> int:
    if kind >= RANKS:
        return free(kind - RANKS, suit, used)
    return used.left[kind] - free(kind, suit, used)


@bare_kernel
def _hands_of(p: int, q: int, x: int, y: int, suit: int, used: LaidBoard) -> int:
    """The dealer's of kinds p and q beside a hole of x and y."""
    one = _in_deck(p, suit, used) - (p == x) - (p == y)
    if p == q:
        return one * (one - 1) // 2 if one > 1 else 0
    other = _in_deck(q, suit, used) - (q == x) - (q == y)
    return one * other if one > 0 and other > 0 else 0


@bare_kernel
def add_one_suited(own: int, kind: int, s: int, example: int, lanes: Any, used: LaidBoard) -> None:
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
    level_of = used.levels[used.kind[card], kind]
    for which in range(SETS):
        level = threshold(which, level_of, used)
        at = used.pairs_below[level, s]
        one, two = runs[at, 0], runs[at, 1]
        below = used.below[level]
        for rank in range(RANKS):
            x = 4 * rank + s
            if used.out[x] or x == card:
                continue
            hands = np.int64(0)
            for t in range(4):
                hands += 0 if t == s else np.int64(below[x, t])
            hands -= used.levels[used.kind[x], kind] < level
            row = lanes[mask | 1 << rank, own, other]
            one += hands * row[0]
            two += hands * row[1]
        none = hands_below(level, card, example, used) - (two >> LAST)
        row = lanes[mask, own, other]
        sums[which, 0] = one + none * row[0]
        sums[which, 1] = (two + none * row[1]) & ((np.int64(1) << LAST) - 1)


@bare_kernel
def add_two_suited(
    low: int, high: int, s: int, board: Any, packets: Packets, used: LaidBoard
) -> None:
    """What packets with three or four cards of suit s change beside two of them."""
    lanes, moved = packets.two_suited, packets.ranks_moved
    mask, hole, held = used.masks[s], set2(low, high), 1 << low | 1 << high
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
                    two -= widened(row[board[k] >> 2])
            valid += 1
    count = used.pairs_count[s]
    runs[count, 0], runs[count, 1], runs[count, 2] = one, two, valid
    two = np.int64(0)
    for i in range(used.crossed_count[s]):
        runs[i, 3] = two
        two += crossed[i, 2] * widened(moved[mask | crossed[i, 0], hole, crossed[i, 1]])
    runs[used.crossed_count[s], 3] = two
    a, b = 4 * low + s, 4 * high + s
    level_of = used.levels[used.kind[a], used.kind[b]]
    for which in range(SETS):
        level = threshold(which, level_of, used)
        at = used.pairs_below[level, s]
        one, two, counted = runs[at, 0], runs[at, 1], runs[at, 2]
        two -= runs[used.crossed_below[level, s], 3]
        below = used.below[level]
        for rank in range(RANKS):
            x = 4 * rank + s
            if used.out[x] or held >> rank & 1:
                continue
            hands = np.int64(0)
            for t in range(4):
                hands += 0 if t == s else np.int64(below[x, t])
            with_x = mask | 1 << rank
            value = lanes[with_x, hole, 1]
            for k in range(5):
                if board[k] & 3 != s:
                    value -= widened(moved[with_x, hole, board[k] >> 2])
            one += hands * lanes[with_x, hole, 0]
            two += hands * value
            counted += hands
        none = hands_below(level, a, b, used) - counted
        row = moved[mask, hole]
        value = lanes[mask, hole, 1]
        for k in range(5):
            if board[k] & 3 != s:
                value -= widened(row[board[k] >> 2])
        one += none * lanes[mask, hole, 0]
        two += none * value
        for y in range(52):
            if y & 3 != s and not used.out[y]:
                hands = np.int64(0)
                for t in range(4):
                    hands += 0 if t == s else np.int64(below[y, t])
                two -= hands * widened(row[y >> 2])
        sums[which, 0], sums[which, 1] = one, two
