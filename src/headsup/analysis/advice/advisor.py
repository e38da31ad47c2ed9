"""The exact value of every action in one situation, whatever cards are known to be out.

Every card that is not named is equally likely to be anywhere: on the board to come, in the
dealer's hand, or in the rest of the deck.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.advice.advice import ActionValue, Advice, pocket_advice
from headsup.analysis.kernels.base.arrays import AdvicePays, Situation
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.solve import advice as kernels
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, Progress
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.strategy import Strategy

STREET_BY_BOARD_SIZE = {0: "pocket", 3: "flop", 5: "river"}


class BadQuestion(ValueError):
    """No such situation can arise."""


def advise(
    payoffs: Payoffs,
    hole: Sequence[int],
    board: Sequence[int] = (),
    seen: Sequence[int] = (),
    strategy: Strategy | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Before the flop, a solved strategy answers at once, unless other cards have been seen."""
    question = _Question(payoffs, tuple(hole), tuple(board), tuple(seen))
    if board:
        return question.on_river() if len(board) == 5 else question.on_flop()
    if strategy is not None and not seen and strategy.payoffs_key == payoffs.key:
        return pocket_advice(strategy, hole)
    return question.in_pocket(progress)


class _Question:
    def __init__(
        self,
        payoffs: Payoffs,
        hole: tuple[int, ...],
        board: tuple[int, ...],
        seen: tuple[int, ...],
    ) -> None:
        self.payoffs, self.hole, self.board = payoffs, hole, board
        named = hole + board + seen
        if len(hole) != 2:
            raise BadQuestion(f"a hole is two cards, not {len(hole)}")
        if len(board) not in STREET_BY_BOARD_SIZE:
            raise BadQuestion(f"a board is none, three or five cards, not {len(board)}")
        if not all(0 <= card < 52 for card in named):
            raise BadQuestion("a card is a number from 0 to 51")
        if len(set(named)) < len(named):
            raise BadQuestion("a card is named twice among hole, board and seen")
        self._cards = np.array([card for card in range(52) if card not in named], np.int64)
        to_come = 5 - len(board)
        if len(self._cards) < to_come + 2:
            raise BadQuestion("too few cards are left for the board and the dealer's hand")
        self._dealers = comb(len(self._cards) - to_come, 2)
        unknown = sum(1 << int(card) for card in self._cards)
        self._situation = Situation(np.array(hole), self._cards, unknown, payoffs.qualifier)
        river = [multiple * payoffs.unit for multiple in payoffs.river_multiples]
        self._pays = AdvicePays(payoffs.base, payoffs.fold, min(river), max(river))

    def on_river(self) -> Advice:
        used = kernels.advice_scratch()
        used.board[:] = self.board
        strength = kernels.count_showdown(self._situation, strength_tables(), used)
        counts = used.counts
        pays, unit = self.payoffs.base[strength >> 20], self.payoffs.unit
        base = int((counts * pays).sum())
        lose, tie, win = (int(counts[result].sum()) for result in (LOSE, TIE, WIN))
        values = self._raises(self.payoffs.river_multiples, base, win, lose, self._dealers)
        fold = ActionValue("fold", 0, Fraction(int(self.payoffs.fold[strength >> 20]), unit))
        return self._advice("river", [*values, fold], win, tie, self._dealers)

    def on_flop(self) -> Advice:
        totals, used = np.zeros(kernels.SUMS, np.int64), kernels.advice_scratch()
        used.board[:3] = self.board
        kernels.sum_turns_and_rivers(self._situation, strength_tables(), self._pays, used, totals)
        deals = comb(len(self._cards), 2) * self._dealers
        win, tie, base, best = totals.tolist()
        lose = deals - win - tie
        values = self._raises(self.payoffs.flop_multiples, base, win, lose, deals)
        check = ActionValue("check", 0, Fraction(best, deals * self.payoffs.unit))
        return self._advice("flop", [*values, check], win, tie, deals)

    def in_pocket(self, progress: Progress | None) -> Advice:
        cards = len(self._cards)
        turns = comb(cards - 3, 2) * self._dealers
        totals, flops = self._every_board(progress)
        win, tie, base, _ = totals.tolist()
        raises = [multiple * self.payoffs.unit for multiple in self.payoffs.flop_multiples]
        best = kernels.sum_best_flops(flops, turns, min(raises), max(raises))
        deals = comb(cards, 5) * self._dealers
        lose = deals - win - tie
        values = self._raises(self.payoffs.pocket_multiples, base, win, lose, deals)
        every_flop = comb(cards, 3) * turns * self.payoffs.unit
        check = ActionValue("check", 0, Fraction(int(best), every_flop))
        return self._advice("pocket", [*values, check], win, tie, deals)

    def _every_board(
        self, progress: Progress | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        cards = len(self._cards)
        sums, look = AccumulatorPool(lambda: _sums(comb(cards, 3))), strength_tables()

        def run(last: int) -> None:
            with sums.one() as (totals, flops):
                used = kernels.advice_scratch()
                kernels.sum_boards(last, self._situation, look, self._pays, used, totals, flops)

        lasts = range(cards - 1, 3, -1)
        with KernelPool(len(lasts), progress) as crew:
            crew.run(partial(run, last) for last in lasts)
        (totals, flops), *others = sums.all()
        for other_totals, other_flops in others:
            totals += other_totals
            flops += other_flops
        return totals, flops

    def _raises(
        self, multiples: tuple[int, ...], base: int, win: int, lose: int, deals: int
    ) -> list[ActionValue]:
        unit = self.payoffs.unit
        return [
            ActionValue("raise", m, Fraction(base + m * unit * (win - lose), deals * unit))
            for m in multiples
        ]

    def _advice(
        self, street: str, values: list[ActionValue], win: int, tie: int, deals: int
    ) -> Advice:
        chances = (Fraction(count, deals) for count in (win, tie, deals - win - tie))
        return Advice(street, tuple(values), *chances)


def _sums(flops: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.zeros(kernels.SUMS, np.int64), np.zeros((flops, kernels.SUMS), np.int64)
