"""Advice and training results as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.advice.coach import Score
from headsup.analysis.exact_numbers import decimal_text, exact_json
from headsup.analysis.training.note import Note
from headsup.analysis.training.tally import Tally, accuracy
from headsup.game.values.cards import format_cards
from headsup.report.words.advice import explain


def advice_json(
    advice: Advice, raise_word: str = "raise", draws: Sequence[str] = ()
) -> dict[str, Any]:
    """`raise_word` is what the book calls a Raise; `draws` are as in `game/values/draws.py`."""
    answer = {
        "street": advice.street,
        "options": [value_json(value) for value in advice.values],
        "best": value_json(advice.best),
        "explanation": explain(advice, raise_word, draws),
    }
    if advice.win is not None and advice.tie is not None and advice.lose is not None:
        chances = {"win": advice.win, "tie": advice.tie, "lose": advice.lose}
        answer["showdown"] = {name: exact_json(chance) for name, chance in chances.items()}
    return answer


def value_json(value: ActionValue) -> dict[str, Any]:
    answer: dict[str, Any] = {"action": value.action}
    if value.multiple:
        answer["multiple"] = value.multiple
    return {**answer, "ev": exact_json(value.ev)}


def tally_json(tally: Tally, worst: int) -> dict[str, Any]:
    return {
        **score_json(tally.total),
        "by_street": _scores({street.value: score for street, score in tally.by_street.items()}),
        "by_kind": _scores({kind.value: score for kind, score in tally.by_kind.items()}),
        "drill": score_json(tally.drilled),
        "mistakes": [note_json(note) for note in tally.worst(worst)],
    }


def _scores(scores: Mapping[str, Score]) -> dict[str, Any]:
    return {name: score_json(score) for name, score in scores.items()}


def score_json(score: Score) -> dict[str, Any]:
    """`cost` is in Antes; `dollars` is the same cost at the stakes of each decision."""
    share = accuracy(score)
    return {
        "decisions": score.decisions,
        "best": score.correct,
        "accuracy": None if share is None else exact_json(share),
        "cost": exact_json(score.cost),
        "dollars": decimal_text(score.cents / 100, 2),
    }


def note_json(note: Note) -> dict[str, Any]:
    judgement = note.judgement
    return {
        "at": note.at,
        "place": note.place,
        "rules": note.rules,
        "street": note.street.value,
        "kind": note.kind.value,
        "hole": format_cards(note.hole),
        "board": format_cards(note.board),
        "options": [value_json(value) for value in note.values],
        "chosen": value_json(judgement.chosen),
        "best": value_json(judgement.best),
        "cost": exact_json(judgement.cost),
        "dollars": decimal_text(judgement.cents / 100, 2),
        "told": note.source.value == "told",
    }
