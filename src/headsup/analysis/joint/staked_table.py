"""What each wager of a round nets at certain stakes, settled by the game's own rules.

A cap cuts each wager as if it had the cap to itself: `caps` says where that is so.

It turns on the pocket class, the multiple raised, the hand (of a straight flush or a royal also on
when it came, as the progressive asks), and how it compares with a dealer's hand that qualifies or
not; most wagers on less. All 6 turns on what its packet makes, where rounds are counted by it; else
on the class, with a weight for each outcome. Trips Plus by both hole cards turns on that hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import comb
from typing import NamedTuple, assert_never

from headsup.analysis.counts.card_counts import hand_counts
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import LATE_STRAIGHT_FLUSH, PROGRESSIVE_CASES
from headsup.analysis.simulation.seat_lookups import all_6_outcomes, progressive_outcomes
from headsup.analysis.solver.actions import DECISION_PATHS
from headsup.analysis.solver.solution import pocket_class_size
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.outcomes import Outcome, hand_outcome, pocket_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Comparison, SideWager, Wager
from headsup.game.settlement import main_lines, paid_line
from headsup.game.settlement.caps import cap_single_seat
from headsup.game.values.hands import Category
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

PACKETS_PER_HOLE = comb(50, 4)  # of All 6, beside a hole
PACKETS_PER_DEAL = comb(43, 4)  # beside board and dealer too
# [class, way to decide, case of the progressive, LOSE | TIE | WIN, dealer qualifies]
COUNTS_SHAPE = (RANKS * RANKS, DECISION_PATHS, PROGRESSIVE_CASES, 3, 2)
# Then the hand of both hole cards and All 6's case, one place each where they are not counted.
PADDED_COUNTS_SHAPE = (*COUNTS_SHAPE, 1, 1)


class RoundCell(NamedTuple):
    """What a round may turn on: a place in the counts, with the multiple raised for the way."""

    number: int  # of the pocket class
    multiple: int  # 0 is a fold
    case: int
    result: int
    qualifies: int
    hand: int
    six: int


def case_hand(case: int) -> Category:
    """The hand of each case."""
    if case < LATE_STRAIGHT_FLUSH:
        return Category(case)
    flushes = (LATE_STRAIGHT_FLUSH, LATE_STRAIGHT_FLUSH + 1)
    return Category.STRAIGHT_FLUSH if case in flushes else Category.ROYAL_FLUSH


@dataclass(frozen=True, eq=False)
class WagerNets:
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

    def __init__(
        self,
        rules: TableRules,
        bets: Mapping[Wager, Cents],
        meter: Micros,
        shape: tuple[int, ...] = PADDED_COUNTS_SHAPE,
    ) -> None:
        self._rules, self._bets, self._meter = rules, bets, meter
        self._hands, self._sixes = shape[len(COUNTS_SHAPE) :]
        self._sides: list[SideWager] = [wager for wager in SIDE_WAGERS if wager in bets]
        self.scales: dict[Wager, int] = {Wager.ANTE: 1}
        for wager in self._sides:
            self.scales[wager] = self._scale(wager)
        self._main: dict[Cents, WagerNets] = {}
        self._known: dict[tuple[object, ...], WagerNets] = {}

    @property
    def one_deck(self) -> bool:
        """Whether rounds are counted by All 6's packet too."""
        return self._sixes > 1

    def _scale(self, wager: SideWager) -> int:
        # Every class has 4, 6 or 12 hands.
        return 12 * PACKETS_PER_HOLE if wager is Wager.ALL_6 and not self.one_deck else 1

    @cached_property
    def _pool(self) -> Sequence[Outcome]:
        return progressive_outcomes(self._rules)

    @cached_property
    def _six(self) -> tuple[Outcome, ...]:
        return all_6_outcomes()

    def places(self, wager: Wager) -> tuple[int, ...]:
        """How many nets the wager has along each axis of the counts."""
        classes, ways, cases, results, qualifies = COUNTS_SHAPE
        folds = wager in self._sides and not self._rules.after_fold[wager]
        match wager:
            case Wager.ANTE:
                return 1, ways, cases, results, qualifies, 1, 1
            case Wager.TRIPS_PLUS if self._hands > 1:
                return 1, ways if folds else 1, 1, 1, 1, self._hands, 1
            case Wager.TRIPS_PLUS | Wager.PROGRESSIVE:
                return 1, ways if folds else 1, cases, 1, 1, 1, 1
            case Wager.ALL_6 if self.one_deck:
                return 1, ways if folds else 1, 1, 1, 1, 1, self._sixes
            case Wager.POCKET_BONUS | Wager.ALL_6:
                return classes, ways if folds else 1, 1, 1, 1, 1, 1
            case Wager.ODDS | Wager.RAISE:
                raise ValueError(f"{wager} is counted with the Ante")
            case _:
                assert_never(wager)

    def staked(self, multiple: int) -> Cents:
        ante = self._bets[Wager.ANTE]
        return (2 + multiple) * ante + sum(self._bets[wager] for wager in self._sides)

    def net(self, wager: Wager, cell: RoundCell) -> WagerNets:
        """Of one wager; the same object for the same nets."""
        side = next((one for one in self._sides if one is wager), None)
        if side is not None:
            return self._side(side, cell)
        ante, hand = self._bets[Wager.ANTE], case_hand(cell.case)
        ends = Comparison(cell.result), bool(cell.qualifies)
        lines = main_lines(self._rules, ante, cell.multiple, hand, *ends)
        net = sum(line.net for line in cap_single_seat(self._rules, lines))
        return self._main.setdefault(net, WagerNets({net: 1}))

    def _side(self, wager: SideWager, cell: RoundCell) -> WagerNets:
        forfeited = cell.multiple == 0 and not self._rules.after_fold[wager]
        key: tuple[object, ...] = (wager,) if forfeited else (wager, self._decides(wager, cell))
        if key not in self._known:
            lost = {-self._bets[wager]: self.scales[wager]}
            self._known[key] = WagerNets(lost if forfeited else self._paid(wager, cell))
        return self._known[key]

    def _decides(self, wager: SideWager, cell: RoundCell) -> object:
        """What a side wager turns on."""
        match wager:
            case Wager.TRIPS_PLUS:
                return self._made(cell)
            case Wager.PROGRESSIVE:
                return self._pool[cell.case]
            case Wager.POCKET_BONUS:
                return pocket_bonus_outcome(cell.number)
            case Wager.ALL_6:
                return self._six[cell.six] if self.one_deck else cell.number
            case _:
                assert_never(wager)

    def _made(self, cell: RoundCell) -> Category:
        """The hand of Trips Plus."""
        return Category(cell.hand) if self._hands > 1 else case_hand(cell.case)

    def _paid(self, wager: SideWager, cell: RoundCell) -> dict[Cents, int]:
        found: dict[Cents, int] = {}
        for outcome, weight in self._outcomes(wager, cell).items():
            net = self._net(wager, outcome)
            found[net] = found.get(net, 0) + weight
        return found

    def _outcomes(self, wager: SideWager, cell: RoundCell) -> Mapping[Outcome, int]:
        match wager:
            case Wager.TRIPS_PLUS:
                return {hand_outcome(self._made(cell)): 1}
            case Wager.PROGRESSIVE:
                return {self._pool[cell.case]: 1}
            case Wager.POCKET_BONUS:
                return {pocket_bonus_outcome(cell.number): 1}
            case Wager.ALL_6 if self.one_deck:
                return {self._six[cell.six]: 1}
            case Wager.ALL_6:
                by_class, hands = hand_counts().all_6[cell.number], pocket_class_size(cell.number)
                return {key: ways * 12 // hands for key, ways in by_class.items()}
            case _:
                assert_never(wager)

    def _net(self, wager: SideWager, outcome: Outcome) -> Cents:
        (line,) = cap_single_seat(
            self._rules, (paid_line(self._rules, wager, self._bets[wager], outcome),)
        )
        pay = self._rules.paytables[wager.value].pays.get(outcome, LOSS)
        pool = 0
        if pay.kind is PayKind.POOL:
            pool = int(pay.amount * self._meter) // MICROS_PER_CENT
        return line.net + pool


@cache
def pocket_bonus_outcome(number: int) -> Outcome:
    """What Pocket Bonus makes of a class."""
    row, column = divmod(number, RANKS)
    return pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
