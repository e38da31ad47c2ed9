"""The solver's payoffs come from settlement itself."""

from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN
from headsup.game.refusal import Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.hands import Category, parse_qualifier


def test_a_pay_of_three_to_two_makes_the_unit_two() -> None:
    assert compile_payoffs(table_rules("galaxy")).unit == 2


def test_washington_without_a_qualifier_needs_no_fractions() -> None:
    payoffs = compile_payoffs(table_rules("washington-no-qualifier"))
    assert payoffs.unit == 1
    assert payoffs.qualifier == 0


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_a_fold_costs_ante_and_odds(book: str) -> None:
    payoffs = compile_payoffs(table_rules(book))
    assert np.array_equal(payoffs.fold, np.full(10, -2 * payoffs.unit))


@pytest.mark.parametrize(
    ("category", "result", "qualifies", "antes"),
    [
        (Category.FULL_HOUSE, WIN, 1, 1 + 3 + 3),  # Ante, Odds 3 to 1, Raise 3×
        (Category.FLUSH, WIN, 0, Fraction(3, 2) + 3),  # the Ante pushes (G 11(a))
        (Category.ONE_PAIR, WIN, 1, 1 + 0 + 3),  # Odds push below a straight (G 11(f))
        (Category.ONE_PAIR, TIE, 1, 0),
        (Category.ONE_PAIR, LOSE, 1, -1 - 1 - 3),
        (Category.HIGH_CARD, LOSE, 0, -1 - 3),  # R36: the Ante pushes, Odds and Raise lose
        (Category.STRAIGHT, LOSE, 1, -1 + 5 - 3),  # a Bad Beat
        (Category.STRAIGHT_FLUSH, LOSE, 1, -1 + 500 - 3),
    ],
)
def test_galaxy_pays_for_a_raise_of_three(
    category: Category, result: int, qualifies: int, antes: Fraction
) -> None:
    payoffs = compile_payoffs(table_rules("galaxy"))
    assert payoffs.showdown[0][category][result][qualifies] == antes * payoffs.unit


def test_raises_and_the_qualifier_come_from_the_rules() -> None:
    payoffs = compile_payoffs(table_rules("new-york"))
    assert payoffs.multiples_by_street == ((1, 2, 3), (1, 2), (1,))
    assert payoffs.qualifier == parse_qualifier("one_pair")


def test_chips_and_caps_do_not_affect_exact_payoffs() -> None:
    plain = compile_payoffs(table_rules("sugarhouse"))
    chips = compile_payoffs(table_rules("sugarhouse", {}, {"chip_unit": "5.00"}))
    assert chips.key == plain.key


def test_trips_plus_forfeited_on_a_fold_makes_folding_dearer() -> None:
    """R54: New York read strictly, with half an Ante on Trips Plus A."""
    rules = table_rules("new-york", {}, {"trips_plus_after_fold": "forfeits"})
    payoffs = compile_payoffs(rules, Fraction(1, 2))
    assert payoffs.fold[Category.ONE_PAIR] == -Fraction(5, 2) * payoffs.unit
    trips = payoffs.showdown[0][Category.THREE_OF_A_KIND][LOSE][1]
    assert trips == (-3 + Fraction(3, 2)) * payoffs.unit  # raise 1×: −1 −1 −1, and 3 to 1 on half


def test_trips_plus_that_stays_changes_no_decision() -> None:
    rules = table_rules("galaxy")
    with_trips, without = compile_payoffs(rules, Fraction(1)), compile_payoffs(rules)
    assert (with_trips.fold != without.fold).any()
    raise_over_fold = with_trips.showdown - with_trips.fold[None, :, None, None]
    assert np.array_equal(
        raise_over_fold * without.unit,
        (without.showdown - without.fold[None, :, None, None]) * with_trips.unit,
    )


def test_trips_plus_with_both_hole_cards_is_not_compiled() -> None:
    rules = table_rules("new-york", {}, {"trips_plus_hand": "both_hole_cards"})
    with pytest.raises(Refused, match="both_hole_cards"):
        compile_payoffs(rules, Fraction(1))
