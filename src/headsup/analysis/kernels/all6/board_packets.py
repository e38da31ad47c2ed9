"""Counts the All 6 packets for every hole on one board, all dealt from one deck.

A packet counts only if board and dealer hold none of its cards. For each hole, packets are summed
over the dealer's hands below a **level** of strength. Hands below the hole's level lose to it;
hands below the next level lose or tie. By ranks (`add_by_ranks`), the sum runs over the dealer's
pairs of ranks in order of strength, and then moves the hands that make a flush to their own level.
The changes from packets that make a flush (`add_one_suited`, `add_two_suited`) depend on the dealt
cards of one suit: those of the board, and none, one or two of the dealer's.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.all6.board_layout import (
    ANY_SUIT,
    FLUSHES,
    LEVELS,
    RANK_PAIRS,
    WEAK_LEVELS,
    BoardLayout,
    rank_pair,
)
from headsup.analysis.kernels.all6.packets import LAST_LANE, RANK_LANES, PacketTables, widen_lanes
from headsup.analysis.kernels.base import numbering
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.numbering import RANKS

set2_number = bare_kernel(numbering.set2_number)

# Sets of the dealer's hands: weaker ones, those up to a tie, those that do not qualify, and all.
BEATEN, UP_TO_TIE, UNQUALIFIED, ALL_HANDS, HAND_SETS = 0, 1, 2, 3, 4


@bare_kernel
def threshold(hand_set: int, hole_level: int, layout: BoardLayout) -> int:
    """The level below which a set's hands lie. `hole_level` is the hole's level."""
    if hand_set == BEATEN:
        return hole_level
    if hand_set == UP_TO_TIE:
        return hole_level + 1
    return layout.sizes[WEAK_LEVELS] if hand_set == UNQUALIFIED else layout.sizes[LEVELS]


@bare_kernel
def count_hands_below(level: int, a: int, b: int, layout: BoardLayout) -> int:
    """Dealer hands below this level without the hole's cards."""
    row = layout.below[level]
    total = layout.hands_below[level] - np.int64(row[a, ANY_SUIT]) - np.int64(row[b, ANY_SUIT])
    return total + (layout.levels[layout.kind[a], layout.kind[b]] < level)


@bare_kernel
def sum_non_flush_holes(rank_packets: Any, layout: BoardLayout) -> None:
    """Fill `layout.non_flush`: packets by ranks for holes that make no flush."""
    for v in range(RANKS):
        for u in range(v + 1):
            if layout.remaining[u] > 0 and layout.remaining[v] > (1 if u == v else 0):
                pair = rank_pair(u, v)
                _sum_ranks(
                    u,
                    v,
                    layout.rank_level[pair],
                    rank_packets[pair],
                    layout,
                    layout.non_flush[pair],
                )


@bare_kernel
def add_by_ranks(x: int, y: int, rank_packets: Any, layout: BoardLayout) -> None:
    """Fill `layout.by_ranks`: packets by ranks for a hole of these kinds."""
    pair, hole_level = rank_pair(x, y), layout.levels[x, y]
    rows, sums = rank_packets[pair], layout.by_ranks[x, y]
    if hole_level != layout.rank_level[pair]:
        _sum_ranks(x % RANKS, y % RANKS, hole_level, rows, layout, sums)
    else:
        for hand_set in range(HAND_SETS):
            for lane in range(RANK_LANES):
                sums[hand_set, lane] = layout.non_flush[pair, hand_set, lane]
    ranks, flushes = layout.sizes[RANK_PAIRS], layout.sizes[FLUSHES]
    weak = layout.sizes[WEAK_LEVELS]
    for hand in range(ranks, ranks + flushes):
        p, q = layout.first[hand], layout.second[hand]
        hands = _count_dealer_hands(p, q, x, y, layout)
        if hands == 0:
            continue
        pair, flush_level = rank_pair(p, q), layout.level[hand]
        rank_level, row = layout.rank_level[pair], rows[pair]
        for hand_set in range(3):
            level = (
                hole_level
                if hand_set == BEATEN
                else hole_level + 1
                if hand_set == UP_TO_TIE
                else weak
            )
            moved = hands * (np.int64(flush_level < level) - np.int64(rank_level < level))
            if moved != 0:
                sums[hand_set, 0] += moved * row[0]
                sums[hand_set, 1] += moved * row[1]
                sums[hand_set, 2] += moved * row[2]


@bare_kernel
def _sum_ranks(u: int, v: int, hole_level: int, rows: Any, layout: BoardLayout, sums: Any) -> None:
    """Sum packets over the dealer's pairs of ranks by strength, as if no flush were possible."""
    remaining, running_sums = layout.remaining, layout.running_sums
    remaining[u] -= 1
    remaining[v] -= 1
    zero, one, two = np.int64(0), np.int64(0), np.int64(0)
    running_sums[0, 0], running_sums[0, 1], running_sums[0, 2] = 0, 0, 0
    for position in range(layout.sizes[RANK_PAIRS]):
        pair = layout.ranked[position]
        p, q = layout.first[pair], layout.second[pair]
        if remaining[p] > 0 and remaining[q] > 0:
            ways = remaining[p] * remaining[q] if p != q else remaining[p] * (remaining[p] - 1) // 2
            row = rows[pair]
            zero += ways * row[0]
            one += ways * row[1]
            two += ways * row[2]
        running_sums[position + 1, 0] = zero
        running_sums[position + 1, 1] = one
        running_sums[position + 1, 2] = two
    for hand_set in range(HAND_SETS):
        count = layout.ranks_below[threshold(hand_set, hole_level, layout)]
        for lane in range(RANK_LANES):
            sums[hand_set, lane] = running_sums[count, lane]
    remaining[u] += 1
    remaining[v] += 1


@bare_kernel
def _count_dealer_hands(p: int, q: int, x: int, y: int, layout: BoardLayout) -> int:
    """The number of dealer hands of kinds p and q against a hole of kinds x and y."""
    first_cards = layout.in_deck[p] - (p == x) - (p == y)
    if p == q:
        return first_cards * (first_cards - 1) // 2 if first_cards > 1 else 0
    second_cards = layout.in_deck[q] - (q == x) - (q == y)
    return first_cards * second_cards if first_cards > 0 and second_cards > 0 else 0


@bare_kernel
def add_one_suited(
    suited_rank: int, kind: int, s: int, example: int, lanes: Any, layout: BoardLayout
) -> None:
    """Add the changes by packets of four cards of suit s, for holes with one card of that suit.

    The hole has the card of rank `suited_rank` in suit s and one of this kind in another suit,
    such as `example`.
    """
    mask, other, card = layout.masks[s], kind % RANKS, 4 * suited_rank + s
    sums = layout.one_suited[s, suited_rank, kind]
    running_sums, pairs = layout.running_sums, layout.pairs[s]
    one, two = np.int64(0), np.int64(0)
    for i in range(layout.two_suited_count[s]):
        running_sums[i, 0], running_sums[i, 1] = one, two
        row = lanes[mask | pairs[i, 0], suited_rank, other]
        one += row[0]
        two += row[1]
    count = layout.two_suited_count[s]
    running_sums[count, 0], running_sums[count, 1] = one, two
    hole_level = layout.levels[layout.kind[card], kind]
    weak, level_count = layout.sizes[WEAK_LEVELS], layout.sizes[LEVELS]
    win_at, tie_at = (
        layout.two_suited_below[hole_level, s],
        layout.two_suited_below[hole_level + 1, s],
    )
    weak_at, all_at = layout.two_suited_below[weak, s], layout.two_suited_below[level_count, s]
    win, win_2 = running_sums[win_at, 0], running_sums[win_at, 1]
    tie, tie_2 = running_sums[tie_at, 0], running_sums[tie_at, 1]
    weak_sum, weak_sum_2 = running_sums[weak_at, 0], running_sums[weak_at, 1]
    every, every_2 = running_sums[all_at, 0], running_sums[all_at, 1]
    below = layout.below
    for rank in range(RANKS):
        x = 4 * rank + s
        if layout.on_board[x] or x == card:
            continue
        row = lanes[mask | 1 << rank, suited_rank, other]
        one, two = row[0], row[1]
        hand_level = layout.levels[layout.kind[x], kind]
        hands = np.int64(below[hole_level, x, s]) - (hand_level < hole_level)
        win += hands * one
        win_2 += hands * two
        hands = np.int64(below[hole_level + 1, x, s]) - (hand_level <= hole_level)
        tie += hands * one
        tie_2 += hands * two
        hands = np.int64(below[weak, x, s]) - (hand_level < weak)
        weak_sum += hands * one
        weak_sum_2 += hands * two
        hands = np.int64(below[level_count, x, s]) - 1
        every += hands * one
        every_2 += hands * two
    sums[BEATEN, 0], sums[BEATEN, 1], sums[UP_TO_TIE, 0], sums[UP_TO_TIE, 1] = (
        win,
        win_2,
        tie,
        tie_2,
    )
    sums[UNQUALIFIED, 0], sums[UNQUALIFIED, 1], sums[ALL_HANDS, 0], sums[ALL_HANDS, 1] = (
        weak_sum,
        weak_sum_2,
        every,
        every_2,
    )
    row = lanes[mask, suited_rank, other]
    for hand_set in range(HAND_SETS):
        level = threshold(hand_set, hole_level, layout)
        without_suit = count_hands_below(level, card, example, layout) - (
            sums[hand_set, 1] >> LAST_LANE
        )
        sums[hand_set, 0] += without_suit * row[0]
        sums[hand_set, 1] = (sums[hand_set, 1] + without_suit * row[1]) & (
            (np.int64(1) << LAST_LANE) - 1
        )


@bare_kernel
def add_two_suited(
    low: int, high: int, s: int, board: Any, packets: PacketTables, layout: BoardLayout
) -> None:
    """Add the changes by packets with three or four cards of suit s, for holes with two of them."""
    lanes, moved = packets.two_suited, packets.ranks_moved
    mask, hole, hole_mask = layout.masks[s], set2_number(low, high), 1 << low | 1 << high
    sums, running_sums = layout.two_suited[s, hole], layout.running_sums
    pairs, mixed = layout.pairs[s], layout.mixed[s]
    one, two, valid = np.int64(0), np.int64(0), np.int64(0)
    for i in range(layout.two_suited_count[s]):
        running_sums[i, 0], running_sums[i, 1], running_sums[i, 2] = one, two, valid
        if pairs[i, 0] & hole_mask == 0:
            with_pair = mask | pairs[i, 0]
            one += lanes[with_pair, hole, 0]
            two += lanes[with_pair, hole, 1]
            row = moved[with_pair, hole]
            for k in range(5):
                if board[k] & 3 != s:
                    two -= widen_lanes(row[board[k] >> 2])
            valid += 1
    count = layout.two_suited_count[s]
    running_sums[count, 0], running_sums[count, 1], running_sums[count, 2] = one, two, valid
    two = np.int64(0)
    for i in range(layout.one_suited_count[s]):
        running_sums[i, 3] = two
        two += mixed[i, 2] * widen_lanes(moved[mask | mixed[i, 0], hole, mixed[i, 1]])
    running_sums[layout.one_suited_count[s], 3] = two
    a, b = 4 * low + s, 4 * high + s
    hole_level = layout.levels[layout.kind[a], layout.kind[b]]
    levels = (hole_level, hole_level + 1, layout.sizes[WEAK_LEVELS], layout.sizes[LEVELS])
    for hand_set in range(HAND_SETS):
        level = levels[hand_set]
        two_suited_below = layout.two_suited_below[level, s]
        sums[hand_set, 0] = running_sums[two_suited_below, 0]
        sums[hand_set, 1] = (
            running_sums[two_suited_below, 1] - running_sums[layout.one_suited_below[level, s], 3]
        )
        layout.hands[hand_set] = (
            count_hands_below(level, a, b, layout) - running_sums[two_suited_below, 2]
        )
    for rank in range(RANKS):
        x = 4 * rank + s
        if layout.on_board[x] or hole_mask >> rank & 1:
            continue
        with_x = mask | 1 << rank
        value, row = lanes[with_x, hole, 1], moved[with_x, hole]
        for k in range(5):
            if board[k] & 3 != s:
                value -= widen_lanes(row[board[k] >> 2])
        for hand_set in range(HAND_SETS):
            hands = np.int64(layout.below[levels[hand_set], x, s])
            sums[hand_set, 0] += hands * lanes[with_x, hole, 0]
            sums[hand_set, 1] += hands * value
            layout.hands[hand_set] -= hands
    value, row = lanes[mask, hole, 1], moved[mask, hole]
    for k in range(5):
        if board[k] & 3 != s:
            value -= widen_lanes(row[board[k] >> 2])
    for hand_set in range(HAND_SETS):
        sums[hand_set, 0] += layout.hands[hand_set] * lanes[mask, hole, 0]
        sums[hand_set, 1] += layout.hands[hand_set] * value
    for rank in range(RANKS):
        value = widen_lanes(row[rank])
        for hand_set in range(HAND_SETS):
            sums[hand_set, 1] -= layout.off_below[levels[hand_set], s, rank] * value
