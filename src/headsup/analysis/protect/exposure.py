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
from headsup.analysis.kernels.base.board_tables import lattice, ways_of
from headsup.analysis.kernels.base.evaluator import lookup
from headsup.analysis.kernels.base.numbering import (
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
)
from headsup.analysis.kernels.protect.exposed import (
    decide_exposed,
    decide_seen_flops,
    meet_rank_boards,
    meet_suited_boards,
)
from headsup.analysis.protect.known import Known, Sight, exposed_flops, holes_with_flops, situations
from headsup.analysis.solver.best_play import more_on_flop
from headsup.analysis.solver.chunks import Crew, split
from headsup.analysis.solver.deck import FLOPS_OF_A_BOARD
from headsup.analysis.solver.layers import Collector, edge_pays, river_terms
from headsup.analysis.solver.payoffs import BadPayoffs, Payoffs
from headsup.analysis.solver.river_tally import RiverTally
from headsup.analysis.solver.showdowns import Showdowns, suited_deals

CALLS = 260  # of kernels for one case, about: for progress
CHUNKS = 32
LARGEST_SUM = 1 << 62


@dataclass(frozen=True)
class Exposed:
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


def joined(found: Sequence[tuple[int, Exposed]]) -> Exposed:
    """Several cases as one, each with the real ones that it stands for."""
    return Exposed(
        value=sum(weight * one.value for weight, one in found),
        raises=sum(weight * one.raises for weight, one in found),
        decisions=sum(weight * one.decisions for weight, one in found),
        classes=sum(one.classes for _, one in found),
        deals=sum(weight * one.deals for weight, one in found),
        unit=found[0][1].unit,
    )


def known_edge(payoffs: Payoffs, known: Known, crew: Crew) -> Exposed:
    """The edge over all holes with some cards known."""
    return known_edges(payoffs, known, crew, [0])[0]


def known_edges(payoffs: Payoffs, known: Known, crew: Crew, seen: Sequence[int]) -> list[Exposed]:
    """The same with so many of the flop's cards seen as well, for each of these numbers."""
    dealers = comb(known.left - 7, 2 - len(known.dealer))
    seeing = look(payoffs, known, dealers, crew)
    deals = comb(known.left - 5, 2) * dealers
    return [
        with_flop(payoffs, known, seeing, deals, crew)
        if cards == 3
        else before_flop(payoffs, known, cards, seeing, deals, crew)
        for cards in seen
    ]


@dataclass(frozen=True)
class Seeing:
    layers: ExposedLayers
    raising: int  # the least flop raise with every hole on every board, in units
    showdowns: tuple[Showdowns, ...] = ()  # by sight


def look(payoffs: Payoffs, known: Known, dealers: int, crew: Crew) -> Seeing:
    terms = river_terms(payoffs, dealers)
    pays = terms.pays + terms.flop * edge_pays(dealers)
    pays[IMPOSSIBLE] = 0
    holes = lattice().holes
    suits = np.zeros(4, np.int64)
    checks, edges, met = [], [], []
    by_ranks: tuple[Any, Any] | None = None
    raising = np.zeros(HOLES, np.int64)
    for place, sight in enumerate(known.sights):
        suits[[*sight.suits]] = place
        showdowns = _showdowns(sight, known, payoffs.qualifier, dealers, crew)
        collector = Collector(showdowns, crew)
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
    return Seeing(layers, _sum(raising[free]), tuple(met))


def _showdowns(sight: Sight, known: Known, qualifier: int, dealers: int, crew: Crew) -> Showdowns:
    terms = sight.terms(qualifier)
    ways = ways_of(terms)
    if not known.dealer:
        return Showdowns.beside(terms, dealers, ways, crew)
    board, kinds = lattice(), np.array(sight.dealer)
    ranks = DealerCounts.empty(RANK_BOARDS, PAIRS)
    suited = DealerCounts.empty(SUITED_BOARDS, TYPES)
    ranks.verdict[:], suited.verdict[:] = IMPOSSIBLE, IMPOSSIBLE
    types, look = board.types, lookup()
    of_ranks = types._replace(kinds=types.ranks)
    calls = [
        partial(
            meet_suited_boards,
            *(*part, terms, kinds, board.suited_boards, board.rank_boards, types, look, suited),
        )
        for part in split(0, SUITED_BOARDS, CHUNKS)
    ]
    calls += [
        partial(
            meet_rank_boards,
            *(*part, terms, kinds % RANKS, board.rank_boards, of_ranks, look, ranks),
        )
        for part in split(0, RANK_BOARDS, 2)
    ]
    crew.run(calls)
    deals = suited_deals(suited, ways, crew)
    return Showdowns(dealers, qualifier, ranks, suited, ways, deals)


def _raises(payoffs: Payoffs) -> tuple[int, int]:
    """What the least and the most pocket raise stake beyond the least on the flop, in units."""
    pocket, flop = payoffs.pocket_multiples, min(payoffs.flop_multiples)
    return (min(pocket) - flop) * payoffs.unit, (max(pocket) - flop) * payoffs.unit


def before_flop(
    payoffs: Payoffs, known: Known, seen: int, seeing: Seeing, deals: int, crew: Crew
) -> Exposed:
    flops, asked = exposed_flops(known), situations(known, seen)
    each = comb(known.left - 2 - seen, 3 - seen) * deals
    _refuse_overflow(payoffs, each * int(asked.deals.max()))
    parts = split(0, len(flops.cards), CHUNKS if seen < 2 else crew.size)
    sums = [np.zeros((len(asked.deals), 2), np.int64) for _ in parts]
    crew.run(
        partial(
            decide_exposed,
            *(*part, seen, flops, lattice().holes, seeing.layers, more_on_flop(payoffs)),
            *(known.taken, asked.of, own),
        )
        for part, own in zip(parts, sums, strict=True)
    )
    check, edge = np.sum(sums, axis=0).T
    raised = np.max([stake * edge for stake in _raises(payoffs)], axis=0)
    every = comb(3, seen) * FLOPS_OF_A_BOARD * seeing.raising
    return Exposed(
        value=every + _sum(np.maximum(check, raised)),
        raises=int(asked.deals[raised > check].sum()),
        decisions=int(asked.deals.sum()),
        classes=int((asked.deals > 0).sum()),
        deals=int(asked.deals.sum()) * each,
        unit=payoffs.unit,
    )


def with_flop(payoffs: Payoffs, known: Known, seeing: Seeing, deals: int, crew: Crew) -> Exposed:
    flops = exposed_flops(known)
    parts = split(0, len(flops.cards), len(flops.cards) // 10 + 1)
    _refuse_overflow(payoffs, 11 * 24 * comb(known.left - 3, 2) * deals)
    sums = np.zeros((len(parts), 3), np.int64)
    crew.run(
        partial(
            decide_seen_flops,
            *(*part, flops, lattice().holes, seeing.layers, more_on_flop(payoffs), known.taken),
            *(np.array(_raises(payoffs)), sums[place]),
        )
        for place, part in enumerate(parts)
    )
    gained, raises, decisions = (_sum(column) for column in sums.T)
    value = FLOPS_OF_A_BOARD * seeing.raising + gained
    return Exposed(
        value, raises, decisions, holes_with_flops(known), decisions * deals, payoffs.unit
    )


def _refuse_overflow(payoffs: Payoffs, deals: int) -> None:
    largest = max(int(np.abs(payoffs.showdown).max()), int(np.abs(payoffs.fold).max()))
    if largest * deals > LARGEST_SUM:
        raise BadPayoffs(f"pays of {largest} units are too large to be summed exactly here")


def _sum(values: NDArray[np.int64]) -> int:
    """Exact, though the sum may leave 64 bits."""
    low = (1 << 32) - 1
    return (int((values >> 32).sum()) << 32) + int((values & low).sum())
