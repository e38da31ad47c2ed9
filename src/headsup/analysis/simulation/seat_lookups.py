"""Builds the lookup arrays that the simulation kernel reads: what each result pays each seat."""

from collections.abc import Callable, Mapping, Sequence
from math import gcd

import numpy as np

from headsup.analysis.counts.side_cases import all_6_outcomes, pocket_outcomes, progressive_outcomes
from headsup.analysis.joint.seating import SeatProfile
from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE, Int64s
from headsup.analysis.kernels.simulate.side_cases import PROGRESSIVE_CASES
from headsup.analysis.kernels.simulate.tables import (
    ALL_6,
    MAIN,
    POCKET_BONUS,
    PROGRESSIVE,
    TRIPS_PLUS,
    TablePays,
)
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.wagers import Comparison, SideWager, Wager
from headsup.game.settlement import Line, main_lines, paid_line
from headsup.game.settlement.caps import winnings_under_cap
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents

UNCAPPED = 1 << 60
COLUMN_BY_WAGER: Mapping[Wager, int] = {
    Wager.ANTE: MAIN,
    Wager.TRIPS_PLUS: TRIPS_PLUS,
    Wager.POCKET_BONUS: POCKET_BONUS,
    Wager.ALL_6: ALL_6,
    Wager.PROGRESSIVE: PROGRESSIVE,
}


# Pays, computed in cents and converted to units.


def table_pays(styles: Sequence[SeatProfile]) -> tuple[TablePays, int]:
    """What every result pays each profile, in units, and the size of the unit in cents."""
    main = [_main(style) for style in styles]
    max_multiples = max(len(pays_of_style) for pays_of_style in main)
    arrays = {
        "main": np.array(
            [
                np.pad(pays_of_style, ((0, max_multiples - len(pays_of_style)), *[(0, 0)] * 3))
                for pays_of_style in main
            ]
        ),
        "trips_plus": _sides(styles, Wager.TRIPS_PLUS, _hand_outcomes()),
        "pocket_bonus": _sides(styles, Wager.POCKET_BONUS, pocket_outcomes()),
        "all_6": _sides(styles, Wager.ALL_6, all_6_outcomes()),
        "progressive": np.array([_progressive(style) for style in styles]),
        **_cap_amounts(styles, max_multiples),
    }
    unit = gcd(*(int(net) for array in arrays.values() for net in np.unique(array))) or 1
    claims = np.array(
        [
            [
                [share is not None and (not folded or style.rules.after_fold[Wager.PROGRESSIVE])
                 for share in style.pool_shares]
                for folded in (False, True)
            ]
            for style in styles
        ],
        np.uint8,
    )  # fmt: skip
    raised = [
        np.pad(multiples, (0, max_multiples - len(multiples)))
        for multiples in map(multiples_of, styles)
    ]
    pays = TablePays(
        multiples=np.array([_multiple_indices(style) for style in styles]),
        raised=np.array(raised),
        claims=claims,
        qualifier=np.array([style.strategy.solution.payoffs.qualifier for style in styles]),
        both_hole_cards=np.array([style.rules.both_hole_cards for style in styles], np.uint8),
        cap=np.array([_cap(style) // unit for style in styles]),
        **{name: np.ascontiguousarray(array // unit) for name, array in arrays.items()},
    )
    return pays, unit


def multiples_of(style: SeatProfile) -> list[int]:
    streets = style.strategy.solution.payoffs.multiples_by_street
    return sorted({0, *(m for street in streets for m in (min(street), max(street)))})


def _multiple_indices(style: SeatProfile) -> Int64s:
    """[street, action]: the index of its Raise multiple."""
    multiples = multiples_of(style)
    indices = np.zeros((3, 3), np.int64)
    for street, allowed in enumerate(style.strategy.solution.payoffs.multiples_by_street):
        indices[street, PASSIVE] = multiples.index(0)
        indices[street, MIN_RAISE] = multiples.index(min(allowed))
        indices[street, MAX_RAISE] = multiples.index(max(allowed))
    return indices


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
    """[style, folded, outcome]: nets of a side wager; 0 where it is not staked."""
    nets = np.zeros((len(styles), 2, len(outcomes)), np.int64)
    for number, style in enumerate(styles):
        if stake := style.bets.get(wager, 0):
            nets[number] = [
                paid_line(style.rules, wager, stake, outcome).net for outcome in outcomes
            ]
            if not style.rules.after_fold[wager]:
                nets[number, 1] = -stake
    return nets


def _progressive(style: SeatProfile) -> Int64s:
    if Wager.PROGRESSIVE not in style.bets:
        return np.zeros((2, PROGRESSIVE_CASES), np.int64)
    return np.asarray(_sides([style], Wager.PROGRESSIVE, progressive_outcomes(style.rules))[0])


# Amounts that count towards a cap.


def _cap(style: SeatProfile) -> Cents:
    cap = style.rules.cap
    return UNCAPPED if cap is None else cap.amount


def _cap_amounts(styles: Sequence[SeatProfile], max_multiples: int) -> dict[str, Int64s]:
    main = [
        np.pad(amounts, ((0, max_multiples - len(amounts)), *[(0, 0)] * 3))
        for amounts in map(_main_cap_amounts, styles)
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
    for style_counts, style in zip(counts, styles, strict=True):
        rules, stake = style.rules, style.bets.get(wager, 0)
        if stake and rules.cap is not None:
            lines = [paid_line(rules, wager, stake, outcome) for outcome in outcomes(style)]
            style_counts[:] = [winnings_under_cap(rules, [line]) for line in lines]
            style_counts[1] *= rules.after_fold[wager]
    return np.array(counts)


def _hand_outcomes(_: SeatProfile | None = None) -> Sequence[Outcome]:
    return [hand_outcome(hand) for hand in Category]


def _pool_cases(style: SeatProfile) -> Sequence[Outcome]:
    if Wager.PROGRESSIVE in style.bets:
        return progressive_outcomes(style.rules)
    return [Outcome.OTHER] * PROGRESSIVE_CASES
