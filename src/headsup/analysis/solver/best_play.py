"""Finds the best action everywhere for one set of payoffs, from layers."""

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
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.layers import LayerBuilder, RiverPlay, edge_pays
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import live_ranks
from headsup.analysis.workers.executor import KernelPool, split_range

ABSENT = 255  # hole and flop share a card
POCKET_CLASSES = RANKS * RANKS


@dataclass(frozen=True)
class FlopPlay:
    """The best action on every flop, and what the check before the flop gains by class."""

    actions: Actions
    gained: list[int]  # above the smallest flop raise, summed over flops, boards, dealer hands


def solve_flops(
    payoffs: Payoffs, deck: Deck, collector: LayerBuilder, river: RiverPlay, pool: KernelPool
) -> FlopPlay:
    tables, live = board_tables(), live_ranks(deck)
    by_ranks, by_suits = flop_gains(payoffs, collector, river)
    action = np.full((FLOPS, HOLES), ABSENT, np.uint8)
    parts = split_range(0, FLOPS, 32)
    totals = np.zeros((len(parts), POCKET_CLASSES), np.int64)
    pool.run(
        partial(
            decide_flops,
            *(
                *part,
                flop_raise_spread(payoffs),
                live,
                tables.flops,
                tables.holes,
                by_ranks,
                by_suits,
            ),
            *(action, totals[index]),
        )
        for index, part in enumerate(parts)
    )
    # A chunk's sums fit 64 bits; those of the whole game may not.
    return FlopPlay(action, [sum(column) for column in totals.T.tolist()])


def flop_raise_spread(payoffs: Payoffs) -> int:
    """The difference between the largest and the smallest flop raise, in units."""
    return (max(payoffs.flop_multiples) - min(payoffs.flop_multiples)) * payoffs.unit


def flop_gains(
    payoffs: Payoffs, collector: LayerBuilder, river: RiverPlay
) -> tuple[FlopGains, FlopGains]:
    """What each action gains over the smallest raise, by ranks and by suits."""
    none = np.zeros((1, 1), np.int64)
    edge = collector.edge if flop_raise_spread(payoffs) else Layer(none, none)
    gain = river.gain
    return FlopGains(gain.ranks, edge.ranks), FlopGains(gain.suits, edge.suits)


def pocket_values(
    payoffs: Payoffs, terms: Terms, tally: RiverTally, flop: FlopPlay
) -> PocketValues:
    """The value of each option by class, from the tally and from what flop play gains."""
    values, edges = (_by_class(*tally.sums(pays)) for pays in (terms.pays, _tiled_edge_pays(terms)))
    multiples = payoffs.pocket_multiples

    def raise_values(stake: int) -> list[int]:
        return [value + stake * edge for value, edge in zip(values, edges, strict=True)]

    raises = [raise_values(multiple * payoffs.unit) for multiple in multiples]
    check_values = [
        FLOPS_PER_BOARD * value + gained
        for value, gained in zip(raise_values(terms.flop), flop.gained, strict=True)
    ]
    smallest, largest = multiples.index(min(multiples)), multiples.index(max(multiples))
    actions = [PASSIVE] * POCKET_CLASSES
    for number in range(POCKET_CLASSES):
        best = check_values[number]
        for index, action in ((smallest, MIN_RAISE), (largest, MAX_RAISE)):
            value = FLOPS_PER_BOARD * raises[index][number]
            if value > best:
                best, actions[number] = value, action
    return PocketValues(actions, raises, check_values)


def _tiled_edge_pays(terms: Terms) -> NDArray[np.int64]:
    return np.tile(edge_pays(terms.dealers), (VERDICTS, 1))


def _by_class(by_ranks: Int64s, by_types: Int64s) -> list[int]:
    """[pocket class]: the sum over its holes, in all four suits."""
    holes = board_tables().holes
    values = by_ranks[holes.pair] + by_types[holes.type].sum(0)
    totals = [0] * POCKET_CLASSES
    for number, value in zip(holes.pocket.tolist(), values.tolist(), strict=True):
        totals[number] += value
    return totals
