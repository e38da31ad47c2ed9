"""The result of a solve: exact fractions, all derived from the counts of results."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.exact_numbers import square_root
from headsup.analysis.kernels.base.arrays import MIN_RAISE, PASSIVE
from headsup.analysis.kernels.base.numbering import RANKS
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
    """One of the 169 starting hands: what the whole round is worth with each option, in Antes."""

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
    """`AA`, `AKs` or `AKo`, from the position in the 13 × 13 chart."""
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
    """A way to decide and end a round. `result` is -1, 0 or 1 from the player's side."""

    street: str  # of the Raise or fold: pocket, flop or river
    multiple: int  # of the Raise; 0 is a fold
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
    result_counts: NDArray[
        np.int64
    ]  # [decision path, category, LOSE | TIE | WIN, dealer qualifies]
    actions: StrategyActions | None = None  # None if read from a stored strategy

    @property
    def deals(self) -> int:
        return self.deck.deals

    @cached_property
    def results(self) -> tuple[RoundResult, ...]:
        """Every result that can occur. For a folded hand, the result it would have had."""
        return tuple(
            RoundResult(
                street, multiple, category, result - 1, bool(qualifies), int(deals),
                Fraction(self._net(multiple, category, result, qualifies), self.payoffs.unit),
            )
            for street, multiple, row in self._counts_by_decision()
            for (category, result, qualifies), deals in np.ndenumerate(row)
            if deals
        )  # fmt: skip

    def _counts_by_decision(self) -> list[tuple[str, int, NDArray[np.int64]]]:
        pocket, flop, river = self.payoffs.multiples_by_street
        return [
            ("pocket", min(pocket), self.result_counts[POCKET_MIN_RAISE]),
            ("pocket", max(pocket), self.result_counts[POCKET_MAX_RAISE]),
            ("flop", min(flop), self.result_counts[FLOP_MIN_RAISE]),
            ("flop", max(flop), self.result_counts[FLOP_MAX_RAISE]),
            ("river", 0, self.result_counts[RIVER_FOLD]),
            ("river", min(river), self.result_counts[RIVER_MIN_RAISE]),
            ("river", max(river), self.result_counts[RIVER_MAX_RAISE]),
        ]

    def _net(self, multiple: int, category: int, result: int, qualifies: int) -> int:
        if multiple == 0:
            return int(self.payoffs.fold[category])
        stake = (result - 1) * multiple * self.payoffs.unit
        return int(self.payoffs.base[category, result, qualifies]) + stake

    def _mean(self, power: int) -> Fraction:
        total = sum((row.deals * row.net**power for row in self.results), Fraction())
        return total / self.deals

    @cached_property
    def house_edge(self) -> Fraction:
        """The house's expected gain per Ante."""
        return -self._mean(1)

    @cached_property
    def average_wager(self) -> Fraction:
        """The mean of Ante, Odds and Raise together, in Antes."""
        raised_multiples = sum(row.deals * row.multiple for row in self.results)
        return 2 + Fraction(raised_multiples, self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """The house's expected gain per dollar wagered on Ante, Odds and Raise."""
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
        for row in self.results:
            deals[f"raise_{row.street}" if row.multiple else "fold"] += row.deals
        return {way: Fraction(count, self.deals) for way, count in deals.items()}

    @cached_property
    def pocket(self) -> dict[str, Pocket]:
        """By class name, in the order of the chart."""
        return {
            pocket_class_name(number): self.starting_hand(number)
            for number in range(RANKS * RANKS)
            if {*divmod(number, RANKS)} <= {*self.deck.ranks}
        }

    def starting_hand(self, number: int) -> Pocket:
        """The starting hand with this pocket class number."""
        hands, multiples = pocket_class_size(number), self.payoffs.pocket_multiples
        denominator = hands * self.deck.boards * self.deck.dealer_hands * self.payoffs.unit
        action = self.pocket_values.actions[number]
        return Pocket(
            pocket_class_name(number),
            hands,
            {
                multiple: Fraction(values[number], denominator)
                for multiple, values in zip(multiples, self.pocket_values.raise_values, strict=True)
            },
            Fraction(self.pocket_values.check_values[number], FLOPS_PER_BOARD * denominator),
            0 if action == PASSIVE else min(multiples) if action == MIN_RAISE else max(multiples),
        )
