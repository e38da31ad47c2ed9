"""Turns table rules into the solver's payoffs by settling every possible result."""

from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np

from headsup.analysis.solver.payoffs import BadPayoffs, Payoffs
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.model import Pay
from headsup.game.rulebook.outcomes import hand_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Street, Wager
from headsup.game.settlement import main_lines, paid_line
from headsup.game.values.hands import Category


def compile_payoffs(rules: TableRules, trips_plus: Fraction = Fraction(0)) -> Payoffs:
    """The payoffs of the main game under these rules.

    Payouts are exact: rounding to chips and payout caps depend on the Ante and are left out.
    `trips_plus` is a Trips Plus stake per Ante. Where a fold forfeits it (R54), it changes what
    folding costs, and so the best decisions.
    """
    try:
        return _compile(rules, trips_plus)
    except (BadPayoffs, OverflowError) as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=rules.id, reason=str(error)) from None


def _compile(rules: TableRules, trips_plus: Fraction) -> Payoffs:
    unit = units_per_ante(rules, trips_plus)
    exact = replace(rules, chip_unit=1, cap=None)
    multiples = [multiple for street in Street for multiple in rules.raises[street]]
    trips = [_trips_net(exact, category, trips_plus, unit) for category in Category]
    showdown = np.array(
        [
            [
                [
                    [
                        _net(exact, unit, multiple, category, comparison, qualifies)
                        + trips[category]
                        for qualifies in (False, True)
                    ]
                    for comparison in Comparison
                ]
                for category in Category
            ]
            for multiple in multiples
        ],
        np.int64,
    )
    fold = np.array([_fold(exact, unit, category, trips, trips_plus) for category in Category])
    return Payoffs(
        unit=unit,
        showdown=showdown,
        fold=fold,
        pocket_multiples=rules.raises[Street.POCKET],
        flop_multiples=rules.raises[Street.FLOP],
        river_multiples=rules.raises[Street.RIVER],
        qualifier=rules.qualifier_strength,
    )


def units_per_ante(rules: TableRules, trips_plus: Fraction = Fraction(0)) -> int:
    """The smallest Ante for which every pay is a whole number of units."""
    keys = ("odds", "bad_beat")
    pays = [pay.amount for key in keys if key in rules.paytables for pay in _pays(rules, key)]
    unit = lcm(*(pay.denominator for pay in pays))
    if trips_plus:
        side = [pay.amount.denominator for pay in _pays(rules, "trips_plus")]
        unit = lcm(unit, trips_plus.denominator * lcm(*side))
    return unit


def _pays(rules: TableRules, key: str) -> list[Pay]:
    return list(rules.paytables[key].pays.values())


def _net(
    rules: TableRules,
    unit: int,
    multiple: int,
    category: Category,
    comparison: Comparison,
    qualifies: bool,
) -> int:
    lines = main_lines(rules, unit, multiple, category, comparison, qualifies)
    return sum(line.net for line in lines)


def _fold(
    rules: TableRules, unit: int, category: Category, trips: list[int], trips_plus: Fraction
) -> int:
    main_net = _net(rules, unit, 0, category, Comparison.LOSE, True)
    if rules.after_fold[Wager.TRIPS_PLUS]:
        return main_net + trips[category]
    return main_net - int(trips_plus * unit)


def _trips_net(rules: TableRules, category: Category, stake: Fraction, unit: int) -> int:
    """The net result of Trips Plus with this seven-card hand, in units."""
    if not stake:
        return 0
    if rules.both_hole_cards:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    return paid_line(rules, Wager.TRIPS_PLUS, int(stake * unit), hand_outcome(category)).net


def is_trips_plus_forfeited(rules: TableRules) -> bool:
    """Whether a fold forfeits Trips Plus, so that it must be solved with the main game (R54).

    False where both hole cards must play: the solver only tracks the best seven-card hand.
    """
    forfeited = rules.offers(Wager.TRIPS_PLUS) and not rules.after_fold[Wager.TRIPS_PLUS]
    return forfeited and not rules.both_hole_cards
