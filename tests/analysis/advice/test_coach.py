"""What a decision cost, and the score over many."""

from fractions import Fraction

import pytest

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.advice.coach import Judgement, Score, judge
from headsup.game.values.cards import parse_cards

HOLE = parse_cards("AsKd")
ADVICE = Advice(
    "pocket",
    (
        ActionValue("raise", 1, Fraction(1, 4)),
        ActionValue("raise", 3, Fraction(3, 4)),
        ActionValue("check", 0, Fraction(1, 2)),
    ),
)


def judged(action: str, multiple: int = 0, ante: int = 1_000) -> Judgement:
    return judge(ADVICE, HOLE, (), ante, action, multiple)


def test_the_best_decision_costs_nothing() -> None:
    assert judged("raise", 3).correct
    assert judged("raise", 3).cost == 0


def test_a_mistake_costs_what_the_best_is_worth_more() -> None:
    assert judged("check").cost == Fraction(1, 4)
    assert judged("check").cents == 250
    assert judged("raise", 1).cost == Fraction(1, 2)


def test_an_action_that_was_not_open_is_a_bug() -> None:
    with pytest.raises(ValueError, match="not open"):
        judged("fold")


def test_the_score_adds_up_and_names_the_dearest_mistakes_in_money() -> None:
    score = Score()
    cheap, dear = judged("raise", 1, ante=100), judged("check", ante=10_000)
    for judgement in (judged("raise", 3), cheap, dear, judged("raise", 3)):
        score = score.with_(judgement)
    assert (score.decisions, score.correct) == (4, 2)
    assert score.cost == Fraction(3, 4)
    assert score.cents == 50 + 2_500
    assert score.worst() == (dear, cheap)
    assert score.worst(1) == (dear,)
