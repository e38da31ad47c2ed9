"""Compares a player's decisions with a written strategy (`headsup play --strategy`)."""

from collections.abc import Sequence
from fractions import Fraction

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.solver.strategy import Strategy
from headsup.report.advice import action_name, antes_text


class FollowedStrategy:
    """One session's comparison. Values are exact and assume best play afterwards."""

    def __init__(self, name: str, strategy: Strategy, raise_word: str = "raise") -> None:
        self._name, self._strategy, self._word = name, strategy, raise_word
        self._decisions = self._followed = 0
        self._gained = Fraction(0)  # in Antes, by deviating from the strategy

    def before(self, advice: Advice, hole: Sequence[int], board: Sequence[int]) -> str:
        move = self._move(advice, hole, board)
        if move is None:
            return ""
        return f"{self._name}: {action_name(move, self._word)}{self._cost_note(advice, move)}."

    def after(
        self, advice: Advice, hole: Sequence[int], board: Sequence[int], chosen: ActionValue
    ) -> str:
        move = self._move(advice, hole, board)
        if move is None:
            return ""
        self._decisions += 1
        self._gained += chosen.ev - move.ev
        if move == chosen:
            self._followed += 1
            return f"{self._name}: followed{self._cost_note(advice, move)}."
        gap = chosen.ev - move.ev
        worth = (
            f"{antes_text(abs(gap))} {'better' if gap > 0 else 'worse'}"
            if gap
            else "worth the same"
        )
        return f"{self._name}: {action_name(move, self._word)}; yours is {worth}."

    def farewell(self) -> str:
        if not self._decisions:
            return ""
        gained = "gained" if self._gained > 0 else "cost"
        return (
            f"{self._name}: followed in {self._followed} of {self._decisions} decisions; "
            f"deviating from it {gained} {antes_text(abs(self._gained))}."
        )

    def _move(
        self, advice: Advice, hole: Sequence[int], board: Sequence[int]
    ) -> ActionValue | None:
        """What the strategy plays here; None if the player lacks the chips for it."""
        if not board:
            multiple = self._strategy.pocket(hole).best
        elif len(board) == 3:
            multiple = self._strategy.on_flop(hole, board)
        else:
            multiple = self._strategy.on_river(hole, board)
        return next((value for value in advice.values if value.multiple == multiple), None)

    def _cost_note(self, advice: Advice, move: ActionValue) -> str:
        """What the strategy's move costs against the best one."""
        cost = advice.best.ev - move.ev
        best = action_name(advice.best, self._word)
        return f" ({best} is better by {antes_text(cost)})" if cost else ""
