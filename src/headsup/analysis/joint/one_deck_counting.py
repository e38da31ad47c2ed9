"""Counting rounds by what lies beside them, board by board, which needs the kernels."""

from functools import partial
from math import comb

import numpy as np

from headsup.analysis.counts.card_counts import hand_counts
from headsup.analysis.counts.progressive_cases import playbooks_for
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.joint.counting import count_by_class
from headsup.analysis.joint.one_deck import ExtraAxes, first_of_group
from headsup.analysis.kernels.all6.board_layout import layout_scratch
from headsup.analysis.kernels.all6.board_packets import (
    ALL_HANDS,
    BEATEN,
    HAND_SETS,
    UNQUALIFIED,
    UP_TO_TIE,
)
from headsup.analysis.kernels.all6.packets import packet_tables
from headsup.analysis.kernels.all6.ranks import packet_scratch
from headsup.analysis.kernels.all6.rounds import (
    PACKET_KINDS,
    PACKETS_PER_DEAL,
    CountOptions,
    count_rounds,
    round_scratch,
)
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.base.numbering import RANK_BOARDS, RANKS
from headsup.analysis.kernels.simulate.side_cases import (
    FLOPPED_ROYAL,
    PROGRESSIVE_CASES,
    SIX_CARD_ROYAL,
)
from headsup.analysis.simulation.seat_lookups import all_6_outcomes, decision_index
from headsup.analysis.solver.actions import DECISION_PATHS
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, Progress, split_range
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.strategy import Strategy
from headsup.game.rulebook.wagers import Comparison
from headsup.game.values.hands import Category

BOARD_CHUNKS = 400
SUITS = 4
POCKET_CLASSES = RANKS * RANKS


def count_one_deck(
    strategy: Strategy, beside: ExtraAxes, progress: Progress | None = None
) -> Int64s:
    """As `one_deck` has them, and shown to add up to what is known otherwise."""
    known = count_by_class(strategy)
    with KernelPool(BOARD_CHUNKS, progress) as crew:
        sums = _sums(strategy, beside, crew)
    counts = _by_case(_by_result(sums), beside)
    _check(counts, known, beside)
    grouped = np.zeros_like(counts)
    np.add.at(grouped, first_of_group(), counts)
    return grouped


def _sums(strategy: Strategy, beside: ExtraAxes, crew: KernelPool) -> Int64s:
    """[class, way to decide, own hand, case, own hand qualifies, set, kind of packet]."""
    hands = len(Category) if beside.own_hand else 1
    kinds = PACKET_KINDS if beside.packets else 1
    shape = (POCKET_CLASSES, DECISION_PATHS, hands * PROGRESSIVE_CASES, 2, HAND_SETS, kinds)
    asked = CountOptions(int(beside.packets), int(beside.own_hand))
    boards = np.asarray(board_tables().rank_boards.ranks, np.int64)
    given = (packet_tables(), decision_index(), playbooks_for(strategy), strength_tables())
    qualifier = strategy.solution.payoffs.qualifier
    found = AccumulatorPool(
        lambda: (packet_scratch(), layout_scratch(), round_scratch(), np.zeros(shape, np.int64))
    )

    def count(first: int, last: int) -> None:
        with found.one() as room:
            count_rounds(first, last, asked, qualifier, boards, *given, *room)

    crew.run(partial(count, *part) for part in split_range(0, RANK_BOARDS, BOARD_CHUNKS))
    (*_, total), *others = found.all()
    for *_, more in others:
        total += more
    return total.reshape(
        POCKET_CLASSES, DECISION_PATHS, hands, PROGRESSIVE_CASES, 2, HAND_SETS, kinds
    )


def _by_result(sums: Int64s) -> Int64s:
    """[class, way, case, result, dealer qualifies, own hand, kind]: a hand that qualifies beats
    all that do not, and one that does not loses to all that do."""
    sums = np.moveaxis(sums, 2, 5)  # [class, way, case, own qualifies, set, own hand, kind]
    win, tie, weak, every = (
        sums[:, :, :, :, which] for which in (BEATEN, UP_TO_TIE, UNQUALIFIED, ALL_HANDS)
    )
    shape = sums.shape
    found = np.zeros((*shape[:3], 3, 2, *shape[5:]), np.int64)
    below, able = 0, 1
    found[:, :, :, Comparison.WIN, 0] = win[:, :, :, below] + weak[:, :, :, able]
    found[:, :, :, Comparison.TIE, 0] = tie[:, :, :, below] - win[:, :, :, below]
    found[:, :, :, Comparison.LOSE, 0] = weak[:, :, :, below] - tie[:, :, :, below]
    found[:, :, :, Comparison.WIN, 1] = win[:, :, :, able] - weak[:, :, :, able]
    found[:, :, :, Comparison.TIE, 1] = tie[:, :, :, able] - win[:, :, :, able]
    found[:, :, :, Comparison.LOSE, 1] = every[:, :, :, able] - tie[:, :, :, able]
    found[:, :, :, Comparison.LOSE, 1] += every[:, :, :, below] - weak[:, :, :, below]
    return found


def _by_case(counts: Int64s, beside: ExtraAxes) -> Int64s:
    """Royals in each suit: boards stand for others in other suits, so only their sum is known."""
    flopped = counts[:, :, FLOPPED_ROYAL:].sum(axis=2, keepdims=True)
    counts[:, :, FLOPPED_ROYAL:] = _quarter(flopped)
    if not beside.packets:
        return counts
    royals = _quarter(counts[..., SIX_CARD_ROYAL:])
    return np.concatenate([counts[..., :SIX_CARD_ROYAL], *[royals] * SUITS], axis=-1)


def _quarter(counts: Int64s) -> Int64s:
    if (counts % SUITS).any():
        raise ArithmeticError("royals of one suit are not as many as of another")
    return counts // SUITS


def _check(counts: Int64s, known: Int64s, beside: ExtraAxes) -> None:
    """Without what lies beside they are the rounds counted before; without the rounds, packets."""
    times = PACKETS_PER_DEAL if beside.packets else 1
    if (counts < 0).any() or (counts.sum(axis=(5, 6)) != times * known).any():
        raise ArithmeticError("rounds with what lies beside them are not those counted before")
    if beside.own_hand:
        expected_hands = hand_counts().both_hole_cards
        by_hand = counts.sum(axis=(0, 1, 2, 3, 4, 6)).tolist()
        every, total = sum(by_hand), sum(expected_hands.values())
        for hand, ways in zip(Category, by_hand, strict=True):
            if ways * total != expected_hands.get(hand.key, 0) * every:
                raise ArithmeticError("hands of both hole cards are not those counted before")
    if beside.packets:
        rest = FLOPS_PER_BOARD * comb(46, 5) * comb(41, 2)  # boards and dealer's hands
        by_class = counts.sum(axis=(1, 2, 3, 4, 5))
        for number, expected in enumerate(all_6_by_class()):
            for case, outcome in enumerate(all_6_outcomes()):
                alike = all_6_outcomes().count(outcome)
                if int(by_class[number, case]) * alike != rest * expected.get(outcome, 0):
                    raise ArithmeticError("packets are not those counted before")
