"""`headsup play --coach`: the value of every option, what a mistake cost, the score."""

from fractions import Fraction

from rich.text import Text

from headsup.analysis.advisor import Advice, Option, advise
from headsup.analysis.coach import Judgement, Score, judge
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.strategy import Strategy
from headsup.cli.advise import explain
from headsup.cli.screen import cards_text
from headsup.game.money import dollars
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import Round
from headsup.game.wagers import Wager

CORRECT_ENOUGH = 0.0005  # Antes; below it a cost prints as nothing


class Coach:
    """An adviser for one session; `before` says the values while a decision is still open."""

    def __init__(self, payoffs: Payoffs, strategy: Strategy, before: bool = False) -> None:
        self._payoffs, self._strategy, self._before = payoffs, strategy, before
        self._asked: tuple[tuple[int, ...], Advice] | None = None
        self.score = Score()

    def before(self, round: Round, seat: int) -> str:
        if not self._before:
            return ""
        advice = self._advice(round, seat)
        return f"Coach: {_values(advice)}\n{explain(advice)}"

    def after(self, round: Round, seat: int, decision: Check | Raise | Fold) -> str:
        advice = self._advice(round, seat)
        held = round.seats[seat]
        multiple = decision.multiple if isinstance(decision, Raise) else 0
        action = type(decision).__name__.lower()
        board = round.deal.board[: round.board_shown]
        ante = held.stakes[Wager.ANTE]
        judgement = judge(advice, held.hole, board, ante, action, multiple)
        self.score = self.score.with_(judgement)
        return f"Coach: {_verdict(judgement)}\n{_values(advice)} · {self._so_far()}"

    def at_end(self, round: Round, seat: int) -> str:  # noqa: ARG002
        return ""  # everything was said decision by decision

    def farewell(self) -> list[Text]:
        """The score, and the most expensive mistakes."""
        score = self.score
        if not score.decisions:
            return []
        lines = [
            Text(
                f"Coach: {score.correct} of {score.decisions} decisions were the best; "
                f"mistakes cost {float(score.cost):.3f} Antes ({_money(score.cents)})."
            )
        ]
        for mistake in score.worst():
            lines.append(_mistake_line(mistake))
        return lines

    def _advice(self, round: Round, seat: int) -> Advice:
        """Each situation is worked out once, for before and after."""
        hole, board = round.seats[seat].hole, round.deal.board[: round.board_shown]
        if self._asked is None or self._asked[0] != (*hole, *board):
            advice = advise(self._payoffs, hole, board, strategy=self._strategy)
            self._asked = ((*hole, *board), advice)
        return self._asked[1]

    def _so_far(self) -> str:
        score = self.score
        return f"{score.correct}/{score.decisions} best, {float(score.cost):.3f} Antes given away"


def _values(advice: Advice) -> str:
    return ", ".join(f"{_name(option)} {float(option.ev):+.3f}" for option in advice.options)


def _name(option: Option) -> str:
    return f"{option.action} {option.multiple}×" if option.multiple else option.action


def _verdict(judgement: Judgement) -> str:
    if float(judgement.cost) < CORRECT_ENOUGH:
        return "the best play."
    cost = f"{float(judgement.cost):.3f} Antes ({_money(judgement.cents)})"
    return f"{_name(judgement.best)} was better by {cost}."


def _mistake_line(mistake: Judgement) -> Text:
    line = Text("  ")
    line.append_text(cards_text(mistake.hole))
    if mistake.board:
        line.append(" on ")
        line.append_text(cards_text(mistake.board))
    line.append(f": {_name(mistake.chosen)} instead of {_name(mistake.best)}")
    line.append(f", {_money(mistake.cents)}", style="red")
    return line


def _money(cents: Fraction) -> str:
    return dollars(round(cents))
