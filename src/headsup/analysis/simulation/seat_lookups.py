"""Seats as lookups for the simulation: decisions, and what the game's own rules pay for results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE, Int64s
from headsup.analysis.kernels.base.numbering import RANKS, set3_number
from headsup.analysis.kernels.simulate.decisions import DecisionIndex, Playbooks
from headsup.analysis.kernels.simulate.side_cases import (
    ALL_6_CASES,
    COMMUNITY_ROYAL,
    FIVE_CARD_ROYAL,
    FLOPPED_ROYAL,
    FLOPPED_STRAIGHT_FLUSH,
    FLOPPED_THEN_COMMUNITY,
    FLOPPED_THEN_ROYAL,
    LATE_ROYAL,
    LATE_STRAIGHT_FLUSH,
    PROGRESSIVE_CASES,
    SIX_CARD_ROYAL,
)
from headsup.analysis.kernels.simulate.tables import (
    ALL_6,
    MAIN,
    POCKET_BONUS,
    PROGRESSIVE,
    TRIPS_PLUS,
    TablePays,
)
from headsup.analysis.solver.strategy import Strategy, canonical_flop
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.outcomes import (
    Outcome,
    all_6_outcome,
    hand_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, SideWager, Wager
from headsup.game.settlement import Line, main_lines, paid_line
from headsup.game.settlement.caps import winnings_under_cap
from headsup.game.values.cards import SUITS, parse_cards
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.money import Cents

UNCAPPED = 1 << 60
COLUMN_BY_WAGER: Mapping[Wager, int] = {
    Wager.ANTE: MAIN,
    Wager.TRIPS_PLUS: TRIPS_PLUS,
    Wager.POCKET_BONUS: POCKET_BONUS,
    Wager.ALL_6: ALL_6,
    Wager.PROGRESSIVE: PROGRESSIVE,
}


@dataclass(frozen=True, eq=False)
class SeatProfile:
    """How a seat plays, by which rules, and for how much; `counts` are those of `joint`."""

    name: str
    rules: TableRules
    bets: Mapping[Wager, Cents]
    strategy: Strategy
    counts: Int64s

    @property
    def claims(self) -> list[Fraction | None]:
        """Which share of the pool each case of the progressive wins."""
        if Wager.PROGRESSIVE not in self.bets:
            return [None] * PROGRESSIVE_CASES
        pays = self.rules.paytables[Wager.PROGRESSIVE.value].pays
        shares = [pays.get(outcome, LOSS) for outcome in progressive_outcomes(self.rules)]
        return [pay.amount if pay.kind is PayKind.POOL else None for pay in shares]


# Cards, in the order of hole and board or packet, that show a case.
_POOL_EXAMPLES = {
    LATE_STRAIGHT_FLUSH: "5h 6h 7h 8h 2c 9h 3d",
    FLOPPED_STRAIGHT_FLUSH: "5h 6h 7h 8h 9h 2c 3d",
    LATE_ROYAL: "Ah Kh Qh Jh 2c Th 3d",
    COMMUNITY_ROYAL: "2c 3d Ah Kh Qh Jh Th",
    FLOPPED_THEN_ROYAL: "9h Kh Th Jh Qh Ah 2c",
    FLOPPED_THEN_COMMUNITY: "8h 9h Th Jh Qh Kh Ah",
}


@cache
def progressive_outcomes(rules: TableRules) -> tuple[Outcome, ...]:
    """The progressive's outcome of each case."""
    rows = rules.paytables[Wager.PROGRESSIVE.value].pays
    outcomes = [hand_outcome(category) for category in Category][:LATE_STRAIGHT_FLUSH]
    flopped = [f"A{s} K{s} Q{s} J{s} T{s} {'2d 3c' if s in 'hs' else '2h 3s'}" for s in SUITS]
    examples = _POOL_EXAMPLES | {FLOPPED_ROYAL + s: cards for s, cards in enumerate(flopped)}
    for case in range(LATE_STRAIGHT_FLUSH, PROGRESSIVE_CASES):
        cards = parse_cards(examples[case])
        best = category_of(strength(cards))
        outcomes.append(progressive_outcome(cards[:2], cards[2:], best, rows))
    return tuple(outcomes)


@cache
def all_6_outcomes() -> tuple[Outcome, ...]:
    """All 6's outcome of each case."""
    outcomes = [hand_outcome(category) for category in Category][:FIVE_CARD_ROYAL]
    examples = {FIVE_CARD_ROYAL: "Ah Kh Qh Jh Th 2c"}
    examples |= {
        SIX_CARD_ROYAL + s: " ".join(f"{r}{suit}" for r in "AKQJT9") for s, suit in enumerate(SUITS)
    }
    for case in range(FIVE_CARD_ROYAL, ALL_6_CASES):
        cards = parse_cards(examples[case])
        outcomes.append(all_6_outcome(cards[:2], cards[2:]))
    return tuple(outcomes)


# In cents, then in units.


def table_pays(styles: Sequence[SeatProfile]) -> tuple[TablePays, int]:
    """All that styles win or lose, and how many cents the unit is that it is counted in."""
    main = [_main(style) for style in styles]
    most = max(len(one) for one in main)
    arrays = {
        "main": np.array([np.pad(one, ((0, most - len(one)), *[(0, 0)] * 3)) for one in main]),
        "trips_plus": _sides(styles, Wager.TRIPS_PLUS, _hand_outcomes()),
        "pocket_bonus": _sides(styles, Wager.POCKET_BONUS, pocket_outcomes()),
        "all_6": _sides(styles, Wager.ALL_6, all_6_outcomes()),
        "progressive": np.array([_progressive(style) for style in styles]),
        **_cap_amounts(styles, most),
    }
    unit = gcd(*(int(net) for array in arrays.values() for net in np.unique(array))) or 1
    claims = np.array(
        [
            [
                [share is not None and (not folded or style.rules.after_fold[Wager.PROGRESSIVE])
                 for share in style.claims]
                for folded in (False, True)
            ]
            for style in styles
        ],
        np.uint8,
    )  # fmt: skip
    raised = [np.pad(many, (0, most - len(many))) for many in map(multiples_of, styles)]
    pays = TablePays(
        multiples=np.array([_multiple_indices(style) for style in styles]),
        raised=np.array(raised),
        claims=claims,
        qualifier=np.array([style.strategy.solution.payoffs.qualifier for style in styles]),
        own_hand=np.array([style.rules.both_hole_cards for style in styles], np.uint8),
        cap=np.array([_cap(style) // unit for style in styles]),
        **{name: np.ascontiguousarray(array // unit) for name, array in arrays.items()},
    )
    return pays, unit


def multiples_of(style: SeatProfile) -> list[int]:
    streets = style.strategy.solution.payoffs.multiples_by_street
    return sorted({0, *(m for street in streets for m in (min(street), max(street)))})


def _multiple_indices(style: SeatProfile) -> Int64s:
    """[street, action]: the place of its multiple."""
    known = multiples_of(style)
    places = np.zeros((3, 3), np.int64)
    for street, allowed in enumerate(style.strategy.solution.payoffs.multiples_by_street):
        places[street, PASSIVE] = known.index(0)
        places[street, MIN_RAISE] = known.index(min(allowed))
        places[street, MAX_RAISE] = known.index(max(allowed))
    return places


def _main(style: SeatProfile) -> Int64s:
    return _each_main(style, lambda lines: sum(line.net for line in lines))


def _main_cap_amounts(style: SeatProfile) -> Int64s:
    return _each_main(style, lambda lines: winnings_under_cap(style.rules, lines))


def _each_main(style: SeatProfile, amount: Callable[[Sequence[Line]], Cents]) -> Int64s:
    ante = style.bets[Wager.ANTE]

    def of(multiple: int, hand: Category, result: Comparison, qualifies: bool) -> Cents:
        return amount(main_lines(style.rules, ante, multiple, hand, result, qualifies))

    return np.array(
        [
            [[[of(multiple, hand, result, q) for q in (False, True)] for result in Comparison]
             for hand in Category]
            for multiple in multiples_of(style)
        ],
        np.int64,
    )  # fmt: skip


def _sides(styles: Sequence[SeatProfile], wager: SideWager, outcomes: Sequence[Outcome]) -> Int64s:
    """[style, folded, outcome]; nothing where it is not staked."""
    nets = np.zeros((len(styles), 2, len(outcomes)), np.int64)
    for place, style in enumerate(styles):
        if stake := style.bets.get(wager, 0):
            nets[place] = [paid_line(style.rules, wager, stake, one).net for one in outcomes]
            if not style.rules.after_fold[wager]:
                nets[place, 1] = -stake
    return nets


def _progressive(style: SeatProfile) -> Int64s:
    if Wager.PROGRESSIVE not in style.bets:
        return np.zeros((2, PROGRESSIVE_CASES), np.int64)
    return np.asarray(_sides([style], Wager.PROGRESSIVE, progressive_outcomes(style.rules))[0])


# Of what a cap covers.


def _cap(style: SeatProfile) -> Cents:
    cap = style.rules.cap
    return UNCAPPED if cap is None else cap.amount


def _cap_amounts(styles: Sequence[SeatProfile], most: int) -> dict[str, Int64s]:
    main = [
        np.pad(one, ((0, most - len(one)), *[(0, 0)] * 3)) for one in map(_main_cap_amounts, styles)
    ]
    return {
        "main_counts": np.array(main),
        "trips_plus_counts": _side_cap_amounts(styles, Wager.TRIPS_PLUS, _hand_outcomes),
        "pocket_bonus_counts": _side_cap_amounts(
            styles, Wager.POCKET_BONUS, lambda _: pocket_outcomes()
        ),
        "all_6_counts": _side_cap_amounts(styles, Wager.ALL_6, lambda _: all_6_outcomes()),
        "progressive_counts": _side_cap_amounts(styles, Wager.PROGRESSIVE, _pool_cases),
    }


def _side_cap_amounts(
    styles: Sequence[SeatProfile],
    wager: SideWager,
    outcomes: Callable[[SeatProfile], Sequence[Outcome]],
) -> Int64s:
    counts = [np.zeros((2, len(outcomes(style))), np.int64) for style in styles]
    for of_style, style in zip(counts, styles, strict=True):
        rules, stake = style.rules, style.bets.get(wager, 0)
        if stake and rules.cap is not None:
            lines = [paid_line(rules, wager, stake, one) for one in outcomes(style)]
            of_style[:] = [winnings_under_cap(rules, [line]) for line in lines]
            of_style[1] *= rules.after_fold[wager]
    return np.array(counts)


def _hand_outcomes(_: SeatProfile | None = None) -> Sequence[Outcome]:
    return [hand_outcome(hand) for hand in Category]


def _pool_cases(style: SeatProfile) -> Sequence[Outcome]:
    if Wager.PROGRESSIVE in style.bets:
        return progressive_outcomes(style.rules)
    return [Outcome.OTHER] * PROGRESSIVE_CASES


@cache
def pocket_outcomes() -> tuple[Outcome, ...]:
    return tuple(
        pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
        for row in range(RANKS)
        for column in range(RANKS)
    )


# Decisions.


def playbooks(styles: Sequence[SeatProfile]) -> Playbooks:
    pockets = [style.strategy.solution.pocket_values.actions for style in styles]
    packed = zip(*(style.strategy.packed for style in styles), strict=True)
    return Playbooks(np.array(pockets, np.uint8), *(np.array(section) for section in packed))


@cache
def decision_index() -> DecisionIndex:
    rows, suits = np.zeros(22_100, np.int16), np.zeros((22_100, 4), np.uint8)
    for flop in combinations(range(52), 3):
        at = set3_number(*flop)
        rows[at], suits[at] = canonical_flop(flop)
    return DecisionIndex(rows, suits, _set_numbers())


def _set_numbers() -> NDArray[np.int16]:
    numbers = np.zeros(1 << RANKS, np.int16)
    for size in (3, 4, 5):
        sets = sorted(combinations(range(RANKS), size), key=lambda ranks: ranks[::-1])
        for number, ranks in enumerate(sets):
            numbers[sum(1 << rank for rank in ranks)] = number
    return numbers
