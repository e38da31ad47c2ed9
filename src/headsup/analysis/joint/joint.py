"""The result of a whole round: main game and side wagers, which share cards.

Rounds are counted by pocket class, decision path, hand and result. Trips Plus follows from the
hand, the Progressive from when a straight flush or royal was completed, Pocket Bonus from the
class. All 6 uses four more cards. If these are counted too (`one_deck`), everything is exact.
Otherwise they are treated as dealt from another deck, given the hole: All 6's own distribution is
still exact, but its covariances with other wagers are approximate.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.joint.staked_table import (
    COUNTS_SHAPE,
    PACKETS_PER_DEAL,
    PADDED_COUNTS_SHAPE,
    RoundCell,
    StakedTable,
    WagerNets,
)
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.actions import (
    FLOP_MAX_RAISE,
    FLOP_MIN_RAISE,
    POCKET_MAX_RAISE,
    POCKET_MIN_RAISE,
    RIVER_FOLD,
    RIVER_MAX_RAISE,
    RIVER_MIN_RAISE,
)
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.payoffs import Payoffs
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

HAND_AXIS = len(COUNTS_SHAPE)  # the axis for hands of both hole cards
ANY_MULTIPLE = 1  # for wagers that folds do not forfeit, the multiple does not matter
Objects = NDArray[Any]  # of WagerNets, or of Python integers, which cannot overflow


def counts_from_bytes(content: memoryview) -> Int64s:
    """Deals by [class, decision path, case, result, dealer qualifies]."""
    return np.frombuffer(content, np.int64).reshape(COUNTS_SHAPE)


@dataclass(frozen=True, eq=False)
class RoundDistribution:
    """Every way a round can end at these stakes.

    Counts are [class, decision path, Progressive case, result, dealer qualifies, hand of both hole
    cards, All 6 case]. Arrays of a wager's nets have the same axes, with length 1 where the axis
    does not matter to the wager. The weights of a wager's nets add up to its entry in `scales`.
    """

    counts: Int64s
    multiples: Mapping[int, int]  # [decision path]: multiple raised
    table: StakedTable

    @property
    def scales(self) -> Mapping[Wager, int]:
        return self.table.scales

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """ANTE stands for Ante, Odds and Raise together; then the side wagers."""
        return tuple(self.scales)

    @property
    def exact(self) -> bool:
        """Whether all figures are exact: not so with All 6 if its packets are not counted."""
        return Wager.ALL_6 not in self.wagers or self.table.one_deck

    @property
    def deals(self) -> int:
        """The total number of deals, by which counts are divided."""
        return Deck().deals * (PACKETS_PER_DEAL if self.table.one_deck else 1)

    def mean(self, wager: Wager) -> Fraction:
        """The player's mean result on a wager, in cents."""
        return Fraction(
            self._weighted_sum(self._first_moments[wager]), self.deals * self.scales[wager]
        )

    def covariance(self, first: Wager, second: Wager) -> Fraction:
        """In cents squared. The covariance of a wager with itself is its variance."""
        return self._mean_product(first, second) - self.mean(first) * self.mean(second)

    def _mean_product(self, first: Wager, second: Wager) -> Fraction:
        if first is second:
            squares = _map_nets(self._nets[first], lambda nets: nets.second_moment)
            return Fraction(self._weighted_sum(squares), self.deals * self.scales[first])
        value = self._weighted_sum(self._first_moments[first], self._first_moments[second])
        return Fraction(value, self.deals * self.scales[first] * self.scales[second])

    @cached_property
    def _nets(self) -> dict[Wager, Objects]:
        return {wager: self._build_nets(wager) for wager in self.wagers}

    def _build_nets(self, wager: Wager) -> Objects:
        nets = np.empty(self.table.net_shape(wager), object)
        for cell in np.ndindex(nets.shape):
            number, way, *rest = cell
            multiple = self.multiples[way] if nets.shape[1] > 1 else ANY_MULTIPLE
            nets[cell] = self.table.net(wager, RoundCell(number, multiple, *rest))
        return nets

    @cached_property
    def _first_moments(self) -> dict[Wager, Objects]:
        return {
            wager: _map_nets(nets, lambda nets: nets.first_moment)
            for wager, nets in self._nets.items()
        }

    def _weighted_sum(self, *factors: Objects) -> int:
        """The sum of the product of these factors over all deals, in Python integers."""
        shape = np.broadcast_shapes(*(factor.shape for factor in factors))
        unused_axes = tuple(axis for axis, length in enumerate(shape) if length == 1)
        weights = self.counts.sum(axis=unused_axes, keepdims=True)
        nonzero = weights.nonzero()
        products = weights[nonzero].astype(object)
        for factor in factors:
            products = products * np.broadcast_to(factor, shape)[nonzero]
        return int(products.sum())

    @property
    def variance(self) -> Fraction:
        """The variance of the whole round, in cents squared."""
        variances = sum((self.covariance(wager, wager) for wager in self.wagers), Fraction())
        pairs = combinations(self.wagers, 2)
        return variances + 2 * sum((self.covariance(*pair) for pair in pairs), Fraction())

    @property
    def mean_stake(self) -> Fraction:
        """The mean of what is staked in a round, in cents."""
        by_way = self.counts.sum(axis=(0, 2, 3, 4, 5, 6)).tolist()
        stakes = (
            self.table.total_stake(self.multiples[way]) * deals for way, deals in enumerate(by_way)
        )
        return Fraction(sum(stakes), self.deals)

    def net_weights(self) -> dict[Cents, int]:
        """[net of a whole round]: its weight, ascending. Divide by the sum of the weights."""
        sums: dict[tuple[WagerNets, ...], dict[Cents, int]] = {}
        for cell, weight in self._group_deals().items():
            sums[cell] = {0: weight}
        for _ in self.wagers:  # one wager at a time, which merges many cells early
            next_sums: dict[tuple[WagerNets, ...], dict[Cents, int]] = {}
            for (nets, *rest), partial_sums in sums.items():
                target = next_sums.setdefault(tuple(rest), {})
                for net, weight in nets.convolve(partial_sums).items():
                    target[net] = target.get(net, 0) + weight
            sums = next_sums
        return dict(sorted(sums[()].items()))

    def _group_deals(self) -> dict[tuple[WagerNets, ...], int]:
        """[nets of each wager]: the number of deals."""
        all_nets = [np.broadcast_to(self._nets[wager], self.counts.shape) for wager in self.wagers]
        nonzero = self.counts.nonzero()
        cells: dict[tuple[WagerNets, ...], int] = {}
        weights = self.counts[nonzero].tolist()
        for weight, *nets in zip(weights, *(array[nonzero] for array in all_nets), strict=True):
            key = tuple(nets)
            cells[key] = cells.get(key, 0) + weight
        return cells


def _map_nets(nets: Objects, moment: Callable[[WagerNets], int]) -> Objects:
    moments = np.empty(nets.shape, object)
    moments.ravel()[:] = [moment(net) for net in nets.ravel()]  # ravel of a new array is a view
    return moments


def round_distribution(
    rules: TableRules, payoffs: Payoffs, counts: Int64s, bets: Mapping[Wager, Cents], meter: Micros
) -> RoundDistribution:
    """The distribution of a round's results at these stakes and with this meter."""
    if counts.shape == COUNTS_SHAPE:
        counts = counts.reshape(PADDED_COUNTS_SHAPE)
    if Wager.TRIPS_PLUS in bets and rules.both_hole_cards and counts.shape[HAND_AXIS] == 1:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    table = StakedTable(rules, bets, meter, counts.shape)
    return RoundDistribution(counts, _multiple_by_way(payoffs), table)


def _multiple_by_way(payoffs: Payoffs) -> dict[int, int]:
    pocket, flop, river = payoffs.multiples_by_street
    return {
        POCKET_MIN_RAISE: min(pocket),
        POCKET_MAX_RAISE: max(pocket),
        FLOP_MIN_RAISE: min(flop),
        FLOP_MAX_RAISE: max(flop),
        RIVER_FOLD: 0,
        RIVER_MIN_RAISE: min(river),
        RIVER_MAX_RAISE: max(river),
    }
