"""The best action everywhere for one set of payoffs, from layers."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    MAX_RAISE,
    MIN_RAISE,
    PASSIVE,
    VERDICTS,
    FlopGains,
    Int64s,
    Layer,
    Terms,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import FLOPS, HOLES, RANKS
from headsup.analysis.kernels.solve.flops import decide_flops
from headsup.analysis.solver.actions import Actions, PocketValues
from headsup.analysis.solver.chunks import KernelPool, split_range
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.layers import LayerBuilder, RiverPlay, edge_pays
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import live_ranks

ABSENT = 255  # no such hole on this flop
POCKET_CLASSES = RANKS * RANKS


@dataclass(frozen=True)
class FlopPlay:
    """The best action on every flop, and what having checked to see it gains by class."""

    actions: Actions
    gained: list[int]  # over the least raise on the flop, summed over flops, boards, dealer hands


def solve_flops(
    payoffs: Payoffs, deck: Deck, collector: LayerBuilder, river: RiverPlay, crew: KernelPool
) -> FlopPlay:
    known, live = board_tables(), live_ranks(deck)
    by_ranks, by_suits = flop_gains(payoffs, collector, river)
    action = np.full((FLOPS, HOLES), ABSENT, np.uint8)
    parts = split_range(0, FLOPS, 32)
    totals = np.zeros((len(parts), POCKET_CLASSES), np.int64)
    crew.run(
        partial(
            decide_flops,
            *(
                *part,
                flop_raise_spread(payoffs),
                live,
                known.flops,
                known.holes,
                by_ranks,
                by_suits,
            ),
            *(action, totals[place]),
        )
        for place, part in enumerate(parts)
    )
    # Each chunk's sums fit 64 bits; the whole game's need not.
    return FlopPlay(action, [sum(column) for column in totals.T.tolist()])


def flop_raise_spread(payoffs: Payoffs) -> int:
    """What the most flop raise stakes beyond the least, in units."""
    return (max(payoffs.flop_multiples) - min(payoffs.flop_multiples)) * payoffs.unit


def flop_gains(
    payoffs: Payoffs, collector: LayerBuilder, river: RiverPlay
) -> tuple[FlopGains, FlopGains]:
    """What actions gain over the least raise, by ranks and by suits."""
    none = np.zeros((1, 1), np.int64)
    edge = collector.edge if flop_raise_spread(payoffs) else Layer(none, none)
    gain = river.gain
    return FlopGains(gain.ranks, edge.ranks), FlopGains(gain.suits, edge.suits)


def pocket_values(
    payoffs: Payoffs, terms: Terms, tally: RiverTally, flop: FlopPlay
) -> PocketValues:
    """Each class's options. All that happens on flops is known by then, as gains."""
    values, edges = (_by_class(*tally.sums(pays)) for pays in (terms.pays, _tiled_edge_pays(terms)))
    multiples = payoffs.pocket_multiples

    def raised(stake: int) -> list[int]:
        return [value + stake * edge for value, edge in zip(values, edges, strict=True)]

    raises = [raised(multiple * payoffs.unit) for multiple in multiples]
    checked = [
        FLOPS_PER_BOARD * value + gained
        for value, gained in zip(raised(terms.flop), flop.gained, strict=True)
    ]
    least, most = multiples.index(min(multiples)), multiples.index(max(multiples))
    actions = [PASSIVE] * POCKET_CLASSES
    for number in range(POCKET_CLASSES):
        best = checked[number]
        for place, action in ((least, MIN_RAISE), (most, MAX_RAISE)):
            value = FLOPS_PER_BOARD * raises[place][number]
            if value > best:
                best, actions[number] = value, action
    return PocketValues(actions, raises, checked)


def _tiled_edge_pays(terms: Terms) -> NDArray[np.int64]:
    return np.tile(edge_pays(terms.dealers), (VERDICTS, 1))


def _by_class(by_ranks: Int64s, by_types: Int64s) -> list[int]:
    """Sums over the holes of each class, in all four suits."""
    holes = board_tables().holes
    values = by_ranks[holes.pair] + by_types[holes.type].sum(0)
    totals = [0] * POCKET_CLASSES
    for number, value in zip(holes.pocket.tolist(), values.tolist(), strict=True):
        totals[number] += value
    return totals
