"""How well somebody decides: right and wrong by street and by kind of hand, and the dearest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from headsup.analysis.advice.coach import Score
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note, NoteSource
from headsup.game.rulebook.wagers import Street

EVENING_PAUSE = timedelta(hours=4)  # a longer pause begins another


@dataclass(frozen=True, slots=True)
class Tally:
    """Decisions at tables; those of drills are counted apart."""

    notes: tuple[Note, ...]
    drills: tuple[Note, ...]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Tally":
        held = tuple(notes)
        return cls(
            tuple(note for note in held if note.source is not NoteSource.DRILL),
            tuple(note for note in held if note.source is NoteSource.DRILL),
        )

    @property
    def total(self) -> Score:
        return score_notes(self.notes)

    @property
    def drilled(self) -> Score:
        return score_notes(self.drills)

    @property
    def by_street(self) -> dict[Street, Score]:
        return {
            street: score_notes(note for note in self.notes if note.street is street)
            for street in Street
        }

    @property
    def by_kind(self) -> dict[Kind, Score]:
        """The kinds that came, those that cost most first."""
        kinds: dict[Kind, list[Note]] = {}
        for note in self.notes:
            kinds.setdefault(note.kind, []).append(note)
        scores = {kind: score_notes(held) for kind, held in kinds.items()}
        return dict(sorted(scores.items(), key=lambda item: (-item[1].cost, item[0])))

    def worst(self, count: int) -> tuple[Note, ...]:
        """The most expensive mistakes in money, dearest first; of one question only the last."""
        mistakes = {note.question: note for note in self.notes if not note.judgement.correct}
        return tuple(sorted(mistakes.values(), key=lambda note: -note.judgement.cents)[:count])


def score_notes(notes: Iterable[Note]) -> Score:
    judged = [note.judgement for note in notes]
    mistakes = tuple(one for one in judged if not one.correct)
    return Score(
        len(judged),
        sum((one.cost for one in mistakes), Fraction()),
        sum((one.cents for one in mistakes), Fraction()),
        mistakes,
    )


def accuracy(score: Score) -> Fraction | None:
    return Fraction(score.correct, score.decisions) if score.decisions else None


def last_evening(notes: Sequence[Note]) -> tuple[Note, ...]:
    """The notes since the last long pause."""
    first = len(notes)
    later: datetime | None = None
    while first > 0:
        at = datetime.fromisoformat(notes[first - 1].at)
        if later is not None and later - at > EVENING_PAUSE:
            break
        later, first = at, first - 1
    return tuple(notes[first:])
