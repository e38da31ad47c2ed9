"""How well a player decides: scores by street and by kind of hand, and the worst mistakes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from headsup.analysis.advice.coach import Score
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note, NoteSource
from headsup.game.rulebook.wagers import Street

EVENING_PAUSE = timedelta(hours=4)  # a longer pause starts a new evening


@dataclass(frozen=True, slots=True)
class Tally:
    """Decisions at tables, and separately those in drills."""

    notes: tuple[Note, ...]
    drills: tuple[Note, ...]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Tally":
        all_notes = tuple(notes)
        return cls(
            tuple(note for note in all_notes if note.source is not NoteSource.DRILL),
            tuple(note for note in all_notes if note.source is NoteSource.DRILL),
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
        """The score of each kind that occurred, the most expensive first."""
        notes_by_kind: dict[Kind, list[Note]] = {}
        for note in self.notes:
            notes_by_kind.setdefault(note.kind, []).append(note)
        scores = {kind: score_notes(notes) for kind, notes in notes_by_kind.items()}
        return dict(sorted(scores.items(), key=lambda item: (-item[1].cost, item[0])))

    def worst(self, count: int) -> tuple[Note, ...]:
        """The mistakes that cost the most Antes, worst first; for each question only the last."""
        mistakes = {note.question: note for note in self.notes if not note.judgement.correct}
        return tuple(sorted(mistakes.values(), key=lambda note: -note.judgement.cost)[:count])


def score_notes(notes: Iterable[Note]) -> Score:
    judgements = [note.judgement for note in notes]
    mistakes = tuple(judgement for judgement in judgements if not judgement.correct)
    return Score(
        len(judgements),
        sum((mistake.cost for mistake in mistakes), Fraction()),
        sum((mistake.cents for mistake in mistakes), Fraction()),
        mistakes,
    )


def accuracy(score: Score) -> Fraction | None:
    """The share of correct decisions; None without any."""
    return Fraction(score.correct, score.decisions) if score.decisions else None


def last_evening(notes: Sequence[Note]) -> tuple[Note, ...]:
    """The notes since the last long pause."""
    first = len(notes)
    later: datetime | None = None
    while first > 0:
        time = datetime.fromisoformat(notes[first - 1].at)
        if later is not None and later - time > EVENING_PAUSE:
            break
        later, first = time, first - 1
    return tuple(notes[first:])
