"""`headsup play --coach`: the value of every option, what a mistake cost, the score."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from rich.text import Text

from headsup.analysis.advice import ActionValue, Advice
from headsup.analysis.advisor import advise
from headsup.analysis.coach import Judgement, Score, judge
from headsup.analysis.compile import compile_payoffs
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.printout.advicewords import explain
from headsup.analysis.strategy import Strategy
from headsup.cli.adviser import Action
from headsup.cli.screen import cards_text
from headsup.game.money import dollars
from headsup.game.refusal import Refused
from headsup.game.round.commands import Raise
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Wager


class Coach:
    """An adviser for one session; `before` says the values while a decision is still open.

    Ante, Odds and Raise are judged, and Trips Plus where a fold forfeits it (R54): there the stake
    rides on the decision, so the game is solved with it.
    """

    def __init__(
        self, rules: TableRules, solved: Callable[[Payoffs], Strategy], before: bool = False
    ) -> None:
        self._rules, self._solved, self._before = rules, solved, before
        self._games: dict[Fraction, tuple[Payoffs, Strategy]] = {}
        self._asked: tuple[tuple[int, ...], Advice] | None = None
        self.score = Score()
        self._game(Fraction(0))  # solved before the first card

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        if not self._before or len(choices) < 2:
            return ""
        advice = self._advice(round, seat, choices)
        return f"Coach: {_values(advice)}\n{explain(advice)}"

    def after(self, round: Round, seat: int, choices: Sequence[Action], action: Action) -> str:
        if len(choices) < 2:
            return ""  # the chips left nothing to decide
        advice = self._advice(round, seat, choices)
        held = round.seats[seat]
        name, multiple = _action(action)
        board = round.deal.board[: round.board_shown]
        ante = held.stakes[Wager.ANTE]
        judgement = judge(advice, held.hole, board, ante, name, multiple)
        self.score = self.score.with_(judgement)
        return f"Coach: {_verdict(judgement)}\n{_values(advice)} · {self._so_far()}"

    def at_end(self, round: Round, seat: int) -> str:  # noqa: ARG002
        return ""  # everything was said decision by decision

    def farewell(self) -> list[Text]:
        """The score, and the most expensive mistakes."""
        score = self.score
        if not score.decisions:
            return []
        total = (
            f"Coach: {score.correct} of {score.decisions} decisions were the best; "
            f"mistakes cost {_antes(score.cost)} ({_money(score.cents)})."
        )
        return [Text(total), *map(_mistake_line, score.worst())]

    def _advice(self, round: Round, seat: int, choices: Sequence[Action]) -> Advice:
        """What is open to the player, valued; each situation is worked out once."""
        held = round.seats[seat]
        board = round.deal.board[: round.board_shown]
        if self._asked is None or self._asked[0] != (*held.hole, *board):
            payoffs, strategy = self._game(self._riding(held))
            advice = advise(payoffs, held.hole, board, strategy=strategy)
            self._asked = ((*held.hole, *board), advice)
        advice, allowed = self._asked[1], set(map(_action, choices))
        values = (one for one in advice.values if (one.action, one.multiple) in allowed)
        return replace(advice, values=tuple(values))

    def _riding(self, held: Seat) -> Fraction:
        """The Trips Plus stake per Ante that a fold would forfeit."""
        if self._rules.after_fold[Wager.TRIPS_PLUS]:
            return Fraction(0)
        return Fraction(held.stakes.get(Wager.TRIPS_PLUS, 0), held.stakes[Wager.ANTE])

    def _game(self, riding: Fraction) -> tuple[Payoffs, Strategy]:
        if riding not in self._games:
            try:
                payoffs = compile_payoffs(self._rules, riding)
            except Refused:  # with New York's letter Trips Plus does not follow from the hand
                payoffs = compile_payoffs(self._rules)
            self._games[riding] = (payoffs, self._solved(payoffs))
        return self._games[riding]

    def _so_far(self) -> str:
        score = self.score
        return f"{score.correct}/{score.decisions} best, {_antes(score.cost)} given away"


def _action(action: Action) -> tuple[str, int]:
    multiple = action.multiple if isinstance(action, Raise) else 0
    return type(action).__name__.lower(), multiple


def _values(advice: Advice) -> str:
    return ", ".join(f"{_name(value)} {float(value.ev):+.3f}" for value in advice.values)


def _name(value: ActionValue) -> str:
    return f"{value.action} {value.multiple}×" if value.multiple else value.action


def _verdict(judgement: Judgement) -> str:
    if judgement.correct:
        return "the best play."
    cost = f"{_antes(judgement.cost)} ({_money(judgement.cents)})"
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


def _antes(cost: Fraction) -> str:
    if 0 < cost < Fraction(1, 1000):
        return "less than 0.001 Antes"
    return f"{float(cost):.3f} Antes"


def _money(cents: Fraction) -> str:
    return "less than a cent" if 0 < cents < 1 else dollars(round(cents))
