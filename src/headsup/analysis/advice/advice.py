"""Advice on one decision: what each action is worth, and which is best."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.advice.showdown_odds import pocket_probabilities
from headsup.analysis.solver.strategy import Strategy


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
    win: Fraction | None = None  # chances of the showdown, where they were counted
    tie: Fraction | None = None
    lose: Fraction | None = None

    @property
    def best(self) -> ActionValue:
        """The greatest value; of equal ones the smaller wager."""
        return max(self.values, key=lambda value: (value.ev, -value.multiple))


def pocket_advice(strategy: Strategy, hole: Sequence[int]) -> Advice:
    """Before the flop a solved strategy knows every value."""
    pocket, chances = strategy.pocket(hole), pocket_probabilities(hole)
    raises = [ActionValue("raise", multiple, ev) for multiple, ev in pocket.raises.items()]
    values = (*raises, ActionValue("check", 0, pocket.check))
    return Advice("pocket", values, chances.win, chances.tie, chances.lose)
