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

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels import numbering
from headsup.analysis.kernels.apart import apart
from headsup.analysis.kernels.arrays import Bytes, Int64s, Lookup
from headsup.analysis.kernels.compiled import bare_kernel
from headsup.analysis.kernels.evaluator import LOW_BITS
from headsup.analysis.kernels.numbering import PAIRS, RANKS
from headsup.analysis.kernels.sixpackets import RANK_BITS, Packets, widened

pair_number, set2 = bare_kernel(numbering.pair_number), bare_kernel(numbering.set2)

KINDS = 2 * RANKS
LEVELS = 340  # of strength on one board, at most: one more than types
# Hands of the dealer that are summed up: weaker ones, those up to a tie, those that do not qualify,
# and all.
WIN, TIE, WEAK, ALL, SETS = 0, 1, 2, 3, 4
RANK_LANES, FLUSH_LANES = 3, 2
LANE = (1 << RANK_BITS) - 1


class SixScratch(NamedTuple):
    """Of one rank board: packets beside hole and dealer's ranks."""

    left: Int64s  # [rank]: cards that are in the deck
    ways: Int64s  # [pair]: ways to deal two more cards
    with_two: Int64s  # [pair]: packets that hold the dealer's two cards, in lanes of ten bits
    with_one: Int64s  # [rank, lane]
    beside: Int64s  # [pair held, dealer's pair, lane]: packets that hold none of the dealer's cards


class LaidBoard(NamedTuple):
    """Of one board."""

    masks: Int64s  # [suit]: its ranks in it
    kind: Int64s  # [card]
    out: Bytes  # [card]: 1 where the board has it
    left: Int64s  # [rank]
    strengths: Int64s  # [number]: of pairs of ranks, then of flushes
    first: Int64s  # [number]: kinds
    second: Int64s
    order: Int64s  # [number], by strength
    level: Int64s  # [number]
    made: Int64s  # [level]: the category
    of_ranks: Int64s  # [pair]: the level that ranks alone give
    levels: Int64s  # [kind, kind]
    below: Bytes  # [level, card, suit]: hands of the card with one of the suit below the level
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
    by_ranks: Int64s  # [kind, kind, set, lane]
    one_suited: Int64s  # [suit, rank, kind, set, lane]
    two_suited: Int64s  # [suit, hole, set, lane]
    hands: Int64s  # [set]


def six_scratch() -> SixScratch:
    shapes = ((RANKS,), (PAIRS,), (PAIRS,), (RANKS, RANK_LANES), (PAIRS, PAIRS, RANK_LANES))
    return SixScratch(*apart(*((shape, np.int64) for shape in shapes)))


def board_scratch() -> LaidBoard:
    long, byte = np.int64, np.uint8
    return LaidBoard(
        *apart(
            *(((4,), long), ((52,), long), ((52,), byte), ((RANKS,), long)),
            *(((LEVELS,), long), ((LEVELS,), long), ((LEVELS,), long)),
            *(((LEVELS,), long), ((LEVELS,), long), ((LEVELS,), long), ((PAIRS,), long)),
            *(((KINDS, KINDS), long), ((LEVELS, 52, 4), byte)),
            *(((4, 78, 2), long), ((4, RANKS * KINDS, 4), long)),
            *(((LEVELS, 4), long), ((LEVELS, 4), long), ((LEVELS,), long)),
            *(((LEVELS,), long), ((4,), long), ((4,), long), ((4,), long), ((LEVELS + 1, 4), long)),
            ((KINDS, KINDS, SETS, RANK_LANES), long),
            ((4, RANKS, KINDS, SETS, FLUSH_LANES), long),
            ((4, 78, SETS, FLUSH_LANES), long),
            ((SETS,), long),
        )
    )


# Ranks: what packets make if no flush is possible.


@bare_kernel
def count_beside(board: Any, packets: Any, used: SixScratch) -> None:
    """Fill `used.beside` for the ranks of a board.

    Packets that hold neither of two cards are all, less those with one, less those with the other,
    and those with both again.
    """
    left, ways, with_two, with_one = used.left, used.ways, used.with_two, used.with_one
    for a in range(RANKS):
        for b in range(a, RANKS):
            left[:] = 4
            for i in range(5):
                left[board[i]] -= 1
            left[a] -= 1
            left[b] -= 1
            if left[a] < 0 or left[b] < 0:
                continue
            held = pair_number(a, b)
            _count_with_two(packets[held], left, ways, with_two)
            nobody = used.beside[held, 0]
            all_0, all_1, all_2 = np.int64(0), np.int64(0), np.int64(0)
            for u in range(RANKS):
                one_0, one_1, one_2 = np.int64(0), np.int64(0), np.int64(0)
                if left[u] > 0:
                    for v in range(RANKS):
                        cards = left[v] - (u == v)
                        if cards > 0:
                            two = with_two[pair_number(min(u, v), max(u, v))]
                            one_0 += cards * _wide(two, 0)
                            one_1 += cards * _wide(two, 2)
                            one_2 += cards * _wide(two, 4)
                one_0, one_1, one_2 = _part(one_0, 3), _part(one_1, 3), _part(one_2, 3)
                with_one[u, 0], with_one[u, 1], with_one[u, 2] = one_0, one_1, one_2
                all_0 += left[u] * one_0
                all_1 += left[u] * one_1
                all_2 += left[u] * one_2
            all_0, all_1, all_2 = _part(all_0, 4), _part(all_1, 4), _part(all_2, 4)
            for v in range(RANKS):
                for u in range(v + 1):
                    number = pair_number(u, v)
                    nobody = used.beside[held, number]
                    two = with_two[number]
                    nobody[0] = all_0 - with_one[u, 0] - with_one[v, 0] + _wide(two, 0)
                    nobody[1] = all_1 - with_one[u, 1] - with_one[v, 1] + _wide(two, 2)
                    nobody[2] = all_2 - with_one[u, 2] - with_one[v, 2] + _wide(two, 4)


@bare_kernel
def _wide(lanes: int, first: int) -> int:
    """Two lanes of ten bits as halves of a number."""
    low = lanes >> (RANK_BITS * first) & LANE
    return low | (lanes >> (RANK_BITS * (first + 1)) & LANE) << 32


@bare_kernel
def _part(lanes: int, parts: int) -> int:
    """Both halves divided: each packet was met once for each of its cards that was left free."""
    return (lanes & 0xFFFFFFFF) // parts | (lanes >> 32) // parts << 32


@bare_kernel
def _count_with_two(lanes: Any, left: Any, ways: Any, with_two: Any) -> None:
    for v in range(RANKS):
        for u in range(v + 1):
            number = pair_number(u, v)
            with_two[number] = 0
            if left[u] < 1 or left[v] < (2 if u == v else 1):
                continue
            left[u] -= 1
            left[v] -= 1
            at = 0
            for z in range(RANKS):
                for y in range(z):
                    ways[at] = left[y] * left[z]
                    at += 1
                ways[at] = left[z] * (left[z] - 1) // 2
                at += 1
            row, total = lanes[number], np.int64(0)
            for i in range(PAIRS):
                total += ways[i] * row[i]
            with_two[number] = total
            left[u] += 1
            left[v] += 1


# A board: every two kinds of card by strength.


@bare_kernel
def lay_out(board: Any, suit: int, qualifier: int, look: Lookup, used: LaidBoard) -> None:
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
    for card in range(52):
        kind[card] = (card >> 2) + (RANKS if card & 3 == suit else 0)
    _find_strengths(code, suit, look, used)
    _number_levels(qualifier, used)
    _find_levels(used)
    _list_hands(suit, used)


@bare_kernel
def _find_strengths(code: int, suit: int, look: Lookup, used: LaidBoard) -> None:
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
def _number_levels(qualifier: int, used: LaidBoard) -> None:
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
    number, before, weak = -1, np.int64(-2), 0
    for i in range(count):
        strength = strengths[order[i]]
        if strength != before:
            number += 1
            before = strength
            weak += strength < qualifier
            used.made[number] = strength >> 20
        level[order[i]] = number
    used.sizes[2], used.sizes[3] = number + 1, weak


@bare_kernel
def _find_levels(used: LaidBoard) -> None:
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
def _list_hands(suit: int, used: LaidBoard) -> None:
    """Cards' hands below each level, and the hands of each suit in order of level."""
    below, levels, kind, out = used.below, used.levels, used.kind, used.out
    count = used.sizes[2]
    for at in range(count + 1):
        for card in range(52):
            for other in range(4):
                below[at, card, other] = 0
    used.hands_below[:] = 0
    for x in range(52):
        if out[x]:
            continue
        for y in range(x):
            if not out[y]:
                at = levels[kind[x], kind[y]] + 1
                used.hands_below[at] += 1
                below[at, x, y & 3] += 1
                below[at, y, x & 3] += 1
    for at in range(count):
        for card in range(52):
            for other in range(4):
                below[at + 1, card, other] += below[at, card, other]
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
def _free(rank: int, s: int, used: LaidBoard) -> int:
    return 1 - used.out[4 * rank + s]


@bare_kernel
def _list_by_ranks(s: int, suit: int, u: int, v: int, at: int, used: LaidBoard) -> None:
    """Hands of these two ranks that make no flush, with one or two cards of suit s."""
    for x in range(u, KINDS, RANKS):
        for y in range(v, KINDS, RANKS):
            if u == v and y < x:
                continue
            if used.levels[x, y] == at:
                _list_kinds(s, suit, x, y, at, used)


@bare_kernel
def _list_flush(s: int, suit: int, x: int, y: int, at: int, used: LaidBoard) -> None:
    if used.levels[x, y] != used.of_ranks[_pair_of(x, y)]:
        _list_kinds(s, suit, x, y, at, used)


@bare_kernel
def _pair_of(x: int, y: int) -> int:
    u, v = x % RANKS, y % RANKS
    return pair_number(min(u, v), max(u, v))


@bare_kernel
def _of_kind(kind: int, s: int, suit: int, used: LaidBoard) -> int:
    """1 where the card of this kind and of suit s is in the deck."""
    if (kind >= RANKS) != (s == suit):
        return 0
    return _free(kind % RANKS, s, used)


@bare_kernel
def _others(kind: int, s: int, suit: int, used: LaidBoard) -> int:
    """Cards of this kind in the deck that are not of suit s."""
    if kind >= RANKS:
        return 0 if suit < 0 or s == suit else _free(kind - RANKS, suit, used)
    count = 0
    for t in range(4):
        if t not in (suit, s):
            count += _free(kind, t, used)
    return count


@bare_kernel
def _list_kinds(s: int, suit: int, x: int, y: int, at: int, used: LaidBoard) -> None:
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
def _list_crossed(s: int, own: int, other: int, hands: int, at: int, used: LaidBoard) -> None:
    if hands > 0:
        row = used.crossed[s, used.crossed_count[s]]
        row[0], row[1], row[2], row[3] = 1 << own, other, hands, at
        used.crossed_count[s] += 1
        used.crossed_below[at + 1, s] += 1


# Sums over the dealer's hands.


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
        pair, flush = _pair_of(p, q), used.level[number]
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
        return _free(kind - RANKS, suit, used)
    return used.left[kind] - _free(kind, suit, used)


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
        none = hands_below(level, card, example, used) - (two >> 52)
        row = lanes[mask, own, other]
        sums[which, 0] = one + none * row[0]
        sums[which, 1] = (two + none * row[1]) & ((np.int64(1) << 52) - 1)


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
