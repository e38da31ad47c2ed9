"""What a solve finds: exact fractions, all read off the joint distribution of results."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import MIN_RAISE, PASSIVE
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.par.exact_numbers import square_root
from headsup.analysis.solver.actions import (
    FLOP_MAX_RAISE,
    FLOP_MIN_RAISE,
    POCKET_MAX_RAISE,
    POCKET_MIN_RAISE,
    RIVER_FOLD,
    RIVER_MAX_RAISE,
    RIVER_MIN_RAISE,
    PocketValues,
    StrategyActions,
)
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.payoffs import Payoffs
from headsup.game.values.cards import RANKS as RANK_NAMES


@dataclass(frozen=True, repr=False)
class Pocket:
    """One of the 169 classes: the value of each option in Antes, whole round."""

    name: str
    hands: int
    raises: dict[int, Fraction]  # by multiple
    check: Fraction
    best: int  # the multiple to raise, or 0 to check

    def __repr__(self) -> str:
        raises = ", ".join(f"raise {times} {float(ev):+.4f}" for times, ev in self.raises.items())
        best = f"raise {self.best}" if self.best else "check"
        return f"<{self.name}: {best} ({raises}, check {float(self.check):+.4f})>"


def pocket_class_name(number: int) -> str:
    """`AA`, `AKs` or `AKo`, by the place in the 13 × 13 chart."""
    row, column = divmod(number, RANKS)
    if row == column:
        return RANK_NAMES[row] * 2
    high, low = RANK_NAMES[max(row, column)], RANK_NAMES[min(row, column)]
    return f"{high}{low}{'s' if row > column else 'o'}"


def chart_names() -> list[list[str]]:
    """The 13 × 13 chart as people draw it: aces first, suited hands above the diagonal."""
    ranks = range(RANKS)[::-1]
    return [[pocket_class_name(row * RANKS + column) for column in ranks] for row in ranks]


def pocket_class_size(number: int) -> int:
    row, column = divmod(number, RANKS)
    return 6 if row == column else 4 if row > column else 12


@dataclass(frozen=True)
class RoundResult:
    """One cell of the joint distribution. `result` is -1, 0 or 1 for the player."""

    street: str  # where the Raise or fold came: pocket, flop or river
    multiple: int  # what was raised; 0 is a fold
    category: int
    result: int
    dealer_qualifies: bool
    deals: int
    net: Fraction  # in Antes


@dataclass(frozen=True)
class Solution:
    payoffs: Payoffs
    deck: Deck
    pocket_values: PocketValues
    joint: NDArray[np.int64]  # [way to decide, category, LOSE | TIE | WIN, dealer qualifies]
    actions: StrategyActions | None = None  # None when read back from a saved strategy

    @property
    def deals(self) -> int:
        return self.deck.deals

    @cached_property
    def results(self) -> tuple[RoundResult, ...]:
        """Every result that happens. A folded hand has the result it would have had."""
        return tuple(
            RoundResult(
                street, multiple, category, result - 1, bool(qualifies), int(deals),
                Fraction(self._net(multiple, category, result, qualifies), self.payoffs.unit),
            )
            for street, multiple, row in self._decided()
            for (category, result, qualifies), deals in np.ndenumerate(row)
            if deals
        )  # fmt: skip

    def _decided(self) -> list[tuple[str, int, NDArray[np.int64]]]:
        pocket, flop, river = self.payoffs.multiples_by_street
        return [
            ("pocket", min(pocket), self.joint[POCKET_MIN_RAISE]),
            ("pocket", max(pocket), self.joint[POCKET_MAX_RAISE]),
            ("flop", min(flop), self.joint[FLOP_MIN_RAISE]),
            ("flop", max(flop), self.joint[FLOP_MAX_RAISE]),
            ("river", 0, self.joint[RIVER_FOLD]),
            ("river", min(river), self.joint[RIVER_MIN_RAISE]),
            ("river", max(river), self.joint[RIVER_MAX_RAISE]),
        ]

    def _net(self, multiple: int, category: int, result: int, qualifies: int) -> int:
        if multiple == 0:
            return int(self.payoffs.fold[category])
        stake = (result - 1) * multiple * self.payoffs.unit
        return int(self.payoffs.base[category, result, qualifies]) + stake

    def _mean(self, power: int) -> Fraction:
        total = sum((one.deals * one.net**power for one in self.results), Fraction())
        return total / self.deals

    @cached_property
    def house_edge(self) -> Fraction:
        """The house's expected gain per Ante."""
        return -self._mean(1)

    @cached_property
    def average_wager(self) -> Fraction:
        """Ante, Odds and Raise together, in Antes."""
        raised = sum(one.deals * one.multiple for one in self.results)
        return 2 + Fraction(raised, self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """The house's expected gain per unit of everything wagered."""
        return self.house_edge / self.average_wager

    @cached_property
    def variance(self) -> Fraction:
        return self._mean(2) - self.house_edge**2

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @cached_property
    def frequencies(self) -> dict[str, Fraction]:
        deals = dict.fromkeys(("raise_pocket", "raise_flop", "raise_river", "fold"), 0)
        for one in self.results:
            deals[f"raise_{one.street}" if one.multiple else "fold"] += one.deals
        return {way: Fraction(count, self.deals) for way, count in deals.items()}

    @cached_property
    def pocket(self) -> dict[str, Pocket]:
        """By class name, in the order of the chart."""
        return {
            pocket_class_name(number): self.class_values(number)
            for number in range(RANKS * RANKS)
            if {*divmod(number, RANKS)} <= {*self.deck.ranks}
        }

    def class_values(self, number: int) -> Pocket:
        hands, multiples = pocket_class_size(number), self.payoffs.pocket_multiples
        boards = hands * self.deck.boards * self.deck.dealers * self.payoffs.unit
        action = self.pocket_values.actions[number]
        return Pocket(
            pocket_class_name(number),
            hands,
            {
                multiple: Fraction(values[number], boards)
                for multiple, values in zip(multiples, self.pocket_values.raised, strict=True)
            },
            Fraction(self.pocket_values.checked[number], FLOPS_PER_BOARD * boards),
            0 if action == PASSIVE else min(multiples) if action == MIN_RAISE else max(multiples),
        )
