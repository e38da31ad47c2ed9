"""The coach of `headsup play`: the value of each option, the cost of mistakes, and the score.

It adds each decision to the player's notebook, for `headsup review`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rich.text import Text

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.coach import Judgement, Score, judge
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.note import Note, NoteSource, write_note
from headsup.analysis.training.valuer import Valuer, limit_options
from headsup.cli.play.adviser import Action
from headsup.cli.play.followed_strategy import FollowedStrategy
from headsup.cli.screens.style import cards_text, raise_word
from headsup.game.round.commands import Raise
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.draws import draws
from headsup.house import clock
from headsup.house.training.notebook import Notebook
from headsup.report.advice import action_name, antes_text, explain, money_text


class Coach:
    def __init__(
        self,
        rules: TableRules,
        load_strategy: Callable[[Payoffs], Strategy],
        notebook: Notebook | None = None,
        now: Callable[[], str] = clock.now,
        follow: Callable[[Strategy], FollowedStrategy] | None = None,
    ) -> None:
        self._rules, self._valuer = rules, Valuer(load_strategy)
        self._word = raise_word(rules)
        self._notebook, self._now = notebook, now
        self._last_advice: tuple[tuple[int, ...], Advice] | None = None
        self._save_error = ""
        self.score = Score()
        game = self._valuer.game(rules)  # solve before the first deal
        self._followed = None if follow is None else follow(game.strategy)

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        advice = self._advice(round, seat, choices)
        hole, board = round.seats[seat].hole, round.deal.board[: round.board_shown]
        why = explain(advice, self._word, draws(hole, board))
        comment = f"Coach: {_values(advice, self._word)}\n{why}"
        followed = "" if self._followed is None else self._followed.before(advice, hole, board)
        return f"{comment}\n{followed}" if followed else comment

    def after(
        self, round: Round, seat: int, choices: Sequence[Action], action: Action, values_shown: bool
    ) -> str:
        """Comment on a decision. `values_shown`: the coach had shown the values beforehand."""
        advice = self._advice(round, seat, choices)
        hand = round.seats[seat]
        name, multiple = _action(action)
        board = round.deal.board[: round.board_shown]
        ante = hand.stakes[Wager.ANTE]
        judgement = judge(advice, hand.hole, board, ante, name, multiple)
        self.score = self.score.add(judgement)
        source = NoteSource.TOLD if values_shown else NoteSource.TABLE
        game = self._valuer.game(self._rules, self._trips_plus_per_ante(hand)).key
        error = self._save_note(
            Note(
                self._now(),
                source,
                self._rules.id,
                game,
                hand.hole,
                board,
                ante,
                advice.values,
                judgement.chosen,
                f"round {round.number}",
            )
        )
        verdict = _verdict(judgement, self._word)
        comment = f"Coach: {verdict}\n{_values(advice, self._word)} · {self._running_score()}"
        if self._followed is not None:
            followed = self._followed.after(advice, hand.hole, board, judgement.chosen)
            comment = f"{comment}\n{followed}" if followed else comment
        return f"{comment}\n{error}" if error else comment

    def farewell(self) -> list[Text]:
        """The score and the most expensive mistakes."""
        score = self.score
        if not score.decisions:
            return []
        total = (
            f"Coach: {score.correct} of {score.decisions} decisions were correct; "
            f"mistakes cost {antes_text(score.cost)} ({money_text(score.cents)})."
        )
        followed = "" if self._followed is None else self._followed.farewell()
        lines = [Text(total), *([Text(followed)] if followed else [])]
        return [*lines, *(mistake_line(mistake, self._word) for mistake in score.worst())]

    def _save_note(self, note: Note) -> str:
        """Add to the notebook. Returns an error sentence the first time that fails."""
        if self._notebook is None or self._save_error:
            return ""
        try:
            self._notebook.add("", [write_note(note)])
        except OSError as error:
            self._save_error = f"Decisions are not being saved: {error.strerror or error}."
        return self._save_error

    def _advice(self, round: Round, seat: int, choices: Sequence[Action]) -> Advice:
        """The values of the player's choices. Each situation is computed once."""
        hand = round.seats[seat]
        board = round.deal.board[: round.board_shown]
        cards = (*hand.hole, *board)
        if self._last_advice is None or self._last_advice[0] != cards:
            riding = self._trips_plus_per_ante(hand)
            advice = self._valuer.advice(self._rules, hand.hole, board, trips_plus_ratio=riding)
            self._last_advice = (cards, advice)
        return limit_options(self._last_advice[1], [_action(choice) for choice in choices])

    def _trips_plus_per_ante(self, hand: Seat) -> Fraction:
        """The Trips Plus stake per Ante that a fold would forfeit."""
        if self._rules.after_fold[Wager.TRIPS_PLUS]:
            return Fraction(0)
        return Fraction(hand.stakes.get(Wager.TRIPS_PLUS, 0), hand.stakes[Wager.ANTE])

    def _running_score(self) -> str:
        score = self.score
        return f"{score.correct}/{score.decisions} correct, {antes_text(score.cost)} lost"


def _action(action: Action) -> tuple[str, int]:
    multiple = action.multiple if isinstance(action, Raise) else 0
    return type(action).__name__.lower(), multiple


def _values(advice: Advice, word: str) -> str:
    return ", ".join(
        f"{action_name(value, word)} {float(value.ev):+.3f}" for value in advice.values
    )


def _verdict(judgement: Judgement, word: str) -> str:
    if judgement.correct:
        return "the best play."
    cost = f"{antes_text(judgement.cost)} ({money_text(judgement.cents)})"
    return f"{action_name(judgement.best, word)} was better by {cost}."


def mistake_line(mistake: Judgement, word: str = "raise") -> Text:
    line = Text("  ")
    line.append_text(cards_text(mistake.hole))
    if mistake.board:
        line.append(" on ")
        line.append_text(cards_text(mistake.board))
    chosen, best = action_name(mistake.chosen, word), action_name(mistake.best, word)
    line.append(f": {chosen} instead of {best}")
    line.append(f", {money_text(mistake.cents)}", style="red")
    return line
