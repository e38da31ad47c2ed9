"""What the best player does everywhere, as the solver finds it and a strategy keeps it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Actions = NDArray[np.uint8]  # PASSIVE, LEAST or MOST, as `kernels.arrays` has them

# How the main game of a round was decided: the first index of a joint distribution.
(
    POCKET_MIN_RAISE,
    POCKET_MAX_RAISE,
    FLOP_MIN_RAISE,
    FLOP_MAX_RAISE,
    RIVER_FOLD,
    RIVER_MIN_RAISE,
    RIVER_MAX_RAISE,
) = range(7)
DECISION_PATHS = 7


@dataclass(frozen=True)
class PocketValues:
    """Before the flop, by class: the best action, and values in units summed over all deals."""

    actions: list[int]
    raised: list[list[int]]  # [pocket multiple][class], over boards and dealer hands
    checked: list[int]  # over flops, turns and rivers, and dealer hands


@dataclass(frozen=True)
class RiverActions:
    ranks: Actions  # [rank board, pair]: boards that allow no flush
    suited: Actions  # [suited board, type]


@dataclass(frozen=True)
class StrategyActions:
    pocket: PocketValues
    flop: Actions  # [canonical flop, hole]
    river: RiverActions
