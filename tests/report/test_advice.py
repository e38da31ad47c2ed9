"""The coach's sentence: what to do, and what the alternative costs."""

from fractions import Fraction

import pytest

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.report.advice import explain

CHECK, RAISE, FOLD = ("check", 0), ("raise", 3), ("fold", 0)


def advice(best: tuple[str, int], second: tuple[str, int], cost: str) -> Advice:
    values = (ActionValue(*best, Fraction(1)), ActionValue(*second, 1 - Fraction(cost)))
    return Advice("pocket", values)


@pytest.mark.parametrize(
    ("best", "second", "cost", "sentence"),
    [
        (CHECK, RAISE, "0.812", "Check. Raising 3× here costs 0.81 Antes on average."),
        (RAISE, CHECK, "0.5", "Raise 3×. Checking here costs 0.50 Antes on average."),
        (RAISE, FOLD, "1.25", "Raise 3×. Folding here costs 1.25 Antes on average."),
        (
            CHECK,
            RAISE,
            "0.015",
            "Check. Raising 3× here costs 0.01 Antes on average, a close call.",
        ),
        (
            *(FOLD, RAISE, "0.001"),
            "Fold. Raising 3× here costs less than 0.01 Antes on average, a close call.",
        ),
        (CHECK, RAISE, "0", "Check. Raising 3× is worth the same."),
    ],
)
def test_the_sentence_names_the_best_play_and_what_the_other_costs(
    best: tuple[str, int], second: tuple[str, int], cost: str, sentence: str
) -> None:
    assert explain(advice(best, second, cost)) == sentence


def test_the_sentence_uses_the_tables_word_and_adds_draws() -> None:
    said = explain(advice(CHECK, RAISE, "0.3"), "play", ["flush draw"])
    assert said == "Check. Playing 3× here costs 0.30 Antes on average. You have a flush draw."
