"""Judges a player's decisions: what each was worth, what a mistake cost, and the score so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from headsup.analysis.advice.advice import ActionValue, Advice


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision compared with the best one. `cost` is what it gave away, in Antes."""

    hole: tuple[int, ...]
    board: tuple[int, ...]
    ante: int  # cents
    chosen: ActionValue
    best: ActionValue

    @property
    def cost(self) -> Fraction:
        return self.best.ev - self.chosen.ev

    @property
    def cents(self) -> Fraction:
        return self.cost * self.ante

    @property
    def correct(self) -> bool:
        return self.cost == 0


def judge(
    advice: Advice,
    hole: Sequence[int],
    board: Sequence[int],
    ante: int,
    action: str,
    multiple: int = 0,
) -> Judgement:
    """Judge one of the actions that the advice values."""
    for value in advice.values:
        if (value.action, value.multiple) == (action, multiple):
            return Judgement(tuple(hole), tuple(board), ante, value, advice.best)
    raise ValueError(f"{action} {multiple} is not possible on the {advice.street}")


@dataclass(frozen=True, slots=True)
class Score:
    """The decisions so far, in total; only mistakes are kept one by one."""

    decisions: int = 0
    cost: Fraction = Fraction(0)  # in Antes
    cents: Fraction = Fraction(0)
    mistakes: tuple[Judgement, ...] = ()

    def add(self, judgement: Judgement) -> "Score":
        mistakes = self.mistakes if judgement.correct else (*self.mistakes, judgement)
        return replace(
            self,
            decisions=self.decisions + 1,
            cost=self.cost + judgement.cost,
            cents=self.cents + judgement.cents,
            mistakes=mistakes,
        )

    @property
    def correct(self) -> int:
        return self.decisions - len(self.mistakes)

    def worst(self, count: int = 5) -> tuple[Judgement, ...]:
        """The mistakes that cost the most money, worst first."""
        return tuple(sorted(self.mistakes, key=lambda mistake: -mistake.cents)[:count])
