"""The dealer school in the terminal: practice, lessons and exams."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from headsup.analysis.training.repetition import due_questions
from headsup.cli.play.keys import EndOfInput, Keys, open_keys
from headsup.cli.play.screen import PlayScreen
from headsup.cli.screens.school import ask_text, draw_exercise, result_lines, score_text
from headsup.cli.screens.style import console, printable
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.school.exam import ExamAnswers, exam_exercises, exercise_name
from headsup.game.school.exercise import Exercise, Item, ItemKind, build_exercise
from headsup.game.school.grading import (
    HINTS,
    PASS_PERCENT,
    GradedExercise,
    Score,
    grade,
    read_answer,
)
from headsup.game.school.kinds import ExerciseKind, Lesson
from headsup.house import clock
from headsup.house.training.notebook import Notebook

LESSON_EXERCISES = 20  # in a row, together above PASS_PERCENT


class _Quit(Exception):
    """The trainee has had enough."""


@dataclass(frozen=True, slots=True)
class SchoolNote:
    """One answered exercise in the notebook: enough to repeat it and to count the lesson."""

    lesson: int
    fingerprint: str  # of the rules
    kind: str
    seed: str
    score: Score

    @property
    def question(self) -> str:
        return f"{self.kind} {self.seed}"

    @property
    def is_right(self) -> bool:
        return self.score.right == self.score.counted


def read_school_notes(lines: Sequence[str]) -> list[SchoolNote]:
    """The notes in these lines, leaving out damaged ones."""
    notes = []
    for line in lines:
        try:
            raw: Any = json.loads(line)
            score = Score(int(raw["right"]), int(raw["counted"]))
            kind = ExerciseKind(raw["kind"]).value
            texts = (str(raw["rules"]), kind, str(raw["seed"]))
            notes.append(SchoolNote(int(raw["lesson"]), *texts, score))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return notes


class School:
    def __init__(
        self,
        rules: TableRules,
        lesson: Lesson,
        notebook: Notebook,
        seed: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rules, self._lesson, self._notebook = rules, lesson, notebook
        self._seed, self._now = seed, now
        self._console = console()
        self._screen = PlayScreen(self._console)
        self._number = 0

    # Practice.

    def practise(self) -> None:
        """Exercises of the lesson until the trainee quits, or has passed it."""
        notes = self._load()
        self._console.print(Text(f"Lesson {self._lesson.number}: {self._lesson.title}", "bold"))
        total = Score(0, 0)
        try:
            with open_keys() as keys:
                while True:
                    graded = self._practise_one(keys, notes)
                    total += graded.score
                    if self._has_passed(notes):
                        self._console.print(Text("  Lesson passed.", style="bold green"))
                        break
        except (EndOfInput, _Quit):
            self._console.print()
        if total.counted:
            self._console.print(f"This time: {score_text(total)}.")

    def _practise_one(self, keys: Keys, notes: list[SchoolNote]) -> GradedExercise:
        exercise = self._next(notes)
        answers, seconds = self._ask_all(keys, exercise)
        graded = grade(exercise, answers)
        self._save(graded, notes, seconds)
        for line in result_lines(graded, seconds):
            self._console.print(line)
        last = _last_score(notes)
        count = min(len(notes), LESSON_EXERCISES)
        progress = f"  The last {count} of {LESSON_EXERCISES}: {score_text(last)}."
        self._console.print(Text(progress, style="dim"))
        return graded

    def _next(self, notes: Sequence[SchoolNote]) -> Exercise:
        """A missed exercise that is due, but not two in a row; else a new one."""
        due = due_questions((note.question, note.is_right) for note in notes)
        repeated = [note.question for note in notes[:-1]]
        if due and notes[-1].question not in repeated:
            kind, _, seed = due[0].partition(" ")
            return build_exercise(self._rules, ExerciseKind(kind), seed)
        self._number += 1
        name = exercise_name(self._rules, self._seed, self._number, self._lesson)
        return build_exercise(self._rules, name.kind, name.seed)

    def _load(self) -> list[SchoolNote]:
        """The notes of this lesson under these rules."""
        try:
            lines = self._notebook.lines("")
        except OSError as error:
            self._console.print(f"Earlier exercises cannot be read: {error.strerror or error}.")
            return []
        return [
            note
            for note in read_school_notes(lines)
            if (note.lesson, note.fingerprint) == (self._lesson.number, self._rules.fingerprint)
        ]

    def _save(self, graded: GradedExercise, notes: list[SchoolNote], seconds: int) -> None:
        exercise, score = graded.exercise, graded.score
        texts = (self._rules.fingerprint, exercise.kind.value, exercise.seed)
        notes.append(SchoolNote(self._lesson.number, *texts, score))
        line = {
            "at": clock.now(),
            "lesson": self._lesson.number,
            "rules": self._rules.fingerprint,
            "kind": exercise.kind.value,
            "seed": exercise.seed,
            "right": score.right,
            "counted": score.counted,
            "seconds": seconds,
        }
        try:
            self._notebook.add("", [json.dumps(line, separators=(",", ":"))])
        except OSError as error:
            self._console.print(f"  This exercise is not saved: {error.strerror or error}.")

    def _has_passed(self, notes: Sequence[SchoolNote]) -> bool:
        return len(notes) >= LESSON_EXERCISES and _last_score(notes).passes

    # Exams.

    def examine(self) -> tuple[ExamAnswers, ...] | None:
        """All exercises of the exam; None if the trainee gave up. Nothing is graded in between."""
        exercises = exam_exercises(self._rules, self._seed)
        answered = []
        try:
            with open_keys() as keys:
                for number, exercise in enumerate(exercises, 1):
                    self._console.print(
                        Text(f"\nExercise {number} of {len(exercises)}", style="bold")
                    )
                    answers, seconds = self._ask_all(keys, exercise)
                    answered.append(ExamAnswers(answers, seconds))
        except (EndOfInput, _Quit):
            self._console.print()
            return None
        return tuple(answered)

    # Questions.

    def _ask_all(self, keys: Keys, exercise: Exercise) -> tuple[Mapping[str, str], int]:
        self._console.print()
        self._console.print(draw_exercise(exercise, self._console.width))
        start = self._now()
        answers: dict[str, str] = {}
        typed: list[str] = []  # answers that were typed ahead, separated by commas
        for item in exercise.items:
            while item.key not in answers:
                text = typed.pop(0) if typed else self._ask(keys, ask_text(exercise, item))
                if item.kind is ItemKind.FATE and text.lower().startswith("all "):
                    typed = [text[4:]] * _count_left(exercise, item)
                    continue
                if item.kind is not ItemKind.ORDER and "," in text:
                    text, *rest = _split(text)
                    typed = [*rest, *typed]
                answer = read_answer(item.kind, text)
                if answer is None:
                    typed = []
                    shown = f"'{printable(text[:20])}' is no answer here: " if text else ""
                    hint = f"  {shown}type {HINTS[item.kind]}; q quits."
                    self._console.print(Text(hint, style="yellow"))
                else:
                    answers[item.key] = answer
        return answers, round(self._now() - start)

    def _ask(self, keys: Keys, question: str) -> str:
        question = question if question.endswith("?") else f"{question}:"
        if not self._screen.is_terminal:
            self._screen.ask(question)  # a pipe echoes nothing
        text = keys.line(lambda typed: self._screen.ask(f"{question} {typed}"))
        self._screen.leave_prompt()
        if text is None or text.strip().lower() in ("q", "quit"):
            raise _Quit
        return text.strip()


def _count_left(exercise: Exercise, item: Item) -> int:
    """How many stakes of this seat are still to be answered, this one included."""
    fates = [each for each in exercise.items if each.kind is item.kind and each.seat == item.seat]
    return len(fates) - fates.index(item)


def _split(text: str) -> list[str]:
    """Answers separated by commas. A comma that groups thousands separates nothing."""
    parts = [part.strip() for part in text.replace(";", ",").split(", ")]
    return [piece for part in parts for piece in _split_tight(part)]


def _split_tight(part: str) -> list[str]:
    """`pay 5,push` as two answers, but `pay 1,250` as one."""
    pieces = part.split(",")
    joined = pieces[:1]
    for piece in pieces[1:]:
        if piece[:3].isdigit() and joined[-1][-1:].isdigit():
            joined[-1] += f",{piece}"
        else:
            joined.append(piece)
    return joined


def _last_score(notes: Sequence[SchoolNote]) -> Score:
    return sum((note.score for note in notes[-LESSON_EXERCISES:]), Score(0, 0))


def pass_words(score: Score) -> str:
    needed = f"more than {PASS_PERCENT} % are needed"
    return f"{score_text(score)}: {'passed' if score.passes else 'not passed'} ({needed})"
