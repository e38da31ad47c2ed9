"""Drills of one server: which question comes next for whom, and what was answered.

The values are with the server until the answer is given.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from uuid import uuid4

from headsup.analysis.advice.advice import ActionValue
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note, NoteSource
from headsup.analysis.training.repetition import Repetition
from headsup.analysis.training.tally import Tally
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street
from headsup.house import clock
from headsup.house.dealing.shoe import practice_seed
from headsup.house.people.accounts import Person
from headsup.web.training.coach import Trainer, wait_briefly
from headsup.web.workers.training_values import ValuesUnavailable

MAX_OPEN_QUESTIONS = 5_000  # questions that wait for their answers
PRACTICE_ANTE_CENTS = 1_000  # cents: what a new question is played for


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question; the answer that its note has is not given yet."""

    id: str
    note: Note
    label: str  # what the rules call a Raise; empty where their book says it
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
    """What somebody wants to practise."""

    rules: RulesChoice
    book: str
    label: str
    street: Street | None
    kind: Kind | None


class DrillDesk:
    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._posed: OrderedDict[tuple[str, str], PosedQuestion] = OrderedDict()
        # Asked again while it is worked out, the question is the same.
        self._seeds: dict[str, int] = {}

    async def next(self, person: Person, practice: Practice) -> PosedQuestion | None:
        """None while a new one is worked out."""
        due = [
            one.note
            for one in Repetition.of(await self._trainer.notes(person)).due
            if practice.street in (None, one.note.street) and practice.kind in (None, one.note.kind)
        ]
        if due:
            return self._pose(person, due[0], "", True, len(due))
        note = await self._new(person, practice)
        return None if note is None else self._pose(person, note, practice.label, False, 0)

    async def answer(
        self, person: Person, id: str, chosen: tuple[str, int]
    ) -> AnsweredQuestion | None:
        """None where no such question waits, or it has no such option."""
        posed = self._posed.get((person.id, id))
        value = None if posed is None else _value(posed.note, chosen)
        if posed is None or value is None:
            return None
        del self._posed[person.id, id]
        note = replace(posed.note, at=clock.now(), source=NoteSource.DRILL, chosen=value, place="")
        await self._trainer.remember(person, [note])
        notes = await self._trainer.notes(person)
        return await asyncio.to_thread(_grade_answer, note, posed.label, notes)

    def _pose(
        self, person: Person, note: Note, label: str, repeated: bool, due: int
    ) -> PosedQuestion:
        posed = PosedQuestion(uuid4().hex, note, label, repeated, due)
        self._posed[person.id, posed.id] = posed
        if len(self._posed) > MAX_OPEN_QUESTIONS:
            self._posed.popitem(last=False)
        return posed

    async def _new(self, person: Person, practice: Practice) -> Note | None:
        seed = self._seeds.setdefault(person.id, practice_seed())
        wanted = (practice.rules, seed, practice.street, practice.kind)
        try:
            found = await wait_briefly(self._trainer.values.question(*wanted))
        except ValuesUnavailable:
            self._seeds.pop(person.id, None)
            raise
        if found is None:
            return None
        self._seeds.pop(person.id, None)
        values = found.asked.advice.values
        return Note(
            *(
                clock.now(),
                NoteSource.DRILL,
                practice.book,
                found.asked.game,
                found.hole,
                found.board,
            ),
            *(PRACTICE_ANTE_CENTS, values, values[0]),
        )


def _due(notes: list[Note], practice: Practice) -> list[Note]:
    return [
        one.note
        for one in Repetition.of(notes).due
        if practice.street in (None, one.note.street) and practice.kind in (None, one.note.kind)
    ]


def _grade_answer(note: Note, label: str, notes: list[Note]) -> AnsweredQuestion:
    repetition, drilled = Repetition.of(notes), Tally.of(notes).drilled
    left = [one.due for one in repetition.repeats if one.note.question == note.question]
    comes_back = left[0] - repetition.answered if left else None
    return AnsweredQuestion(note, label, drilled.decisions, drilled.correct, comes_back)


def _value(note: Note, chosen: tuple[str, int]) -> ActionValue | None:
    return next((one for one in note.values if (one.action, one.multiple) == chosen), None)
