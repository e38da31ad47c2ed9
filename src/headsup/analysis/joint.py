"""One round's main game and side wagers together: they share cards, so their results do too.

Everything is counted by pocket class, way to decide, category of the hand and result. Trips Plus
follows from the category and Pocket Bonus from the class. All 6 takes four further cards: given the
class they are taken as dealt beside the hole alone, since which cards the board holds moves them
hardly at all. Likewise which of the progressive's rows a straight flush or royal makes is taken as
the same however the round was decided. Each wager's own distribution stays exact.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from math import lcm
from pathlib import Path
from typing import assert_never

import numpy as np

from headsup.analysis.actions import (
    FLOP_LEAST,
    FLOP_MOST,
    POCKET_LEAST,
    POCKET_MOST,
    RIVER_FOLD,
    RIVER_LEAST,
    RIVER_MOST,
    WAYS_TO_DECIDE,
)
from headsup.analysis.cache import cache_folder, forget_oldest, keep, read
from headsup.analysis.deck import Deck
from headsup.analysis.kernels.arrays import Int64s
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.payoffs import CATEGORIES, Payoffs
from headsup.analysis.sides import progressive_by_hand
from headsup.analysis.sixcards import PACKETS, all_6_by_class
from headsup.analysis.solution import class_hands
from headsup.analysis.strategy import KEPT, Strategy, strategy_file
from headsup.game.hands import Category
from headsup.game.money import MICROS_PER_CENT, Cents, Micros
from headsup.game.outcomes import Outcome, hand_outcome, pocket_outcome
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.settlement import main_lines, paid_line
from headsup.game.wagers import SIDE_WAGERS, Comparison, SideWager, Wager

SHAPE = (RANKS * RANKS, WAYS_TO_DECIDE, CATEGORIES, 3, 2)


def joint_counts(
    payoffs: Payoffs, strategy: Strategy, count: Callable[[Payoffs, Strategy], Int64s]
) -> Int64s:
    """Deals by [class, way to decide, category, result, dealer qualifies], kept for the next run.

    `count` is handed in, so that whoever finds them kept need not load the solver.
    """
    folder = cache_folder()
    path = joint_file(payoffs, folder) if folder else None
    content = read(path) if path else None
    if content is not None:
        return np.frombuffer(content, np.int64).reshape(SHAPE)
    counts = count(payoffs, strategy)
    if path and folder:
        keep(path, counts.tobytes())
        forget_oldest(folder, "*.joint", KEPT)
    return counts


def joint_file(payoffs: Payoffs, folder: Path) -> Path:
    return strategy_file(payoffs, folder).with_suffix(".joint")


@dataclass(frozen=True, eq=False)
class Nets:
    """What a wager may net in cents, with weights; one entry where the cell decides it."""

    weights: Mapping[Cents, int]

    @cached_property
    def first(self) -> int:
        return sum(weight * net for net, weight in self.weights.items())

    @cached_property
    def second(self) -> int:
        return sum(weight * net * net for net, weight in self.weights.items())

    def after(self, sums: Mapping[Cents, int]) -> dict[Cents, int]:
        """These added to sums that are there already."""
        found: dict[Cents, int] = {}
        for (net, weight), (step, times) in product(sums.items(), self.weights.items()):
            found[net + step] = found.get(net + step, 0) + weight * times
        return found


@dataclass(frozen=True)
class Cell:
    """Rounds that are settled alike, and what each wager nets in them."""

    weight: int  # of `RoundJoint.total`
    staked: Cents
    nets: tuple[Nets, ...]  # as `RoundJoint.wagers`


@dataclass(frozen=True)
class RoundJoint:
    """All ways a round may end at these stakes; weights of a wager's nets are of `scales`."""

    cells: tuple[Cell, ...]
    total: int
    scales: Mapping[Wager, int]

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """ANTE stands for Ante, Odds and Raise together; then the side wagers."""
        return tuple(self.scales)

    def mean(self, wager: Wager) -> Fraction:
        """In cents, from the player's side."""
        at = self.wagers.index(wager)
        value = sum(cell.weight * cell.nets[at].first for cell in self.cells)
        return Fraction(value, self.total * self.scales[wager])

    def covariance(self, one: Wager, other: Wager) -> Fraction:
        """In cents squared; of a wager with itself, its variance."""
        return self._product(one, other) - self.mean(one) * self.mean(other)

    def _product(self, one: Wager, other: Wager) -> Fraction:
        i, j = self.wagers.index(one), self.wagers.index(other)
        if i == j:
            value = sum(cell.weight * cell.nets[i].second for cell in self.cells)
            return Fraction(value, self.total * self.scales[one])
        value = sum(cell.weight * cell.nets[i].first * cell.nets[j].first for cell in self.cells)
        return Fraction(value, self.total * self.scales[one] * self.scales[other])

    @property
    def variance(self) -> Fraction:
        """Of everything together, in cents squared."""
        alone = sum((self.covariance(wager, wager) for wager in self.wagers), Fraction())
        pairs = combinations(self.wagers, 2)
        return alone + 2 * sum((self.covariance(*pair) for pair in pairs), Fraction())

    @property
    def staked(self) -> Fraction:
        """Put at risk in a round on average, in cents."""
        return Fraction(sum(cell.weight * cell.staked for cell in self.cells), self.total)

    def totals(self) -> dict[Cents, int]:
        """The net of a whole round by weight, ascending; whoever reads it adds the weights up."""
        sums: dict[tuple[Nets, ...], dict[Cents, int]] = {}
        for cell in self.cells:
            sums.setdefault(cell.nets, {0: 0})[0] += cell.weight
        for _ in self.wagers:  # the first wager of all, then the next: few sums are many cells
            more: dict[tuple[Nets, ...], dict[Cents, int]] = {}
            for (nets, *rest), before in sums.items():
                into = more.setdefault(tuple(rest), {})
                for net, weight in nets.after(before).items():
                    into[net] = into.get(net, 0) + weight
            sums = more
        return dict(sorted(sums[()].items()))


def round_joint(
    rules: TableRules, payoffs: Payoffs, counts: Int64s, bets: Mapping[Wager, Cents], meter: Micros
) -> RoundJoint:
    """What a round at these stakes may come to. The progressive's meter stands still."""
    if Wager.TRIPS_PLUS in bets and rules.both_hole_cards:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    table = _Table(rules, bets, meter)
    multiples = _multiples(payoffs)
    groups: dict[tuple[object, ...], list[int]] = {}
    for number in range(len(counts)):
        groups.setdefault(table.class_key(number), []).append(number)
    weights: dict[tuple[Cents, tuple[Nets, ...]], int] = {}
    for numbers in groups.values():
        together = counts[numbers].sum(0)
        for place in zip(*together.nonzero(), strict=True):
            way, category, result, qualifies = map(int, place)
            multiple = multiples[way]
            nets = table.nets(numbers[0], multiple, Category(category), result, bool(qualifies))
            key = table.staked(multiple), nets
            weights[key] = weights.get(key, 0) + int(together[place])
    cells = (Cell(weight, *key) for key, weight in weights.items())
    return RoundJoint(tuple(cells), Deck().deals, table.scales)


def _multiples(payoffs: Payoffs) -> dict[int, int]:
    pocket, flop, river = payoffs.multiples_by_street
    return {
        POCKET_LEAST: min(pocket),
        POCKET_MOST: max(pocket),
        FLOP_LEAST: min(flop),
        FLOP_MOST: max(flop),
        RIVER_FOLD: 0,
        RIVER_LEAST: min(river),
        RIVER_MOST: max(river),
    }


class _Table:
    """Settles by the game's own rules, wager by wager."""

    def __init__(self, rules: TableRules, bets: Mapping[Wager, Cents], meter: Micros) -> None:
        self._rules, self._bets, self._meter = rules, bets, meter
        self._sides: list[SideWager] = [wager for wager in SIDE_WAGERS if wager in bets]
        self.scales: dict[Wager, int] = {Wager.ANTE: 1}
        for wager in self._sides:
            self.scales[wager] = self._scale(wager)
        self._main: dict[Cents, Nets] = {}
        self._known: dict[tuple[object, ...], Nets] = {}

    def _scale(self, wager: SideWager) -> int:
        if wager is Wager.ALL_6:
            return 12 * PACKETS  # every class has 4, 6 or 12 hands
        if wager is Wager.PROGRESSIVE:
            return lcm(*(sum(rows.values()) for rows in self._progressive().values()))
        return 1

    def _progressive(self) -> dict[Category, dict[str, int]]:
        return progressive_by_hand(frozenset(self._rules.paytables[Wager.PROGRESSIVE.value].pays))

    def class_key(self, number: int) -> tuple[object, ...]:
        """The same for classes whose side wagers settle alike."""
        if Wager.ALL_6 in self._sides:
            return (number,)
        return (_pocket(number),) if Wager.POCKET_BONUS in self._sides else ()

    def staked(self, multiple: int) -> Cents:
        ante = self._bets[Wager.ANTE]
        return (2 + multiple) * ante + sum(self._bets[wager] for wager in self._sides)

    def nets(
        self, number: int, multiple: int, hand: Category, result: int, qualifies: bool
    ) -> tuple[Nets, ...]:
        """Of every wager; the same object for the same nets."""
        ante = self._bets[Wager.ANTE]
        lines = main_lines(self._rules, ante, multiple, hand, Comparison(result), qualifies)
        net = sum(line.net for line in lines)
        main = self._main.setdefault(net, Nets({net: 1}))
        return main, *(self._side(wager, number, hand, multiple == 0) for wager in self._sides)

    def _side(self, wager: SideWager, number: int, hand: Category, folded: bool) -> Nets:
        forfeited = folded and not self._rules.after_fold[wager]
        key: tuple[object, ...] = (
            (wager,) if forfeited else (wager, self._decides(wager, number, hand))
        )
        if key not in self._known:
            lost = {-self._bets[wager]: self.scales[wager]}
            self._known[key] = Nets(lost if forfeited else self._paid(wager, number, hand))
        return self._known[key]

    def _decides(self, wager: SideWager, number: int, hand: Category) -> object:
        """What a side wager turns on."""
        match wager:
            case Wager.TRIPS_PLUS | Wager.PROGRESSIVE:
                return hand
            case Wager.POCKET_BONUS:
                return _pocket(number)
            case Wager.ALL_6:
                return number
            case _:
                assert_never(wager)

    def _paid(self, wager: SideWager, number: int, hand: Category) -> dict[Cents, int]:
        found: dict[Cents, int] = {}
        for outcome, weight in self._outcomes(wager, number, hand).items():
            net = self._net(wager, outcome)
            found[net] = found.get(net, 0) + weight
        return found

    def _outcomes(self, wager: SideWager, number: int, hand: Category) -> Mapping[Outcome, int]:
        if wager is Wager.TRIPS_PLUS:
            return {hand_outcome(hand): 1}
        if wager is Wager.POCKET_BONUS:
            return {_pocket(number): 1}
        if wager is Wager.ALL_6:
            by_class = all_6_by_class()[number]
            return {key: ways * 12 // class_hands(number) for key, ways in by_class.items()}
        rows = self._progressive()[hand]
        share = self.scales[wager] // sum(rows.values())
        return {Outcome(row): ways * share for row, ways in rows.items()}

    def _net(self, wager: SideWager, outcome: Outcome) -> Cents:
        line = paid_line(self._rules, wager, self._bets[wager], outcome)
        pay = self._rules.paytables[wager.value].pays.get(outcome, LOSS)
        pool = 0
        if pay.kind is PayKind.POOL:
            pool = int(pay.amount * self._meter) // MICROS_PER_CENT
        return line.net + pool


@cache
def _pocket(number: int) -> Outcome:
    row, column = divmod(number, RANKS)
    return pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
