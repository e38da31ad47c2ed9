"""The JSON of the training routes: exact fractions with decimals, cards as text, dollars."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import Field

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.exact_numbers import decimal_text, exact_json
from headsup.analysis.training.kinds import STREET_BY_BOARD_SIZE, kind_of, kind_words
from headsup.analysis.training.note import Note, NoteSource
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import format_cards
from headsup.game.values.draws import draws
from headsup.game.values.money import Cents, format_cents
from headsup.house.training.seat_decision import CoachMode, DecisionPoint
from headsup.report.advice import action_name, antes_text, explain, money_text, raise_label
from headsup.web.api.login import StrictModel
from headsup.web.training.coach import JudgedRound
from headsup.web.training.drill import PosedQuestion
from headsup.web.workers.hand_values import ChartCell


class ExactNumber(StrictModel):
    """A number as an exact fraction and as a decimal."""

    exact: str = Field(examples=["-1/3"])
    decimal: str = Field(examples=["-0.3333333333"])


class OptionValue(StrictModel):
    """One option: the value of the whole round in Antes, and what it costs against the best."""

    action: str = Field(examples=["raise", "check", "fold"])
    multiple: int | None
    name: str = Field(examples=["Raise 3×"])
    ev: ExactNumber
    cost: ExactNumber
    dollars: str | None = Field(description="The cost at this Ante, in dollars.")


class ShowdownChances(StrictModel):
    win: ExactNumber
    tie: ExactNumber
    lose: ExactNumber


class ValuedHand(StrictModel):
    """A decision with the value of every option; `best` and `chosen` are indices into `options`."""

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


class CoachResponse(StrictModel):
    """`ready` is false while something is being computed: ask again in a moment."""

    mode: CoachMode
    ready: bool
    open: ValuedHand | None
    made: list[ValuedHand] = Field(description="The decisions made in this round, oldest first.")
    score: dict[str, Any] = Field(description="Of all decisions here with the coach.")


class ChartCellView(StrictModel):
    name: str = Field(examples=["AKs"])
    hands: int
    options: list[OptionValue]
    best: int
    margin: ExactNumber = Field(description="How much better the best action is, in Antes.")
    win: ExactNumber | None


class ChartResponse(StrictModel):
    """13 rows of 13, aces first, suited hands above the diagonal."""

    ready: bool
    rules: str
    rows: list[list[ChartCellView]]


class ValuesResponse(StrictModel):
    """`refused` says what is wrong with the cards; the player may still be choosing them."""

    ready: bool
    hand: ValuedHand | None
    refused: str = ""


class ReviewedRoundView(StrictModel):
    """One of the last ten rounds; `net` in dollars."""

    table: str
    round: int
    at: str
    result: str
    net: str
    decisions: list[ValuedHand]


class ReviewResponse(StrictModel):
    ready: bool
    rounds: list[ReviewedRoundView]


class DrillOption(StrictModel):
    action: str
    multiple: int | None
    name: str


class QuestionView(StrictModel):
    """Send `id` back with the answer; `repeated` marks a question that was missed before."""

    id: str
    street: str
    kind_words: str
    rules: str
    hole: str
    board: str
    options: list[DrillOption]
    repeated: bool
    due: int = Field(description="Missed questions that are due again.")


class DrillResponse(StrictModel):
    ready: bool
    question: QuestionView | None


class DrillAnswerResponse(StrictModel):
    right: bool
    hand: ValuedHand
    answered: int
    correct: int
    comes_back: int | None = Field(
        description="After how many more questions it comes back, if at all."
    )


class ScoreResponse(StrictModel):
    """All stored decisions, as in `headsup review --json`, and the last evening."""

    score: dict[str, Any]
    evening: dict[str, Any]
    mistakes: list[ValuedHand] = Field(description="The most expensive ones, worst first.")
    due: int = Field(description="Missed drill questions that are due again.")


def _capitalize(words: str) -> str:
    return words[:1].upper() + words[1:]


def exact_number(value: Fraction) -> ExactNumber:
    return ExactNumber(**exact_json(value))


def describe_option_values(
    values: Sequence[ActionValue], best: ActionValue, label: str, ante: Cents | None
) -> list[OptionValue]:
    return [
        OptionValue(
            action=option.action,
            multiple=option.multiple or None,
            name=_capitalize(action_name(option, label)),
            ev=exact_number(option.ev),
            cost=exact_number(best.ev - option.ev),
            dollars=None if ante is None else decimal_text((best.ev - option.ev) * ante / 100, 2),
        )
        for option in values
    ]


def _describe_hand(
    advice: Advice,
    hole: Sequence[int],
    board: Sequence[int],
    rules: str,
    label: str,
    ante: Cents | None,
) -> ValuedHand:
    kind = kind_of(hole, board)
    chances = None
    if advice.win is not None and advice.tie is not None and advice.lose is not None:
        chances = ShowdownChances(
            win=exact_number(advice.win),
            tie=exact_number(advice.tie),
            lose=exact_number(advice.lose),
        )
    return ValuedHand(
        street=STREET_BY_BOARD_SIZE[len(board)].value,
        kind=kind.value,
        kind_words=kind_words(hole, board),
        rules=rules,
        hole=format_cards(hole),
        board=format_cards(board),
        options=describe_option_values(advice.values, advice.best, label, ante),
        best=advice.values.index(advice.best),
        chosen=None,
        explanation=explain(advice, label.lower(), draws(hole, board)),
        verdict="",
        showdown=chances,
        told=False,
        at="",
        place="",
    )


def describe_own_hand(hand: DecisionPoint, advice: Advice) -> ValuedHand:
    label = hand.rules.book.label(Wager.RAISE)
    return _describe_hand(advice, hand.hole, hand.board, hand.rules.id, label, hand.ante)


def describe_explored_hand(
    rules: str, label: str, hole: Sequence[int], board: Sequence[int], advice: Advice
) -> ValuedHand:
    return _describe_hand(advice, hole, board, rules, label, None)


def describe_note(note: Note, label: str | None = None) -> ValuedHand:
    """A decision that was made, at a table or in a drill."""
    label = label or raise_label(note.rules)
    judgement = note.judgement
    hand = _describe_hand(note.advice, note.hole, note.board, note.rules, label, note.ante)
    verdict = "The best play."
    if not judgement.correct:
        best = _capitalize(action_name(judgement.best, label))
        cost = f"{antes_text(judgement.cost)} ({money_text(judgement.cents)})"
        verdict = f"{best} was better by {cost}."
    return hand.model_copy(
        update={
            "chosen": note.values.index(note.chosen),
            "verdict": verdict,
            "told": note.source is NoteSource.TOLD,
            "at": note.at,
            "place": note.place,
        }
    )


def describe_cell(cell: ChartCell, label: str) -> ChartCellView:
    advice = cell.advice
    others = [option.ev for option in advice.values if option.action != advice.best.action]
    return ChartCellView(
        name=cell.name,
        hands=cell.hands,
        options=describe_option_values(advice.values, advice.best, label, None),
        best=advice.values.index(advice.best),
        margin=exact_number(advice.best.ev - max(others)),
        win=None if advice.win is None else exact_number(advice.win),
    )


def describe_question(question: PosedQuestion) -> QuestionView:
    note = question.note
    label = question.label or raise_label(note.rules)
    options = describe_option_values(note.values, note.values[0], label, None)
    return QuestionView(
        id=question.id,
        street=note.street.value,
        kind_words=kind_words(note.hole, note.board),
        rules=note.rules,
        hole=format_cards(note.hole),
        board=format_cards(note.board),
        options=[
            DrillOption(action=option.action, multiple=option.multiple, name=option.name)
            for option in options
        ],
        repeated=question.repeated,
        due=question.due,
    )


def describe_round(judged: JudgedRound) -> ReviewedRoundView:
    hand = judged.hand
    return ReviewedRoundView(
        table=hand.table,
        round=hand.number,
        at=hand.at,
        result=hand.result,
        net=format_cents(hand.net),
        decisions=[describe_note(note) for note in judged.notes],
    )
