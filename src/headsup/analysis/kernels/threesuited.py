"""Boards with three cards of the flush suit: the counts of their ranks, corrected.

Only two hole cards of the suit make a flush there. So of what the board's ranks alone give nothing
changes but the dealer's **suited hands**, at most 45: each is stronger than its ranks say, and
never a full house or better by them. A hand that makes no flush loses what it had won or tied
against suited hands apart from its own cards. A flush beats every hand below a full house that is
not suited, and the suited hands below itself; no two of them are equal.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.arrays import (
    IMPOSSIBLE,
    NEVER,
    QUALIFIES,
    DealerCounts,
    Int16s,
    Int64s,
    Orders,
    Types,
)
from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.numbering import FIRST_OFF_SUITED, FIRST_SUITED, PAIRS, RANKS

FLUSH, FULL_HOUSE, STRAIGHT_FLUSH = 5 << 20, 6 << 20, 8 << 20


class SuitedScratch(NamedTuple):
    """Suited hands of the dealer on one board: how many hold one given card of the suit."""

    below: Int64s  # [rank]: of those passed so far
    straight: Int64s  # [rank]: of those that make a straight flush
    raised: Int64s  # [rank]: of those that qualify only by their flush
    lost: Int16s  # [pair]: suited hands that its ranks beat, and which win now
    untied: Int16s  # [pair]: that its ranks tied


@kernel
def suited_scratch() -> SuitedScratch:
    return SuitedScratch(
        np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64),
        np.zeros(PAIRS, np.int16), np.zeros(PAIRS, np.int16),
    )  # fmt: skip


@kernel
def count_low(board: int, left: Any, types: Types, orders: Orders, lows: Any) -> None:
    """Dealer hands below a full house by ranks alone, beside each pair of different ranks."""
    pairs, order, strengths = types.ranks, orders.pairs[board], orders.strengths[board]
    below = np.zeros(RANKS, np.int64)
    total = np.int64(0)
    for at in range(PAIRS):
        if strengths[at] >= FULL_HOUSE:
            break
        a, b = np.int64(pairs[order[at], 0]), np.int64(pairs[order[at], 1])
        if a == b:
            total += left[a] * (left[a] - 1) // 2
            below[a] += max(left[a] - 1, 0)
        else:
            total += left[a] * left[b]
            below[a] += left[b]
            below[b] += left[a]
    for pair in range(PAIRS):
        lows[board, pair] = total - below[pairs[pair, 0]] - below[pairs[pair, 1]] + 1


@kernel
def count_three_suited(
    board: int, rank_board: int, mask: int, qualifier: int, left: Any, types: Types,
    orders: Orders, lows: Any, used: SuitedScratch, by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill the rows of one board, from those of its rank board. `left` is filled already."""
    verdict = counts.verdict[board]
    verdict[:] = IMPOSSIBLE
    held = 0
    cards = 0
    for rank in range(RANKS):
        held += left[RANKS + rank]
        cards += left[rank] + left[RANKS + rank]
    dealers = (cards - 2) * (cards - 3) // 2
    straights = _flushes(
        board, rank_board, mask, held, dealers, qualifier, left, orders, lows, used, counts
    )
    raised = _others(
        board, rank_board, held, straights, qualifier, left, types, orders, used, by_ranks, counts
    )
    _weak(board, rank_board, raised, types, used, by_ranks, counts)


@kernel
def _flushes(
    board: int, rank_board: int, mask: int, held: int, dealers: int, qualifier: int, left: Any,
    orders: Orders, lows: Any, used: SuitedScratch, counts: DealerCounts,
) -> int:  # fmt: skip
    """Types of two suited cards, weakest first; returns how many make a straight flush."""
    flushes, strengths = orders.flushes[mask], orders.flush_strengths[mask]
    below, straight, raised = used.below, used.straight, used.raised
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    apart = (held - 2) * (held - 3) // 2
    total = np.int64(0)
    below[:] = 0
    straight[:] = 0
    raised[:] = 0
    straights = 0
    at = 0
    while strengths[at] != NEVER:
        strength = np.int64(strengths[at])
        a, b = np.int64(flushes[at, 0]), np.int64(flushes[at, 1])
        at += 1
        if left[RANKS + a] == 0 or left[RANKS + b] == 0:
            continue
        high = strength >= STRAIGHT_FLUSH
        others = dealers if high else np.int64(lows[rank_board, a + b * (b + 1) // 2])
        member = FIRST_SUITED + a + b * (b - 1) // 2
        win[member] = others - apart + total - below[a] - below[b]
        tie[member] = 0
        verdict[member] = (strength >> 20) + (QUALIFIES if strength >= qualifier else 0)
        total += 1
        below[a] += 1
        below[b] += 1
        if high:
            straights += 1
            straight[a] += 1
            straight[b] += 1
        if strength >= qualifier:
            raised[a] += 1
            raised[b] += 1
    return straights


@kernel
def _others(
    board: int, rank_board: int, held: int, straights: int, qualifier: int, left: Any, types: Types,
    orders: Orders, used: SuitedScratch, by_ranks: DealerCounts, counts: DealerCounts,
) -> int:  # fmt: skip
    """Types with at most one suited card, weakest first.

    Returns how many suited hands qualify only by their flush.
    """
    pairs, order, strengths = types.ranks, orders.pairs[rank_board], orders.strengths[rank_board]
    below, straight, raised = used.below, used.straight, used.raised
    lost, untied = used.lost, used.untied
    win, tie, verdict = counts.win[board], counts.tie[board], counts.verdict[board]
    rank_win, rank_tie = by_ranks.win[rank_board], by_ranks.tie[rank_board]
    rank_verdict = by_ranks.verdict[rank_board]
    total = np.int64(0)
    below[:] = 0
    by_flush = np.int64(-1)
    if qualifier > FLUSH:
        by_flush = raised.sum() // 2
    at = 0
    while at < PAIRS:
        strength = strengths[at]
        if by_flush < 0 and strength >= qualifier:
            by_flush = total
            raised[:] = below
        if strength >= FULL_HOUSE:
            total = np.int64(straights)
            below[:] = straight
        first = at
        while at < PAIRS and strengths[at] == strength:
            pair = np.int64(order[at])
            a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
            at += 1
            lost[pair] = total
            if left[a] > 0 and left[RANKS + b] > 0:
                member = FIRST_OFF_SUITED + a * RANKS + b
                win[member] = rank_win[pair] - total + below[b]
                verdict[member] = rank_verdict[pair]
            if a != b and left[b] > 0 and left[RANKS + a] > 0:
                member = FIRST_OFF_SUITED + b * RANKS + a
                win[member] = rank_win[pair] - total + below[a]
                verdict[member] = rank_verdict[pair]
        if strength < FULL_HOUSE:
            for i in range(first, at):
                a, b = np.int64(pairs[order[i], 0]), np.int64(pairs[order[i], 1])
                if a != b and left[RANKS + a] > 0 and left[RANKS + b] > 0:
                    total += 1
                    below[a] += 1
                    below[b] += 1
        for i in range(first, at):
            pair = np.int64(order[i])
            a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
            untied[pair] = total - lost[pair]
            both = rank_win[pair] + rank_tie[pair] - total
            member = FIRST_OFF_SUITED + a * RANKS + b
            if verdict[member] != IMPOSSIBLE:
                tie[member] = both + below[b] - win[member]
            member = FIRST_OFF_SUITED + b * RANKS + a
            if verdict[member] != IMPOSSIBLE:
                tie[member] = both + below[a] - win[member]
    for pair in range(PAIRS):
        a, b = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
        if left[a] > (1 if a == b else 0) and left[b] > 0:
            win[pair] = rank_win[pair] - lost[pair]
            tie[pair] = rank_tie[pair] - untied[pair]
            verdict[pair] = rank_verdict[pair]
    if by_flush < 0:
        by_flush = np.int64(held * (held - 1) // 2)
        raised[:] = held - 1
    return by_flush


@kernel
def _weak(
    board: int, rank_board: int, by_flush: int, types: Types, used: SuitedScratch,
    by_ranks: DealerCounts, counts: DealerCounts,
) -> None:  # fmt: skip
    """Dealer hands that do not qualify: those by ranks, less suited ones that do by their flush."""
    pairs, raised = types.pair, used.raised
    weak, rank_weak = counts.weak[board], by_ranks.weak[rank_board]
    verdict, rank_verdict = counts.verdict[board], by_ranks.verdict[rank_board]
    for pair in range(PAIRS):
        weak[pair] = rank_weak[pair] - by_flush
    for off in range(RANKS):
        first = FIRST_OFF_SUITED + off * RANKS
        for rank in range(RANKS):
            weak[first + rank] = rank_weak[pairs[first + rank]] - by_flush + raised[rank]
    member = FIRST_SUITED
    for b in range(RANKS):
        for a in range(b):
            pair = pairs[member]
            own = rank_verdict[pair] < QUALIFIES and verdict[member] >= QUALIFIES
            apart = by_flush - raised[a] - raised[b] + (1 if own else 0)
            weak[member] = rank_weak[pair] - apart
            member += 1
