"""A written strategy to play by at the terminal: what it says, and how well it was followed."""

from collections.abc import Sequence
from fractions import Fraction

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.wording import action_name, antes_text


class FollowedStrategy:
    """For one session. Values are those of the advice: exact, with best play from then on."""

    def __init__(self, name: str, strategy: Strategy, raise_word: str = "raise") -> None:
        self._name, self._strategy, self._word = name, strategy, raise_word
        self._decisions = self._followed = 0
        self._gained = Fraction(0)  # over the strategy, by departing from it; in Antes

    def before(self, advice: Advice, hole: Sequence[int], board: Sequence[int]) -> str:
        said = self._says(advice, hole, board)
        if said is None:
            return ""
        return f"{self._name}: {action_name(said, self._word)}{self._but(advice, said)}."

    def after(
        self, advice: Advice, hole: Sequence[int], board: Sequence[int], chosen: ActionValue
    ) -> str:
        said = self._says(advice, hole, board)
        if said is None:
            return ""
        self._decisions += 1
        self._gained += chosen.ev - said.ev
        if said == chosen:
            self._followed += 1
            return f"{self._name}: followed{self._but(advice, said)}."
        gap = chosen.ev - said.ev
        worth = (
            f"{antes_text(abs(gap))} {'better' if gap > 0 else 'worse'}"
            if gap
            else "worth the same"
        )
        return f"{self._name}: {action_name(said, self._word)}; yours is {worth}."

    def farewell(self) -> str:
        if not self._decisions:
            return ""
        gained = "gained" if self._gained > 0 else "cost"
        return (
            f"{self._name}: followed in {self._followed} of {self._decisions} decisions; "
            f"departing from it {gained} {antes_text(abs(self._gained))}."
        )

    def _says(
        self, advice: Advice, hole: Sequence[int], board: Sequence[int]
    ) -> ActionValue | None:
        """None where the chips do not reach for what it says."""
        if not board:
            multiple = self._strategy.pocket(hole).best
        elif len(board) == 3:
            multiple = self._strategy.on_flop(hole, board)
        else:
            multiple = self._strategy.on_river(hole, board)
        return next((value for value in advice.values if value.multiple == multiple), None)

    def _but(self, advice: Advice, said: ActionValue) -> str:
        """What it costs to play by it here."""
        cost = advice.best.ev - said.ev
        best = action_name(advice.best, self._word)
        return f" (the best is {best}, by {antes_text(cost)})" if cost else ""
