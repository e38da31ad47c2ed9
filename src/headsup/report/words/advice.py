"""Explains advice in a sentence, and words amounts and actions."""

from collections.abc import Sequence
from fractions import Fraction

from headsup.analysis.advice.advice import FAIRLY_CLOSE, VERY_CLOSE, ActionValue, Advice
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.draws import describe_draws
from headsup.game.values.money import show_dollars


def explain(advice: Advice, raise_word: str = "raise", draws: Sequence[str] = ()) -> str:
    """The decision in a sentence for players: what it gains, and how close it is."""
    best = advice.best
    others = [value for value in advice.values if value.action != best.action]
    second = max(others, key=lambda value: value.ev)
    chance = ""
    if advice.win is not None and advice.tie is not None:
        chance = f" You win {float(advice.win):.1%} of showdowns and tie {float(advice.tie):.1%}."
    draw = f" You have {describe_draws(draws)}." if draws else ""
    choice = _describe_choice(best, second, raise_word)
    sentence = f"{choice} {_describe_gap(best.ev - second.ev)}{draw}{chance}"
    return sentence[:1].upper() + sentence[1:]


def _describe_choice(best: ActionValue, second: ActionValue, word: str) -> str:
    gap = float(best.ev - second.ev)
    if best.action == "raise" and second.action == "fold":
        return f"{word}: it ends {gap:.3f} Antes better than folding, which gives up 2."
    if best.action == "fold":
        raising = _gerund(word)
        return f"Fold: it gives up 2 Antes, and {raising} would lose {gap:.3f} more on average."
    if best.action == "raise":
        return f"{word} {best.multiple}×: it earns {gap:.3f} Antes more than waiting."
    raising = f"{_gerund(word)} {second.multiple}×"
    return f"Check: waiting keeps {gap:.3f} Antes that {raising} would give away."


def _gerund(word: str) -> str:
    return f"{word.removesuffix('e')}ing"


def _describe_gap(gap: Fraction) -> str:
    if gap < VERY_CLOSE:
        return "It is very close."
    return "It is fairly close." if gap < FAIRLY_CLOSE else "It is clear."


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
