"""What training shows on the wire: exact fractions beside decimals, cards as text, dollars."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import Field

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.advice.explanation import explain
from headsup.analysis.par.exact_numbers import decimal, exact
from headsup.analysis.training.kinds import STREET_OF, kind_of, kind_words
from headsup.analysis.training.note import Note, Source
from headsup.analysis.training.wording import action_name, antes, money, raise_label
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import format_cards
from headsup.game.values.draws import draws
from headsup.game.values.money import Cents, format_cents
from headsup.house.solo.coach_mode import CoachMode
from headsup.house.solo.seat_decision import OwnHand
from headsup.web.api.login import _Strict
from headsup.web.training.coach import RoundJudged
from headsup.web.training.drill import Posed
from headsup.web.workers.training_values import ChartCell


class ExactNumber(_Strict):
    """The number itself, and as a decimal for people."""

    exact: str = Field(examples=["-1/3"])
    decimal: str = Field(examples=["-0.3333333333"])


class OptionValue(_Strict):
    """One option: what the whole round is then worth in Antes, and what it gives away."""

    action: str = Field(examples=["raise", "check", "fold"])
    multiple: int | None
    name: str = Field(examples=["Raise 3×"])
    ev: ExactNumber
    cost: ExactNumber
    dollars: str | None = Field(description="The cost at this Ante, in dollars.")


class ShowdownChances(_Strict):
    win: ExactNumber
    tie: ExactNumber
    lose: ExactNumber


class HandValued(_Strict):
    """A decision with the value of every option; `chosen` is a place among them."""

    street: str
    kind: str
    kind_words: str
    rules: str
    hole: str
    board: str
    options: list[OptionValue]
    best: int
    chosen: int | None
    explanation: str
    verdict: str
    showdown: ShowdownChances | None
    told: bool = Field(description="The values were shown before the decision.")
    at: str
    place: str


class CoachShown(_Strict):
    """`ready` is false while something is worked out: ask again in a moment."""

    mode: CoachMode
    ready: bool
    open: HandValued | None
    made: list[HandValued] = Field(description="What was decided in the round, oldest first.")
    score: dict[str, Any] = Field(description="Of all that was decided here with the coach.")


class ChartCellShown(_Strict):
    name: str = Field(examples=["AKs"])
    hands: int
    options: list[OptionValue]
    best: int
    margin: ExactNumber = Field(description="How much the best action is better, in Antes.")
    win: ExactNumber | None


class ChartShown(_Strict):
    """13 rows of 13, aces first, suited hands above the diagonal."""

    ready: bool
    rules: str
    rows: list[list[ChartCellShown]]


class ValuesShown(_Strict):
    """`refused` says what is wrong with the cards so far: who sets them one by one is not done."""

    ready: bool
    hand: HandValued | None
    refused: str = ""


class RoundShown(_Strict):
    """One of the last ten rounds; `net` in dollars."""

    table: str
    round: int
    at: str
    result: str
    net: str
    decisions: list[HandValued]


class RoundsShown(_Strict):
    ready: bool
    rounds: list[RoundShown]


class DrillOption(_Strict):
    action: str
    multiple: int | None
    name: str


class QuestionShown(_Strict):
    """`id` is to be sent back with the answer; `repeated` for one that was missed before."""

    id: str
    street: str
    kind_words: str
    rules: str
    hole: str
    board: str
    options: list[DrillOption]
    repeated: bool
    due: int = Field(description="Questions that are due to come back.")


class DrillAsked(_Strict):
    ready: bool
    question: QuestionShown | None


class DrillJudged(_Strict):
    right: bool
    hand: HandValued
    answered: int
    correct: int
    comes_back: int | None = Field(description="After so many further questions, if at all.")


class ScoreShown(_Strict):
    """Everything that is remembered, as `headsup review --json` says it, and the last evening."""

    score: dict[str, Any]
    evening: dict[str, Any]
    mistakes: list[HandValued] = Field(description="The dearest, dearest first.")
    due: int = Field(description="Questions of the drill that are due to come back.")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def number(value: Fraction) -> ExactNumber:
    return ExactNumber(**exact(value))


def options_shown(
    values: Sequence[ActionValue], best: ActionValue, label: str, ante: Cents | None
) -> list[OptionValue]:
    return [
        OptionValue(
            action=one.action,
            multiple=one.multiple or None,
            name=_capital(action_name(one, label)),
            ev=number(one.ev),
            cost=number(best.ev - one.ev),
            dollars=None if ante is None else decimal((best.ev - one.ev) * ante / 100, 2),
        )
        for one in values
    ]


def _shown(
    advice: Advice,
    hole: Sequence[int],
    board: Sequence[int],
    rules: str,
    label: str,
    ante: Cents | None,
) -> HandValued:
    kind = kind_of(hole, board)
    chances = None
    if advice.win is not None and advice.tie is not None and advice.lose is not None:
        won, tied, lost = number(advice.win), number(advice.tie), number(advice.lose)
        chances = ShowdownChances(win=won, tie=tied, lose=lost)
    return HandValued(
        street=STREET_OF[len(board)].value,
        kind=kind.value,
        kind_words=kind_words(hole, board),
        rules=rules,
        hole=format_cards(hole),
        board=format_cards(board),
        options=options_shown(advice.values, advice.best, label, ante),
        best=advice.values.index(advice.best),
        chosen=None,
        explanation=explain(advice, label.lower(), draws(hole, board)),
        verdict="",
        showdown=chances,
        told=False,
        at="",
        place="",
    )


def hand_shown(hand: OwnHand, advice: Advice) -> HandValued:
    label = hand.rules.book.label(Wager.RAISE)
    return _shown(advice, hand.hole, hand.board, hand.rules.id, label, hand.ante)


def explored(
    rules: str, label: str, hole: Sequence[int], board: Sequence[int], advice: Advice
) -> HandValued:
    return _shown(advice, hole, board, rules, label, None)


def note_shown(note: Note, label: str | None = None) -> HandValued:
    """A decision that was made; the same wherever it was."""
    label = label or raise_label(note.rules)
    one = note.judgement
    shown = _shown(note.advice, note.hole, note.board, note.rules, label, note.ante)
    verdict = "The best play."
    if not one.correct:
        better = _capital(action_name(one.best, label))
        verdict = f"{better} was better by {antes(one.cost)} ({money(one.cents)})."
    return shown.model_copy(
        update={
            "chosen": note.values.index(note.chosen),
            "verdict": verdict,
            "told": note.source is Source.TOLD,
            "at": note.at,
            "place": note.place,
        }
    )


def cell_shown(cell: ChartCell, label: str) -> ChartCellShown:
    advice = cell.advice
    others = [one.ev for one in advice.values if one.action != advice.best.action]
    return ChartCellShown(
        name=cell.name,
        hands=cell.hands,
        options=options_shown(advice.values, advice.best, label, None),
        best=advice.values.index(advice.best),
        margin=number(advice.best.ev - max(others)),
        win=None if advice.win is None else number(advice.win),
    )


def question_shown(posed: Posed) -> QuestionShown:
    note = posed.note
    label = posed.label or raise_label(note.rules)
    options = options_shown(note.values, note.values[0], label, None)
    return QuestionShown(
        id=posed.id,
        street=note.street.value,
        kind_words=kind_words(note.hole, note.board),
        rules=note.rules,
        hole=format_cards(note.hole),
        board=format_cards(note.board),
        options=[
            DrillOption(action=one.action, multiple=one.multiple, name=one.name) for one in options
        ],
        repeated=posed.repeated,
        due=posed.due,
    )


def round_shown(judged: RoundJudged) -> RoundShown:
    hand = judged.hand
    return RoundShown(
        table=hand.table,
        round=hand.number,
        at=hand.at,
        result=hand.result,
        net=format_cents(hand.net),
        decisions=[note_shown(note) for note in judged.notes],
    )
