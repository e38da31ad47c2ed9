"""`headsup school`: exercises for dealers, graded by settlement, and exams."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import (
    json_option,
    parse_sets,
    read_rules,
    rules_option,
    sets_option,
)
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.school.exam import ExamResult
    from headsup.game.school.exercise import Exercise
    from headsup.game.school.grading import GradedExercise

LAST_LESSON = 8


@click.command(cls=Command)
@option(
    "--lesson",
    metavar="NUMBER",
    type=WholeNumber(LAST_LESSON),
    default=LAST_LESSON,
    help="1 hands, 2 main wagers, 3 below a pair, 4 Odds, 5 side wagers, 6 pool, 7 irregularities, "
    "8 everything.",
)
@rules_option
@sets_option
@option("--exam", is_flag=True, help="Take an exam of 20 exercises and write the result.")
@option("--out", metavar="FILE", default="", help="Where to write the exam's result.")
@option("--grade", "grade_file", metavar="FILE", default="", help="Grade an exam's result again.")
@option("--seed", metavar="TEXT", default="", help="The same text gives the same exercises.")
@json_option
def school(
    lesson: int,
    rules: str,
    sets: tuple[str, ...],
    exam: bool,
    out: str,
    grade_file: str,
    seed: str,
    as_json: bool,
) -> None:
    """Train dealers: rounds as they lie at settlement; say what each hand is and what it gets.

    Settlement itself grades every answer, with the clause. --exam needs --out. --grade ends with
    exit status 1 if grading gives another score than the file states. --json prints an exercise
    with its answers, or the grading.
    """
    if grade_file:
        if exam or out or seed or sets or rules != "galaxy" or lesson != LAST_LESSON:
            raise Refused(Code.BAD_ARGUMENTS, "grade_alone")
        _grade(grade_file, as_json)
        return
    if exam != bool(out):
        missing = ("--exam", "--out") if exam else ("--out", "--exam")
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where=missing[0], other=missing[1])
    if exam and (as_json or lesson != LAST_LESSON):
        raise Refused(Code.BAD_ARGUMENTS, "exam_alone")
    table = read_rules(rules, sets)
    seed = _read_seed(seed)
    if as_json:
        _print_exercise(table, lesson, seed)
    elif exam:
        _examine(table, rules, sets, seed, Path(out))
    else:
        _practise(table, lesson, seed)


def _read_seed(seed: str) -> str:
    from headsup.game.school.exam import MAX_SEED_CHARACTERS
    from headsup.house.dealing.shoe import practice_seed

    if not seed:
        return str(practice_seed())
    if len(seed) > MAX_SEED_CHARACTERS or not seed.isprintable() or " " in seed:
        raise Refused(Code.BAD_ARGUMENTS, "school_seed", where="--seed", most=MAX_SEED_CHARACTERS)
    return seed


def _practise(table: "TableRules", lesson: int, seed: str) -> None:
    from headsup.cli.play.school import School
    from headsup.game.school.kinds import LESSONS
    from headsup.house.training.notebook import NotebookFile, default_notebook_path

    notebook = NotebookFile(default_notebook_path().with_name("school.jsonl"))
    School(table, LESSONS[lesson - 1], notebook, seed).practise()


def _examine(table: "TableRules", rules: str, sets: tuple[str, ...], seed: str, out: Path) -> None:
    from headsup.cli.options.output_files import check_writable, print_file_names, write_files
    from headsup.cli.play.school import School
    from headsup.cli.screens.style import console
    from headsup.game.rulebook.loader import recordable_rules
    from headsup.game.school.exam import ExamResult, grade_exam, total_score, write_exam
    from headsup.game.school.grading import Score
    from headsup.game.school.kinds import LESSONS
    from headsup.house.training.notebook import NotebookFile

    check_writable([out])
    answered = School(table, LESSONS[-1], NotebookFile(), seed).examine()
    if answered is None:
        print("The exam was not finished, so nothing is written.")
        raise SystemExit(1)
    choice = (recordable_rules(rules), *parse_sets(sets), table.fingerprint, seed, answered)
    graded = grade_exam(table, ExamResult(*choice, Score(0, 0)))
    result = ExamResult(*choice, total_score(graded))
    text = write_exam(table, result)
    write_files({out: text.encode()})
    _print_result(table, result, graded, json.loads(text)["fingerprint"])
    print_file_names(console(), [out])


def _grade(file: str, as_json: bool) -> None:
    from headsup.cli.commands.settle import read_input
    from headsup.game.school.exam import grade_exam, read_exam, total_score
    from headsup.game.values.safe_parse import parse_json

    try:
        raw: Any = parse_json(read_input(file))
        table, result = read_exam(raw)
    except Refused as refused:
        raise Refused.of(refused.refusal.within(file)) from None
    graded = grade_exam(table, result)
    agrees = total_score(graded) == result.score
    if as_json:
        print(json.dumps(_result_json(table, result, graded, raw["fingerprint"], agrees=agrees)))
    else:
        _print_result(table, result, graded, raw["fingerprint"])
        stated = f"{result.score.right} of {result.score.counted}"
        print(f"The file states {stated}: {'confirmed' if agrees else 'NOT what grading gives'}.")
    if not agrees:
        raise SystemExit(1)


def _print_result(
    table: "TableRules",
    result: "ExamResult",
    graded: "tuple[GradedExercise, ...]",
    fingerprint: str,
) -> None:
    from headsup.cli.play.school import pass_words
    from headsup.cli.screens.school import print_exam
    from headsup.cli.screens.style import console
    from headsup.game.school.exam import total_score

    seconds = [answered.seconds for answered in result.answered]
    facts = (
        ("Rules", f"{table.id}, {table.fingerprint[:16]}"),
        ("Seed", result.seed),
        ("Fingerprint", fingerprint),
        ("Time", f"{sum(seconds)} seconds"),
        ("Result", pass_words(total_score(graded))),
    )
    print_exam(console(), graded, seconds, facts)


# JSON.


def _print_exercise(table: "TableRules", lesson: int, seed: str) -> None:
    from headsup.game.school.exam import exercise_name
    from headsup.game.school.exercise import build_exercise
    from headsup.game.school.kinds import LESSONS

    name = exercise_name(table, seed, 1, LESSONS[lesson - 1])
    print(json.dumps(_exercise_json(build_exercise(table, name.kind, name.seed))))


def _exercise_json(exercise: "Exercise") -> dict[str, Any]:
    from headsup.game.values.cards import format_cards
    from headsup.game.values.money import format_cents, format_micros

    state, rules = exercise.round, exercise.rules
    deal = state.open_deal()
    shows_hands = exercise.preview is None
    written: dict[str, Any] = {
        "rules": {"id": rules.id, "fingerprint": rules.fingerprint},
        "kind": exercise.kind,
        "seed": exercise.seed,
        "phase": state.phase,
        "dealer": format_cards(deal.dealer),
        "board": format_cards(deal.board),
        "all_6": format_cards(deal.all_6) if shows_hands else "",
        "meter": None if exercise.meter is None else format_micros(exercise.meter),
        "target_seconds": exercise.target_seconds,
        "seats": [
            {
                "seat": play.seat,
                "hole": format_cards(play.hole) if shows_hands else "",
                "wagers": {wager: format_cents(cents) for wager, cents in play.stakes.items()},
                "raise": play.multiple,
                "fold": play.folded,
            }
            for play in state.seat_plays({})
        ],
        "items": [
            {
                "key": item.key,
                "asks": item.kind,
                "right": item.right,
                "why": item.why,
                "clause": item.clause,
            }
            for item in exercise.items
        ],
    }
    if exercise.preview is not None:
        preview = exercise.preview
        written["irregularity"] = {
            "cause": preview.cause,
            "seat": preview.seat,
            "resolution": preview.resolution,
        }
    return written


def _result_json(
    table: "TableRules",
    result: "ExamResult",
    graded: "tuple[GradedExercise, ...]",
    fingerprint: str,
    *,
    agrees: bool,
) -> dict[str, Any]:
    from headsup.game.school.exam import total_score

    score = total_score(graded)
    return {
        "rules": {"id": table.id, "fingerprint": table.fingerprint},
        "seed": result.seed,
        "fingerprint": fingerprint,
        "right": score.right,
        "counted": score.counted,
        "passed": score.passes,
        "agrees": agrees,
        "exercises": [
            {
                "kind": each.exercise.kind,
                "seed": each.exercise.seed,
                "seconds": answered.seconds,
                "right": each.score.right,
                "counted": each.score.counted,
                "items": [
                    {
                        "key": item.item.key,
                        "answer": item.answer,
                        "right": item.item.right,
                        "mark": item.mark,
                        "clause": item.item.clause,
                    }
                    for item in each.items
                ],
            }
            for each, answered in zip(graded, result.answered, strict=True)
        ],
    }
