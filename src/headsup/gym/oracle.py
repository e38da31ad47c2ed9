"""The best action of every decision, looked up, and what another costs, exactly.

A solved strategy knows the best action everywhere but only the pocket's values. What another action
gives away is asked of the advisor when one is taken, so that steps stay fast.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from headsup.analysis.advice import Advice
from headsup.analysis.advisor import advise
from headsup.analysis.kernels.arrays import LEAST, MOST, PASSIVE, Bytes, Int64s
from headsup.analysis.kernels.numbering import HOLES
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.strategy import Strategy
from headsup.gym.deals import flop_places, pocket_classes, river_places

POCKET, FLOP, RIVER = range(3)


class Oracle:
    """Actions are those of the environment: 0 checks or folds, i is the i-th raise of its street,
    from the smallest up."""

    def __init__(self, payoffs: Payoffs, strategy: Strategy) -> None:
        self.payoffs, self.strategy = payoffs, strategy
        self.multiples = [sorted({*street}) for street in payoffs.multiples_by_street]
        solved = strategy.solution
        self._pocket = np.array(solved.pocket_values.actions, np.int64)
        self._flop, self._ranks, self._suited = strategy.packed

    def best(self, street: int, cards: Int64s) -> Int64s:
        """The best action of each deal on one street."""
        if street == POCKET:
            found = self._pocket[pocket_classes(cards[:, :2])]
        elif street == FLOP:
            found = _unpacked(self._flop, flop_places(cards[:, :2], cards[:, 2:5], HOLES))
        else:
            suited, places = river_places(cards[:, :2], cards[:, 2:7])
            found = np.empty(len(cards), np.int64)
            found[~suited] = _unpacked(self._ranks, places[~suited])
            found[suited] = _unpacked(self._suited, places[suited])
        numbers = np.zeros(4, np.int64)
        numbers[[PASSIVE, LEAST, MOST]] = (0, 1, len(self.multiples[street]))
        return numbers[found]

    def values(self, cards: Sequence[int]) -> dict[int, Fraction]:
        """By action, of one decision: the exact value of the whole round, in Antes."""
        hole, board = cards[:2], cards[2:]
        advice: Advice = advise(self.payoffs, hole, board, strategy=self.strategy)
        street = {0: POCKET, 3: FLOP, 5: RIVER}[len(board)]
        raises = {times: i for i, times in enumerate(self.multiples[street], 1)}
        return {raises.get(one.multiple, 0): one.ev for one in advice.values}

    def regret(self, cards: Sequence[int], action: int) -> Fraction:
        """What this action gives away, if play is best from then on."""
        values = self.values(cards)
        return max(values.values()) - values[action]


def _unpacked(actions: Bytes, places: Int64s) -> Int64s:
    found: Int64s = actions[places >> 2].astype(np.int64) >> 2 * (places & 3) & 3
    return found
