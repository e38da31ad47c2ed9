"""The best action everywhere for one set of payoffs, from layers."""

from functools import partial

import numpy as np

from headsup.analysis.actions import Actions, BestActions, PocketValues
from headsup.analysis.chunks import Crew, split
from headsup.analysis.deck import FLOPS_OF_A_BOARD, Deck
from headsup.analysis.kernels.arrays import (
    LEAST,
    MOST,
    PASSIVE,
    FlopStakes,
    FlopValues,
    Layer,
    Layers,
)
from headsup.analysis.kernels.flops import decide_flops, price
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import (
    FLOPS,
    HOLES,
    PAIRS,
    RANK_FLOPS,
    RANKS,
    SUITED_FLOPS,
    TYPES,
)
from headsup.analysis.layers import River
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import live_ranks

ABSENT = 255  # no such hole on this flop
CLASSES = RANKS * RANKS


def best_actions(
    payoffs: Payoffs, deck: Deck, base: Layer, edge: Layer, river: River, crew: Crew
) -> tuple[BestActions, tuple[FlopValues, FlopValues]]:
    """Every action, and what those on flops are worth."""
    raised = _pocket_raises(payoffs, base, edge)
    values = _flop_values(payoffs, base, edge, river, crew)
    flop, checked = _best_on_flops(payoffs, deck, *values, crew)
    multiples = payoffs.pocket_multiples
    least, most = multiples.index(min(multiples)), multiples.index(max(multiples))
    actions = [PASSIVE] * CLASSES
    for number in range(CLASSES):
        best = checked[number]
        for place, action in ((least, LEAST), (most, MOST)):
            value = FLOPS_OF_A_BOARD * raised[place][number]
            if value > best:
                best, actions[number] = value, action
    return BestActions(PocketValues(actions, raised, checked), flop, river.actions), values


def _pocket_raises(payoffs: Payoffs, base: Layer, edge: Layer) -> list[list[int]]:
    """Values of raising blind, summed over all boards and dealer hands of each class."""
    holes = lattice().holes
    values, edges = (
        (layer.ranks[-1][holes.pair] + layer.suits[-1][holes.type].sum(0)).tolist()
        for layer in (base, edge)
    )
    raised = [[0] * CLASSES for _ in payoffs.pocket_multiples]
    for hole, number in enumerate(holes.pocket.tolist()):
        for place, multiple in enumerate(payoffs.pocket_multiples):
            raised[place][number] += values[hole] + multiple * payoffs.unit * edges[hole]
    return raised


def _flop_values(
    payoffs: Payoffs, base: Layer, edge: Layer, river: River, crew: Crew
) -> tuple[FlopValues, FlopValues]:
    """What each action on a flop is worth, by ranks and by suits."""
    stakes = FlopStakes(
        least=min(payoffs.flop_multiples) * payoffs.unit,
        most=max(payoffs.flop_multiples) * payoffs.unit,
        river=river.terms.least,
    )
    by_ranks = FlopValues(*(np.empty((RANK_FLOPS, PAIRS), np.int64) for _ in range(3)))
    by_suits = FlopValues(*(np.empty((SUITED_FLOPS, TYPES), np.int64) for _ in range(3)))
    rank_layers = Layers(base.ranks, edge.ranks, river.saved.ranks)
    suit_layers = Layers(base.suits, edge.suits, river.saved.suits)
    price(0, RANK_FLOPS, rank_layers, stakes, by_ranks)
    crew.run(
        partial(price, *part, suit_layers, stakes, by_suits) for part in split(0, SUITED_FLOPS, 4)
    )
    return by_ranks, by_suits


def _best_on_flops(
    payoffs: Payoffs, deck: Deck, by_ranks: FlopValues, by_suits: FlopValues, crew: Crew
) -> tuple[Actions, list[int]]:
    """The action on every flop, and by pocket class the value of having checked before it."""
    known, live = lattice(), live_ranks(deck)
    several = len({*payoffs.flop_multiples}) > 1
    action = np.full((FLOPS, HOLES), ABSENT, np.uint8)
    parts = split(0, FLOPS, 32)
    totals = np.zeros((len(parts), CLASSES), np.int64)
    crew.run(
        partial(
            decide_flops,
            *(*part, several, live, known.flops, known.holes, by_ranks, by_suits),
            *(action, totals[place]),
        )
        for place, part in enumerate(parts)
    )
    # Each chunk's sums fit 64 bits; the whole game's need not.
    return action, [sum(column) for column in totals.T.tolist()]
