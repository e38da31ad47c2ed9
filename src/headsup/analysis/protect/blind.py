"""Computes what the blind strategy is worth when certain cards are out of the deck.

The blind strategy is best play for somebody who sees nothing. Averaged over all layouts of cards
seen, it is worth exactly what the game is worth. So on one layout the difference between best play
and the blind strategy is what seeing that layout gains, free of the layout's good or bad luck.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    MAX_RAISE,
    MIN_RAISE,
    PASSIVE,
    DealerCounts,
    ExposedFlops,
    ExposedLayers,
    Int64s,
    Layer,
    RiverChoice,
    Terms,
    Uint8s,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import HOLES
from headsup.analysis.protect.exposure import KnownCardValues, refuse_overflow, total
from headsup.analysis.protect.known import CARDS, KnownCards, exposed_flops, permute_holes
from headsup.analysis.solver.actions import Actions, RiverActions, StrategyActions
from headsup.analysis.solver.best_play import ABSENT, flop_raise_spread
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.layers import LayerBuilder, pack_margin, river_margin, river_terms
from headsup.analysis.solver.payoffs import LARGEST_PAY, Payoffs
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.workers.executor import KernelPool, split_range

FLOPS_AT_ONCE = 100
# Verdicts that no hand has. They stand for hands that raise on the river, whatever they hold.
LARGEST_RAISE, SMALLEST_RAISE = 29, 30
# In units per dealer hand. No river action loses more against another one.
LARGEST_LOSS = 2 * LARGEST_PAY


@dataclass(frozen=True)
class BlindStrategy:
    """Best play for the whole deck, ready to be valued when some cards are out."""

    payoffs: Payoffs
    deck: Deck
    actions: StrategyActions
    player_edge: Fraction  # with nothing seen

    @classmethod
    def of(cls, payoffs: Payoffs, deck: Deck | None = None) -> "BlindStrategy":
        deck = deck or Deck()
        (solution,) = solve_many([payoffs], deck=deck)
        assert solution.actions is not None  # a fresh solve has its actions
        return cls(payoffs, deck, solution.actions, -solution.house_edge)

    @cached_property
    def _flops(self) -> tuple[NDArray[np.int64], Actions]:
        """[lowest, middle, highest card]: the row of the flop's actions, and the actions by row."""
        flops = board_tables().flops.cards.astype(np.int64)
        rows = np.zeros((CARDS, CARDS, CARDS), np.int64)
        actions: list[Actions] = []
        count = 0
        for suits in permutations(range(4)):
            cards = np.sort(flops >> 2 << 2 | np.array(suits)[flops & 3], 1)
            is_new = rows[cards[:, 0], cards[:, 1], cards[:, 2]] == 0
            new = cards[is_new]
            rows[new[:, 0], new[:, 1], new[:, 2]] = count + 1 + np.arange(len(new))
            permuted = np.empty((len(new), HOLES), np.uint8)
            permuted[:, permute_holes(suits)] = self.actions.flop[is_new]
            actions.append(permuted)
            count += len(new)
        return rows - 1, np.concatenate(actions)

    def flop_actions(self, cards: Uint8s) -> Actions:
        """[flop, hole]: the actions on any real flops."""
        rows, actions = self._flops
        low, middle, high = np.sort(cards, 1).T
        return np.asarray(actions[rows[low, middle, high]])

    def edge(self, known: KnownCards, values: KnownCardValues, pool: KernelPool) -> Fraction:
        """The player's edge if these cards are out, and the player does not know it.

        `values` are those of best play; they have the showdowns.
        """
        dealers = comb(known.remaining - 7, 2)
        deals_each = comb(known.remaining - 2, 3) * comb(known.remaining - 5, 2) * dealers
        refuse_overflow(self.payoffs, deals_each)
        layers, holes = self._layers(values, dealers, pool), _free_holes(known)
        flops = exposed_flops(known)
        chunks = split_range(0, len(flops.cards), len(flops.cards) // FLOPS_AT_ONCE + 1)
        sums = np.zeros((len(chunks), HOLES), np.int64)
        pool.run(
            partial(
                self._add_flops,
                _slice(flops, first, last),
                layers,
                holes,
                sums[number],
            )
            for number, (first, last) in enumerate(chunks)
        )
        value = FLOPS_PER_BOARD * values.min_raise_value + total(sums.sum(0))
        return Fraction(value, len(holes) * deals_each * self.payoffs.unit)

    def _layers(self, values: KnownCardValues, dealers: int, pool: KernelPool) -> ExposedLayers:
        terms = river_terms(self.payoffs, dealers)
        river = [
            river_layer(showdowns, terms, self.actions.river, pool)
            for showdowns in values.showdowns
        ]
        suits = np.stack([layer.suits for layer in river])
        return values.layers._replace(rank_check=river[0].ranks, check=suits)

    def _add_flops(
        self, flops: ExposedFlops, layers: ExposedLayers, free: Int64s, sums: Int64s
    ) -> None:
        """Add to each hole what it gains on these flops over the smallest flop raise."""
        payoffs, actions = self.payoffs, self.flop_actions(flops.cards)
        pocket = np.array(self.actions.pocket.actions)[board_tables().holes.pocket[free]]
        smallest = min(payoffs.flop_multiples)
        for action, multiple in (
            (MIN_RAISE, min(payoffs.pocket_multiples)),
            (MAX_RAISE, max(payoffs.pocket_multiples)),
        ):
            holes = free[pocket == action]
            edge = _on_flops(flops, layers.rank_edge, layers.edge, layers.suit_views, holes)
            edge[actions[:, holes] == ABSENT] = 0
            stake = (multiple - smallest) * payoffs.unit
            sums[holes] += stake * (flops.weight[:, None] * edge).sum(0)
        holes = free[pocket == PASSIVE]
        taken = actions[:, holes]
        gain = _on_flops(flops, layers.rank_check, layers.check, layers.suit_views, holes)
        gain[taken != PASSIVE] = 0
        if flop_raise_spread(payoffs):
            edge = _on_flops(flops, layers.rank_edge, layers.edge, layers.suit_views, holes)
            gain += np.where(taken == MAX_RAISE, flop_raise_spread(payoffs) * edge, 0)
        sums[holes] += (flops.weight[:, None] * gain).sum(0)


def _slice(flops: ExposedFlops, first: int, last: int) -> ExposedFlops:
    part = slice(first, last)
    return ExposedFlops(
        flops.cards[part], flops.weight[part], flops.ranks[part], flops.suited_flops[part]
    )


def _free_holes(known: KnownCards) -> Int64s:
    """The numbers of the holes that can still be dealt."""
    holes = (np.int64(1) << board_tables().holes.cards.astype(np.int64)).sum(1)
    return np.flatnonzero(holes & known.taken_mask == 0)


def _on_flops(
    flops: ExposedFlops, by_ranks: Int64s, by_suits: Int64s, suit_views: Any, holes: Int64s
) -> Int64s:
    """[flop, hole]: the value of a layer."""
    tables = board_tables().holes
    values = np.take(by_ranks[flops.ranks], tables.pair[holes], axis=1)
    for suit in range(4):
        rows = np.flatnonzero(flops.suited_flops[:, suit] >= 0)
        layer = by_suits[suit_views[suit]][flops.suited_flops[rows, suit]]
        values[rows] += np.take(layer, tables.type[suit, holes], axis=1)
    return np.asarray(values)


def river_layer(
    showdowns: Showdowns, terms: Terms, actions: RiverActions, pool: KernelPool
) -> Layer:
    """What checking on the flop gains over the smallest raise if the river is played like this.

    The kernel takes the best action, never one that loses. So each hand with a fixed action
    other than the smallest raise gets a bonus that no loss exceeds, and a second layer, of the
    bonus alone, is taken off.
    """
    showdowns = replace(
        showdowns,
        rank_boards=_with_fixed(showdowns.rank_boards, actions.ranks),
        suited_boards=_with_fixed(showdowns.suited_boards, actions.suited),
    )
    extra = terms.most - terms.least
    margin = river_margin(terms) // np.array([terms.dealers, 1, 1, 1])
    margin[LARGEST_RAISE] = [extra, -2 * extra, -extra, 0]
    bonus = np.zeros(margin.shape, np.int64)
    bonus[:, 0] = -LARGEST_LOSS
    bonus[[SMALLEST_RAISE, IMPOSSIBLE]] = margin[[SMALLEST_RAISE, IMPOSSIBLE]] = 0
    builder, later = LayerBuilder(showdowns, pool), terms.least - terms.flop
    played, added = (
        builder.collect(RiverChoice(pack_margin(rows), 0, later_stake, terms.dealers))
        for rows, later_stake in ((margin + bonus, later), (bonus, 0))
    )
    return Layer(played.ranks - added.ranks, played.suits - added.suits)


def _with_fixed(counts: DealerCounts, actions: Actions) -> DealerCounts:
    """The counts, with verdicts that make the kernel take these actions."""
    verdict = counts.verdict.copy()
    possible = verdict != IMPOSSIBLE
    verdict[possible & (actions == MIN_RAISE)] = SMALLEST_RAISE
    verdict[possible & (actions == MAX_RAISE)] = LARGEST_RAISE
    return counts._replace(verdict=verdict)
