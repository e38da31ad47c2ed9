"""Explains advice in a sentence, and words amounts and actions."""

from collections.abc import Sequence
from fractions import Fraction

from headsup.analysis.advice.advice import VERY_CLOSE, ActionValue, Advice
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.wagers import Wager
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
