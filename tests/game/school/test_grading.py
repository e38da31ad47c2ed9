"""Answers are graded item by item, and an exam can be graded again."""

import json

import pytest

from headsup.game.refusal import Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.school import exam
from headsup.game.school.exam import (
    EXAM_EXERCISES,
    ExamAnswers,
    ExamResult,
    exam_exercises,
    grade_exam,
    read_exam,
    total_score,
    write_exam,
)
from headsup.game.school.exercise import Exercise, ItemKind, build_exercise
from headsup.game.school.grading import Mark, Score, grade, read_answer
from headsup.game.school.kinds import ExerciseKind, kinds_at
from headsup.game.values.hands import Category, category_of, hand_name

RULES = table_rules("galaxy")


def right_answers(exercise: Exercise) -> dict[str, str]:
    return {item.key: item.right for item in exercise.items}


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_the_right_answers_are_right(book: str) -> None:
    rules = table_rules(book)
    for kind in kinds_at(rules):
        exercise = build_exercise(rules, kind, "right")
        assert len(right_answers(exercise)) == len(exercise.items)
        score = grade(exercise, right_answers(exercise)).score
        assert score == Score(len(exercise.items), len(exercise.items))


def test_a_missing_answer_is_wrong() -> None:
    exercise = build_exercise(RULES, ExerciseKind.QUALIFIED, "1")
    assert grade(exercise, {}).score == Score(0, len(exercise.items))


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        (ItemKind.PAYOUT, "pay 75", "pay 75.00"),
        (ItemKind.PAYOUT, "  PAY $1,250.50 ", "pay 1250.50"),
        (ItemKind.PAYOUT, "p7.5", "pay 7.50"),
        (ItemKind.PAYOUT, "t 10", "take 10.00"),
        (ItemKind.PAYOUT, "=", "push"),
        (ItemKind.PAYOUT, "push 5", None),
        (ItemKind.PAYOUT, "pay", None),
        (ItemKind.PAYOUT, "pay -5", None),
        (ItemKind.PAYOUT, "pay 1.2.3", None),
        (ItemKind.PAYOUT, "75", None),
        (ItemKind.FATE, "return", "return"),
        (ItemKind.FATE, "r 10", "return 10.00"),
        (ItemKind.FATE, "-", "stay"),
        (ItemKind.ORDER, "5, 3 1", "5 3 1"),
        (ItemKind.ORDER, "five", None),
        (ItemKind.METER, "2", "2"),
        (ItemKind.METER, "²", None),
        (ItemKind.QUALIFIES, "n", "no"),
        (ItemKind.HAND, "Quads", "quads"),
        (ItemKind.HAND, "nothing", None),
        (ItemKind.HAND, "x" * 1000, None),
    ],
)
def test_answers_are_read_in_plain_words(kind: ItemKind, text: str, read: str | None) -> None:
    assert read_answer(kind, text) == read


def test_the_kind_of_hand_is_enough_but_ranks_must_be_right() -> None:
    exercise = build_exercise(RULES, ExerciseKind.BAD_BEAT, "1")
    item = next(item for item in exercise.items if item.kind is ItemKind.HAND)
    for answer, mark in (
        (hand_name(item.strength), Mark.RIGHT),
        (category_of(item.strength).words, Mark.RIGHT),
        ("pair of deuces" if "deuce" not in hand_name(item.strength) else "royal", Mark.WRONG),
    ):
        (graded,) = (
            each for each in grade(exercise, {item.key: answer}).items if each.item == item
        )
        assert graded.mark is mark, answer


def test_a_wrong_amount_that_follows_from_a_wrong_hand_counts_once() -> None:
    """A flush read as a straight wins all the same, but the Odds pay less."""
    exercise, seat = winning_flush()
    answers = right_answers(exercise) | {f"{seat} hand": "straight"}
    stake = exercise.round.seats[seat].stakes[Wager.ODDS]
    answers[f"{seat} odds"] = f"pay {stake // 100}"
    graded = grade(exercise, answers)
    marks = {each.item.key: each.mark for each in graded.items}
    assert (marks[f"{seat} hand"], marks[f"{seat} odds"]) == (Mark.WRONG, Mark.FOLLOWS)
    assert graded.score == Score(len(exercise.items) - 2, len(exercise.items) - 1)


def test_a_wrong_amount_that_fits_no_hand_counts_on_its_own() -> None:
    exercise, seat = winning_flush()
    answers = right_answers(exercise) | {f"{seat} hand": "straight", f"{seat} odds": "pay 1"}
    marks = {each.item.key: each.mark for each in grade(exercise, answers).items}
    assert (marks[f"{seat} hand"], marks[f"{seat} odds"]) == (Mark.WRONG, Mark.WRONG)


def winning_flush() -> tuple[Exercise, int]:
    """A flush that wins against a dealer below a straight."""
    for seed in range(200):
        exercise = build_exercise(RULES, ExerciseKind.ODDS, str(seed))
        settled = exercise.settlement
        assert settled is not None
        for seat in settled.seats:
            flush = category_of(seat.strength) is Category.FLUSH
            if flush and category_of(settled.dealer_strength) < Category.STRAIGHT:
                return exercise, seat.seat
    raise AssertionError("no flush in 200 exercises")


def exam_text(seed: str = "exam") -> str:
    exercises = exam_exercises(RULES, seed)
    answered = tuple(
        ExamAnswers(right_answers(exercise) | {exercise.items[0].key: "push"}, 12)
        for exercise in exercises
    )
    score = total_score(
        [grade(each, given.answers) for each, given in zip(exercises, answered, strict=True)]
    )
    return write_exam(RULES, ExamResult("galaxy", {}, {}, RULES.fingerprint, seed, answered, score))


def test_an_exam_grades_again_alike() -> None:
    rules, result = read_exam(json.loads(exam_text()))
    graded = grade_exam(rules, result)
    assert len(graded) == EXAM_EXERCISES
    assert total_score(graded) == result.score
    assert 0 < result.score.right < result.score.counted


@pytest.mark.parametrize("change", ["score", "answer", "seed", "kind"])
def test_a_changed_exam_is_refused(change: str) -> None:
    raw = json.loads(exam_text())
    if change == "score":
        raw["right"] += 1
    elif change == "answer":
        raw["exercises"][0]["answers"]["round order"] = "1 2 3"
    elif change == "seed":
        raw["seed"] = "other"
    else:
        raw["exercises"][0]["kind"] = "copy"
    with pytest.raises(Refused, match="changed"):
        read_exam(raw)


def test_a_result_names_no_rule_book_file() -> None:
    raw = json.loads(exam_text())
    raw["rules"] = "docs/examples/my-house.toml"
    del raw["fingerprint"]
    raw["fingerprint"] = exam._fingerprint(raw)
    with pytest.raises(Refused, match="no exam result"):
        read_exam(raw)


@pytest.mark.parametrize("raw", [None, 5, {}, [], {"headsup_exam": 1}, {"headsup_exam": 2}])
def test_what_is_no_exam_is_refused(raw: object) -> None:
    with pytest.raises(Refused, match="no exam result"):
        read_exam(raw)


def test_a_lesson_needs_more_than_95_percent() -> None:
    assert Score(96, 100).passes
    assert not Score(95, 100).passes
    assert not Score(0, 0).passes
