"""Counting rounds by what lies beside them, board by board, which needs the kernels."""

from functools import partial
from math import comb

import numpy as np

from headsup.analysis.counts.card_counts import card_counts
from headsup.analysis.counts.progressive_cases import books_of
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.joint.counting import count_by_class
from headsup.analysis.joint.one_deck import CountedWith, first_of_group
from headsup.analysis.kernels.all6.board_layout import board_scratch
from headsup.analysis.kernels.all6.board_packets import ALL, SETS, TIE, WEAK, WIN
from headsup.analysis.kernels.all6.packets import packets
from headsup.analysis.kernels.all6.ranks import six_scratch
from headsup.analysis.kernels.all6.rounds import (
    PACKETS_LEFT,
    SIX_KINDS,
    CountedBy,
    count_dealt,
    dealt_scratch,
)
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.board_tables import lattice
from headsup.analysis.kernels.base.evaluator import lookup
from headsup.analysis.kernels.base.numbering import RANK_BOARDS, RANKS
from headsup.analysis.kernels.simulate.side_cases import FLOPPED_ROYAL, POOL_CASES, SIX_CARD_ROYAL
from headsup.analysis.simulation.seat_lookups import places, six_outcomes
from headsup.analysis.solver.actions import WAYS_TO_DECIDE
from headsup.analysis.solver.chunks import Crew, Progress, Sums, split
from headsup.analysis.solver.deck import FLOPS_OF_A_BOARD
from headsup.analysis.solver.strategy import Strategy
from headsup.game.rulebook.wagers import Comparison
from headsup.game.values.hands import Category

CHUNKS = 400
SUITS = 4
CLASSES = RANKS * RANKS


def count_one_deck(
    strategy: Strategy, beside: CountedWith, progress: Progress | None = None
) -> Int64s:
    """As `one_deck` has them, and shown to add up to what is known otherwise."""
    known = count_by_class(strategy)
    with Crew(CHUNKS, progress) as crew:
        sums = _sums(strategy, beside, crew)
    counts = _by_case(_by_result(sums), beside)
    _check(counts, known, beside)
    grouped = np.zeros_like(counts)
    np.add.at(grouped, first_of_group(), counts)
    return grouped


def _sums(strategy: Strategy, beside: CountedWith, crew: Crew) -> Int64s:
    """[class, way to decide, own hand, case, own hand qualifies, set, kind of packet]."""
    hands = len(Category) if beside.own_hand else 1
    kinds = SIX_KINDS if beside.packets else 1
    shape = (CLASSES, WAYS_TO_DECIDE, hands * POOL_CASES, 2, SETS, kinds)
    asked = CountedBy(int(beside.packets), int(beside.own_hand))
    boards = np.asarray(lattice().rank_boards.ranks, np.int64)
    given = (packets(), places(), books_of(strategy), lookup())
    qualifier = strategy.solution.payoffs.qualifier
    found = Sums(
        lambda: (six_scratch(), board_scratch(), dealt_scratch(), np.zeros(shape, np.int64))
    )

    def count(first: int, last: int) -> None:
        with found.one() as room:
            count_dealt(first, last, asked, qualifier, boards, *given, *room)

    crew.run(partial(count, *part) for part in split(0, RANK_BOARDS, CHUNKS))
    (*_, total), *others = found.all()
    for *_, more in others:
        total += more
    return total.reshape(CLASSES, WAYS_TO_DECIDE, hands, POOL_CASES, 2, SETS, kinds)


def _by_result(sums: Int64s) -> Int64s:
    """[class, way, case, result, dealer qualifies, own hand, kind]: a hand that qualifies beats
    all that do not, and one that does not loses to all that do."""
    sums = np.moveaxis(sums, 2, 5)  # [class, way, case, own qualifies, set, own hand, kind]
    win, tie, weak, every = (sums[:, :, :, :, which] for which in (WIN, TIE, WEAK, ALL))
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


def _by_case(counts: Int64s, beside: CountedWith) -> Int64s:
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


def _check(counts: Int64s, known: Int64s, beside: CountedWith) -> None:
    """Without what lies beside they are the rounds counted before; without the rounds, packets."""
    times = PACKETS_LEFT if beside.packets else 1
    if (counts < 0).any() or (counts.sum(axis=(5, 6)) != times * known).any():
        raise ArithmeticError("rounds with what lies beside them are not those counted before")
    if beside.own_hand:
        expected_hands = card_counts().both_hole_cards
        by_hand = counts.sum(axis=(0, 1, 2, 3, 4, 6)).tolist()
        every, total = sum(by_hand), sum(expected_hands.values())
        for hand, ways in zip(Category, by_hand, strict=True):
            if ways * total != expected_hands.get(hand.key, 0) * every:
                raise ArithmeticError("hands of both hole cards are not those counted before")
    if beside.packets:
        rest = FLOPS_OF_A_BOARD * comb(46, 5) * comb(41, 2)  # boards and dealer's hands
        by_class = counts.sum(axis=(1, 2, 3, 4, 5))
        for number, expected in enumerate(all_6_by_class()):
            for case, outcome in enumerate(six_outcomes()):
                alike = six_outcomes().count(outcome)
                if int(by_class[number, case]) * alike != rest * expected.get(outcome, 0):
                    raise ArithmeticError("packets are not those counted before")
