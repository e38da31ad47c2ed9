"""Computes the exact edge of a player who knows certain cards before the first decision.

Flop cards are public by the time of the later decisions, so having seen them early changes only the
pocket decision.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    DealerCounts,
    DeckTerms,
    ExposedLayers,
    Int32s,
    Layer,
)
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
    fill_rank_strengths,
    fill_strengths,
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


@dataclass(frozen=True)
class _ViewValues:
    """What one suit view adds to the values of some known cards."""

    showdowns: Showdowns
    check: Layer
    edge: Layer
    raise_by_pair: NDArray[np.int64]  # the smallest flop raise
    raise_by_type: NDArray[np.int64]


class SharedView:
    """The last view of suits in which the dealer has no card.

    Such a view depends on the dealer's ranks alone, so two hands of the same ranks share it.
    """

    def __init__(self) -> None:
        self._last: tuple[SuitView, _ViewValues] | None = None

    def values(self, view: SuitView, compute: Callable[[], _ViewValues]) -> _ViewValues:
        if any(kind >= RANKS for kind in view.dealer):
            return compute()
        key = replace(view, suits=())
        if self._last is None or self._last[0] != key:
            self._last = None  # frees its memory first
            self._last = key, compute()
        return self._last[1]


def exposure_edge(payoffs: Payoffs, known: KnownCards, pool: KernelPool) -> ExposureResult:
    """The edge over all hole cards, given the known cards."""
    return exposure_edges(payoffs, known, pool, [0])[0]


def exposure_edges(
    payoffs: Payoffs,
    known: KnownCards,
    pool: KernelPool,
    seen: Sequence[int],
    shared: SharedView | None = None,
) -> list[ExposureResult]:
    """The same with flop cards seen as well: one result for each number of cards in `seen`."""
    dealers = comb(known.remaining - 7, 2 - len(known.dealer))
    values = build_layers(payoffs, known, dealers, pool, shared)
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
    payoffs: Payoffs,
    known: KnownCards,
    dealers: int,
    pool: KernelPool,
    shared: SharedView | None = None,
) -> KnownCardValues:
    shared = shared or SharedView()
    holes = board_tables().holes
    suits = np.zeros(4, np.int64)
    raise_values = np.zeros(HOLES, np.int64)
    values = []
    for number, view in enumerate(known.suit_views):
        suits[[*view.suits]] = number
        compute = partial(_value_view, view, known, payoffs, dealers, pool)
        values.append(shared.values(view, compute))
        raise_values += values[-1].raise_by_type[holes.type[[*view.suits]]].sum(0)
    first = values[0]  # by ranks all views are the same
    raise_values += first.raise_by_pair[holes.pair]
    free = (np.int64(1) << holes.cards.astype(np.int64)).sum(1) & known.taken_mask == 0
    layers = ExposedLayers(
        *(first.check.ranks, first.edge.ranks, suits),
        np.stack([view.check.suits for view in values]),
        np.stack([view.edge.suits for view in values]),
    )
    showdowns = tuple(view.showdowns for view in values)
    return KnownCardValues(layers, total(raise_values[free]), showdowns)


def _value_view(
    view: SuitView, known: KnownCards, payoffs: Payoffs, dealers: int, pool: KernelPool
) -> _ViewValues:
    terms = river_terms(payoffs, dealers)
    river_pays = terms.pays + terms.flop * edge_pays(dealers)
    river_pays[IMPOSSIBLE] = 0
    showdowns = _showdowns(view, known, payoffs.qualifier, dealers, pool)
    builder = LayerBuilder(showdowns, pool)
    river = builder.river(terms)
    raise_sums = RiverTally.count(showdowns, river.actions, pool).sums(river_pays)
    return _ViewValues(showdowns, river.gain, builder.edge, *raise_sums)


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
    types, tables = board.types, strength_tables()
    rank_types = types._replace(kinds=types.ranks)
    rank_strengths, suited_strengths = player_strengths()
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
                tables,
                suited_strengths,
                ExposedScratch.empty(),
                suited,
            ),
        )
        for part in split_range(0, SUITED_BOARDS, CHUNKS)
    ]
    calls += [
        partial(
            count_exposed_rank_boards,
            *(*part, terms, kinds % RANKS, board.rank_boards, rank_types, tables),
            *(rank_strengths, ExposedScratch.empty(), ranks),
        )
        for part in split_range(0, RANK_BOARDS, 2)
    ]
    pool.run(calls)
    deals = suited_deals(suited, ways, pool)
    return Showdowns(dealers, qualifier, ranks, suited, ways, deals)


@cache
def player_strengths() -> tuple[Int32s, Int32s]:
    """[rank board, pair] and [suited board, type]: the strength of the player's hand."""
    board, types = board_tables(), board_tables().types
    deck = DeckTerms(np.full(RANKS, 3), np.ones(RANKS, np.int64), 0)
    by_ranks = np.zeros((RANK_BOARDS, PAIRS), np.int32)
    by_suits = np.zeros((SUITED_BOARDS, TYPES), np.int32)
    fill_rank_strengths(
        *(0, RANK_BOARDS, deck, board.rank_boards, types._replace(kinds=types.ranks)),
        *(strength_tables(), ExposedScratch.empty(), by_ranks),
    )
    fill_strengths(
        *(0, SUITED_BOARDS, deck, board.suited_boards, board.rank_boards, types),
        *(strength_tables(), ExposedScratch.empty(), by_suits),
    )
    return by_ranks, by_suits


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
