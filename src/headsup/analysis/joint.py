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
from functools import cache
from itertools import product
from math import lcm
from pathlib import Path

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

# A wager's net in cents with its weight: one entry where the cell decides it.
Nets = Mapping[Cents, int]


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


@dataclass(frozen=True)
class Cell:
    """Rounds that are settled alike, and what each wager nets in them."""

    weight: int  # of `RoundJoint.total`
    staked: Cents
    nets: Mapping[Wager, Nets]  # ANTE stands for Ante, Odds and Raise


@dataclass(frozen=True)
class RoundJoint:
    """All ways a round may end at these stakes; weights of a wager's nets are of `scales`."""

    cells: tuple[Cell, ...]
    total: int
    scales: Mapping[Wager, int]

    def mean(self, wager: Wager) -> Fraction:
        """In cents, from the player's side."""
        return self._expected(wager)

    def covariance(self, one: Wager, other: Wager) -> Fraction:
        """In cents squared; of a wager with itself, its variance."""
        return self._expected(one, other) - self.mean(one) * self.mean(other)

    @property
    def wagers(self) -> tuple[Wager, ...]:
        return tuple(self.scales)

    @property
    def variance(self) -> Fraction:
        """Of everything together, in cents squared."""
        pairs = product(self.wagers, repeat=2)
        return sum((self.covariance(one, other) for one, other in pairs), Fraction())

    @property
    def staked(self) -> Fraction:
        """Put at risk in a round on average, in cents."""
        return Fraction(sum(cell.weight * cell.staked for cell in self.cells), self.total)

    def _expected(self, *wagers: Wager) -> Fraction:
        same = len({*wagers}) < len(wagers)
        scale = self.scales[wagers[0]] if same else np.prod([self.scales[w] for w in wagers])
        value = 0
        for cell in self.cells:
            if same:
                value += cell.weight * _moment(cell.nets[wagers[0]], len(wagers))
            else:
                term = cell.weight
                for wager in wagers:
                    term *= _moment(cell.nets[wager], 1)
                value += term
        return Fraction(value, self.total * int(scale))

    def totals(self) -> dict[Cents, int]:
        """The net of a whole round by weight; what the weights add up to is left to the reader."""
        found: dict[Cents, int] = {}
        for cell in self.cells:
            together: dict[Cents, int] = {0: cell.weight}
            for nets in cell.nets.values():
                more: dict[Cents, int] = {}
                for (net, weight), (step, times) in product(together.items(), nets.items()):
                    more[net + step] = more.get(net + step, 0) + weight * times
                together = more
            for net, weight in together.items():
                found[net] = found.get(net, 0) + weight
        return dict(sorted(found.items()))


def _moment(nets: Nets, power: int) -> int:
    return sum(weight * net**power for net, weight in nets.items())


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
    cells = []
    for numbers in groups.values():
        for place, deals in np.ndenumerate(counts[numbers].sum(0)):
            if deals:
                way, category, result, qualifies = place
                nets = table.nets(numbers[0], multiples[way], category, result, qualifies)
                staked = table.staked(multiples[way])
                cells.append(Cell(int(deals), staked, nets))
    return RoundJoint(tuple(_merged(cells)), Deck().deals, table.scales)


def _merged(cells: list[Cell]) -> list[Cell]:
    """Cells that settle alike as one."""
    weights: dict[tuple[object, ...], int] = {}
    first: dict[tuple[object, ...], Cell] = {}
    for cell in cells:
        key = (cell.staked, *(tuple(nets.items()) for nets in cell.nets.values()))
        weights[key] = weights.get(key, 0) + cell.weight
        first.setdefault(key, cell)
    return [Cell(weights[key], cell.staked, cell.nets) for key, cell in first.items()]


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
        self._settled: dict[tuple[object, ...], Mapping[Wager, Nets]] = {}

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
        self, number: int, multiple: int, category: int, result: int, qualifies: int
    ) -> Mapping[Wager, Nets]:
        key = (self.class_key(number), multiple, category, result, qualifies)
        if key not in self._settled:
            self._settled[key] = self._settle(number, multiple, category, result, qualifies)
        return self._settled[key]

    def _settle(
        self, number: int, multiple: int, category: int, result: int, qualifies: int
    ) -> Mapping[Wager, Nets]:
        hand = Category(category)
        lines = main_lines(
            *(self._rules, self._bets[Wager.ANTE], multiple),
            *(hand, Comparison(result), bool(qualifies)),
        )
        nets: dict[Wager, Nets] = {Wager.ANTE: {sum(line.net for line in lines): 1}}
        for wager in self._sides:
            nets[wager] = self._side(wager, number, hand, multiple == 0)
        return nets

    def _side(self, wager: SideWager, number: int, hand: Category, folded: bool) -> Nets:
        if folded and not self._rules.after_fold[wager]:
            return {-self._bets[wager]: self.scales[wager]}
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
