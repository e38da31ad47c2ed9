"""Exams: twenty exercises that follow from one seed, and results that can be graded again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.loader import is_recordable
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.school.exercise import Exercise, build_exercise, seeded_bits
from headsup.game.school.grading import (
    MAX_ANSWER_CHARACTERS,
    GradedExercise,
    Score,
    grade,
)
from headsup.game.school.kinds import LESSONS, ExerciseKind, Lesson, draw_kind

EXAM_EXERCISES = 20
MAX_SEED_CHARACTERS = 64
_VERSION = 1


@dataclass(frozen=True, slots=True)
class ExerciseName:
    """Kind and seed of an exercise; with the rules they rebuild it."""

    kind: ExerciseKind
    seed: str


@dataclass(frozen=True, slots=True)
class ExamAnswers:
    """What a trainee answered in one exercise, by item, and how long it took."""

    answers: Mapping[str, str]
    seconds: int


@dataclass(frozen=True, slots=True)
class ExamResult:
    """A result as its file has it: the choice of rules as it was written, seed and answers."""

    book: str  # a shipped rule book's id, or the text of another
    paytables: Mapping[str, Any]
    options: Mapping[str, Any]
    rules_fingerprint: str
    seed: str
    answered: tuple[ExamAnswers, ...]
    score: Score


def exercise_name(
    rules: TableRules, seed: str, number: int, lesson: Lesson = LESSONS[-1]
) -> ExerciseName:
    """The exercise with this number, from 1, in the series of this seed."""
    own_seed = f"{seed}-{number}"
    bits = seeded_bits(rules, f"kind of lesson {lesson.number}", own_seed)
    kind = draw_kind(rules, number, bits, lesson)
    if kind is None:
        raise Refused(
            Code.BAD_ARGUMENTS, "no_lesson", where="--lesson", number=lesson.number, rules=rules.id
        )
    return ExerciseName(kind, own_seed)


def _exam_names(rules: TableRules, seed: str) -> list[ExerciseName]:
    """The exercises of the exam. Practice never has them, because its seeds have no space."""
    return [exercise_name(rules, f"exam {seed}", number) for number in range(1, EXAM_EXERCISES + 1)]


def exam_exercises(rules: TableRules, seed: str) -> tuple[Exercise, ...]:
    names = _exam_names(rules, seed)
    return tuple(build_exercise(rules, name.kind, name.seed) for name in names)


def grade_exam(rules: TableRules, result: ExamResult) -> tuple[GradedExercise, ...]:
    """Grade the answers again, from the seed alone."""
    exercises = exam_exercises(rules, result.seed)
    return tuple(
        grade(exercise, answered.answers)
        for exercise, answered in zip(exercises, result.answered, strict=True)
    )


def total_score(graded: Sequence[GradedExercise]) -> Score:
    return sum((each.score for each in graded), Score(0, 0))


# The file.


def write_exam(rules: TableRules, result: ExamResult) -> str:
    """The result as JSON text. Its fingerprint covers every other field."""
    names = _exam_names(rules, result.seed)
    content: dict[str, Any] = {
        "headsup_exam": _VERSION,
        "rules": result.book,
        "paytables": dict(result.paytables),
        "options": dict(result.options),
        "rules_fingerprint": result.rules_fingerprint,
        "seed": result.seed,
        "exercises": [
            {
                "kind": name.kind.value,
                "seed": name.seed,
                "seconds": answered.seconds,
                "answers": dict(answered.answers),
            }
            for name, answered in zip(names, result.answered, strict=True)
        ],
        "right": result.score.right,
        "counted": result.score.counted,
    }
    content["fingerprint"] = _fingerprint(content)
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def read_exam(raw: object) -> tuple[TableRules, ExamResult]:
    """A result, checked: whole, unchanged, and about exactly the exercises of its seed."""
    try:
        return _read(raw)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(Code.BAD_ARGUMENTS, "no_exam") from None


def _read(raw: Any) -> tuple[TableRules, ExamResult]:
    content = {key: value for key, value in raw.items() if key != "fingerprint"}
    if raw["headsup_exam"] != _VERSION or len(raw["exercises"]) != EXAM_EXERCISES:
        raise ValueError("no exam")
    if raw["fingerprint"] != _fingerprint(content):
        raise Refused(Code.BAD_ARGUMENTS, "exam_changed")
    book = _text(raw["rules"], 1_000_000)
    if not is_recordable(book):  # a result never names a file of another machine
        raise ValueError("rules")
    rules = table_rules(book, raw["paytables"], raw["options"])
    if rules.fingerprint != raw["rules_fingerprint"]:
        raise Refused(Code.BAD_ARGUMENTS, "exam_rules", rules=rules.id)
    seed = _text(raw["seed"], MAX_SEED_CHARACTERS)
    answered = []
    names = _exam_names(rules, seed)
    for number, (name, exercise) in enumerate(zip(names, raw["exercises"], strict=True), 1):
        if (exercise["kind"], exercise["seed"]) != (name.kind.value, name.seed):
            raise Refused(Code.BAD_ARGUMENTS, "exam_exercise", number=number)
        answers = {
            _text(key, MAX_ANSWER_CHARACTERS): _text(value, MAX_ANSWER_CHARACTERS)
            for key, value in exercise["answers"].items()
        }
        answered.append(ExamAnswers(answers, _count(exercise["seconds"])))
    score = Score(_count(raw["right"]), _count(raw["counted"]))
    result = ExamResult(
        *(raw["rules"], raw["paytables"], raw["options"], rules.fingerprint, seed),
        *(tuple(answered), score),
    )
    return rules, result


def _fingerprint(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(text.encode("ascii")).hexdigest()


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError("text")
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError("count")
    return value
