"""What a player gains who knows cards before the first decision, one case of known cards at a time.

On the flop and on the river the flop's cards are known anyway, so only the pocket decision asks
which of them were seen before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import IMPOSSIBLE, DealerCounts, ExposedLayers
from headsup.analysis.kernels.base.board_tables import board_tables, deck_ways
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.base.numbering import (
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
)
from headsup.analysis.kernels.protect.exposed import (
    count_exposed_rank_boards,
    count_exposed_suited_boards,
    decide_exposed_flops,
    decide_seen_flops,
)
from headsup.analysis.protect.known import (
    KnownCards,
    SuitView,
    count_hole_flops,
    exposed_flops,
    situations,
)
from headsup.analysis.solver.best_play import flop_raise_spread
from headsup.analysis.solver.chunks import KernelPool, split_range
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.layers import LayerBuilder, edge_pays, river_terms
from headsup.analysis.solver.payoffs import BadPayoffs, Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns, suited_deals

KERNEL_CALLS = 260  # of kernels for one case, about: for progress
CHUNKS = 32
LARGEST_SUM = 1 << 62


@dataclass(frozen=True)
class ExposureResult:
    """What the player gains in one case, or in all of them."""

    value: int  # in units, over all deals
    raises: int  # situations in which the player raises, as real cards
    decisions: int
    classes: int  # situations up to suits
    deals: int
    unit: int

    @property
    def player_edge(self) -> Fraction:
        """The player's expected gain per Ante."""
        return Fraction(self.value, self.deals * self.unit)

    @property
    def raise_pocket(self) -> Fraction:
        return Fraction(self.raises, self.decisions)


def combine_results(found: Sequence[tuple[int, ExposureResult]]) -> ExposureResult:
    """Several cases as one, each with the real ones that it stands for."""
    return ExposureResult(
        value=sum(weight * one.value for weight, one in found),
        raises=sum(weight * one.raises for weight, one in found),
        decisions=sum(weight * one.decisions for weight, one in found),
        classes=sum(one.classes for _, one in found),
        deals=sum(weight * one.deals for weight, one in found),
        unit=found[0][1].unit,
    )


def exposure_edge(payoffs: Payoffs, known: KnownCards, crew: KernelPool) -> ExposureResult:
    """The edge over all holes with some cards known."""
    return exposure_edges(payoffs, known, crew, [0])[0]


def exposure_edges(
    payoffs: Payoffs, known: KnownCards, crew: KernelPool, seen: Sequence[int]
) -> list[ExposureResult]:
    """The same with so many of the flop's cards seen as well, for each of these numbers."""
    dealers = comb(known.left - 7, 2 - len(known.dealer))
    seeing = build_layers(payoffs, known, dealers, crew)
    deals = comb(known.left - 5, 2) * dealers
    return [
        decide_with_flop(payoffs, known, seeing, deals, crew)
        if cards == 3
        else decide_before_flop(payoffs, known, cards, seeing, deals, crew)
        for cards in seen
    ]


@dataclass(frozen=True)
class KnownCardValues:
    layers: ExposedLayers
    raising: int  # the least flop raise with every hole on every board, in units
    showdowns: tuple[Showdowns, ...] = ()  # by sight


def build_layers(
    payoffs: Payoffs, known: KnownCards, dealers: int, crew: KernelPool
) -> KnownCardValues:
    terms = river_terms(payoffs, dealers)
    pays = terms.pays + terms.flop * edge_pays(dealers)
    pays[IMPOSSIBLE] = 0
    holes = board_tables().holes
    suits = np.zeros(4, np.int64)
    checks, edges, met = [], [], []
    by_ranks: tuple[Any, Any] | None = None
    raising = np.zeros(HOLES, np.int64)
    for place, sight in enumerate(known.sights):
        suits[[*sight.suits]] = place
        showdowns = _showdowns(sight, known, payoffs.qualifier, dealers, crew)
        collector = LayerBuilder(showdowns, crew)
        river = collector.river(terms)
        of_ranks, of_types = RiverTally.count(showdowns, river.actions, crew).sums(pays)
        if by_ranks is None:
            by_ranks = river.gain.ranks, collector.edge.ranks
            raising += of_ranks[holes.pair]
        raising += of_types[holes.type[[*sight.suits]]].sum(0)
        checks.append(river.gain.suits)
        edges.append(collector.edge.suits)
        met.append(showdowns)
    assert by_ranks is not None  # every suit sees something
    free = (np.int64(1) << holes.cards.astype(np.int64)).sum(1) & known.taken == 0
    layers = ExposedLayers(*by_ranks, suits, np.stack(checks), np.stack(edges))
    return KnownCardValues(layers, _sum(raising[free]), tuple(met))


def _showdowns(
    sight: SuitView, known: KnownCards, qualifier: int, dealers: int, crew: KernelPool
) -> Showdowns:
    terms = sight.terms(qualifier)
    ways = deck_ways(terms)
    if not known.dealer:
        return Showdowns.beside(terms, dealers, ways, crew)
    board, kinds = board_tables(), np.array(sight.dealer)
    ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
    suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
    ranks.verdict[:], suited.verdict[:] = IMPOSSIBLE, IMPOSSIBLE
    types, look = board.types, strength_tables()
    of_ranks = types._replace(kinds=types.ranks)
    calls = [
        partial(
            count_exposed_suited_boards,
            *(*part, terms, kinds, board.suited_boards, board.rank_boards, types, look, suited),
        )
        for part in split_range(0, SUITED_BOARDS, CHUNKS)
    ]
    calls += [
        partial(
            count_exposed_rank_boards,
            *(*part, terms, kinds % RANKS, board.rank_boards, of_ranks, look, ranks),
        )
        for part in split_range(0, RANK_BOARDS, 2)
    ]
    crew.run(calls)
    deals = suited_deals(suited, ways, crew)
    return Showdowns(dealers, qualifier, ranks, suited, ways, deals)


def _extra_pocket_stakes(payoffs: Payoffs) -> tuple[int, int]:
    """What the least and the most pocket raise stake beyond the least on the flop, in units."""
    pocket, flop = payoffs.pocket_multiples, min(payoffs.flop_multiples)
    return (min(pocket) - flop) * payoffs.unit, (max(pocket) - flop) * payoffs.unit


def decide_before_flop(
    payoffs: Payoffs,
    known: KnownCards,
    seen: int,
    seeing: KnownCardValues,
    deals: int,
    crew: KernelPool,
) -> ExposureResult:
    flops, asked = exposed_flops(known), situations(known, seen)
    each = comb(known.left - 2 - seen, 3 - seen) * deals
    _refuse_overflow(payoffs, each * int(asked.deals.max()))
    parts = split_range(0, len(flops.cards), CHUNKS if seen < 2 else crew.size)
    sums = [np.zeros((len(asked.deals), 2), np.int64) for _ in parts]
    crew.run(
        partial(
            decide_exposed_flops,
            *(*part, seen, flops, board_tables().holes, seeing.layers, flop_raise_spread(payoffs)),
            *(known.taken, asked.of, own),
        )
        for part, own in zip(parts, sums, strict=True)
    )
    check, edge = np.sum(sums, axis=0).T
    raised = np.max([stake * edge for stake in _extra_pocket_stakes(payoffs)], axis=0)
    every = comb(3, seen) * FLOPS_PER_BOARD * seeing.raising
    return ExposureResult(
        value=every + _sum(np.maximum(check, raised)),
        raises=int(asked.deals[raised > check].sum()),
        decisions=int(asked.deals.sum()),
        classes=int((asked.deals > 0).sum()),
        deals=int(asked.deals.sum()) * each,
        unit=payoffs.unit,
    )


def decide_with_flop(
    payoffs: Payoffs, known: KnownCards, seeing: KnownCardValues, deals: int, crew: KernelPool
) -> ExposureResult:
    flops = exposed_flops(known)
    parts = split_range(0, len(flops.cards), len(flops.cards) // 10 + 1)
    _refuse_overflow(payoffs, 11 * 24 * comb(known.left - 3, 2) * deals)
    sums = np.zeros((len(parts), 3), np.int64)
    crew.run(
        partial(
            decide_seen_flops,
            *(
                *part,
                flops,
                board_tables().holes,
                seeing.layers,
                flop_raise_spread(payoffs),
                known.taken,
            ),
            *(np.array(_extra_pocket_stakes(payoffs)), sums[place]),
        )
        for place, part in enumerate(parts)
    )
    gained, raises, decisions = (_sum(column) for column in sums.T)
    value = FLOPS_PER_BOARD * seeing.raising + gained
    return ExposureResult(
        value, raises, decisions, count_hole_flops(known), decisions * deals, payoffs.unit
    )


def _refuse_overflow(payoffs: Payoffs, deals: int) -> None:
    largest = max(int(np.abs(payoffs.showdown).max()), int(np.abs(payoffs.fold).max()))
    if largest * deals > LARGEST_SUM:
        raise BadPayoffs(f"pays of {largest} units are too large to be summed exactly here")


def _sum(values: NDArray[np.int64]) -> int:
    """Exact, though the sum may leave 64 bits."""
    low = (1 << 32) - 1
    return (int((values >> 32).sum()) << 32) + int((values & low).sum())
