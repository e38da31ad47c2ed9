"""Spaced repetition: a missed decision comes back soon, and later each time it is answered right.

Time is counted in answered questions, so a week's pause changes nothing. A miss puts a question on
the first step, and each right answer moves it one step on; after the last step it is learned.
Mistakes at the table also start on the first step and are due at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note, NoteSource
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import Cards

REPEAT_AFTER_QUESTIONS = (3, 8, 20, 50)  # questions until it is repeated


@dataclass(frozen=True, slots=True)
class Repeat:
    """A question to repeat: its last answer, its step, and when it is due."""

    note: Note
    step: int
    due: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """The questions to repeat. One is due once `answered` reaches its `due`."""

    answered: int
    repeats: tuple[Repeat, ...]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Repetition":
        """Build the state from all notes, in order."""
        answered = 0
        repeats: dict[tuple[str, Cards, Cards], Repeat] = {}
        for note in notes:
            is_drill, is_correct = note.source is NoteSource.DRILL, note.judgement.correct
            answered += is_drill
            previous = repeats.get(note.question)
            if not is_correct:
                repeats[note.question] = Repeat(
                    note, 0, answered + (REPEAT_AFTER_QUESTIONS[0] if is_drill else 0)
                )
            elif is_drill and previous is not None:
                del repeats[note.question]
                if previous.step + 1 < len(REPEAT_AFTER_QUESTIONS):
                    step = previous.step + 1
                    repeats[note.question] = Repeat(
                        note, step, answered + REPEAT_AFTER_QUESTIONS[step]
                    )
        return cls(answered, tuple(repeats.values()))

    @property
    def due(self) -> tuple[Repeat, ...]:
        """The repeats that are due: least learned first, then by how much is at stake."""
        due = (repeat for repeat in self.repeats if repeat.due <= self.answered)
        return tuple(
            sorted(due, key=lambda repeat: (repeat.step, -_value_range(repeat.note), repeat.due))
        )


def due_questions(answers: Iterable[tuple[str, bool]]) -> list[str]:
    """Which missed questions of a series are due, least learned first.

    The answers are named by their question, oldest first, with whether they were right. The steps
    are those of the drill.
    """
    steps: dict[str, tuple[int, int]] = {}  # by question: its step, and when it is due
    answered = 0
    for question, is_right in answers:
        answered += 1
        before = steps.pop(question, None)
        if not is_right:
            steps[question] = (0, answered + REPEAT_AFTER_QUESTIONS[0])
        elif before is not None and before[0] + 1 < len(REPEAT_AFTER_QUESTIONS):
            step = before[0] + 1
            steps[question] = (step, answered + REPEAT_AFTER_QUESTIONS[step])
    due = [(step, at, question) for question, (step, at) in steps.items() if at <= answered]
    return [question for _, _, question in sorted(due)]


def due_notes(
    notes: Sequence[Note], rules: str, street: Street | None = None, kind: Kind | None = None
) -> list[Note]:
    """The missed questions of these rules to ask now. None right after a repeated question, so
    that old and new ones alternate."""
    if is_repeat(notes):
        return []
    return [
        repeat.note
        for repeat in Repetition.of(notes).due
        if rules == repeat.note.rules
        and street in (None, repeat.note.street)
        and kind in (None, repeat.note.kind)
    ]


def is_repeat(notes: Sequence[Note]) -> bool:
    """Whether the last drill answer was to a question that had been answered before."""
    drilled = [place for place, note in enumerate(notes) if note.source is NoteSource.DRILL]
    if not drilled:
        return False
    last = drilled[-1]
    return any(note.question == notes[last].question for note in notes[:last])


def _value_range(note: Note) -> float:
    """The difference between the best and the worst option, in Antes."""
    evs = [value.ev for value in note.values]
    return float(max(evs) - min(evs))
