"""Counting what is to be learnt of a solved game, which needs the kernels."""

from fractions import Fraction

import numpy as np

from headsup.analysis.actions import BestActions
from headsup.analysis.kernels.arrays import PASSIVE
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import PAIRS, RANKS
from headsup.analysis.lessons import KindOfHand, Lessons
from headsup.analysis.shortcard import (
    Flags,
    Numbers,
    card_cost,
    flop_category,
    made_with,
    rank_boards,
    suited_with,
)
from headsup.analysis.strategy import Strategy
from headsup.game.hands import Category

_ABSENT = 3  # of two bits: no such hole on this flop


def count_lessons(strategy: Strategy) -> Lessons:
    actions = strategy.actions
    return Lessons(card_cost(strategy.solution), _flop_kinds(actions), _river_kinds(actions))


# On the flop.


def _flop_kinds(actions: BestActions) -> tuple[KindOfHand, ...]:
    known = lattice()
    holes = known.holes.cards.astype(np.int64)
    ranks, suits = holes >> 2, holes & 3
    counts = (ranks[:, :, None] == np.arange(RANKS)).sum(1)
    masks, bits = np.bitwise_or.reduce(1 << ranks, 1), (1 << holes).sum(1)
    checked = np.array(actions.pocket.actions)[known.holes.pocket] == PASSIVE
    outs = _straight_outs()
    seen, raised = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for number, cards in enumerate(known.flops.cards.astype(np.int64)):
        flush, draw = suited_with(suits, cards & 3)
        made = (made_with(counts, cards >> 2) > flop_category(cards >> 2)) | flush
        open_ended = outs[masks | int(np.bitwise_or.reduce(1 << (cards >> 2)))] >= 2
        kind = np.select([made, draw, open_ended], [0, 1, 2], 3)
        there = checked & (bits & int((1 << cards).sum()) == 0)
        weight = int(known.flops.weight[number])
        acts = there & (actions.flop[number] != PASSIVE) & (actions.flop[number] != _ABSENT)
        seen += weight * np.bincount(kind[there], minlength=4)
        raised += weight * np.bincount(kind[acts], minlength=4)
    return _kinds(_FLOP, seen, raised)


_FLOP = (
    "A pair or better with your cards",
    "Four to a flush",
    "Eight cards make a straight",
    "All other hands",
)


def _straight_outs() -> Numbers:
    """[mask of ranks]: how many further ranks would make a straight."""
    runs = [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]
    masks = np.arange(1 << RANKS)
    outs = np.zeros(1 << RANKS, np.int64)
    for rank in range(RANKS):
        with_it = masks | 1 << rank
        outs += np.any([with_it & run == run for run in runs], 0)
    return outs


# On the river.


def _river_kinds(actions: BestActions) -> tuple[KindOfHand, ...]:
    known = lattice()
    boards, above = rank_boards()
    pairs = known.types.ranks.astype(np.int64)
    high = pairs.max(1)
    checked = np.array(actions.pocket.actions)[known.holes.pocket] == PASSIVE
    holes = np.bincount(known.holes.pair[checked], minlength=PAIRS)
    weights = known.rank_boards.ways * holes
    better = _better(boards, pairs)
    higher = above[:, high]
    pair, two = boards == Category.ONE_PAIR, boards > Category.ONE_PAIR
    kind = np.select(
        [
            better,
            np.broadcast_to(two[:, None], better.shape),
            ~pair[:, None] & (higher <= 1),
            ~pair[:, None],
            pair[:, None] & (higher <= 2),
        ],
        [0, 1, 2, 3, 4],
        5,
    )
    acts = actions.river.ranks != PASSIVE
    seen = np.bincount(kind.ravel(), weights.ravel(), len(_RIVER)).astype(np.int64)
    raised = np.bincount(kind.ravel(), (weights * acts).ravel(), len(_RIVER)).astype(np.int64)
    return _kinds(_RIVER, seen, raised)


_RIVER = (
    "Better than the board alone",
    "A board of two pair or better, no better",
    "A board without a pair, at most one higher card",
    "A board without a pair, more of them",
    "A board with a pair, at most two higher cards",
    "A board with a pair, more of them",
)


def _better(boards: Numbers, pairs: Numbers) -> Flags:
    """[board, pair]: whether hole and board make a better kind of hand than the board alone."""
    ranks = lattice().rank_boards.ranks.astype(np.int64)
    held = (ranks[:, :, None] == np.arange(RANKS)).sum(1)
    better = np.zeros((len(boards), len(pairs)), np.bool_)
    for number, pair in enumerate(pairs):
        better[:, number] = made_with(held, pair) > boards
    return better


def _kinds(names: tuple[str, ...], seen: Numbers, raised: Numbers) -> tuple[KindOfHand, ...]:
    total = int(seen.sum())
    return tuple(
        KindOfHand(name, Fraction(int(count), total), Fraction(int(acts), int(count) or 1))
        for name, count, acts in zip(names, seen, raised, strict=True)
    )
