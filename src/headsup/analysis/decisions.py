"""The best decision everywhere for one set of payoffs, from layers."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from headsup.analysis.chunks import Crew, split
from headsup.analysis.kernels.flops import LEAST, MOST, PASSIVE, decide_flops, price
from headsup.analysis.kernels.lattice import (
    FLOPS,
    HOLES,
    PAIRS,
    RANK_FLOPS,
    RANKS,
    SUITED_FLOPS,
    TYPES,
    lattice,
)
from headsup.analysis.layers import Actions, Layer, River
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import Deck

ABSENT = 255  # no such hole on this flop
CLASSES = RANKS * RANKS
FLOPS_OF_A_BOARD = 10


@dataclass(frozen=True)
class PocketValues:
    """Before the flop, by class: the best action, and values in units summed over all deals."""

    actions: list[int]
    raised: list[list[int]]  # [pocket multiple][class], over boards and dealer hands
    checked: list[int]  # over flops, turns and rivers, and dealer hands


@dataclass(frozen=True)
class Decisions:
    pocket: PocketValues
    flop: Actions  # [canonical flop, hole]
    river: River


def decide(
    payoffs: Payoffs, deck: Deck, base: Layer, edge: Layer, river: River, crew: Crew
) -> Decisions:
    raised = _pocket_raises(payoffs, base, edge)
    flop, checked = _decide_flops(payoffs, deck, base, edge, river, crew)
    multiples = payoffs.pocket_multiples
    least, most = multiples.index(min(multiples)), multiples.index(max(multiples))
    actions = [PASSIVE] * CLASSES
    for number in range(CLASSES):
        best = checked[number]
        for place, action in ((least, LEAST), (most, MOST)):
            value = FLOPS_OF_A_BOARD * raised[place][number]
            if value > best:
                best, actions[number] = value, action
    return Decisions(PocketValues(actions, raised, checked), flop, river)


def _pocket_raises(payoffs: Payoffs, base: Layer, edge: Layer) -> list[list[int]]:
    """Values of raising blind, summed over all boards and dealer hands of each class."""
    known = lattice()
    values, edges = (
        (layer.ranks[-1][known.pair_of_hole] + layer.suits[-1][known.type_of_hole].sum(0)).tolist()
        for layer in (base, edge)
    )
    raised = [[0] * CLASSES for _ in payoffs.pocket_multiples]
    for hole, number in enumerate(known.class_of_hole.tolist()):
        for place, multiple in enumerate(payoffs.pocket_multiples):
            raised[place][number] += values[hole] + multiple * payoffs.unit * edges[hole]
    return raised


def _decide_flops(
    payoffs: Payoffs, deck: Deck, base: Layer, edge: Layer, river: River, crew: Crew
) -> tuple[Actions, list[int]]:
    known = lattice()
    stakes = (
        min(payoffs.flop_multiples) * payoffs.unit,
        max(payoffs.flop_multiples) * payoffs.unit,
        river.terms.least,
    )
    by_ranks = [np.empty((RANK_FLOPS, PAIRS), np.int64) for _ in range(3)]
    by_suits = [np.empty((SUITED_FLOPS, TYPES), np.int64) for _ in range(3)]
    price(
        *(0, RANK_FLOPS, base.ranks, edge.ranks, river.saved.ranks, *stakes, *by_ranks),
    )
    crew.run(
        partial(price, *part, base.suits, edge.suits, river.saved.suits, *stakes, *by_suits)
        for part in split(0, SUITED_FLOPS, 4)
    )
    action = np.full((FLOPS, HOLES), ABSENT, np.uint8)
    parts = split(0, FLOPS, 32)
    totals = np.zeros((len(parts), CLASSES), np.int64)
    crew.run(
        partial(
            decide_flops,
            *(
                *part,
                len(set(stakes[:2])) > 1,
                deck.live,
                known.flops,
                known.flop_weight,
                known.flop_ranks,
            ),
            *(known.flop_views, known.holes, known.pair_of_hole, known.class_of_hole),
            *(known.type_of_hole, *by_ranks, *by_suits, action, totals[place]),
        )
        for place, part in enumerate(parts)
    )
    # Each chunk's sums fit 64 bits; the whole game's need not.
    return action, [sum(column) for column in totals.T.tolist()]
