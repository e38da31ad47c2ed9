"""Lessons: each hand belongs to one kind, and the short strategy's cost is exact."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from headsup.analysis.advice.lesson_counting import (
    SHORT_CARD,
    card_words,
    count_lessons,
    short_card,
)
from headsup.analysis.advice.lessons import Lessons
from headsup.analysis.cache import STRATEGIES
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.ranges import parse_range
from headsup.analysis.strategies.written_strategy import parse_strategy
from headsup.report.sheets.main_game import lessons_section
from tests.support.analysis.benches import SolvedBench, cache_only

COST = Fraction(762047107, 278138100240)  # of an Ante: docs/strategy.md prints it


def test_the_pocket_line_matches_the_chart_of_the_rules(heads_up: Solution) -> None:
    card, shipped = short_card(heads_up), parse_strategy(shipped_text(SHORT_CARD), SHORT_CARD)
    (chart,) = card.streets["pocket"].lines["raise"]
    (printed,) = shipped.streets["pocket"].lines["raise"]
    assert parse_range(chart, "") == parse_range(printed, "")
    assert card.streets["flop"] == shipped.streets["flop"]
    assert card.streets["river"] == shipped.streets["river"]


def test_the_card_has_one_sentence_for_each_street(heads_up: Solution) -> None:
    assert card_words(short_card(heads_up)) == {
        "pocket": "Raise with 33+, A2+, K4s+, K7o+, Q8s+, QTo+, JTs. Check the rest.",
        "flop": "Raise with a hidden pair or better, or four to a flush with a hidden ten or "
        "better. Check the rest.",
        "river": "Raise with fewer than 21 dealer outs, or a straight or better. Fold the rest.",
    }


@pytest.fixture(scope="module")
def lessons(strategy: Strategy) -> Lessons:
    return count_lessons(strategy)


@pytest.mark.slow
def test_the_short_cards_cost_is_exact(lessons: Lessons, heads_up: Solution) -> None:
    assert lessons.card.cost == COST
    assert lessons.card.house_edge == heads_up.house_edge + COST
    assert sum(lessons.card.streets.values()) == COST


@pytest.mark.slow
def test_every_hand_belongs_to_exactly_one_kind(lessons: Lessons) -> None:
    for kinds in (lessons.flop, lessons.river):
        assert sum(kind.frequency for kind in kinds) == 1
        assert all(0 <= kind.raised <= 1 for kind in kinds)
    assert lessons.flop[0].raised > Fraction(9, 10)
    rates = {kind.name: kind.raised for kind in lessons.river}
    assert rates["straight or better"] == rates["fewer than 18 dealer outs"] == 1
    assert rates["all other hands"] < Fraction(1, 1000)


@pytest.mark.slow
def test_lessons_are_cached_without_loss(
    lessons: Lessons, heads_up: Solution, tmp_path: Path
) -> None:
    assert SolvedBench(heads_up, tmp_path).lessons(heads_up.payoffs) == lessons
    (strategy,) = tmp_path.glob(STRATEGIES.pattern)
    strategy.unlink()
    assert cache_only(tmp_path).lessons(heads_up.payoffs) == lessons


@pytest.mark.slow
def test_the_json_has_the_same_lessons(lessons: Lessons) -> None:
    answer = lessons_section(lessons, "lessons").json()
    json.dumps(answer)
    assert answer["short_card"]["cost"]["exact"] == f"{COST.numerator}/{COST.denominator}"
    assert answer["short_card"]["strategy"] == SHORT_CARD
    for street, kinds in (("flop", lessons.flop), ("river", lessons.river)):
        assert [kind["hand"] for kind in answer[street]] == [kind.name for kind in kinds]
        assert sum(Fraction(kind["frequency"]["exact"]) for kind in answer[street]) == 1
