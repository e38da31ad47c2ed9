"""A drill at the terminal: mistakes come back until they are learned, then new close decisions."""

from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from headsup.analysis.advice.advice import ActionValue
from headsup.analysis.advice.explanation import explain
from headsup.analysis.training.kinds import Kind, kind_words
from headsup.analysis.training.note import Note, NoteSource, write_note
from headsup.analysis.training.questions import new_question
from headsup.analysis.training.repetition import Repetition
from headsup.analysis.training.tally import score_notes
from headsup.analysis.training.valuer import Valuer
from headsup.analysis.training.wording import action_name, antes_text, money_text, raise_label
from headsup.cli.commands.advise import values_table
from headsup.cli.options.solutions import get_strategy, warn_first_run
from headsup.cli.play.keys import EndOfInput, Keys, open_keys
from headsup.cli.screens.style import RAISE_WIDTH, cards_text, console, shorten
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street
from headsup.game.values.draws import draws
from headsup.house import clock
from headsup.house.dealing.shoe import practice_seed
from headsup.house.solo.notebook import Notebook

DRILL_ANTE_CENTS = 1_000  # cents: what a new question is played for


class Drill:
    def __init__(
        self,
        rules: TableRules,
        street: Street | None,
        kind: Kind | None,
        notes: Iterable[Note],
        notebook: Notebook,
        seed: Callable[[], int] = practice_seed,
    ) -> None:
        """`notes` are those that the notebook holds."""
        self._rules, self._street, self._kind = rules, street, kind
        self._notebook, self._seed = notebook, seed
        self._screen, self._valuer = console(), Valuer(get_strategy)
        self._notes = list(notes)
        self._answers: list[Note] = []
        self._trouble = False

    def run(self) -> None:
        """Until the player has had enough."""
        try:
            with open_keys() as hands:
                while (asked := self._next()) is not None and self._ask(asked, hands):
                    pass
        except EndOfInput:
            self._screen.print()
        self._farewell()

    def _next(self) -> Note | None:
        """The next question, as a note whose answer is not given yet."""
        for repeat in Repetition.of(self._notes).due:
            note = repeat.note
            if self._street in (None, note.street) and self._kind in (None, note.kind):
                return note
        warn_first_run()
        game = self._valuer.game(self._rules)
        found = new_question(game, self._seed(), self._street, self._kind)
        if found is None:
            self._screen.print("There is no such decision.")
            return None
        values = found.advice.values
        return Note(
            *(clock.now(), NoteSource.DRILL, self._rules.id, game.key, found.hole, found.board),
            *(DRILL_ANTE_CENTS, values, values[0]),
        )

    def _ask(self, note: Note, hands: Keys) -> bool:
        line = Text("\n  ").append_text(cards_text(note.hole))
        if note.board:
            line.append("  on  ").append_text(cards_text(note.board))
        line.append(
            f"   {note.street}, {kind_words(note.hole, note.board)}, {note.rules}", style="dim"
        )
        self._screen.print(line)
        while True:
            self._prompt(note.values, _raise_word(note))
            key = hands.key().lower()
            if key in ("q", "quit", "escape"):
                return False
            if (chosen := _action_for_key(key, note.values)) is not None:
                self._answered(note, chosen)
                return True

    def _prompt(self, values: Sequence[ActionValue], word: str) -> None:
        parts = [f"{_key(value, values)} {action_name(value, word)}" for value in values]
        text = Text(f"  {' · '.join(parts)} · q quit ", style="dim").append("› ", style="bold")
        self._screen.print(text, end="" if self._screen.is_terminal else "\n")

    def _answered(self, note: Note, chosen: ActionValue) -> None:
        answer = Note(
            *(clock.now(), NoteSource.DRILL, note.rules, note.game, note.hole, note.board),
            *(note.ante, note.values, chosen),
        )
        self._notes.append(answer)
        self._answers.append(answer)
        trouble = self._remember(answer)
        one = answer.judgement
        if self._screen.is_terminal:
            self._screen.print()
        word = _raise_word(note)
        self._screen.print(values_table(answer.advice, word))
        said = ("Right. ", "green")
        if not one.correct:
            said = (f"That costs {antes_text(one.cost)} ({money_text(one.cents)}). ", "red")
        self._screen.print(
            Text.assemble(
                "  ", said, explain(answer.advice, word, draws(answer.hole, answer.board))
            )
        )
        if trouble:
            self._screen.print(Text(f"  {trouble}", style="red"))

    def _remember(self, answer: Note) -> str:
        """A sentence the first time that nothing can be kept; the drill goes on."""
        try:
            self._notebook.add("", [write_note(answer)])
        except OSError as error:
            told, self._trouble = self._trouble, True
            return "" if told else f"Answers are not remembered: {error.strerror or error}."
        return ""

    def _farewell(self) -> None:
        so_far = score_notes(self._answers)
        if so_far.decisions:
            left = len(Repetition.of(self._notes).repeats)
            self._screen.print(
                f"\n{so_far.correct} of {so_far.decisions} right; {left} to come back to."
            )


def _key(value: ActionValue, values: Sequence[ActionValue]) -> str:
    raises = [one for one in values if one.multiple]
    if value.multiple and len(raises) > 1:
        return str(value.multiple)
    return value.action[0]


def _action_for_key(key: str, values: Sequence[ActionValue]) -> ActionValue | None:
    return next((value for value in values if key and key == _key(value, values)), None)


def _raise_word(note: Note) -> str:
    """As the rule book has it that the question is of."""
    return shorten(raise_label(note.rules).lower(), RAISE_WIDTH)
