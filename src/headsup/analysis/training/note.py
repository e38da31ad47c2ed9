"""One decision as it is remembered: the cards, what each option was worth, and which was chosen.

A note is whole: whoever reads it needs neither the rules nor the solver to judge it, or to ask it
again. It is written as one line of JSON; values are exact fractions of an Ante.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.advice.coach import Judgement
from headsup.analysis.advice.showdown_odds import pocket_probabilities
from headsup.analysis.training.kinds import STREET_BY_BOARD_SIZE, Kind, kind_of
from headsup.game.record.timestamps import is_utc_time
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import Cards, UnreadableCards, format_cards, parse_cards
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum

MAX_LINE_CHARACTERS = 4_000  # characters of a line; a real one has a few hundred


class NoteSource(TextEnum):
    """Where a decision was made, and whether its values were on the screen at the time."""

    TABLE = "table"
    TOLD = "told"
    DRILL = "drill"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Note:
    at: str  # UTC
    source: NoteSource
    rules: str  # the rule book's id
    game: str  # names the payoffs: notes of the same game can be compared
    hole: Cards
    board: Cards
    ante: Cents
    values: tuple[ActionValue, ...]
    chosen: ActionValue
    place: str = ""  # the table and round, where it was one

    @property
    def street(self) -> Street:
        return STREET_BY_BOARD_SIZE[len(self.board)]

    @property
    def kind(self) -> Kind:
        return kind_of(self.hole, self.board)

    @property
    def advice(self) -> Advice:
        """As it was given; the chances are known again in the pocket alone."""
        if self.board:
            return Advice(self.street.value, self.values)
        chances = pocket_probabilities(self.hole)
        return Advice(self.street.value, self.values, chances.win, chances.tie, chances.lose)

    @property
    def judgement(self) -> Judgement:
        return Judgement(self.hole, self.board, self.ante, self.chosen, self.advice.best)

    @property
    def question(self) -> tuple[str, Cards, Cards]:
        """The same for decisions that are one question: the order of cards does not matter."""
        return self.game, tuple(sorted(self.hole)), tuple(sorted(self.board))


class UnreadableNote(ValueError):
    """The line is no note."""


def write_note(note: Note) -> str:
    written: dict[str, Any] = {
        "at": note.at,
        "source": note.source.value,
        "rules": note.rules,
        "game": note.game,
        "hole": format_cards(note.hole),
        "board": format_cards(note.board),
        "ante": note.ante,
        "values": [[one.action, one.multiple, str(one.ev)] for one in note.values],
        "chosen": note.values.index(note.chosen),
    }
    if note.place:
        written["place"] = note.place
    return json.dumps(written, separators=(",", ":"))


# What reading can stumble over in a line that somebody else wrote, or half a line.
_UNREADABLE = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError),
    *(RecursionError, ZeroDivisionError),
)


def read_note(line: str) -> Note:
    try:
        if len(line) > MAX_LINE_CHARACTERS:
            raise ValueError("too long")
        return _read(json.loads(line))
    except _UNREADABLE as error:
        raise UnreadableNote(str(error)) from None


def read_notes(lines: list[str]) -> list[Note]:
    """The notes among the lines; what is damaged is passed over, and the rest still counts."""
    notes = []
    for line in lines:
        try:
            notes.append(read_note(line))
        except UnreadableNote:
            continue
    return notes


_ACTIONS = frozenset({"raise", "check", "fold"})


def _read(raw: dict[str, Any]) -> Note:
    hole, board = _cards(raw["hole"]), _cards(raw["board"])
    named = (*hole, *board)
    at, ante, chosen = raw["at"], raw["ante"], raw["chosen"]
    if len(hole) != 2 or len(board) not in STREET_BY_BOARD_SIZE or len(set(named)) < len(named):
        raise ValueError("cards")
    if type(ante) is not int or ante < 0 or type(chosen) is not int or chosen < 0:
        raise ValueError("numbers")
    if not is_utc_time(at):
        raise ValueError("at")
    values = tuple(_value(*one) for one in raw["values"])
    return Note(
        at,
        NoteSource(raw["source"]),
        str(raw["rules"])[:60],
        str(raw["game"])[:64],
        hole,
        board,
        ante,
        values,
        values[chosen],
        str(raw.get("place", ""))[:100],
    )


def _cards(text: str) -> Cards:
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise ValueError(str(error)) from None


def _value(action: str, multiple: int, ev: str) -> ActionValue:
    if action not in _ACTIONS or type(multiple) is not int or (action == "raise") != (multiple > 0):
        raise ValueError("action")
    numerator, _, denominator = ev.partition("/")
    return ActionValue(action, multiple, Fraction(int(numerator), int(denominator or 1)))
