"""Seats as lookups for the simulation: decisions, and what the game's own rules pay for results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import LEAST, MOST, PASSIVE, Int64s
from headsup.analysis.kernels.base.numbering import RANKS, set3
from headsup.analysis.kernels.simulate.decisions import Places, Playbooks
from headsup.analysis.kernels.simulate.side_cases import (
    COMMUNITY_ROYAL,
    FIVE_CARD_ROYAL,
    FLOPPED_ROYAL,
    FLOPPED_STRAIGHT_FLUSH,
    FLOPPED_THEN_COMMUNITY,
    FLOPPED_THEN_ROYAL,
    LATE_ROYAL,
    LATE_STRAIGHT_FLUSH,
    POOL_CASES,
    SIX_CARD_ROYAL,
    SIX_CASES,
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
from headsup.game.settlement.caps import counted
from headsup.game.values.cards import SUITS, parse_cards
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.money import Cents

UNCAPPED = 1 << 60
COLUMN: Mapping[Wager, int] = {
    Wager.ANTE: MAIN,
    Wager.TRIPS_PLUS: TRIPS_PLUS,
    Wager.POCKET_BONUS: POCKET_BONUS,
    Wager.ALL_6: ALL_6,
    Wager.PROGRESSIVE: PROGRESSIVE,
}


@dataclass(frozen=True, eq=False)
class Style:
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
            return [None] * POOL_CASES
        pays = self.rules.paytables[Wager.PROGRESSIVE.value].pays
        shares = [pays.get(outcome, LOSS) for outcome in pool_outcomes(self.rules)]
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
def pool_outcomes(rules: TableRules) -> tuple[Outcome, ...]:
    """The progressive's outcome of each case."""
    rows = rules.paytables[Wager.PROGRESSIVE.value].pays
    outcomes = [hand_outcome(category) for category in Category][:LATE_STRAIGHT_FLUSH]
    flopped = [f"A{s} K{s} Q{s} J{s} T{s} {'2d 3c' if s in 'hs' else '2h 3s'}" for s in SUITS]
    examples = _POOL_EXAMPLES | {FLOPPED_ROYAL + s: cards for s, cards in enumerate(flopped)}
    for case in range(LATE_STRAIGHT_FLUSH, POOL_CASES):
        cards = parse_cards(examples[case])
        best = category_of(strength(cards))
        outcomes.append(progressive_outcome(cards[:2], cards[2:], best, rows))
    return tuple(outcomes)


@cache
def six_outcomes() -> tuple[Outcome, ...]:
    """All 6's outcome of each case."""
    outcomes = [hand_outcome(category) for category in Category][:FIVE_CARD_ROYAL]
    examples = {FIVE_CARD_ROYAL: "Ah Kh Qh Jh Th 2c"}
    examples |= {
        SIX_CARD_ROYAL + s: " ".join(f"{r}{suit}" for r in "AKQJT9") for s, suit in enumerate(SUITS)
    }
    for case in range(FIVE_CARD_ROYAL, SIX_CASES):
        cards = parse_cards(examples[case])
        outcomes.append(all_6_outcome(cards[:2], cards[2:]))
    return tuple(outcomes)


# In cents, then in units.


def table_pays(styles: Sequence[Style]) -> tuple[TablePays, int]:
    """All that styles win or lose, and how many cents the unit is that it is counted in."""
    main = [_main(style) for style in styles]
    most = max(len(one) for one in main)
    arrays = {
        "main": np.array([np.pad(one, ((0, most - len(one)), *[(0, 0)] * 3)) for one in main]),
        "trips_plus": _sides(styles, Wager.TRIPS_PLUS, _hand_outcomes()),
        "pocket_bonus": _sides(styles, Wager.POCKET_BONUS, pocket_outcomes()),
        "all_6": _sides(styles, Wager.ALL_6, six_outcomes()),
        "progressive": np.array([_progressive(style) for style in styles]),
        **_counted(styles, most),
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
        multiples=np.array([_places(style) for style in styles]),
        raised=np.array(raised),
        claims=claims,
        qualifier=np.array([style.strategy.solution.payoffs.qualifier for style in styles]),
        own_hand=np.array([style.rules.both_hole_cards for style in styles], np.uint8),
        cap=np.array([_cap(style) // unit for style in styles]),
        **{name: np.ascontiguousarray(array // unit) for name, array in arrays.items()},
    )
    return pays, unit


def multiples_of(style: Style) -> list[int]:
    streets = style.strategy.solution.payoffs.multiples_by_street
    return sorted({0, *(m for street in streets for m in (min(street), max(street)))})


def _places(style: Style) -> Int64s:
    """[street, action]: the place of its multiple."""
    known = multiples_of(style)
    places = np.zeros((3, 3), np.int64)
    for street, allowed in enumerate(style.strategy.solution.payoffs.multiples_by_street):
        places[street, PASSIVE] = known.index(0)
        places[street, LEAST] = known.index(min(allowed))
        places[street, MOST] = known.index(max(allowed))
    return places


def _main(style: Style) -> Int64s:
    return _each_main(style, lambda lines: sum(line.net for line in lines))


def _main_counts(style: Style) -> Int64s:
    return _each_main(style, lambda lines: counted(style.rules, lines))


def _each_main(style: Style, amount: Callable[[Sequence[Line]], Cents]) -> Int64s:
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


def _sides(styles: Sequence[Style], wager: SideWager, outcomes: Sequence[Outcome]) -> Int64s:
    """[style, folded, outcome]; nothing where it is not staked."""
    nets = np.zeros((len(styles), 2, len(outcomes)), np.int64)
    for place, style in enumerate(styles):
        if stake := style.bets.get(wager, 0):
            nets[place] = [paid_line(style.rules, wager, stake, one).net for one in outcomes]
            if not style.rules.after_fold[wager]:
                nets[place, 1] = -stake
    return nets


def _progressive(style: Style) -> Int64s:
    if Wager.PROGRESSIVE not in style.bets:
        return np.zeros((2, POOL_CASES), np.int64)
    return np.asarray(_sides([style], Wager.PROGRESSIVE, pool_outcomes(style.rules))[0])


# Of what a cap covers.


def _cap(style: Style) -> Cents:
    cap = style.rules.cap
    return UNCAPPED if cap is None else cap.amount


def _counted(styles: Sequence[Style], most: int) -> dict[str, Int64s]:
    main = [np.pad(one, ((0, most - len(one)), *[(0, 0)] * 3)) for one in map(_main_counts, styles)]
    return {
        "main_counts": np.array(main),
        "trips_plus_counts": _side_counts(styles, Wager.TRIPS_PLUS, _hand_outcomes),
        "pocket_bonus_counts": _side_counts(
            styles, Wager.POCKET_BONUS, lambda _: pocket_outcomes()
        ),
        "all_6_counts": _side_counts(styles, Wager.ALL_6, lambda _: six_outcomes()),
        "progressive_counts": _side_counts(styles, Wager.PROGRESSIVE, _pool_cases),
    }


def _side_counts(
    styles: Sequence[Style], wager: SideWager, outcomes: Callable[[Style], Sequence[Outcome]]
) -> Int64s:
    counts = [np.zeros((2, len(outcomes(style))), np.int64) for style in styles]
    for of_style, style in zip(counts, styles, strict=True):
        rules, stake = style.rules, style.bets.get(wager, 0)
        if stake and rules.cap is not None:
            lines = [paid_line(rules, wager, stake, one) for one in outcomes(style)]
            of_style[:] = [counted(rules, [line]) for line in lines]
            of_style[1] *= rules.after_fold[wager]
    return np.array(counts)


def _hand_outcomes(_: Style | None = None) -> Sequence[Outcome]:
    return [hand_outcome(hand) for hand in Category]


def _pool_cases(style: Style) -> Sequence[Outcome]:
    if Wager.PROGRESSIVE in style.bets:
        return pool_outcomes(style.rules)
    return [Outcome.OTHER] * POOL_CASES


@cache
def pocket_outcomes() -> tuple[Outcome, ...]:
    return tuple(
        pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
        for row in range(RANKS)
        for column in range(RANKS)
    )


# Decisions.


def playbooks(styles: Sequence[Style]) -> Playbooks:
    pockets = [style.strategy.solution.pocket_values.actions for style in styles]
    packed = zip(*(style.strategy.packed for style in styles), strict=True)
    return Playbooks(np.array(pockets, np.uint8), *(np.array(section) for section in packed))


@cache
def places() -> Places:
    rows, suits = np.zeros(22_100, np.int16), np.zeros((22_100, 4), np.uint8)
    for flop in combinations(range(52), 3):
        at = set3(*flop)
        rows[at], suits[at] = canonical_flop(flop)
    return Places(rows, suits, _set_numbers())


def _set_numbers() -> NDArray[np.int16]:
    numbers = np.zeros(1 << RANKS, np.int16)
    for size in (3, 4, 5):
        sets = sorted(combinations(range(RANKS), size), key=lambda ranks: ranks[::-1])
        for number, ranks in enumerate(sets):
            numbers[sum(1 << rank for rank in ranks)] = number
    return numbers
