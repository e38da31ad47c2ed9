"""Actions and costs as people read them, the same in the terminal and in the browser."""

from fractions import Fraction

from headsup.analysis.advice.advice import ActionValue
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import show_dollars


def action_name(value: ActionValue, raise_word: str = "raise") -> str:
    return f"{raise_word} {value.multiple}×" if value.multiple else value.action


def antes_text(cost: Fraction) -> str:
    if 0 < cost < Fraction(1, 1000):
        return "less than 0.001 Antes"
    return f"{float(cost):.3f} Antes"


def money_text(cents: Fraction) -> str:
    return "less than a cent" if 0 < cents < 1 else show_dollars(round(cents))


def raise_label(rules: str) -> str:
    """What the book of this id calls a Raise; one's own book that is not here says Raise."""
    try:
        return load_book(rules).label(Wager.RAISE)
    except ValueError:
        return "Raise"
