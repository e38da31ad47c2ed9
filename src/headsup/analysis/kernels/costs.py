"""What a strategy's decisions on flops cost against the best, play being best from then on."""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

from headsup.analysis.kernels.arrays import LEAST, MOST, PASSIVE, Flops, FlopValues, Holes
from headsup.analysis.kernels.compiled import kernel
from headsup.analysis.kernels.numbering import HOLES


@kernel
def cost_flops(
    first: int, last: int, flops: Flops, holes: Holes, by_ranks: FlopValues, by_suits: FlopValues,
    checked: Any, action: Any, category: Any, sums: Any,
) -> None:  # fmt: skip
    """Add to `sums[taken, best, category]` what each hole that checked before the flop loses."""
    for flop in range(first, last):
        ranks = flops.ranks[flop]
        for hole in range(HOLES):
            if category[flop, hole] < 0 or not checked[hole]:
                continue
            pair = holes.pair[hole]
            least, most = by_ranks.least[ranks, pair], by_ranks.most[ranks, pair]
            check = by_ranks.check[ranks, pair]
            for suit in range(3):
                view = flops.views[flop, suit]
                if view >= 0:
                    held = holes.type[suit, hole]
                    least += by_suits.least[view, held]
                    most += by_suits.most[view, held]
                    check += by_suits.check[view, held]
            best = max(check, least, most)
            taken = action[flop, hole]
            value = check if taken == PASSIVE else (least if taken == LEAST else most)
            if value < best:
                wanted = PASSIVE if best == check else (LEAST if best == least else MOST)
                lost = flops.weight[flop] * (best - value)
                sums[taken, wanted, category[flop, hole]] += lost
