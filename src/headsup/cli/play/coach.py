"""The coach at the terminal: the value of every option, what a mistake cost, the score; what was
decided is remembered for the next evening."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rich.text import Text

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.coach import Judgement, Score, judge
from headsup.analysis.advice.explanation import explain
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.note import Note, NoteSource, write_note
from headsup.analysis.training.valuer import Valuer, limit_options
from headsup.analysis.training.wording import action_name, antes_text, money_text
from headsup.cli.play.adviser import Action
from headsup.cli.play.followed_strategy import FollowedStrategy
from headsup.cli.screens.style import cards_text, raise_word
from headsup.game.round.commands import Raise
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.draws import draws
from headsup.house import clock
from headsup.house.solo.notebook import Notebook


class Coach:
    """For one session."""

    def __init__(
        self,
        rules: TableRules,
        solved: Callable[[Payoffs], Strategy],
        notebook: Notebook | None = None,
        now: Callable[[], str] = clock.now,
        follow: Callable[[Strategy], FollowedStrategy] | None = None,
    ) -> None:
        self._rules, self._valuer = rules, Valuer(solved)
        self._word = raise_word(rules)
        self._notebook, self._now = notebook, now
        self._asked: tuple[tuple[int, ...], Advice] | None = None
        self._trouble = ""
        self.score = Score()
        game = self._valuer.game(rules)  # solved before the first card
        self._followed = None if follow is None else follow(game.strategy)

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        advice = self._advice(round, seat, choices)
        hole, board = round.seats[seat].hole, round.deal.board[: round.board_shown]
        why = explain(advice, self._word, draws(hole, board))
        said = f"Coach: {_values(advice, self._word)}\n{why}"
        by_it = "" if self._followed is None else self._followed.before(advice, hole, board)
        return f"{said}\n{by_it}" if by_it else said

    def after(
        self, round: Round, seat: int, choices: Sequence[Action], action: Action, told: bool
    ) -> str:
        """`told`: the values were on the screen before."""
        advice = self._advice(round, seat, choices)
        held = round.seats[seat]
        name, multiple = _action(action)
        board = round.deal.board[: round.board_shown]
        ante = held.stakes[Wager.ANTE]
        judgement = judge(advice, held.hole, board, ante, name, multiple)
        self.score = self.score.with_(judgement)
        source = NoteSource.TOLD if told else NoteSource.TABLE
        game = self._valuer.game(self._rules, self._riding(held)).key
        trouble = self._remember(
            Note(
                self._now(),
                source,
                self._rules.id,
                game,
                held.hole,
                board,
                ante,
                advice.values,
                judgement.chosen,
                f"round {round.number}",
            )
        )
        verdict = _verdict(judgement, self._word)
        said = f"Coach: {verdict}\n{_values(advice, self._word)} · {self._so_far()}"
        if self._followed is not None:
            by_it = self._followed.after(advice, held.hole, board, judgement.chosen)
            said = f"{said}\n{by_it}" if by_it else said
        return f"{said}\n{trouble}" if trouble else said

    def farewell(self) -> list[Text]:
        """The score, and the most expensive mistakes."""
        score = self.score
        if not score.decisions:
            return []
        total = (
            f"Coach: {score.correct} of {score.decisions} decisions were the best; "
            f"mistakes cost {antes_text(score.cost)} ({money_text(score.cents)})."
        )
        by_it = "" if self._followed is None else self._followed.farewell()
        lines = [Text(total), *([Text(by_it)] if by_it else [])]
        return [*lines, *(mistake_line(mistake, self._word) for mistake in score.worst())]

    def _remember(self, note: Note) -> str:
        """A sentence the first time that nothing can be kept; play goes on."""
        if self._notebook is None or self._trouble:
            return ""
        try:
            self._notebook.add("", [write_note(note)])
        except OSError as error:
            self._trouble = f"Decisions are not remembered: {error.strerror or error}."
        return self._trouble

    def _advice(self, round: Round, seat: int, choices: Sequence[Action]) -> Advice:
        """What is open to the player, valued; each situation is worked out once."""
        held = round.seats[seat]
        board = round.deal.board[: round.board_shown]
        if self._asked is None or self._asked[0] != (*held.hole, *board):
            riding = self._riding(held)
            advice = self._valuer.advice(self._rules, held.hole, board, riding=riding)
            self._asked = ((*held.hole, *board), advice)
        return limit_options(self._asked[1], [_action(choice) for choice in choices])

    def _riding(self, held: Seat) -> Fraction:
        """The Trips Plus stake per Ante that a fold would forfeit."""
        if self._rules.after_fold[Wager.TRIPS_PLUS]:
            return Fraction(0)
        return Fraction(held.stakes.get(Wager.TRIPS_PLUS, 0), held.stakes[Wager.ANTE])

    def _so_far(self) -> str:
        score = self.score
        return f"{score.correct}/{score.decisions} best, {antes_text(score.cost)} given away"


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
