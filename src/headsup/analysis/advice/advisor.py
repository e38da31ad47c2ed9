"""Computes the exact value of every action in one situation, given any cards known to be gone.

Every unknown card is equally likely to be anywhere: on the board to come, in the dealer's hand, or
in the rest of the deck.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.advice.advice import ActionValue, Advice, pocket_advice
from headsup.analysis.kernels.base.arrays import AdvicePays, Situation
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.base.numbering import RANK_BOARDS, SUITED_BOARDS
from headsup.analysis.kernels.solve import advice as kernels
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.playbooks import set_numbers
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, Progress, split_range

VALUE_CHUNKS = 4
VALUE_CALLS = 5 * VALUE_CHUNKS  # without a flush, and for each suit
STREET_BY_BOARD_SIZE = {0: "pocket", 3: "flop", 5: "river"}


class BadQuestion(ValueError):
    """The cards given do not make a possible situation."""


def advise(
    payoffs: Payoffs,
    hole: Sequence[int],
    board: Sequence[int] = (),
    seen: Sequence[int] = (),
    strategy: Strategy | None = None,
    progress: Progress | None = None,
) -> Advice:
    """The value of each action. Before the flop, pass the solved strategy for an instant answer."""
    question = _Question(payoffs, tuple(hole), tuple(board), tuple(seen))
    if board:
        return question.on_river() if len(board) == 5 else question.on_flop()
    if strategy is not None and not seen and strategy.payoffs_key == payoffs.key:
        return pocket_advice(strategy, hole)
    return question.in_pocket(progress)


class _Question:
    """One situation, checked and prepared for the kernels."""

    def __init__(
        self,
        payoffs: Payoffs,
        hole: tuple[int, ...],
        board: tuple[int, ...],
        seen: tuple[int, ...],
    ) -> None:
        self.payoffs, self.hole, self.board = payoffs, hole, board
        known_cards = hole + board + seen
        if len(hole) != 2:
            raise BadQuestion(f"a hole has two cards, not {len(hole)}")
        if len(board) not in STREET_BY_BOARD_SIZE:
            raise BadQuestion(f"a board has zero, three or five cards, not {len(board)}")
        if not all(0 <= card < 52 for card in known_cards):
            raise BadQuestion("a card is a number from 0 to 51")
        if len(set(known_cards)) < len(known_cards):
            raise BadQuestion("a card appears twice among hole, board and seen")
        self._cards = np.array([card for card in range(52) if card not in known_cards], np.int64)
        to_come = 5 - len(board)
        if len(self._cards) < to_come + 2:
            raise BadQuestion("too few cards are left for the board and the dealer's hand")
        self._dealer_hands = comb(len(self._cards) - to_come, 2)
        unknown = sum(1 << int(card) for card in self._cards)
        self._situation = Situation(np.array(hole), self._cards, unknown, payoffs.qualifier)
        river = [multiple * payoffs.unit for multiple in payoffs.river_multiples]
        self._pays = AdvicePays(payoffs.base, payoffs.fold, min(river), max(river))

    def on_river(self) -> Advice:
        scratch = kernels.advice_scratch()
        scratch.board[:] = self.board
        strength = kernels.count_showdown(self._situation, strength_tables(), scratch)
        counts = scratch.counts
        pays, unit = self.payoffs.base[strength >> 20], self.payoffs.unit
        base = int((counts * pays).sum())
        lose, tie, win = (int(counts[result].sum()) for result in (LOSE, TIE, WIN))
        values = self._raise_values(
            self.payoffs.river_multiples, base, win, lose, self._dealer_hands
        )
        fold = ActionValue("fold", 0, Fraction(int(self.payoffs.fold[strength >> 20]), unit))
        return self._make_advice("river", [*values, fold], win, tie, self._dealer_hands)

    def on_flop(self) -> Advice:
        totals, scratch = np.zeros(kernels.SUMS, np.int64), kernels.advice_scratch()
        scratch.board[:3] = self.board
        kernels.sum_turns_and_rivers(
            self._situation, strength_tables(), self._pays, scratch, totals
        )
        deals = comb(len(self._cards), 2) * self._dealer_hands
        win, tie, base, best = totals.tolist()
        lose = deals - win - tie
        values = self._raise_values(self.payoffs.flop_multiples, base, win, lose, deals)
        check = ActionValue("check", 0, Fraction(best, deals * self.payoffs.unit))
        return self._make_advice("flop", [*values, check], win, tie, deals)

    def in_pocket(self, progress: Progress | None) -> Advice:
        cards = len(self._cards)
        turns = comb(cards - 3, 2) * self._dealer_hands
        totals, flops = self._sum_all_boards(progress)
        win, tie, base, _ = totals.tolist()
        raises = [multiple * self.payoffs.unit for multiple in self.payoffs.flop_multiples]
        best = kernels.sum_best_flops(flops, turns, min(raises), max(raises))
        deals = comb(cards, 5) * self._dealer_hands
        lose = deals - win - tie
        values = self._raise_values(self.payoffs.pocket_multiples, base, win, lose, deals)
        every_flop = comb(cards, 3) * turns * self.payoffs.unit
        check = ActionValue("check", 0, Fraction(int(best), every_flop))
        return self._make_advice("pocket", [*values, check], win, tie, deals)

    def _sum_all_boards(
        self, progress: Progress | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        cards = len(self._cards)
        sums, sets = AccumulatorPool(lambda: _empty_sums(comb(cards, 3))), set_numbers()

        def run(last: int) -> None:
            with sums.borrow() as (totals, flops):
                scratch = kernels.advice_scratch()
                kernels.sum_boards(last, self._situation, values, sets, scratch, totals, flops)

        last_cards = range(cards - 1, 3, -1)
        with KernelPool(len(last_cards) + VALUE_CALLS, progress) as pool:
            values = self._value_boards(pool)
            pool.run(partial(run, last) for last in last_cards)
        (totals, flops), *others = sums.collect()
        for other_totals, other_flops in others:
            totals += other_totals
            flops += other_flops
        return totals, flops

    def _value_boards(self, pool: KernelPool) -> kernels.BoardValues:
        values, tables = kernels.BoardValues.empty(), board_tables()
        terms = self._situation, strength_tables(), self._pays
        calls: list[Callable[[], object]] = [
            partial(
                kernels.value_rank_boards,
                *(*part, *terms, tables.rank_boards, kernels.advice_scratch(), values),
            )
            for part in split_range(0, RANK_BOARDS, VALUE_CHUNKS)
        ]
        calls += [
            partial(
                kernels.value_suited_boards,
                *(*part, suit, *terms, tables.suited_boards, tables.rank_boards),
                *(kernels.advice_scratch(), values),
            )
            for suit in range(kernels.SUITS)
            for part in split_range(0, SUITED_BOARDS, VALUE_CHUNKS)
        ]
        pool.run(calls)
        return values

    def _raise_values(
        self, multiples: tuple[int, ...], base: int, win: int, lose: int, deals: int
    ) -> list[ActionValue]:
        unit = self.payoffs.unit
        return [
            ActionValue(
                "raise", multiple, Fraction(base + multiple * unit * (win - lose), deals * unit)
            )
            for multiple in multiples
        ]

    def _make_advice(
        self, street: str, values: list[ActionValue], win: int, tie: int, deals: int
    ) -> Advice:
        probabilities = (Fraction(count, deals) for count in (win, tie, deals - win - tie))
        return Advice(street, tuple(values), *probabilities)


def _empty_sums(flops: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.zeros(kernels.SUMS, np.int64), np.zeros((flops, kernels.SUMS), np.int64)
