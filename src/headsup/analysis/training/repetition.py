"""What to ask again: a missed decision comes back soon, and later each time it is right.

Time is counted in questions answered, so that a pause of a week changes nothing. A miss puts a
question on the first step; each right answer takes it one step further; past the last it is
learned. Mistakes at the table stand on the first step too, and are due at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from headsup.analysis.training.note import Note, NoteSource
from headsup.game.values.cards import Cards

REPEAT_AFTER_QUESTIONS = (3, 8, 20, 50)  # questions until it comes again


@dataclass(frozen=True, slots=True)
class Repeat:
    """A question to come back to: as it was last decided, on which step, and when it is due."""

    note: Note
    step: int
    due: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """`answered` questions so far; a repeat whose `due` is not above it may be asked."""

    answered: int
    repeats: tuple[Repeat, ...]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Repetition":
        """Follows from the notes alone, in their order."""
        answered = 0
        open_: dict[tuple[str, Cards, Cards], Repeat] = {}
        for note in notes:
            drilled, right = note.source is NoteSource.DRILL, note.judgement.correct
            answered += drilled
            before = open_.get(note.question)
            if not right:
                open_[note.question] = Repeat(
                    note, 0, answered + (REPEAT_AFTER_QUESTIONS[0] if drilled else 0)
                )
            elif drilled and before is not None:
                del open_[note.question]
                if before.step + 1 < len(REPEAT_AFTER_QUESTIONS):
                    step = before.step + 1
                    open_[note.question] = Repeat(
                        note, step, answered + REPEAT_AFTER_QUESTIONS[step]
                    )
        return cls(answered, tuple(open_.values()))

    @property
    def due(self) -> tuple[Repeat, ...]:
        """Those to ask now: the least learned first, of these the dearest."""
        ripe = (one for one in self.repeats if one.due <= self.answered)
        return tuple(sorted(ripe, key=lambda one: (one.step, -_value_range(one.note), one.due)))


def _value_range(note: Note) -> float:
    """What the worst option gives away: how much the question is about."""
    evs = [value.ev for value in note.values]
    return float(max(evs) - min(evs))
