"""What a strategy's decisions on flops cost against the best, play being best from then on."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    MAX_RAISE,
    MIN_RAISE,
    PASSIVE,
    FlopGains,
    Flops,
    Holes,
)
from headsup.analysis.kernels.base.compiled import entry_kernel
from headsup.analysis.kernels.base.numbering import HOLES


@entry_kernel
def cost_flops(
    first: int, last: int, more: int, flops: Flops, holes: Holes, by_ranks: FlopGains,
    by_suits: FlopGains, checked: Any, action: Any, category: Any, sums: Any,
) -> None:  # fmt: skip
    """Add to `sums[taken, best, category]` what each hole that checked before the flop loses."""
    for flop in range(first, last):
        ranks = flops.ranks[flop]
        for hole in range(HOLES):
            if category[flop, hole] < 0 or not checked[hole]:
                continue
            pair = holes.pair[hole]
            check, most = by_ranks.check[ranks, pair], np.int64(0)
            for suit in range(3):
                view = flops.views[flop, suit]
                if view >= 0:
                    check += by_suits.check[view, holes.type[suit, hole]]
            if more > 0:
                most = more * by_ranks.edge[ranks, pair]
                for suit in range(3):
                    view = flops.views[flop, suit]
                    if view >= 0:
                        most += more * by_suits.edge[view, holes.type[suit, hole]]
            best = max(0, check, most)
            taken = action[flop, hole]
            value = check if taken == PASSIVE else (0 if taken == MIN_RAISE else most)
            if value < best:
                wanted = PASSIVE if best == check else (MIN_RAISE if best == 0 else MAX_RAISE)
                lost = flops.weight[flop] * (best - value)
                sums[taken, wanted, category[flop, hole]] += lost
