"""A stored decision: the cards, the value of each option, and the player's choice.

A note is complete: judging it or asking it again needs neither the rules nor the solver. It is
stored as one line of JSON, with values as exact fractions of an Ante.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice, pocket_probabilities
from headsup.analysis.advice.coach import Judgement
from headsup.analysis.training.kinds import STREET_BY_BOARD_SIZE, Kind, kind_of
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import Cards, UnreadableCards, format_cards, parse_cards
from headsup.game.values.dates import is_utc_time
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum

MAX_LINE_CHARACTERS = 4_000  # real lines have a few hundred


class NoteSource(TextEnum):
    """Where a decision was made, and whether its values were on the screen at the time."""

    TABLE = "table"
    TOLD = "told"
    DRILL = "drill"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Note:
    """One decision and its values."""

    at: str  # UTC
    source: NoteSource
    rules: str  # the rule book's id
    game: str  # names the payoffs: notes of the same game can be compared
    hole: Cards
    board: Cards
    ante: Cents
    values: tuple[ActionValue, ...]
    chosen: ActionValue
    place: str = ""  # the table and round, if it was at a table

    @property
    def street(self) -> Street:
        return STREET_BY_BOARD_SIZE[len(self.board)]

    @property
    def kind(self) -> Kind:
        return kind_of(self.hole, self.board)

    @property
    def advice(self) -> Advice:
        """The advice on this decision; showdown probabilities are included only before the flop."""
        if self.board:
            return Advice(self.street.value, self.values)
        probabilities = pocket_probabilities(self.hole)
        return Advice(
            self.street.value, self.values, probabilities.win, probabilities.tie, probabilities.lose
        )

    @property
    def judgement(self) -> Judgement:
        return Judgement(self.hole, self.board, self.ante, self.chosen, self.advice.best)

    @property
    def question(self) -> tuple[str, Cards, Cards]:
        """A key that is equal for equal questions: the order of cards does not matter."""
        return self.game, tuple(sorted(self.hole)), tuple(sorted(self.board))


class UnreadableNote(ValueError):
    """The line is not a valid note."""


def write_note(note: Note) -> str:
    fields: dict[str, Any] = {
        "at": note.at,
        "source": note.source.value,
        "rules": note.rules,
        "game": note.game,
        "hole": format_cards(note.hole),
        "board": format_cards(note.board),
        "ante": note.ante,
        "values": [[value.action, value.multiple, str(value.ev)] for value in note.values],
        "chosen": note.values.index(note.chosen),
    }
    if note.place:
        fields["place"] = note.place
    return json.dumps(fields, separators=(",", ":"))


# What parsing may raise for a foreign or incomplete line.
_PARSE_ERRORS = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError),
    *(RecursionError, ZeroDivisionError),
)


def read_note(line: str) -> Note:
    try:
        if len(line) > MAX_LINE_CHARACTERS:
            raise ValueError("too long")
        return _read(json.loads(line))
    except _PARSE_ERRORS as error:
        raise UnreadableNote(str(error)) from None


def read_notes(lines: list[str]) -> list[Note]:
    """The notes in these lines, leaving out damaged ones."""
    notes = []
    for line in lines:
        try:
            notes.append(read_note(line))
        except UnreadableNote:
            continue
    return notes


_ACTIONS = frozenset({"raise", "check", "fold"})


def _read(raw: dict[str, Any]) -> Note:
    hole, board = _parse_cards(raw["hole"]), _parse_cards(raw["board"])
    known_cards = (*hole, *board)
    at, ante, chosen = raw["at"], raw["ante"], raw["chosen"]
    if (
        len(hole) != 2
        or len(board) not in STREET_BY_BOARD_SIZE
        or len(set(known_cards)) < len(known_cards)
    ):
        raise ValueError("cards")
    if type(ante) is not int or ante < 0 or type(chosen) is not int or chosen < 0:
        raise ValueError("numbers")
    if not is_utc_time(at):
        raise ValueError("at")
    values = tuple(_parse_value(*value) for value in raw["values"])
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


def _parse_cards(text: str) -> Cards:
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise ValueError(str(error)) from None


def _parse_value(action: str, multiple: int, ev: str) -> ActionValue:
    if action not in _ACTIONS or type(multiple) is not int or (action == "raise") != (multiple > 0):
        raise ValueError("action")
    numerator, _, denominator = ev.partition("/")
    return ActionValue(action, multiple, Fraction(int(numerator), int(denominator or 1)))
