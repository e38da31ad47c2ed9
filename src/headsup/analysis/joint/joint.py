"""One round's main game and side wagers together: they share cards, so their results do too.

Everything is counted by pocket class, way to decide, hand and result. Trips Plus follows from the
hand, the progressive from when a straight flush or a royal came, and Pocket Bonus from the class.
All 6 takes four further cards. Counted by them too (`one_deck`), everything is exact; otherwise
they are taken as dealt beside the hole alone, as if from another deck: its own distribution stays
exact, what is said of it with others is near.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.cache import (
    OLD_ROUND_FILES,
    ROUND_FILES,
    cache_folder,
    delete_oldest,
    load_or_compute,
)
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
from headsup.analysis.solver.strategy import MAX_CACHED_FILES, Strategy, strategy_file
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

HAND_AXIS = len(COUNTS_SHAPE)  # the axis of hands of both hole cards
ANY_MULTIPLE = 1  # any multiple: a wager that no fold forfeits does not ask which
Objects = NDArray[Any]  # of nets, or of integers of any size


def cached_joint_counts(
    strategy: Strategy, count: Callable[[Strategy], Int64s], folder: Path | None = None
) -> Int64s:
    """Deals by [class, way to decide, case, result, dealer qualifies], kept for the next run.

    `count` is handed in, so that whoever finds them kept need not load the solver.
    """
    folder = folder or cache_folder()

    def counted() -> bytes:
        if folder:
            delete_oldest(folder, OLD_ROUND_FILES, 0)
        return count(strategy).tobytes()

    named = partial(joint_file, strategy.solution.payoffs)
    content = load_or_compute(named, counted, MAX_CACHED_FILES, folder)
    return np.frombuffer(content, np.int64).reshape(COUNTS_SHAPE)


def joint_file(payoffs: Payoffs, folder: Path) -> Path:
    return strategy_file(payoffs, folder).with_suffix(ROUND_FILES[1:])


@dataclass(frozen=True, eq=False)
class RoundDistribution:
    """All ways a round may end at these stakes; weights of a wager's nets are of `scales`.

    Counts are [class, way to decide, case, result, dealer qualifies, hand of both hole cards, case
    of All 6], and so is the place of a wager's nets; other cases are the progressive's. A wager
    that does not turn on one of them has one place there.
    """

    counts: Int64s
    multiples: Mapping[int, int]  # by way to decide
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
        """Whether nothing is taken for independent that is not."""
        return Wager.ALL_6 not in self.wagers or self.table.one_deck

    @property
    def deals(self) -> int:
        """All of them, of which counts are a part."""
        return Deck().deals * (PACKETS_PER_DEAL if self.table.one_deck else 1)

    def mean(self, wager: Wager) -> Fraction:
        """In cents, from the player's side."""
        return Fraction(self._weighed(self._firsts[wager]), self.deals * self.scales[wager])

    def covariance(self, one: Wager, other: Wager) -> Fraction:
        """In cents squared; of a wager with itself, its variance."""
        return self._product(one, other) - self.mean(one) * self.mean(other)

    def _product(self, one: Wager, other: Wager) -> Fraction:
        if one is other:
            squares = _map_nets(self._nets[one], lambda nets: nets.second)
            return Fraction(self._weighed(squares), self.deals * self.scales[one])
        value = self._weighed(self._firsts[one], self._firsts[other])
        return Fraction(value, self.deals * self.scales[one] * self.scales[other])

    @cached_property
    def _nets(self) -> dict[Wager, Objects]:
        return {wager: self._nets_of(wager) for wager in self.wagers}

    def _nets_of(self, wager: Wager) -> Objects:
        nets = np.empty(self.table.places(wager), object)
        for place in np.ndindex(nets.shape):
            number, way, *rest = place
            multiple = self.multiples[way] if nets.shape[1] > 1 else ANY_MULTIPLE
            nets[place] = self.table.net(wager, RoundCell(number, multiple, *rest))
        return nets

    @cached_property
    def _firsts(self) -> dict[Wager, Objects]:
        return {
            wager: _map_nets(nets, lambda nets: nets.first) for wager, nets in self._nets.items()
        }

    def _weighed(self, *factors: Objects) -> int:
        """The sum of these products over all deals, in integers of any size."""
        shape = np.broadcast_shapes(*(factor.shape for factor in factors))
        alike = tuple(axis for axis, places in enumerate(shape) if places == 1)
        weights = self.counts.sum(axis=alike, keepdims=True)
        happens = weights.nonzero()
        products = weights[happens].astype(object)
        for factor in factors:
            products = products * np.broadcast_to(factor, shape)[happens]
        return int(products.sum())

    @property
    def variance(self) -> Fraction:
        """Of everything together, in cents squared."""
        alone = sum((self.covariance(wager, wager) for wager in self.wagers), Fraction())
        pairs = combinations(self.wagers, 2)
        return alone + 2 * sum((self.covariance(*pair) for pair in pairs), Fraction())

    @property
    def staked(self) -> Fraction:
        """Put at risk in a round on average, in cents."""
        by_way = self.counts.sum(axis=(0, 2, 3, 4, 5, 6)).tolist()
        stakes = (
            self.table.staked(self.multiples[way]) * deals for way, deals in enumerate(by_way)
        )
        return Fraction(sum(stakes), self.deals)

    def totals(self) -> dict[Cents, int]:
        """The net of a whole round by weight, ascending; whoever reads it adds the weights up."""
        sums: dict[tuple[WagerNets, ...], dict[Cents, int]] = {}
        for cell, weight in self._cells().items():
            sums[cell] = {0: weight}
        for _ in self.wagers:  # the first wager of all, then the next: few sums are many cells
            more: dict[tuple[WagerNets, ...], dict[Cents, int]] = {}
            for (nets, *rest), before in sums.items():
                into = more.setdefault(tuple(rest), {})
                for net, weight in nets.after(before).items():
                    into[net] = into.get(net, 0) + weight
            sums = more
        return dict(sorted(sums[()].items()))

    def _cells(self) -> dict[tuple[WagerNets, ...], int]:
        """Deals by what each wager nets in them."""
        every = [np.broadcast_to(self._nets[wager], self.counts.shape) for wager in self.wagers]
        happens = self.counts.nonzero()
        cells: dict[tuple[WagerNets, ...], int] = {}
        weights = self.counts[happens].tolist()
        for weight, *nets in zip(weights, *(of[happens] for of in every), strict=True):
            key = tuple(nets)
            cells[key] = cells.get(key, 0) + weight
        return cells


def _map_nets(nets: Objects, moment: Callable[[WagerNets], int]) -> Objects:
    moments = np.empty(nets.shape, object)
    moments.ravel()[:] = [moment(one) for one in nets.ravel()]  # fresh, so a view of it
    return moments


def round_distribution(
    rules: TableRules, payoffs: Payoffs, counts: Int64s, bets: Mapping[Wager, Cents], meter: Micros
) -> RoundDistribution:
    """What a round at these stakes may come to. The progressive's meter stands still."""
    if counts.shape == COUNTS_SHAPE:
        counts = counts.reshape(PADDED_COUNTS_SHAPE)
    if Wager.TRIPS_PLUS in bets and rules.both_hole_cards and counts.shape[HAND_AXIS] == 1:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    table = StakedTable(rules, bets, meter, counts.shape)
    return RoundDistribution(counts, _multiples(payoffs), table)


def _multiples(payoffs: Payoffs) -> dict[int, int]:
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
