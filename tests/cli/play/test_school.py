"""`headsup school`: practice, lessons and exams with typed answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from headsup.cli.play.school import School, read_school_notes
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.school.exam import EXAM_EXERCISES, exam_exercises, exercise_name
from headsup.game.school.exercise import Exercise, build_exercise
from headsup.game.school.kinds import LESSONS
from headsup.house.training.notebook import NotebookFile
from tests.support.cli.run import ROOT, Answer, headsup, piped, refusal_sentence

RULES = table_rules("galaxy")


def series(lesson: int, count: int, rules: TableRules = RULES) -> list[Exercise]:
    names = [
        exercise_name(rules, "s", number, LESSONS[lesson - 1]) for number in range(1, count + 1)
    ]
    return [build_exercise(rules, name.kind, name.seed) for name in names]


def typed(exercises: list[Exercise]) -> str:
    return "".join(f"{item.right}\n" for exercise in exercises for item in exercise.items)


def practise(home: Path, lesson: int, keys: str) -> Answer:
    return piped(home, "school", "--lesson", str(lesson), "--seed", "s", keys=keys)


def test_right_answers_are_said_to_be_right(tmp_path: Path) -> None:
    (exercise,) = series(2, 1)
    answer = practise(tmp_path, 2, typed([exercise]) + "q\n")
    assert answer.code == 0, answer.err
    count = len(exercise.items)
    assert "All right. The dealer qualifies" in answer.out
    assert f"This time: {count} of {count} right, 100.0 %." in answer.out


def test_a_wrong_answer_gets_the_right_one_with_its_clause(tmp_path: Path) -> None:
    (exercise,) = series(2, 1)
    answers = [item.right for item in exercise.items]
    answers[-1] = "pay 1"
    answer = practise(tmp_path, 2, "\n".join(answers) + "\nq\n")
    item = exercise.items[-1]
    assert f"{item.right}, not pay 1.00" in answer.out
    assert f"{item.why} ({item.clause})" in answer.out


def test_answers_may_share_a_line(tmp_path: Path) -> None:
    (exercise,) = series(2, 1)
    order, *others = [item.right for item in exercise.items]
    answer = practise(tmp_path, 2, f"{order}\n{', '.join(others)}\nq\n")
    assert "All right." in answer.out


def test_one_word_answers_all_stakes_of_a_seat(tmp_path: Path) -> None:
    exercises = series(7, 1)
    keys = ""
    seats = {item.seat for item in exercises[0].items if item.seat is not None}
    keys += "all stay\n" * len(seats)
    answer = practise(tmp_path, 7, keys + "0\nq\n")
    assert "This time:" in answer.out


def test_what_is_no_answer_is_asked_again(tmp_path: Path) -> None:
    (exercise,) = series(2, 1)
    answer = practise(tmp_path, 2, f"\x1b[2J what\n\n{typed([exercise])}q\n")
    assert "is no answer here: type the seats in order" in answer.out
    assert "\x1b[2J" not in answer.out
    assert "All right." in answer.out


def test_face_down_cards_are_not_shown(tmp_path: Path) -> None:
    """In an irregularity before the flop, no card of the deck is on the screen."""
    for exercise in series(7, 30):
        if exercise.round.board_shown:
            continue
        home = tmp_path / exercise.seed
        shown = piped(home, "school", "--lesson", "7", "--seed", "s", keys="q\n").out
        assert not any(pip in shown for pip in "♣♦♥♠")
        return


def test_a_lesson_ends_after_20_exercises_above_95_percent(tmp_path: Path) -> None:
    answer = practise(tmp_path, 1, typed(series(1, 25)))
    assert "Lesson passed." in answer.out
    assert answer.out.count("All right.") == 20


def test_mistakes_come_back(tmp_path: Path) -> None:
    exercises = series(1, 4)
    first = "\n".join("royal" for _ in exercises[0].items)
    keys = f"{first}\n{typed(exercises[1:4])}"
    again = typed([exercises[0]])
    answer = practise(tmp_path, 1, keys + again + "q\n")
    assert answer.out.count("All right.") == 4
    notes = read_school_notes((tmp_path / "headsup" / "school.jsonl").read_text().splitlines())
    assert [note.seed for note in notes] == ["s-1", "s-2", "s-3", "s-4", "s-1"]


def test_damaged_lines_of_the_notebook_are_left_out() -> None:
    lines = ["", "{}", "[]", "null", '{"lesson": 1}', "[" * 5000, '{"right": "x"}']
    assert read_school_notes(lines) == []


def test_time_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(0, 10_000, 31))
    notebook = NotebookFile(tmp_path / "school.jsonl")
    school = School(RULES, LESSONS[0], notebook, "s", now=lambda: next(ticks))
    keys = typed(series(1, 1)).splitlines()
    monkeypatch.setattr("sys.stdin", _Lines(keys))
    school.practise()
    (line,) = (tmp_path / "school.jsonl").read_text().splitlines()
    assert json.loads(line)["seconds"] == 31


class _Lines:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def readline(self) -> str:
        return f"{self._lines.pop(0)}\n" if self._lines else ""

    def isatty(self) -> bool:
        return False


# Exams.


def take_exam(home: Path, keys: str, rules: str = "galaxy") -> tuple[Path, Answer]:
    out = home / "exam.json"
    words = ("school", "--exam", "--out", str(out), "--seed", "s", "--rules", rules)
    return out, piped(home, *words, keys=keys)


@pytest.mark.parametrize("rules", ["galaxy", str(ROOT / "docs" / "examples" / "my-house.toml")])
def test_an_exam_is_written_and_graded_again(tmp_path: Path, rules: str) -> None:
    exercises = list(exam_exercises(table_rules(rules), "s"))
    out, answer = take_exam(tmp_path, typed(exercises), rules)
    assert answer.code == 0, answer.err
    assert "passed" in answer.out
    assert "All right." not in answer.out  # an exam says nothing in between
    written: Any = json.loads(out.read_text())
    assert len(written["exercises"]) == EXAM_EXERCISES
    again = headsup("school", "--grade", out)
    assert again.code == 0, again.err
    assert "confirmed" in again.out
    assert written["fingerprint"] in again.out
    report = headsup("school", "--grade", out, "--json").json
    assert report["passed"]
    assert report["agrees"]
    assert report["right"] == report["counted"] == written["right"]


def test_a_file_that_states_a_better_score_is_found_out(tmp_path: Path) -> None:
    """Whoever also works out a new fingerprint still does not change what grading gives."""
    from headsup.game.school import exam

    out, _ = take_exam(tmp_path, typed(list(exam_exercises(RULES, "s"))))
    raw = json.loads(out.read_text())
    raw["exercises"][0]["answers"] = {}
    raw.pop("fingerprint")
    raw["fingerprint"] = exam._fingerprint(raw)
    out.write_text(json.dumps(raw))
    answer = headsup("school", "--grade", out)
    assert answer.code == 1
    assert "NOT what grading gives" in answer.out


def test_practice_does_not_give_away_the_exam_of_its_seed() -> None:
    practised = {exercise.round.deck for exercise in series(8, EXAM_EXERCISES)}
    assert practised.isdisjoint(exercise.round.deck for exercise in exam_exercises(RULES, "s"))


def test_an_unfinished_exam_writes_nothing(tmp_path: Path) -> None:
    out, answer = take_exam(tmp_path, "q\n")
    assert answer.code == 1
    assert "nothing is written" in answer.out
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--exam",), "--exam: can be used only with --out"),
        (("--out", "x.json"), "--out: can be used only with --exam"),
        (("--grade", "no-such-file.json"), "no-such-file.json"),
        (("--grade", "x", "--lesson", "2"), "--grade reads everything from the file"),
        (("--exam", "--out", "x.json", "--json"), "--exam covers every lesson"),
        (("--lesson", "9"), "--lesson: must be a whole number from 1 to 8"),
        (("--lesson", "6", "--rules", "sugarhouse", "--json"), "no exercises for lesson 6"),
        (("--seed", "a b"), "--seed: must be 1 to 64 printable characters"),
        (("--exam", "--out", "no-such-folder/x.json"), "no-such-folder"),
    ],
)
def test_bad_options_are_refused(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal_sentence(headsup("school", *words))


def test_json_has_an_exercise_and_its_answers() -> None:
    report = headsup("school", "--lesson", "4", "--seed", "s", "--json").json
    assert report["seats"]
    assert {item["asks"] for item in report["items"]} >= {"hand", "payout"}
    assert report == headsup("school", "--lesson", "4", "--seed", "s", "--json").json
