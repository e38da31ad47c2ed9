"""Knows the best action of every decision, and computes exactly what any other action costs.

A solved strategy stores the best action everywhere, but values only for the pocket. What another
action costs is computed by the advisor only when such an action is taken, so that steps stay fast.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.advisor import advise
from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE, Int64s, Uint8s
from headsup.analysis.kernels.base.numbering import HOLES, pocket_class
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.gym.deals import flop_indices, pocket_classes, river_indices

POCKET, FLOP, RIVER = range(3)


class Oracle:
    """Looks up best actions and computes regrets.

    Actions are numbered as in the environment: 0 checks or folds, i is the street's i-th smallest
    raise.
    """

    def __init__(self, payoffs: Payoffs, strategy: Strategy) -> None:
        self.payoffs, self.strategy = payoffs, strategy
        self.multiples = [sorted({*street}) for street in payoffs.multiples_by_street]
        solved = strategy.solution
        self._pocket = np.array(solved.pocket_values.actions, np.int64)
        self._pocket_actions: list[int] = self._action_numbers(POCKET)[self._pocket].tolist()
        # [street][multiple of the Ante]: the number of the action.
        self._numbers = [
            {0: 0, **{multiple: i for i, multiple in enumerate(street, 1)}}
            for street in self.multiples
        ]
        self._flop, self._ranks, self._suited = strategy.packed

    def best_actions(self, street: int, cards: Int64s) -> Int64s:
        """The best action of each deal on one street."""
        if street == POCKET:
            choices = self._pocket[pocket_classes(cards[:, :2])]
        elif street == FLOP:
            choices = _unpack_actions(self._flop, flop_indices(cards[:, :2], cards[:, 2:5], HOLES))
        else:
            suited, indices = river_indices(cards[:, :2], cards[:, 2:7])
            choices = np.empty(len(cards), np.int64)
            choices[~suited] = _unpack_actions(self._ranks, indices[~suited])
            choices[suited] = _unpack_actions(self._suited, indices[suited])
        return self._action_numbers(street)[choices]

    def _action_numbers(self, street: int) -> Int64s:
        """[action in a strategy]: its number in the environment."""
        numbers = np.zeros(4, np.int64)
        numbers[[PASSIVE, MIN_RAISE, MAX_RAISE]] = (0, 1, len(self.multiples[street]))
        return numbers

    def best_action(self, cards: Sequence[int]) -> int:
        """The best action, given the cards that the player sees."""
        hole, board = cards[:2], cards[2:]
        if not board:
            return self._pocket_actions[pocket_class(*hole)]
        if len(board) == 3:
            return self._numbers[FLOP][self.strategy.on_flop(hole, board)]
        return self._numbers[RIVER][self.strategy.on_river(hole, board)]

    def values(self, cards: Sequence[int]) -> dict[int, Fraction]:
        """[action]: the exact value of the round in Antes, given the cards the player sees."""
        hole, board = cards[:2], cards[2:]
        advice: Advice = advise(self.payoffs, hole, board, strategy=self.strategy)
        street = {0: POCKET, 3: FLOP, 5: RIVER}[len(board)]
        return {self._numbers[street][value.multiple]: value.ev for value in advice.values}

    def regret(self, cards: Sequence[int], action: int) -> Fraction:
        """What this action costs, if play is best from then on."""
        values = self.values(cards)
        return max(values.values()) - values[action]


def _unpack_actions(actions: Uint8s, indices: Int64s) -> Int64s:
    unpacked: Int64s = actions[indices >> 2].astype(np.int64) >> 2 * (indices & 3) & 3
    return unpacked
