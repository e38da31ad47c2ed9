"""What a decision costs, and the score over many."""

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


def judge_action(action: str, multiple: int = 0, ante: int = 1_000) -> Judgement:
    return judge(ADVICE, HOLE, (), ante, action, multiple)


def test_the_best_decision_costs_nothing() -> None:
    assert judge_action("raise", 3).correct
    assert judge_action("raise", 3).cost == 0


def test_a_mistake_costs_its_difference_from_the_best() -> None:
    assert judge_action("check").cost == Fraction(1, 4)
    assert judge_action("check").cents == 250
    assert judge_action("raise", 1).cost == Fraction(1, 2)


def test_an_impossible_action_is_a_bug() -> None:
    with pytest.raises(ValueError, match="not possible"):
        judge_action("fold")


def test_the_score_adds_up_and_names_the_most_expensive_mistakes() -> None:
    score = Score()
    cheap, dear = judge_action("raise", 1, ante=100), judge_action("check", ante=10_000)
    for judgement in (judge_action("raise", 3), cheap, dear, judge_action("raise", 3)):
        score = score.add(judgement)
    assert (score.decisions, score.correct) == (4, 2)
    assert score.cost == Fraction(3, 4)
    assert score.cents == 50 + 2_500
    assert score.worst() == (dear, cheap)
    assert score.worst(1) == (dear,)
