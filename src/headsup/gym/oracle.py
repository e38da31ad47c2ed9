"""The best action of every decision, looked up, and what another costs, exactly.

A solved strategy knows the best action everywhere but only the pocket's values. What another action
gives away is asked of the advisor when one is taken, so that steps stay fast.
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
    """Actions are those of the environment: 0 checks or folds, i is the i-th raise of its street,
    from the smallest up."""

    def __init__(self, payoffs: Payoffs, strategy: Strategy) -> None:
        self.payoffs, self.strategy = payoffs, strategy
        self.multiples = [sorted({*street}) for street in payoffs.multiples_by_street]
        solved = strategy.solution
        self._pocket = np.array(solved.pocket_values.actions, np.int64)
        self._pocket_actions: list[int] = self._by_choice(POCKET)[self._pocket].tolist()
        # By multiple of the Ante, for each street.
        self._numbers = [{0: 0, **{n: i for i, n in enumerate(s, 1)}} for s in self.multiples]
        self._flop, self._ranks, self._suited = strategy.packed

    def best(self, street: int, cards: Int64s) -> Int64s:
        """The best action of each deal on one street."""
        if street == POCKET:
            found = self._pocket[pocket_classes(cards[:, :2])]
        elif street == FLOP:
            found = _unpack_actions(self._flop, flop_indices(cards[:, :2], cards[:, 2:5], HOLES))
        else:
            suited, places = river_indices(cards[:, :2], cards[:, 2:7])
            found = np.empty(len(cards), np.int64)
            found[~suited] = _unpack_actions(self._ranks, places[~suited])
            found[suited] = _unpack_actions(self._suited, places[suited])
        return self._by_choice(street)[found]

    def _by_choice(self, street: int) -> Int64s:
        """The environment's number of what a strategy keeps."""
        numbers = np.zeros(4, np.int64)
        numbers[[PASSIVE, MIN_RAISE, MAX_RAISE]] = (0, 1, len(self.multiples[street]))
        return numbers

    def best_of(self, cards: Sequence[int]) -> int:
        """Of one decision: the cards that its player sees."""
        hole, board = cards[:2], cards[2:]
        if not board:
            return self._pocket_actions[pocket_class(*hole)]
        if len(board) == 3:
            return self._numbers[FLOP][self.strategy.on_flop(hole, board)]
        return self._numbers[RIVER][self.strategy.on_river(hole, board)]

    def values(self, cards: Sequence[int]) -> dict[int, Fraction]:
        """By action, of one decision: the exact value of the whole round, in Antes."""
        hole, board = cards[:2], cards[2:]
        advice: Advice = advise(self.payoffs, hole, board, strategy=self.strategy)
        street = {0: POCKET, 3: FLOP, 5: RIVER}[len(board)]
        return {self._numbers[street][one.multiple]: one.ev for one in advice.values}

    def regret(self, cards: Sequence[int], action: int) -> Fraction:
        """What this action gives away, if play is best from then on."""
        values = self.values(cards)
        return max(values.values()) - values[action]


def _unpack_actions(actions: Uint8s, places: Int64s) -> Int64s:
    found: Int64s = actions[places >> 2].astype(np.int64) >> 2 * (places & 3) & 3
    return found
