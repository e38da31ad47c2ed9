"""What each wager of a round nets at certain stakes, settled by the game's own rules.

A cap cuts each wager as if it had the cap to itself: `capping` says where that is so.

It turns on the pocket class, the multiple raised, the hand (of a straight flush or a royal also on
when it came, as the progressive asks), and how it compares with a dealer's hand that qualifies or
not; most wagers on less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import comb
from typing import assert_never

from headsup.analysis.actions import WAYS_TO_DECIDE
from headsup.analysis.cardcounts import card_counts
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.kernels.sidehands import LATE_STRAIGHT_FLUSH, POOL_CASES
from headsup.analysis.solution import class_hands
from headsup.analysis.tablepays import pool_outcomes
from headsup.game.hands import Category
from headsup.game.money import MICROS_PER_CENT, Cents, Micros
from headsup.game.outcomes import Outcome, hand_outcome, pocket_outcome
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.settlement import main_lines, paid_line
from headsup.game.settlement.caps import capped_alone
from headsup.game.wagers import SIDE_WAGERS, Comparison, SideWager, Wager

PACKETS = comb(50, 4)  # of All 6, beside a hole
# [class, way to decide, case of the progressive, LOSE | TIE | WIN, dealer qualifies]
SHAPE = (RANKS * RANKS, WAYS_TO_DECIDE, POOL_CASES, 3, 2)


def case_hand(case: int) -> Category:
    """The hand of each case."""
    if case < LATE_STRAIGHT_FLUSH:
        return Category(case)
    flushes = (LATE_STRAIGHT_FLUSH, LATE_STRAIGHT_FLUSH + 1)
    return Category.STRAIGHT_FLUSH if case in flushes else Category.ROYAL_FLUSH


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


class StakedTable:
    """Settles by the game's own rules, wager by wager."""

    def __init__(self, rules: TableRules, bets: Mapping[Wager, Cents], meter: Micros) -> None:
        self._rules, self._bets, self._meter = rules, bets, meter
        self._sides: list[SideWager] = [wager for wager in SIDE_WAGERS if wager in bets]
        self.scales: dict[Wager, int] = {Wager.ANTE: 1}
        for wager in self._sides:
            self.scales[wager] = self._scale(wager)
        self._main: dict[Cents, Nets] = {}
        self._known: dict[tuple[object, ...], Nets] = {}

    @staticmethod
    def _scale(wager: SideWager) -> int:
        # Every class has 4, 6 or 12 hands.
        return 12 * PACKETS if wager is Wager.ALL_6 else 1

    @cached_property
    def _pool(self) -> Sequence[Outcome]:
        return pool_outcomes(self._rules)

    def places(self, wager: Wager) -> tuple[int, ...]:
        """How many nets the wager has along each axis of the counts."""
        classes, ways, cases, results, qualifies = SHAPE
        folds = wager in self._sides and not self._rules.after_fold[wager]
        match wager:
            case Wager.ANTE:
                return 1, ways, cases, results, qualifies
            case Wager.TRIPS_PLUS | Wager.PROGRESSIVE:
                return 1, ways if folds else 1, cases, 1, 1
            case Wager.POCKET_BONUS | Wager.ALL_6:
                return classes, ways if folds else 1, 1, 1, 1
            case Wager.ODDS | Wager.RAISE:
                raise ValueError(f"{wager} is counted with the Ante")
            case _:
                assert_never(wager)

    def staked(self, multiple: int) -> Cents:
        ante = self._bets[Wager.ANTE]
        return (2 + multiple) * ante + sum(self._bets[wager] for wager in self._sides)

    def net(
        self,
        wager: Wager,
        number: int,
        multiple: int,
        case: int,
        result: int,
        qualifies: bool,
    ) -> Nets:
        """Of one wager; the same object for the same nets."""
        side = next((one for one in self._sides if one is wager), None)
        if side is not None:
            return self._side(side, number, case, multiple == 0)
        ante, hand = self._bets[Wager.ANTE], case_hand(case)
        lines = main_lines(self._rules, ante, multiple, hand, Comparison(result), qualifies)
        net = sum(line.net for line in capped_alone(self._rules, lines))
        return self._main.setdefault(net, Nets({net: 1}))

    def _side(self, wager: SideWager, number: int, case: int, folded: bool) -> Nets:
        forfeited = folded and not self._rules.after_fold[wager]
        key: tuple[object, ...] = (
            (wager,) if forfeited else (wager, self._decides(wager, number, case))
        )
        if key not in self._known:
            lost = {-self._bets[wager]: self.scales[wager]}
            self._known[key] = Nets(lost if forfeited else self._paid(wager, number, case))
        return self._known[key]

    def _decides(self, wager: SideWager, number: int, case: int) -> object:
        """What a side wager turns on."""
        match wager:
            case Wager.TRIPS_PLUS:
                return case_hand(case)
            case Wager.PROGRESSIVE:
                return self._pool[case]
            case Wager.POCKET_BONUS:
                return _pocket(number)
            case Wager.ALL_6:
                return number
            case _:
                assert_never(wager)

    def _paid(self, wager: SideWager, number: int, case: int) -> dict[Cents, int]:
        found: dict[Cents, int] = {}
        for outcome, weight in self._outcomes(wager, number, case).items():
            net = self._net(wager, outcome)
            found[net] = found.get(net, 0) + weight
        return found

    def _outcomes(self, wager: SideWager, number: int, case: int) -> Mapping[Outcome, int]:
        if wager is Wager.TRIPS_PLUS:
            return {hand_outcome(case_hand(case)): 1}
        if wager is Wager.POCKET_BONUS:
            return {_pocket(number): 1}
        if wager is Wager.ALL_6:
            by_class = card_counts().all_6[number]
            return {key: ways * 12 // class_hands(number) for key, ways in by_class.items()}
        return {self._pool[case]: 1}

    def _net(self, wager: SideWager, outcome: Outcome) -> Cents:
        (line,) = capped_alone(
            self._rules, (paid_line(self._rules, wager, self._bets[wager], outcome),)
        )
        pay = self._rules.paytables[wager.value].pays.get(outcome, LOSS)
        pool = 0
        if pay.kind is PayKind.POOL:
            pool = int(pay.amount * self._meter) // MICROS_PER_CENT
        return line.net + pool


@cache
def _pocket(number: int) -> Outcome:
    row, column = divmod(number, RANKS)
    return pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
