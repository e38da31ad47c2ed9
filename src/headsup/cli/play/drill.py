"""The drill of `headsup review --drill`: repeats mistakes until learned, then asks new ones."""

from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from headsup.analysis.advice.advice import ActionValue
from headsup.analysis.training.kinds import Kind, kind_words
from headsup.analysis.training.note import Note, NoteSource, write_note
from headsup.analysis.training.questions import new_question
from headsup.analysis.training.repetition import Repetition, due_notes
from headsup.analysis.training.tally import score_notes
from headsup.analysis.training.valuer import Valuer
from headsup.cli.commands.advise import values_table
from headsup.cli.options.workbench import open_workbench
from headsup.cli.play.keys import EndOfInput, Keys, open_keys
from headsup.cli.screens.style import RAISE_WIDTH, cards_text, console, shorten
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street
from headsup.game.values.draws import draws
from headsup.house import clock
from headsup.house.dealing.shoe import practice_seed
from headsup.house.training.notebook import Notebook
from headsup.report.advice import action_name, antes_text, explain, money_text, raise_label

DRILL_ANTE_CENTS = 1_000  # the Ante of a new question


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
        """`notes` are the contents of the notebook."""
        self._rules, self._street, self._kind = rules, street, kind
        self._notebook, self._seed = notebook, seed
        self._screen, self._valuer = console(), Valuer(open_workbench().strategy)
        self._notes = list(notes)
        self._answers: list[Note] = []
        self._save_failed = False

    def run(self) -> None:
        """Ask questions until the player quits."""
        try:
            with open_keys() as keys:
                while (question := self._next()) is not None and self._ask(question, keys):
                    pass
        except EndOfInput:
            self._screen.print()
        self._farewell()

    def _next(self) -> Note | None:
        """The next question, as a note without the player's answer."""
        if due := due_notes(self._notes, self._rules.id, self._street, self._kind):
            return due[0]
        game = self._valuer.game(self._rules)
        new = new_question(game, self._seed(), self._street, self._kind)
        if new is None:
            self._screen.print("No decision matches --street and --kind.")
            return None
        values = new.advice.values
        return Note(
            *(clock.now(), NoteSource.DRILL, self._rules.id, game.key, new.hole, new.board),
            *(DRILL_ANTE_CENTS, values, values[0]),
        )

    def _ask(self, note: Note, keys: Keys) -> bool:
        line = Text("\n  ").append_text(cards_text(note.hole))
        if note.board:
            line.append("  on  ").append_text(cards_text(note.board))
        # What kind of hand it is would be half of the answer.
        parts = [str(note.street), note.rules]
        if any(note.question == answered.question for answered in self._notes):
            parts.insert(1, "missed before")
        line.append(f"   {', '.join(parts)}", style="dim")
        self._screen.print(line)
        while True:
            self._prompt(note.values, _raise_word(note))
            key = keys.key().lower()
            if key in ("q", "quit", "escape"):
                return False
            if (chosen := _action_for_key(key, note.values)) is not None:
                self._judge_answer(note, chosen)
                return True

    def _prompt(self, values: Sequence[ActionValue], word: str) -> None:
        parts = [f"{_key(value, values)} {action_name(value, word)}" for value in values]
        text = Text(f"  {' · '.join(parts)} · q quit ", style="dim").append("› ", style="bold")
        self._screen.print(text, end="" if self._screen.is_terminal else "\n")

    def _judge_answer(self, note: Note, chosen: ActionValue) -> None:
        answer = Note(
            *(clock.now(), NoteSource.DRILL, note.rules, note.game, note.hole, note.board),
            *(note.ante, note.values, chosen),
        )
        self._notes.append(answer)
        self._answers.append(answer)
        error = self._save(answer)
        judgement = answer.judgement
        if self._screen.is_terminal:
            self._screen.print()
        word = _raise_word(note)
        self._screen.print(values_table(answer.advice, word))
        verdict = ("Correct. ", "green")
        if not judgement.correct:
            cost = f"{antes_text(judgement.cost)} ({money_text(judgement.cents)})"
            verdict = (f"That costs {cost}. ", "red")
        kind = kind_words(answer.hole, answer.board).capitalize()
        self._screen.print(Text(f"  {kind}.", style="dim"))
        self._screen.print(
            Text.assemble(
                "  ", verdict, explain(answer.advice, word, draws(answer.hole, answer.board))
            )
        )
        if error:
            self._screen.print(Text(f"  {error}", style="red"))

    def _save(self, answer: Note) -> str:
        """Add to the notebook. Returns an error sentence the first time that fails."""
        try:
            self._notebook.add("", [write_note(answer)])
        except OSError as error:
            reported, self._save_failed = self._save_failed, True
            return "" if reported else f"Answers are not being saved: {error.strerror or error}."
        return ""

    def _farewell(self) -> None:
        score = score_notes(self._answers)
        if score.decisions:
            left = sum(
                repeat.note.rules == self._rules.id for repeat in Repetition.of(self._notes).repeats
            )
            self._screen.print(
                f"\n{score.correct} of {score.decisions} correct; {left} left to repeat."
            )


def _key(value: ActionValue, values: Sequence[ActionValue]) -> str:
    raises = [option for option in values if option.multiple]
    if value.multiple and len(raises) > 1:
        return str(value.multiple)
    return value.action[0]


def _action_for_key(key: str, values: Sequence[ActionValue]) -> ActionValue | None:
    raises = [value for value in values if value.multiple]
    if key == "r" and raises:
        return max(raises, key=lambda value: value.multiple)
    return next((value for value in values if key and key == _key(value, values)), None)


def _raise_word(note: Note) -> str:
    """What the question's rule book calls a raise."""
    return shorten(raise_label(note.rules).lower(), RAISE_WIDTH)
