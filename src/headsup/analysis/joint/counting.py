"""Counts the rounds of a solved strategy by pocket class, and where needed also by All 6 packet or
by the hand of both hole cards. Needs the kernels.
"""

from functools import cache, partial
from itertools import combinations
from math import comb

import numpy as np

from headsup.analysis.counts.categories import suit_categories
from headsup.analysis.counts.hand_counts import hand_counts
from headsup.analysis.counts.side_cases import all_6_outcomes, case_hand
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.joint.one_deck import ExtraAxes, first_of_group
from headsup.analysis.kernels.all6.board_layout import layout_scratch
from headsup.analysis.kernels.all6.board_packets import (
    ALL_HANDS,
    BEATEN,
    HAND_SETS,
    UNQUALIFIED,
    UP_TO_TIE,
)
from headsup.analysis.kernels.all6.packets import packet_scratch, packet_tables
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
    LATE_STRAIGHT_FLUSH,
    PROGRESSIVE_CASES,
    SIX_CARD_ROYAL,
    ProgressiveScratch,
    count_progressive_cases,
)
from headsup.analysis.solver.actions import DECISION_PATHS
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.playbooks import decision_index, playbooks
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, Progress, split_range
from headsup.game.rulebook.wagers import Comparison
from headsup.game.values.hands import Category

STRAIGHT_FLUSH_CHUNKS = 16
SUITS = 4


def split_progressive_cases(strategy: Strategy, counts: Int64s, pool: KernelPool) -> Int64s:
    """Split straight flushes and royals into the Progressive's cases, as `joint` expects."""
    case_counts = count_cases(strategy, pool)
    hands = [case_hand(LATE_STRAIGHT_FLUSH + case) for case in range(case_counts.shape[2])]
    for hand in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        hand_cases = [case for case, other in enumerate(hands) if other is hand]
        if (case_counts[:, :, hand_cases].sum(axis=2) != counts[:, :, hand]).any():
            raise ArithmeticError(f"the counts of deals with a {hand.key} do not match")
    return np.concatenate([counts[:, :, :LATE_STRAIGHT_FLUSH], case_counts], axis=2)


def count_cases(strategy: Strategy, pool: KernelPool) -> Int64s:
    """[class, decision path, case from a straight flush up, result, dealer qualifies]."""
    deals, cases = straight_flush_deals(), PROGRESSIVE_CASES - LATE_STRAIGHT_FLUSH
    books = playbooks([strategy])
    qualifier = strategy.solution.payoffs.qualifier
    parts = split_range(0, len(deals), STRAIGHT_FLUSH_CHUNKS)
    shape = (RANKS * RANKS, DECISION_PATHS, cases, 3, 2)
    counts = [np.zeros(shape, np.int64) for _ in parts]
    pool.run(
        partial(
            count_progressive_cases,
            *(
                *part,
                deals,
                qualifier,
                decision_index(),
                books,
                strength_tables(),
                ProgressiveScratch.empty(),
                part_counts,
            ),
        )
        for part, part_counts in zip(parts, counts, strict=True)
    )
    total: Int64s = np.sum(counts, axis=0)
    suited = FLOPPED_ROYAL - LATE_STRAIGHT_FLUSH
    total[:, :, :suited] *= SUITS
    total[:, :, suited:] = total[:, :, suited : suited + 1]  # the same in each suit
    return total


@cache
def straight_flush_deals() -> Int64s:
    """[number, 7]: every seven cards with a straight flush in the first suit."""
    categories = suit_categories()
    first_suit, others = range(0, 52, SUITS), [card for card in range(52) if card % SUITS]
    rows = []
    for count in (5, 6, 7):
        for suited in combinations(first_suit, count):
            if categories[sum(1 << (card // SUITS) for card in suited)] >= Category.STRAIGHT_FLUSH:
                rows += [(*suited, *rest) for rest in combinations(others, 7 - count)]
    return np.array(rows, np.int64)


KERNEL_CALLS = 206  # approximate, for progress


def count_by_class(strategy: Strategy, progress: Progress | None = None) -> Int64s:
    """The counts of `joint`, with straight flushes and royals by the Progressive's cases."""
    deck, payoffs = Deck(), strategy.solution.payoffs
    with KernelPool(KERNEL_CALLS, progress) as pool:
        showdowns = Showdowns.count(deck, payoffs.qualifier, pool)
        counts = ResultCounter(deck, showdowns, pool).by_class(strategy.actions)
        return split_progressive_cases(strategy, counts, pool)


# Rounds with All 6's packet or the hand of both hole cards, board by board.

BOARD_CHUNKS = 400
POCKET_CLASSES = RANKS * RANKS


def count_one_deck(strategy: Strategy, axes: ExtraAxes, progress: Progress | None = None) -> Int64s:
    """The counts of `one_deck`, checked against independent counts."""
    expected = count_by_class(strategy)
    with KernelPool(BOARD_CHUNKS, progress) as pool:
        sums = _count_boards(strategy, axes, pool)
    counts = _by_case(_by_result(sums), axes)
    _check(counts, expected, axes)
    grouped = np.zeros_like(counts)
    np.add.at(grouped, first_of_group(), counts)
    return grouped


def _count_boards(strategy: Strategy, axes: ExtraAxes, pool: KernelPool) -> Int64s:
    """[class, path, both-hole-cards hand, case, player qualifies, hand set, packet kind]."""
    hands = len(Category) if axes.both_hole_cards else 1
    kinds = PACKET_KINDS if axes.packets else 1
    shape = (POCKET_CLASSES, DECISION_PATHS, hands * PROGRESSIVE_CASES, 2, HAND_SETS, kinds)
    options = CountOptions(int(axes.packets), int(axes.both_hole_cards))
    boards = np.asarray(board_tables().rank_boards.ranks, np.int64)
    tables = (packet_tables(), decision_index(), playbooks([strategy]), strength_tables())
    qualifier = strategy.solution.payoffs.qualifier
    scratch_pool = AccumulatorPool(
        lambda: (packet_scratch(), layout_scratch(), round_scratch(), np.zeros(shape, np.int64))
    )

    def count(first: int, last: int) -> None:
        with scratch_pool.borrow() as scratch:
            count_rounds(first, last, options, qualifier, boards, *tables, *scratch)

    pool.run(partial(count, *part) for part in split_range(0, RANK_BOARDS, BOARD_CHUNKS))
    (*_, total), *others = scratch_pool.collect()
    for *_, other in others:
        total += other
    return total.reshape(
        POCKET_CLASSES, DECISION_PATHS, hands, PROGRESSIVE_CASES, 2, HAND_SETS, kinds
    )


def _by_result(sums: Int64s) -> Int64s:
    """[class, path, case, result, dealer qualifies, both-hole-cards hand, kind].

    A qualifying hand beats all weak hands; a weak hand loses to all qualifying ones.
    """
    sums = np.moveaxis(sums, 2, 5)  # [class, path, case, player qualifies, set, hand, kind]
    win, tie, weak, every = (
        sums[:, :, :, :, hand_set] for hand_set in (BEATEN, UP_TO_TIE, UNQUALIFIED, ALL_HANDS)
    )
    shape = sums.shape
    results = np.zeros((*shape[:3], 3, 2, *shape[5:]), np.int64)
    weak_hand, qualified = 0, 1
    results[:, :, :, Comparison.WIN, 0] = win[:, :, :, weak_hand] + weak[:, :, :, qualified]
    results[:, :, :, Comparison.TIE, 0] = tie[:, :, :, weak_hand] - win[:, :, :, weak_hand]
    results[:, :, :, Comparison.LOSE, 0] = weak[:, :, :, weak_hand] - tie[:, :, :, weak_hand]
    results[:, :, :, Comparison.WIN, 1] = win[:, :, :, qualified] - weak[:, :, :, qualified]
    results[:, :, :, Comparison.TIE, 1] = tie[:, :, :, qualified] - win[:, :, :, qualified]
    results[:, :, :, Comparison.LOSE, 1] = every[:, :, :, qualified] - tie[:, :, :, qualified]
    results[:, :, :, Comparison.LOSE, 1] += every[:, :, :, weak_hand] - weak[:, :, :, weak_hand]
    return results


def _by_case(counts: Int64s, axes: ExtraAxes) -> Int64s:
    """Split royals evenly by suit. A board stands for all suits, so only the sum was counted."""
    flopped = counts[:, :, FLOPPED_ROYAL:].sum(axis=2, keepdims=True)
    counts[:, :, FLOPPED_ROYAL:] = _quarter(flopped)
    if not axes.packets:
        return counts
    royals = _quarter(counts[..., SIX_CARD_ROYAL:])
    return np.concatenate([counts[..., :SIX_CARD_ROYAL], *[royals] * SUITS], axis=-1)


def _quarter(counts: Int64s) -> Int64s:
    if (counts % SUITS).any():
        raise ArithmeticError("the count of royals is not divisible by the number of suits")
    return counts // SUITS


def _check(counts: Int64s, expected_rounds: Int64s, axes: ExtraAxes) -> None:
    """The marginals must match.

    Summed over packets and hands, these are the rounds counted before; summed over rounds, they
    are the packets or hands counted before.
    """
    packets = PACKETS_PER_DEAL if axes.packets else 1
    if (counts < 0).any() or (counts.sum(axis=(5, 6)) != packets * expected_rounds).any():
        raise ArithmeticError(
            "summed over packets and hands, rounds do not match the earlier count"
        )
    if axes.both_hole_cards:
        expected_hands = hand_counts().both_hole_cards
        by_hand = counts.sum(axis=(0, 1, 2, 3, 4, 6)).tolist()
        all_hands, total = sum(by_hand), sum(expected_hands.values())
        for hand, ways in zip(Category, by_hand, strict=True):
            if ways * total != expected_hands.get(hand.key, 0) * all_hands:
                raise ArithmeticError(
                    "the counts of hands of both hole cards do not match the earlier count"
                )
    if axes.packets:
        deals_per_packet = FLOPS_PER_BOARD * comb(46, 5) * comb(41, 2)  # boards and dealer's hands
        by_class = counts.sum(axis=(1, 2, 3, 4, 5))
        for number, expected in enumerate(all_6_by_class()):
            for case, outcome in enumerate(all_6_outcomes()):
                same_outcome_cases = all_6_outcomes().count(outcome)
                total = int(by_class[number, case]) * same_outcome_cases
                if total != deals_per_packet * expected.get(outcome, 0):
                    raise ArithmeticError(
                        "the counts of All 6 packets do not match the earlier count"
                    )
