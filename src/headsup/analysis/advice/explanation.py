"""Advice for people, in a sentence, and for programs, as plain objects."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.par.exact_numbers import exact_json
from headsup.game.values.draws import describe_draws

VERY_CLOSE, FAIRLY_CLOSE = Fraction(1, 50), Fraction(3, 20)  # of an Ante


def advice_json(
    advice: Advice, raise_word: str = "raise", draws: Sequence[str] = ()
) -> dict[str, Any]:
    """`raise_word` is what the rule book calls a Raise; `draws` as `game/values/draws.py` names
    them."""
    written = {
        "street": advice.street,
        "options": [value_json(value) for value in advice.values],
        "best": value_json(advice.best),
        "explanation": explain(advice, raise_word, draws),
    }
    if advice.win is not None and advice.tie is not None and advice.lose is not None:
        chances = {"win": advice.win, "tie": advice.tie, "lose": advice.lose}
        written["showdown"] = {name: exact_json(chance) for name, chance in chances.items()}
    return written


def value_json(value: ActionValue) -> dict[str, Any]:
    written: dict[str, Any] = {"action": value.action}
    if value.multiple:
        written["multiple"] = value.multiple
    return {**written, "ev": exact_json(value.ev)}


def explain(advice: Advice, raise_word: str = "raise", draws: Sequence[str] = ()) -> str:
    """The decision in a sentence a player understands: what it gains, and how close it is."""
    best = advice.best
    others = [value for value in advice.values if value.action != best.action]
    second = max(others, key=lambda value: value.ev)
    chance = ""
    if advice.win is not None and advice.tie is not None:
        chance = f" You win {float(advice.win):.1%} of showdowns and tie {float(advice.tie):.1%}."
    drawn = f" You have {describe_draws(draws)}." if draws else ""
    choice = _describe_choice(best, second, raise_word)
    said = f"{choice} {_describe_gap(best.ev - second.ev)}{drawn}{chance}"
    return said[:1].upper() + said[1:]


def _describe_choice(best: ActionValue, second: ActionValue, word: str) -> str:
    gap = float(best.ev - second.ev)
    if best.action == "raise" and second.action == "fold":
        return f"{word}: it ends {gap:.3f} Antes better than folding, which gives up 2."
    if best.action == "fold":
        doing = _gerund(word)
        return f"Fold: it gives up 2 Antes, and {doing} would lose {gap:.3f} more on average."
    if best.action == "raise":
        return f"{word} {best.multiple}×: it earns {gap:.3f} Antes more than waiting."
    doing = f"{_gerund(word)} {second.multiple}×"
    return f"Check: waiting keeps {gap:.3f} Antes that {doing} would give away."


def _gerund(word: str) -> str:
    return f"{word.removesuffix('e')}ing"


def _describe_gap(gap: Fraction) -> str:
    if gap < VERY_CLOSE:
        return "It is very close."
    return "It is fairly close." if gap < FAIRLY_CLOSE else "It is clear."
