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
from headsup.analysis.training.summary import Summary, summary_page
from headsup.analysis.training.summary import draw_summary as drawn
from headsup.analysis.training.tally import Tally, last_evening
from headsup.analysis.training.wording import raise_label
from headsup.game.refusal import Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street, Wager
from headsup.house.people.accounts import Person
from headsup.house.solo.coach_mode import CoachMode
from headsup.library.cards import read_decision_cards
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.live.protocol import normalize_numbers
from headsup.web.server.errors import ApiError
from headsup.web.server.security import RateLimiter
from headsup.web.training.coach import Trainer, rules_choice_of, wait_briefly
from headsup.web.training.drill import DrillDesk, Practice
from headsup.web.training.wire import (
    ChartResponse,
    CoachResponse,
    DrillAnswerResponse,
    DrillResponse,
    ReviewResponse,
    ScoreResponse,
    ValuesResponse,
    describe_cell,
    describe_explored_hand,
    describe_note,
    describe_own_hand,
    describe_question,
    describe_round,
)
from headsup.web.workers.training_values import ValuesUnavailable, shipped_rules

router = APIRouter(prefix="/api/training", tags=["training"])
QUESTION_BURST, QUESTIONS_PER_SECOND = 60, 5.0  # questions of one person
MAX_MISTAKES = 10
CHART_COLUMNS = 13

Game = Annotated[
    str, Field(min_length=1, max_length=60, description="A rule book, or a table by its name.")
]


class CoachRequest(StrictModel):
    """At which table, and when the coach is to speak there from now on."""

    table: str = Field(min_length=1, max_length=60)
    mode: Literal["off", "before", "after"]


class ValuesRequest(StrictModel):
    """Any two cards, and none, three or five on the board."""

    game: Game
    hole: str = Field(max_length=60, examples=["AsKd"])
    board: str = Field("", max_length=60, examples=["Kh7c2d"])


class DrillRequest(StrictModel):
    game: Game
    street: Literal["", "pocket", "flop", "river"] = ""
    kind: Literal[""] | Annotated[Kind, Field(strict=False)] = ""


class DrillAnswerRequest(StrictModel):
    id: str = Field(min_length=1, max_length=60)
    action: Literal["raise", "check", "fold"]
    multiple: Annotated[
        Annotated[int, Field(ge=1, le=100)] | None, BeforeValidator(normalize_numbers)
    ] = None


class GameView(StrictModel):
    id: str
    title: str
    table: bool
    raise_label: str


class HandKindView(StrictModel):
    id: str
    words: str
    streets: list[str]


class GamesResponse(StrictModel):
    """What may be trained: tables by name, rule books as printed, kinds of hand."""

    games: list[GameView]
    kinds: list[HandKindView]


def trainer_of(request: Request) -> Trainer:
    trainer: Trainer = request.app.state.trainer
    return trainer


def drills_of(request: Request) -> DrillDesk:
    drills: DrillDesk = request.app.state.drills
    return drills


def _limit_questions(request: Request, person: Person) -> None:
    rates: RateLimiter = request.app.state.training_rates
    if not rates.take(person.id):
        raise ApiError(429, "too_many_questions")


@router.get("/games", response_model=GamesResponse)
async def games(request: Request, _person: CurrentPerson) -> GamesResponse:
    """Whose rules there are to train under."""
    tables = [
        GameView(
            id=table.id,
            title=f"Table {table.id}",
            table=True,
            raise_label=table.rules.book.label(Wager.RAISE),
        )
        for table in house_of(request).tables()
    ]
    books = [
        GameView(id=id, title=load_book(id).title, table=False, raise_label=raise_label(id))
        for id in SHIPPED_BOOKS
    ]
    shown = [
        HandKindView(id=kind.value, words=kind.words, streets=[one.value for one in kind.streets])
        for kind in Kind
    ]
    return GamesResponse(games=[*tables, *books], kinds=shown)


@router.post("/coach", response_model=CoachResponse)
async def coach(asked: CoachRequest, request: Request, person: CurrentPerson) -> CoachResponse:
    """What the coach has to say at a table: `open` before a decision, `made` after it."""
    _limit_questions(request, person)
    trainer, mode = trainer_of(request), CoachMode(asked.mode)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    trainer.coach(person, asked.table, mode)
    if mode is CoachMode.OFF:
        return CoachResponse(mode=mode, ready=True, open=None, made=[], score={})
    made = await trainer.made(person, asked.table)
    shown, ready = None, made is not None
    if mode is CoachMode.BEFORE:
        try:
            decision = await trainer.open(person, asked.table)
        except ValuesUnavailable as none:
            raise ApiError(409, "no_values", str(none)) from None
        if decision is not None and decision.advice is not None:
            shown = describe_own_hand(decision.hand, decision.advice)
        ready = ready and (decision is None or shown is not None)
    notes = [describe_note(note) for note in made or ()]
    so_far = score_json(trainer.score(person, asked.table))
    return CoachResponse(mode=mode, ready=ready, open=shown, made=notes, score=so_far)


@router.post("/values", response_model=ValuesResponse)
async def values(asked: ValuesRequest, request: Request, person: CurrentPerson) -> ValuesResponse:
    """The exact value of every option for cards set by hand."""
    _limit_questions(request, person)
    rules, book, label = _game(request, asked.game)
    try:
        hole, board, _ = read_decision_cards(asked.hole, asked.board, "")
    except Refused as refused:
        return ValuesResponse(ready=True, hand=None, refused=refused.message)
    cards = tuple(map(int, hole)), tuple(map(int, board))
    try:
        found = await wait_briefly(trainer_of(request).values.advice(rules, *cards))
    except ValuesUnavailable as none:
        raise ApiError(409, "no_values", str(none)) from None
    if found is None:
        return ValuesResponse(ready=False, hand=None)
    return ValuesResponse(
        ready=True, hand=describe_explored_hand(book, label, *cards, found.advice)
    )


@router.get("/chart", response_model=ChartResponse)
async def chart(
    request: Request,
    person: CurrentPerson,
    game: Annotated[str, Query(min_length=1, max_length=60)],
) -> ChartResponse:
    """The 169 pocket hands with the value of every option."""
    _limit_questions(request, person)
    rules, book, label = _game(request, game)
    try:
        cells = await wait_briefly(trainer_of(request).values.chart(rules))
    except ValuesUnavailable as none:
        raise ApiError(409, "no_values", str(none)) from None
    shown = [describe_cell(cell, label) for cell in cells or ()]
    rows = [shown[first : first + CHART_COLUMNS] for first in range(0, len(shown), CHART_COLUMNS)]
    return ChartResponse(ready=cells is not None, rules=book, rows=rows)


@router.post("/drill", response_model=DrillResponse)
async def drill(asked: DrillRequest, request: Request, person: CurrentPerson) -> DrillResponse:
    """The next question: one that was missed and is due, or a new close decision."""
    _limit_questions(request, person)
    rules, book, label = _game(request, asked.game)
    street = Street(asked.street) if asked.street else None
    kind = asked.kind or None
    try:
        posed = await drills_of(request).next(person, Practice(rules, book, label, street, kind))
    except ValuesUnavailable as none:
        raise ApiError(409, "no_values", str(none)) from None
    return DrillResponse(
        ready=posed is not None, question=None if posed is None else describe_question(posed)
    )


@router.post("/drill/answer", response_model=DrillAnswerResponse)
async def answer(
    asked: DrillAnswerRequest, request: Request, person: CurrentPerson
) -> DrillAnswerResponse:
    """What the answer was worth; it is remembered, and a mistake comes back."""
    _limit_questions(request, person)
    chosen = asked.action, asked.multiple or 0
    found = await drills_of(request).answer(person, asked.id, chosen)
    if found is None:
        raise ApiError(409, "no_such_question", "this question is not open, or not so")
    return DrillAnswerResponse(
        right=found.note.judgement.correct,
        hand=describe_note(found.note, found.label),
        answered=found.answered,
        correct=found.correct,
        comes_back=found.comes_back,
    )


@router.get("/score", response_model=ScoreResponse)
async def score(request: Request, person: CurrentPerson) -> ScoreResponse:
    """How well the asker decides: in all, and on the last evening."""
    _limit_questions(request, person)
    notes = await trainer_of(request).notes(person)
    return await asyncio.to_thread(_score, notes)


@router.get("/rounds", response_model=ReviewResponse)
async def rounds(request: Request, person: CurrentPerson) -> ReviewResponse:
    """The asker's last ten rounds, each decision with its values."""
    _limit_questions(request, person)
    try:
        found = await wait_briefly(trainer_of(request).rounds(person))
    except ValuesUnavailable as none:
        raise ApiError(409, "no_values", str(none)) from None
    shown = [describe_round(one) for one in found or ()]
    return ReviewResponse(ready=found is not None, rounds=shown)


@router.get(
    "/summary",
    response_class=Response,
    responses={200: {"content": {"text/html": {}, "image/svg+xml": {}}, "description": "A file."}},
)
async def summary(request: Request, person: CurrentPerson, picture: bool = False) -> Response:
    """The last evening as one file to keep or to share: a page, or a picture of it."""
    _limit_questions(request, person)
    notes = await trainer_of(request).notes(person)
    text, when = await asyncio.to_thread(_summary, person, notes, picture)
    kind, ending = ("image/svg+xml", "svg") if picture else ("text/html; charset=utf-8", "html")
    named = {"content-disposition": f'attachment; filename="headsup-{when}.{ending}"'}
    return Response(text, media_type=kind, headers=named)


@router.delete("/notes", status_code=204)
async def forget(request: Request, person: CurrentPerson) -> None:
    """Forget everything that is remembered of the asker's decisions."""
    await trainer_of(request).forget(person)


def _summary(person: Person, notes: list[Note], picture: bool) -> tuple[str, str]:
    """The text, and the day that it is about."""
    evening = last_evening(notes)
    when = evening[-1].at[:10] if evening else "nothing"
    told = Summary(f"{person.name}: an evening’s decisions", when, Tally.of(evening))
    return (drawn if picture else summary_page)(told), when


def _score(notes: list[Note]) -> ScoreResponse:
    tally = Tally.of(notes)
    return ScoreResponse(
        score=tally_json(tally, 0),
        evening=tally_json(Tally.of(last_evening(notes)), 0),
        mistakes=[describe_note(note) for note in tally.worst(MAX_MISTAKES)],
        due=len(Repetition.of(notes).due),
    )


def _game(request: Request, name: str) -> tuple[RulesChoice, str, str]:
    """The rules of a table, or a book as it is printed; its id, and its word for a Raise."""
    table = house_of(request).table(name)
    if table is not None:
        rules = table.rules
        return rules_choice_of(rules), rules.id, rules.book.label(Wager.RAISE)
    if name not in SHIPPED_BOOKS:
        raise ApiError(404, "no_such_game", "there is no table and no rule book of that name")
    return shipped_rules(name), name, raise_label(name)
