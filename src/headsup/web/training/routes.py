"""Training by HTTP: the coach at a table, explorer, chart, drill, score, rounds, summary.

Everything is about the asker alone: their own open hand as their seat sees it, what they decided,
and hands that they set by themselves. What the solver still works on is said to be not ready.
"""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BeforeValidator, Field

from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note
from headsup.analysis.training.repetition import Repetition
from headsup.analysis.training.report import score_json, tally_json
from headsup.analysis.training.summary import Summary, page
from headsup.analysis.training.summary import picture as drawn
from headsup.analysis.training.tally import Tally, last_evening
from headsup.analysis.training.wording import raise_label
from headsup.game.refusal import Refused
from headsup.game.rulebook.loader import SHIPPED, load
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street, Wager
from headsup.house.people.accounts import Person
from headsup.house.solo.coach_mode import CoachMode
from headsup.library.cards import read_question
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict
from headsup.web.live.protocol import whole_numbers
from headsup.web.server.errors import ApiError
from headsup.web.server.security import Rates
from headsup.web.training.coach import Trainer, choice_of, patiently
from headsup.web.training.drill import DrillDesk, Practice
from headsup.web.training.wire import (
    ChartShown,
    CoachShown,
    DrillAsked,
    DrillJudged,
    RoundsShown,
    ScoreShown,
    ValuesShown,
    cell_shown,
    explored,
    hand_shown,
    note_shown,
    question_shown,
    round_shown,
)
from headsup.web.workers.training_values import NoValues, shipped

router = APIRouter(prefix="/api/training", tags=["training"])
BURST, PER_SECOND = 60, 5.0  # questions of one person
WORST = 10
ROW = 13

Game = Annotated[
    str, Field(min_length=1, max_length=60, description="A rule book, or a table by its name.")
]


class CoachAsked(_Strict):
    """At which table, and when the coach is to speak there from now on."""

    table: str = Field(min_length=1, max_length=60)
    mode: Literal["off", "before", "after"]


class ValuesAsked(_Strict):
    """Any two cards, and none, three or five on the board."""

    game: Game
    hole: str = Field(max_length=60, examples=["AsKd"])
    board: str = Field("", max_length=60, examples=["Kh7c2d"])


class DrillWanted(_Strict):
    game: Game
    street: Literal["", "pocket", "flop", "river"] = ""
    kind: Literal[""] | Annotated[Kind, Field(strict=False)] = ""


class DrillAnswer(_Strict):
    id: str = Field(min_length=1, max_length=60)
    action: Literal["raise", "check", "fold"]
    multiple: Annotated[
        Annotated[int, Field(ge=1, le=100)] | None, BeforeValidator(whole_numbers)
    ] = None


class GameShown(_Strict):
    id: str
    title: str
    table: bool
    raise_label: str


class KindShown(_Strict):
    id: str
    words: str
    streets: list[str]


class TrainingShown(_Strict):
    """What may be trained: tables by name, rule books as printed, kinds of hand."""

    games: list[GameShown]
    kinds: list[KindShown]


def trainer_of(request: Request) -> Trainer:
    trainer: Trainer = request.app.state.trainer
    return trainer


def drills_of(request: Request) -> DrillDesk:
    drills: DrillDesk = request.app.state.drills
    return drills


def _not_too_often(request: Request, person: Person) -> None:
    rates: Rates = request.app.state.training_rates
    if not rates.take(person.id):
        raise ApiError(429, "too_many_questions")


@router.get("/games", response_model=TrainingShown)
async def games(request: Request, _person: Asker) -> TrainingShown:
    """Whose rules there are to train under."""
    tables = [
        GameShown(
            id=table.id,
            title=f"Table {table.id}",
            table=True,
            raise_label=table.rules.book.label(Wager.RAISE),
        )
        for table in house_of(request).tables()
    ]
    books = [
        GameShown(id=id, title=load(id).title, table=False, raise_label=raise_label(id))
        for id in SHIPPED
    ]
    shown = [
        KindShown(id=kind.value, words=kind.words, streets=[one.value for one in kind.streets])
        for kind in Kind
    ]
    return TrainingShown(games=[*tables, *books], kinds=shown)


@router.post("/coach", response_model=CoachShown)
async def coach(asked: CoachAsked, request: Request, person: Asker) -> CoachShown:
    """What the coach has to say at a table: `open` before a decision, `made` after it."""
    _not_too_often(request, person)
    trainer, mode = trainer_of(request), CoachMode(asked.mode)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    trainer.coach(person, asked.table, mode)
    if mode is CoachMode.OFF:
        return CoachShown(mode=mode, ready=True, open=None, made=[], score={})
    made = await trainer.made(person, asked.table)
    shown, ready = None, made is not None
    if mode is CoachMode.BEFORE:
        try:
            decision = await trainer.open(person, asked.table)
        except NoValues as none:
            raise ApiError(409, "no_values", str(none)) from None
        if decision is not None and decision.advice is not None:
            shown = hand_shown(decision.hand, decision.advice)
        ready = ready and (decision is None or shown is not None)
    notes = [note_shown(note) for note in made or ()]
    so_far = score_json(trainer.score(person, asked.table))
    return CoachShown(mode=mode, ready=ready, open=shown, made=notes, score=so_far)


@router.post("/values", response_model=ValuesShown)
async def values(asked: ValuesAsked, request: Request, person: Asker) -> ValuesShown:
    """The exact value of every option for cards set by hand."""
    _not_too_often(request, person)
    rules, book, label = _game(request, asked.game)
    try:
        hole, board, _ = read_question(asked.hole, asked.board, "")
    except Refused as refused:
        return ValuesShown(ready=True, hand=None, refused=refused.message)
    cards = tuple(map(int, hole)), tuple(map(int, board))
    try:
        found = await patiently(trainer_of(request).values.advice(rules, *cards))
    except NoValues as none:
        raise ApiError(409, "no_values", str(none)) from None
    if found is None:
        return ValuesShown(ready=False, hand=None)
    return ValuesShown(ready=True, hand=explored(book, label, *cards, found.advice))


@router.get("/chart", response_model=ChartShown)
async def chart(
    request: Request, person: Asker, game: Annotated[str, Query(min_length=1, max_length=60)]
) -> ChartShown:
    """The 169 pocket hands with the value of every option."""
    _not_too_often(request, person)
    rules, book, label = _game(request, game)
    try:
        cells = await patiently(trainer_of(request).values.chart(rules))
    except NoValues as none:
        raise ApiError(409, "no_values", str(none)) from None
    shown = [cell_shown(cell, label) for cell in cells or ()]
    rows = [shown[first : first + ROW] for first in range(0, len(shown), ROW)]
    return ChartShown(ready=cells is not None, rules=book, rows=rows)


@router.post("/drill", response_model=DrillAsked)
async def drill(asked: DrillWanted, request: Request, person: Asker) -> DrillAsked:
    """The next question: one that was missed and is due, or a new close decision."""
    _not_too_often(request, person)
    rules, book, label = _game(request, asked.game)
    street = Street(asked.street) if asked.street else None
    kind = asked.kind or None
    try:
        posed = await drills_of(request).next(person, Practice(rules, book, label, street, kind))
    except NoValues as none:
        raise ApiError(409, "no_values", str(none)) from None
    return DrillAsked(
        ready=posed is not None, question=None if posed is None else question_shown(posed)
    )


@router.post("/drill/answer", response_model=DrillJudged)
async def answer(asked: DrillAnswer, request: Request, person: Asker) -> DrillJudged:
    """What the answer was worth; it is remembered, and a mistake comes back."""
    _not_too_often(request, person)
    chosen = asked.action, asked.multiple or 0
    found = await drills_of(request).answer(person, asked.id, chosen)
    if found is None:
        raise ApiError(409, "no_such_question", "this question is not open, or not so")
    return DrillJudged(
        right=found.note.judgement.correct,
        hand=note_shown(found.note, found.label),
        answered=found.answered,
        correct=found.correct,
        comes_back=found.comes_back,
    )


@router.get("/score", response_model=ScoreShown)
async def score(request: Request, person: Asker) -> ScoreShown:
    """How well the asker decides: in all, and on the last evening."""
    _not_too_often(request, person)
    notes = await trainer_of(request).notes(person)
    return await asyncio.to_thread(_score, notes)


@router.get("/rounds", response_model=RoundsShown)
async def rounds(request: Request, person: Asker) -> RoundsShown:
    """The asker's last ten rounds, each decision with its values."""
    _not_too_often(request, person)
    try:
        found = await patiently(trainer_of(request).rounds(person))
    except NoValues as none:
        raise ApiError(409, "no_values", str(none)) from None
    shown = [round_shown(one) for one in found or ()]
    return RoundsShown(ready=found is not None, rounds=shown)


@router.get(
    "/summary",
    response_class=Response,
    responses={200: {"content": {"text/html": {}, "image/svg+xml": {}}, "description": "A file."}},
)
async def summary(request: Request, person: Asker, picture: bool = False) -> Response:
    """The last evening as one file to keep or to share: a page, or a picture of it."""
    _not_too_often(request, person)
    notes = await trainer_of(request).notes(person)
    text, when = await asyncio.to_thread(_summary, person, notes, picture)
    kind, ending = ("image/svg+xml", "svg") if picture else ("text/html; charset=utf-8", "html")
    named = {"content-disposition": f'attachment; filename="headsup-{when}.{ending}"'}
    return Response(text, media_type=kind, headers=named)


@router.delete("/notes", status_code=204)
async def forget(request: Request, person: Asker) -> None:
    """Forget everything that is remembered of the asker's decisions."""
    await trainer_of(request).forget(person)


def _summary(person: Person, notes: list[Note], picture: bool) -> tuple[str, str]:
    """The text, and the day that it is about."""
    evening = last_evening(notes)
    when = evening[-1].at[:10] if evening else "nothing"
    told = Summary(f"{person.name}: an evening’s decisions", when, Tally.of(evening))
    return (drawn if picture else page)(told), when


def _score(notes: list[Note]) -> ScoreShown:
    tally = Tally.of(notes)
    return ScoreShown(
        score=tally_json(tally, 0),
        evening=tally_json(Tally.of(last_evening(notes)), 0),
        mistakes=[note_shown(note) for note in tally.worst(WORST)],
        due=len(Repetition.of(notes).due),
    )


def _game(request: Request, name: str) -> tuple[RulesChoice, str, str]:
    """The rules of a table, or a book as it is printed; its id, and its word for a Raise."""
    table = house_of(request).table(name)
    if table is not None:
        rules = table.rules
        return choice_of(rules), rules.id, rules.book.label(Wager.RAISE)
    if name not in SHIPPED:
        raise ApiError(404, "no_such_game", "there is no table and no rule book of that name")
    return shipped(name), name, raise_label(name)
