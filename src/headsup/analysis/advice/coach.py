"""Judging a player's decisions: what each was worth, what a mistake cost, the score so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from headsup.analysis.advice.advice import ActionValue, Advice


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision against the best one; `cost` is what it gave away, in Antes."""

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
    """The judgement of an action among those the advice values."""
    for value in advice.values:
        if (value.action, value.multiple) == (action, multiple):
            return Judgement(tuple(hole), tuple(board), ante, value, advice.best)
    raise ValueError(f"{action} {multiple} is not open on the {advice.street}")


@dataclass(frozen=True, slots=True)
class Score:
    """All decisions so far. Only mistakes are kept whole: there should be few."""

    decisions: int = 0
    cost: Fraction = Fraction(0)  # in Antes
    cents: Fraction = Fraction(0)
    mistakes: tuple[Judgement, ...] = ()

    def with_(self, judgement: Judgement) -> "Score":
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
        """The most expensive mistakes, in money, dearest first."""
        return tuple(sorted(self.mistakes, key=lambda one: -one.cents)[:count])
