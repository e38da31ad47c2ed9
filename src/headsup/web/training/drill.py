"""The drills of one server: asks questions and grades the answers.

The values stay on the server until the player has answered.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from uuid import uuid4

from headsup.analysis.advice.advice import ActionValue
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note, NoteSource
from headsup.analysis.training.questions import is_close
from headsup.analysis.training.repetition import Repetition, due_notes
from headsup.analysis.training.tally import Tally
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street
from headsup.house import clock
from headsup.house.dealing.shoe import practice_seed
from headsup.house.people.person import Person
from headsup.web.training.coach import Trainer, wait_briefly
from headsup.web.workers.hand_values import NoAnswer, find_question

MAX_OPEN_QUESTIONS = 5_000  # unanswered; the oldest are dropped
PRACTICE_ANTE_CENTS = 1_000  # the Ante in new questions


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """An open question. Its note already has a choice, which is replaced by the answer."""

    id: str
    note: Note
    label: str  # the rules' word for a Raise; empty to use the rule book's
    repeated: bool
    due: int


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    note: Note
    label: str
    answered: int
    correct: int
    comes_back: int | None


@dataclass(frozen=True, slots=True)
class Practice:
    """What a player wants to practise."""

    rules: RulesChoice
    book: str
    label: str
    street: Street | None
    kind: Kind | None


class DrillDesk:
    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._open_questions: OrderedDict[tuple[str, str], PosedQuestion] = OrderedDict()
        # Seeds of questions still being computed: asking again gives the same question.
        self._seeds: dict[str, int] = {}

    async def next_question(self, person: Person, practice: Practice) -> PosedQuestion | None:
        """A missed question that is due, else a new one; None while that is being computed.

        After a repeated question always comes a new one.
        """
        notes = await self._trainer.notes(person)
        missed = due_notes(notes, practice.book, practice.street, practice.kind)
        if due := [note for note in missed if is_close(note.advice)]:
            return self._pose(person, due[0], "", True, len(due))
        note = await self._new_note(person, practice)
        return None if note is None else self._pose(person, note, practice.label, False, 0)

    async def answer(
        self, person: Person, id: str, chosen: tuple[str, int]
    ) -> AnsweredQuestion | None:
        """Grade an answer; None if the question is not open or has no such option."""
        question = self._open_questions.get((person.id, id))
        value = None if question is None else _option_value(question.note, chosen)
        if question is None or value is None:
            return None
        del self._open_questions[person.id, id]
        note = replace(
            question.note, at=clock.now(), source=NoteSource.DRILL, chosen=value, place=""
        )
        await self._trainer.remember(person, [note])
        notes = await self._trainer.notes(person)
        return await asyncio.to_thread(_grade_answer, note, question.label, notes)

    def _pose(
        self, person: Person, note: Note, label: str, repeated: bool, due: int
    ) -> PosedQuestion:
        question = PosedQuestion(uuid4().hex, note, label, repeated, due)
        self._open_questions[person.id, question.id] = question
        if len(self._open_questions) > MAX_OPEN_QUESTIONS:
            self._open_questions.popitem(last=False)
        return question

    async def _new_note(self, person: Person, practice: Practice) -> Note | None:
        seed = self._seeds.setdefault(person.id, practice_seed())
        request = self._trainer.solver.ask(
            find_question, practice.rules, seed, practice.street, practice.kind
        )
        try:
            hand = await wait_briefly(request)
        except NoAnswer:
            self._seeds.pop(person.id, None)
            raise
        if hand is None:
            return None
        self._seeds.pop(person.id, None)
        values = hand.game_advice.advice.values
        return Note(
            clock.now(),
            NoteSource.DRILL,
            practice.book,
            hand.game_advice.game,
            hand.hole,
            hand.board,
            PRACTICE_ANTE_CENTS,
            values,
            values[0],
        )


def _grade_answer(note: Note, label: str, notes: list[Note]) -> AnsweredQuestion:
    repetition, drilled = Repetition.of(notes), Tally.of(notes).drilled
    due_at = [item.due for item in repetition.repeats if item.note.question == note.question]
    comes_back = due_at[0] - repetition.answered if due_at else None
    return AnsweredQuestion(note, label, drilled.decisions, drilled.correct, comes_back)


def _option_value(note: Note, chosen: tuple[str, int]) -> ActionValue | None:
    return next((item for item in note.values if (item.action, item.multiple) == chosen), None)
