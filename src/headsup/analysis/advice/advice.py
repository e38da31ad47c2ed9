"""Advice on one decision: what each action is worth, and which is best."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import comb

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.solution import pocket_class_name
from headsup.analysis.solver.strategy import Strategy

# A decision is close if its two best actions differ by less than this, in Antes.
VERY_CLOSE, FAIRLY_CLOSE = Fraction(1, 50), Fraction(3, 20)

DEALS_PER_HOLE = comb(50, 5) * comb(45, 2)  # a board and a dealer's hand for two given cards


@dataclass(frozen=True)
class ActionValue:
    """`ev` is the expected net of the whole round on Ante, Odds and Raise, in Antes."""

    action: str  # raise, check or fold
    multiple: int  # 0 unless raising
    ev: Fraction


@dataclass(frozen=True)
class Advice:
    street: str
    values: tuple[ActionValue, ...]
    win: Fraction | None = None  # showdown probabilities, where they were counted
    tie: Fraction | None = None
    lose: Fraction | None = None

    @property
    def best(self) -> ActionValue:
        """The action with the highest value; the smaller wager if two are equal."""
        return max(self.values, key=lambda value: (value.ev, -value.multiple))


def pocket_advice(strategy: Strategy, hole: Sequence[int]) -> Advice:
    """Advice before the flop, where a solved strategy has every value."""
    pocket, showdown = strategy.pocket(hole), pocket_probabilities(hole)
    raises = [ActionValue("raise", multiple, ev) for multiple, ev in pocket.raises.items()]
    values = (*raises, ActionValue("check", 0, pocket.check))
    return Advice("pocket", values, showdown.win, showdown.tie, showdown.lose)


@dataclass(frozen=True, slots=True)
class ShowdownProbabilities:
    """How often a hand wins, ties and loses at the showdown."""

    win: Fraction
    tie: Fraction

    @property
    def lose(self) -> Fraction:
        return 1 - self.win - self.tie


def pocket_probabilities(hole: Sequence[int]) -> ShowdownProbabilities:
    """Showdown probabilities of two hole cards, with the board and the dealer's hand unknown.

    They depend on the cards alone, so they are stored: `showdown_counts.txt` gives, for each of the
    169 starting hands, how many of the DEALS_PER_HOLE deals win and tie. A test counts them again
    by solving a game that pays for nothing else.
    """
    return _by_class()[pocket_class_name(pocket_class(hole[0], hole[1]))]


@cache
def _by_class() -> dict[str, ShowdownProbabilities]:
    text = (resources.files(__package__) / "showdown_counts.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines())
    return {
        name: ShowdownProbabilities(
            Fraction(int(wins), DEALS_PER_HOLE), Fraction(int(ties), DEALS_PER_HOLE)
        )
        for name, wins, ties in rows
    }
