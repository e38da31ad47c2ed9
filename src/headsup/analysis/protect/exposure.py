"""Computes the exact edge of a player who knows certain cards before the first decision.

Flop cards are public by the time of the later decisions, so having seen them early changes only the
pocket decision.
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
    ExposedScratch,
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
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.layers import LayerBuilder, edge_pays, river_terms
from headsup.analysis.solver.payoffs import BadPayoffs, Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns, suited_deals
from headsup.analysis.workers.executor import KernelPool, split_range

KERNEL_CALLS = 260  # estimate for one set of known cards, for progress
CHUNKS = 32
LARGEST_SUM = 1 << 62


@dataclass(frozen=True)
class ExposureResult:
    """The player's gain with one set of known cards, or over all such sets."""

    value: int  # the total over all deals, in units
    raises: int  # real situations in which the player raises before the flop
    decisions: int
    classes: int  # distinct situations, when suits are interchangeable
    deals: int
    unit: int

    @property
    def player_edge(self) -> Fraction:
        """The player's expected gain per Ante."""
        return Fraction(self.value, self.deals * self.unit)

    @property
    def raise_pocket(self) -> Fraction:
        return Fraction(self.raises, self.decisions)


def combine_results(results: Sequence[tuple[int, ExposureResult]]) -> ExposureResult:
    """Combine several sets of known cards, each weighted by how many real sets it represents."""
    return ExposureResult(
        value=sum(weight * result.value for weight, result in results),
        raises=sum(weight * result.raises for weight, result in results),
        decisions=sum(weight * result.decisions for weight, result in results),
        classes=sum(result.classes for _, result in results),
        deals=sum(weight * result.deals for weight, result in results),
        unit=results[0][1].unit,
    )


def exposure_edge(payoffs: Payoffs, known: KnownCards, pool: KernelPool) -> ExposureResult:
    """The edge over all hole cards, given the known cards."""
    return exposure_edges(payoffs, known, pool, [0])[0]


def exposure_edges(
    payoffs: Payoffs, known: KnownCards, pool: KernelPool, seen: Sequence[int]
) -> list[ExposureResult]:
    """The same with flop cards seen as well: one result for each number of cards in `seen`."""
    dealers = comb(known.remaining - 7, 2 - len(known.dealer))
    values = build_layers(payoffs, known, dealers, pool)
    deals = comb(known.remaining - 5, 2) * dealers
    return [
        decide_with_flop(payoffs, known, values, deals, pool)
        if cards == 3
        else decide_before_flop(payoffs, known, cards, values, deals, pool)
        for cards in seen
    ]


@dataclass(frozen=True)
class KnownCardValues:
    layers: ExposedLayers
    min_raise_value: int  # total value of the smallest flop raise over all holes and boards
    showdowns: tuple[Showdowns, ...] = ()  # by suit view


def build_layers(
    payoffs: Payoffs, known: KnownCards, dealers: int, pool: KernelPool
) -> KnownCardValues:
    terms = river_terms(payoffs, dealers)
    river_pays = terms.pays + terms.flop * edge_pays(dealers)
    river_pays[IMPOSSIBLE] = 0
    holes = board_tables().holes
    suits = np.zeros(4, np.int64)
    check_layers, edge_layers, showdowns_by_view = [], [], []
    rank_layers: tuple[Any, Any] | None = None
    raise_values = np.zeros(HOLES, np.int64)
    for view_number, view in enumerate(known.suit_views):
        suits[[*view.suits]] = view_number
        view_showdowns = _showdowns(view, known, payoffs.qualifier, dealers, pool)
        builder = LayerBuilder(view_showdowns, pool)
        river = builder.river(terms)
        raise_by_pair, raise_by_type = RiverTally.count(view_showdowns, river.actions, pool).sums(
            river_pays
        )
        if rank_layers is None:
            rank_layers = river.gain.ranks, builder.edge.ranks
            raise_values += raise_by_pair[holes.pair]
        raise_values += raise_by_type[holes.type[[*view.suits]]].sum(0)
        check_layers.append(river.gain.suits)
        edge_layers.append(builder.edge.suits)
        showdowns_by_view.append(view_showdowns)
    assert rank_layers is not None  # there is at least one suit view
    free = (np.int64(1) << holes.cards.astype(np.int64)).sum(1) & known.taken_mask == 0
    layers = ExposedLayers(*rank_layers, suits, np.stack(check_layers), np.stack(edge_layers))
    return KnownCardValues(layers, total(raise_values[free]), tuple(showdowns_by_view))


def _showdowns(
    view: SuitView, known: KnownCards, qualifier: int, dealers: int, pool: KernelPool
) -> Showdowns:
    terms = view.terms(qualifier)
    ways = deck_ways(terms)
    if not known.dealer:
        return Showdowns.count_partial_deck(terms, dealers, ways, pool)
    board, kinds = board_tables(), np.array(view.dealer)
    ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
    suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
    ranks.verdict[:], suited.verdict[:] = IMPOSSIBLE, IMPOSSIBLE
    types, strengths = board.types, strength_tables()
    rank_types = types._replace(kinds=types.ranks)
    calls = [
        partial(
            count_exposed_suited_boards,
            *(
                *part,
                terms,
                kinds,
                board.suited_boards,
                board.rank_boards,
                types,
                strengths,
                ExposedScratch.empty(),
                suited,
            ),
        )
        for part in split_range(0, SUITED_BOARDS, CHUNKS)
    ]
    calls += [
        partial(
            count_exposed_rank_boards,
            *(*part, terms, kinds % RANKS, board.rank_boards, rank_types, strengths),
            *(ExposedScratch.empty(), ranks),
        )
        for part in split_range(0, RANK_BOARDS, 2)
    ]
    pool.run(calls)
    deals = suited_deals(suited, ways, pool)
    return Showdowns(dealers, qualifier, ranks, suited, ways, deals)


def _extra_pocket_stakes(payoffs: Payoffs) -> tuple[int, int]:
    """How much more the smallest and largest pocket raise stake than the smallest flop raise."""
    pocket, flop = payoffs.pocket_multiples, min(payoffs.flop_multiples)
    return (min(pocket) - flop) * payoffs.unit, (max(pocket) - flop) * payoffs.unit


def decide_before_flop(
    payoffs: Payoffs,
    known: KnownCards,
    seen: int,
    values: KnownCardValues,
    deals: int,
    pool: KernelPool,
) -> ExposureResult:
    flops, known_situations = exposed_flops(known), situations(known, seen)
    deals_each = comb(known.remaining - 2 - seen, 3 - seen) * deals
    refuse_overflow(payoffs, deals_each * int(known_situations.deals.max()))
    chunks = split_range(0, len(flops.cards), CHUNKS if seen < 2 else pool.size)
    sums = [np.zeros((len(known_situations.deals), 2), np.int64) for _ in chunks]
    pool.run(
        partial(
            decide_exposed_flops,
            *(*chunk, seen, flops, board_tables().holes, values.layers, flop_raise_spread(payoffs)),
            *(known.taken_mask, known_situations.numbers, chunk_sums),
        )
        for chunk, chunk_sums in zip(chunks, sums, strict=True)
    )
    check_gain, edge = np.sum(sums, axis=0).T
    raise_gain = np.max([stake * edge for stake in _extra_pocket_stakes(payoffs)], axis=0)
    base_value = comb(3, seen) * FLOPS_PER_BOARD * values.min_raise_value
    return ExposureResult(
        value=base_value + total(np.maximum(check_gain, raise_gain)),
        raises=int(known_situations.deals[raise_gain > check_gain].sum()),
        decisions=int(known_situations.deals.sum()),
        classes=int((known_situations.deals > 0).sum()),
        deals=int(known_situations.deals.sum()) * deals_each,
        unit=payoffs.unit,
    )


def decide_with_flop(
    payoffs: Payoffs, known: KnownCards, values: KnownCardValues, deals: int, pool: KernelPool
) -> ExposureResult:
    flops = exposed_flops(known)
    chunks = split_range(0, len(flops.cards), len(flops.cards) // 10 + 1)
    refuse_overflow(payoffs, 11 * 24 * comb(known.remaining - 3, 2) * deals)
    sums = np.zeros((len(chunks), 3), np.int64)
    pool.run(
        partial(
            decide_seen_flops,
            *(
                *chunk,
                flops,
                board_tables().holes,
                values.layers,
                flop_raise_spread(payoffs),
                known.taken_mask,
            ),
            *(np.array(_extra_pocket_stakes(payoffs)), sums[number]),
        )
        for number, chunk in enumerate(chunks)
    )
    gain, raises, decisions = (total(column) for column in sums.T)
    value = FLOPS_PER_BOARD * values.min_raise_value + gain
    return ExposureResult(
        value, raises, decisions, count_hole_flops(known), decisions * deals, payoffs.unit
    )


def refuse_overflow(payoffs: Payoffs, deals: int) -> None:
    largest = max(int(np.abs(payoffs.showdown).max()), int(np.abs(payoffs.fold).max()))
    if largest * deals > LARGEST_SUM:
        raise BadPayoffs(f"pays of {largest} units are too large to add up exactly here")


def total(values: NDArray[np.int64]) -> int:
    """The exact sum, which may need more than 64 bits."""
    low = (1 << 32) - 1
    return (int((values >> 32).sum()) << 32) + int((values & low).sum())
