"""Explains advice in a sentence, names amounts and actions, and writes training results as JSON."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import VERY_CLOSE, ActionValue, Advice
from headsup.analysis.advice.coach import Score
from headsup.analysis.exact_numbers import decimal_text, exact_json
from headsup.analysis.training.note import Note
from headsup.analysis.training.tally import Tally, accuracy
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import format_cards
from headsup.game.values.draws import describe_draws
from headsup.game.values.money import show_dollars


def explain(advice: Advice, raise_word: str = "raise", draws: Sequence[str] = ()) -> str:
    """The best decision for players, what the alternative costs, and how close it is."""
    best = advice.best
    second = max(
        (value for value in advice.values if value.action != best.action),
        key=lambda value: value.ev,
    )
    chance = ""
    if advice.win is not None and advice.tie is not None:
        chance = f" You win {float(advice.win):.1%} of showdowns and tie {float(advice.tie):.1%}."
    draw = f" You have {describe_draws(draws)}." if draws else ""
    name = action_name(best, raise_word)
    cost = _describe_cost(second, best.ev - second.ev, raise_word)
    return f"{name[:1].upper()}{name[1:]}. {cost}{draw}{chance}"


def _describe_cost(second: ActionValue, cost: Fraction, word: str) -> str:
    """Such as: Raising 3× here costs 0.81 Antes on average."""
    if not cost:
        return f"{_gerund(second, word)} is worth the same."
    amount = "less than 0.01 Antes" if cost < Fraction(1, 200) else f"{float(cost):.2f} Antes"
    close = ", a close call" if cost < VERY_CLOSE else ""
    return f"{_gerund(second, word)} here costs {amount} on average{close}."


def _gerund(value: ActionValue, raise_word: str) -> str:
    word = raise_word if value.multiple else value.action
    name = f"{word.removesuffix('e')}ing"
    times = f" {value.multiple}×" if value.multiple else ""
    return f"{name[:1].upper()}{name[1:]}{times}"


def action_name(value: ActionValue, raise_word: str = "raise") -> str:
    return f"{raise_word} {value.multiple}×" if value.multiple else value.action


def antes_text(cost: Fraction) -> str:
    if 0 < cost < Fraction(1, 1000):
        return "less than 0.001 Antes"
    return f"{float(cost):.3f} Antes"


def money_text(cents: Fraction) -> str:
    return "less than a cent" if 0 < cents < 1 else show_dollars(round(cents))


def raise_label(rules: str) -> str:
    """What a rule book calls a Raise; "Raise" if the book is not available here."""
    try:
        return load_book(rules).label(Wager.RAISE)
    except ValueError:
        return "Raise"


# For programs.


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
