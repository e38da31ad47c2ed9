"""Advice for people, in a sentence, and for programs, as plain objects."""

from typing import Any

from headsup.analysis.advice import ActionValue, Advice
from headsup.analysis.numbers import exact


def advice_json(advice: Advice) -> dict[str, Any]:
    written = {
        "street": advice.street,
        "options": [value_json(value) for value in advice.values],
        "best": value_json(advice.best),
        "explanation": explain(advice),
    }
    if advice.win is not None and advice.tie is not None and advice.lose is not None:
        chances = {"win": advice.win, "tie": advice.tie, "lose": advice.lose}
        written["showdown"] = {name: exact(chance) for name, chance in chances.items()}
    return written


def value_json(value: ActionValue) -> dict[str, Any]:
    written: dict[str, Any] = {"action": value.action}
    if value.multiple:
        written["multiple"] = value.multiple
    return {**written, "ev": exact(value.ev)}


def explain(advice: Advice) -> str:
    """The decision in a sentence a player understands: what it gains, and how close it is."""
    best = advice.best
    others = [value for value in advice.values if value.action != best.action]
    second = max(others, key=lambda value: value.ev)
    gap = float(best.ev - second.ev)
    chance = ""
    if advice.win is not None and advice.tie is not None:
        chance = f" You win {float(advice.win):.1%} of showdowns and tie {float(advice.tie):.1%}."
    return f"{_what(best, second)} {_how_close(gap)}{chance}"


def _what(best: ActionValue, second: ActionValue) -> str:
    gap = float(best.ev - second.ev)
    if best.action == "raise" and second.action == "fold":
        return f"Raise: it ends {gap:.3f} Antes better than folding, which gives up 2."
    if best.action == "fold":
        return f"Fold: it gives up 2 Antes, and raising would lose {gap:.3f} more on average."
    if best.action == "raise":
        return f"Raise {best.multiple}×: it earns {gap:.3f} Antes more than waiting."
    return f"Check: waiting keeps {gap:.3f} Antes that raising {second.multiple}× would give away."


def _how_close(gap: float) -> str:
    if gap < 0.02:
        return "It is very close."
    if gap < 0.15:
        return "It is fairly close."
    return "It is clear."
