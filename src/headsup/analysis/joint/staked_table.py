"""What each wager of a round wins or loses at given stakes, settled by the game's own rules.

A cap is applied to each wager as if it had the cap to itself; `counts.caps` says when that is
right.

A result depends on the pocket class, the multiple raised, the hand (for a straight flush or royal
also on when it was completed, for the Progressive), and whether the dealer qualifies and wins. Most
wagers depend on fewer of these. All 6 depends on its packet where that is counted, and otherwise on
the class, with a weight for each outcome. Trips Plus with both hole cards depends on that hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import NamedTuple, assert_never

from headsup.analysis.counts.hand_counts import hand_counts
from headsup.analysis.counts.side_cases import (
    all_6_outcomes,
    case_hand,
    pocket_bonus_outcome,
    progressive_outcomes,
)
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import PROGRESSIVE_CASES
from headsup.analysis.solver.actions import DECISION_PATHS
from headsup.analysis.solver.solution import pocket_class_size
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Comparison, SideWager, Wager
from headsup.game.settlement import main_lines, paid_line
from headsup.game.settlement.caps import cap_single_seat
from headsup.game.values.hands import Category
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

PACKETS_PER_HOLE = comb(50, 4)  # All 6 packets, given the hole
PACKETS_PER_DEAL = comb(43, 4)  # given hole, board and dealer's hand
# [class, decision path, case of the progressive, LOSE | TIE | WIN, dealer qualifies]
COUNTS_SHAPE = (RANKS * RANKS, DECISION_PATHS, PROGRESSIVE_CASES, 3, 2)
# Then the hand of both hole cards and the All 6 case, each of length 1 if not counted.
PADDED_COUNTS_SHAPE = (*COUNTS_SHAPE, 1, 1)


class RoundCell(NamedTuple):
    """Everything a wager's result depends on: an index of the counts, with the multiple raised."""

    pocket_class: int
    multiple: int  # 0 is a fold
    case: int  # of the Progressive
    result: int
    qualifies: int
    hand: int  # of both hole cards and three of the board
    all_6_case: int


@dataclass(frozen=True, eq=False)
class WagerNets:
    """The possible nets of a wager in cents, with weights; one entry if the cell decides it."""

    weights: Mapping[Cents, int]

    @cached_property
    def first_moment(self) -> int:
        return sum(weight * net for net, weight in self.weights.items())

    @cached_property
    def second_moment(self) -> int:
        return sum(weight * net * net for net, weight in self.weights.items())

    def convolve(self, sums: Mapping[Cents, int]) -> dict[Cents, int]:
        """The weights of each sum after adding this wager."""
        result: dict[Cents, int] = {}
        for (net, weight), (added, net_weight) in product(sums.items(), self.weights.items()):
            result[net + added] = result.get(net + added, 0) + weight * net_weight
        return result


class StakedTable:
    """Settles one wager at a time by the game's own rules."""

    def __init__(
        self,
        rules: TableRules,
        bets: Mapping[Wager, Cents],
        meter: Micros,
        shape: tuple[int, ...] = PADDED_COUNTS_SHAPE,
    ) -> None:
        self._rules, self._bets, self._meter = rules, bets, meter
        self._hand_count, self._all_6_cases = shape[len(COUNTS_SHAPE) :]
        self._sides: list[SideWager] = [wager for wager in SIDE_WAGERS if wager in bets]
        self.scales: dict[Wager, int] = {Wager.ANTE: 1}
        for wager in self._sides:
            self.scales[wager] = self._scale(wager)
        self._main: dict[Cents, WagerNets] = {}
        self._cache: dict[tuple[object, ...], WagerNets] = {}

    @property
    def one_deck(self) -> bool:
        """Whether rounds are also counted by All 6 case."""
        return self._all_6_cases > 1

    def _scale(self, wager: SideWager) -> int:
        # Classes have 4, 6 or 12 hands: 12 is a common multiple.
        return 12 * PACKETS_PER_HOLE if wager is Wager.ALL_6 and not self.one_deck else 1

    @cached_property
    def _progressive_outcomes(self) -> Sequence[Outcome]:
        return progressive_outcomes(self._rules)

    @cached_property
    def _all_6_outcomes(self) -> tuple[Outcome, ...]:
        return all_6_outcomes()

    def net_shape(self, wager: Wager) -> tuple[int, ...]:
        """The shape of the wager's array of nets: length 1 along axes that do not matter to it."""
        classes, ways, cases, results, qualifies = COUNTS_SHAPE
        is_forfeited = wager in self._sides and not self._rules.after_fold[wager]
        match wager:
            case Wager.ANTE:
                return 1, ways, cases, results, qualifies, 1, 1
            case Wager.TRIPS_PLUS if self._hand_count > 1:
                return 1, ways if is_forfeited else 1, 1, 1, 1, self._hand_count, 1
            case Wager.TRIPS_PLUS | Wager.PROGRESSIVE:
                return 1, ways if is_forfeited else 1, cases, 1, 1, 1, 1
            case Wager.ALL_6 if self.one_deck:
                return 1, ways if is_forfeited else 1, 1, 1, 1, 1, self._all_6_cases
            case Wager.POCKET_BONUS | Wager.ALL_6:
                return classes, ways if is_forfeited else 1, 1, 1, 1, 1, 1
            case Wager.ODDS | Wager.RAISE:
                raise ValueError(f"{wager} has no nets of its own: it counts with the Ante")
            case _:
                assert_never(wager)

    def total_stake(self, multiple: int) -> Cents:
        """All stakes of a round in which this multiple is raised."""
        ante = self._bets[Wager.ANTE]
        return (2 + multiple) * ante + sum(self._bets[wager] for wager in self._sides)

    def net(self, wager: Wager, cell: RoundCell) -> WagerNets:
        """The nets of one wager in a cell. Equal nets are the same object."""
        side = next((side for side in self._sides if side is wager), None)
        if side is not None:
            return self._side_nets(side, cell)
        ante, hand = self._bets[Wager.ANTE], case_hand(cell.case)
        result = Comparison(cell.result), bool(cell.qualifies)
        lines = main_lines(self._rules, ante, cell.multiple, hand, *result)
        net = sum(line.net for line in cap_single_seat(self._rules, lines))
        return self._main.setdefault(net, WagerNets({net: 1}))

    def _side_nets(self, wager: SideWager, cell: RoundCell) -> WagerNets:
        forfeited = cell.multiple == 0 and not self._rules.after_fold[wager]
        key: tuple[object, ...] = (wager,) if forfeited else (wager, self._case_key(wager, cell))
        if key not in self._cache:
            loss = {-self._bets[wager]: self.scales[wager]}
            self._cache[key] = WagerNets(loss if forfeited else self._paid_nets(wager, cell))
        return self._cache[key]

    def _case_key(self, wager: SideWager, cell: RoundCell) -> object:
        """The part of the cell that decides a side wager."""
        match wager:
            case Wager.TRIPS_PLUS:
                return self._trips_plus_hand(cell)
            case Wager.PROGRESSIVE:
                return self._progressive_outcomes[cell.case]
            case Wager.POCKET_BONUS:
                return pocket_bonus_outcome(cell.pocket_class)
            case Wager.ALL_6:
                return self._all_6_outcomes[cell.all_6_case] if self.one_deck else cell.pocket_class
            case _:
                assert_never(wager)

    def _trips_plus_hand(self, cell: RoundCell) -> Category:
        """The hand on which Trips Plus is paid."""
        return Category(cell.hand) if self._hand_count > 1 else case_hand(cell.case)

    def _paid_nets(self, wager: SideWager, cell: RoundCell) -> dict[Cents, int]:
        nets: dict[Cents, int] = {}
        for outcome, weight in self._outcomes(wager, cell).items():
            net = self._net_of_outcome(wager, outcome)
            nets[net] = nets.get(net, 0) + weight
        return nets

    def _outcomes(self, wager: SideWager, cell: RoundCell) -> Mapping[Outcome, int]:
        match wager:
            case Wager.TRIPS_PLUS:
                return {hand_outcome(self._trips_plus_hand(cell)): 1}
            case Wager.PROGRESSIVE:
                return {self._progressive_outcomes[cell.case]: 1}
            case Wager.POCKET_BONUS:
                return {pocket_bonus_outcome(cell.pocket_class): 1}
            case Wager.ALL_6 if self.one_deck:
                return {self._all_6_outcomes[cell.all_6_case]: 1}
            case Wager.ALL_6:
                by_class = hand_counts().all_6[cell.pocket_class]
                hands = pocket_class_size(cell.pocket_class)
                return {key: ways * 12 // hands for key, ways in by_class.items()}
            case _:
                assert_never(wager)

    def _net_of_outcome(self, wager: SideWager, outcome: Outcome) -> Cents:
        (line,) = cap_single_seat(
            self._rules, (paid_line(self._rules, wager, self._bets[wager], outcome),)
        )
        pay = self._rules.paytables[wager.value].pays.get(outcome, LOSS)
        pool = 0
        if pay.kind is PayKind.POOL:
            pool = int(pay.amount * self._meter) // MICROS_PER_CENT
        return line.net + pool
