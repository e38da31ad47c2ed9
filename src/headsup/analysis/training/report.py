"""A tally and its notes for programs: exact fractions beside decimals, cards as text."""

from collections.abc import Mapping
from typing import Any

from headsup.analysis.advice.coach import Score
from headsup.analysis.advice.explanation import value_json
from headsup.analysis.par.exact_numbers import decimal_text, exact_json
from headsup.analysis.training.note import Note
from headsup.analysis.training.tally import Tally, accuracy
from headsup.game.values.cards import format_cards


def tally_json(tally: Tally, worst: int) -> dict[str, Any]:
    return {
        **score_json(tally.total),
        "by_street": _scores({street.value: one for street, one in tally.by_street.items()}),
        "by_kind": _scores({kind.value: one for kind, one in tally.by_kind.items()}),
        "drill": score_json(tally.drilled),
        "mistakes": [note_json(note) for note in tally.worst(worst)],
    }


def _scores(scores: Mapping[str, Score]) -> dict[str, Any]:
    return {name: score_json(score) for name, score in scores.items()}


def score_json(score: Score) -> dict[str, Any]:
    """`cost` in Antes, `dollars` what that came to at the stakes of each."""
    share = accuracy(score)
    return {
        "decisions": score.decisions,
        "best": score.correct,
        "accuracy": None if share is None else exact_json(share),
        "cost": exact_json(score.cost),
        "dollars": decimal_text(score.cents / 100, 2),
    }


def note_json(note: Note) -> dict[str, Any]:
    one = note.judgement
    return {
        "at": note.at,
        "place": note.place,
        "rules": note.rules,
        "street": note.street.value,
        "kind": note.kind.value,
        "hole": format_cards(note.hole),
        "board": format_cards(note.board),
        "options": [value_json(value) for value in note.values],
        "chosen": value_json(one.chosen),
        "best": value_json(one.best),
        "cost": exact_json(one.cost),
        "dollars": decimal_text(one.cents / 100, 2),
        "told": note.source.value == "told",
    }
