"""Arrays with the action of every decision, as the solver produces and a strategy stores them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Actions = NDArray[np.uint8]  # PASSIVE, MIN_RAISE or MAX_RAISE of `kernels.base.arrays`

# How a round of the main game was decided: the first index of the result counts.
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
    """Before the flop, by pocket class: best actions, and values in units over all deals."""

    actions: list[int]
    raise_values: list[list[int]]  # [pocket multiple][class], summed over boards, dealer hands
    check_values: list[int]  # summed over flops, turns and rivers, dealer hands


@dataclass(frozen=True)
class RiverActions:
    ranks: Actions  # [rank board, pair]: boards without a possible flush
    suited: Actions  # [suited board, type]


@dataclass(frozen=True)
class StrategyActions:
    pocket: PocketValues
    flop: Actions  # [canonical flop, hole]
    river: RiverActions
