"""Training routes: the coach at a table, explorer, chart, drill, score, rounds, summary.

Players see only their own open hand, their own decisions, and hands they make up. While the
solver is still working, the answer has `ready: false` and the page asks again.
"""

import asyncio
from fractions import Fraction
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BeforeValidator, Field

from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.note import Note
from headsup.analysis.training.repetition import Repetition
from headsup.analysis.training.tally import Tally, last_evening
from headsup.game.refusal import Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street, Wager
from headsup.house.people.person import Person
from headsup.house.training.seat_decision import CoachMode
from headsup.library.cards import read_decision_cards
from headsup.report.advice import raise_label, score_json, tally_json
from headsup.report.files.training_summary import Summary, draw_summary, summary_page
from headsup.web.api.edges import solver_of
from headsup.web.api.lobby import house_of, read_lobby
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.live.command_requests import locate_here
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
from headsup.web.workers.hand_values import NoAnswer, advise_hand, pocket_chart, shipped_rules

router = APIRouter(prefix="/api/training", tags=["training"])
QUESTION_BURST, QUESTIONS_PER_SECOND = 60, 5.0  # per person
MAX_MISTAKES = 10
CHART_COLUMNS = 13

Game = Annotated[
    str, Field(min_length=1, max_length=60, description="A rule book, or a table by its name.")
]


class CoachRequest(StrictModel):
    """The table, and when the coach speaks there from now on: before or after a decision."""

    table: str = Field(min_length=1, max_length=60)
    mode: Literal["off", "before", "after"]


class ValuesRequest(StrictModel):
    """Two hole cards, and zero, three or five board cards."""

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
    """What can be trained: tables by name, rule books as printed, kinds of hand."""

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
    """The tables and rule books whose rules can be trained."""
    tables = [
        GameView(
            id=line["id"],
            title=f"Table {line['id']}",
            table=True,
            raise_label=line["raise_label"],
        )
        for line in await read_lobby(house_of(request))
    ]
    books = [
        GameView(id=id, title=load_book(id).title, table=False, raise_label=raise_label(id))
        for id in SHIPPED_BOOKS
    ]
    kinds = [
        HandKindView(
            id=kind.value, words=kind.words, streets=[street.value for street in kind.streets]
        )
        for kind in Kind
    ]
    return GamesResponse(games=[*tables, *books], kinds=kinds)


@router.post("/coach", response_model=CoachResponse)
async def coach(body: CoachRequest, request: Request, person: CurrentPerson) -> CoachResponse:
    """The coach's advice at a table: `open` before a decision, `made` after it."""
    _limit_questions(request, person)
    trainer, mode = trainer_of(request), CoachMode(body.mode)
    if await locate_here(house_of(request), body.table) is None:
        raise ApiError(404, "no_such_table")
    trainer.set_mode(person, body.table, mode)
    if mode is CoachMode.OFF:
        return CoachResponse(mode=mode, ready=True, open=None, made=[], score={})
    judged = await trainer.judged_decisions(person, body.table)
    open_hand, ready = None, judged is not None
    if mode is CoachMode.BEFORE:
        try:
            decision = await trainer.open_decision(person, body.table)
        except NoAnswer as error:
            raise ApiError(409, "no_values", str(error)) from None
        if decision is not None and decision.advice is not None:
            open_hand = describe_own_hand(decision.hand, decision.advice)
        ready = ready and (decision is None or open_hand is not None)
    notes = [describe_note(note) for note in judged or ()]
    score = score_json(trainer.score(person, body.table))
    return CoachResponse(mode=mode, ready=ready, open=open_hand, made=notes, score=score)


@router.post("/values", response_model=ValuesResponse)
async def values(body: ValuesRequest, request: Request, person: CurrentPerson) -> ValuesResponse:
    """The exact value of every option, for any cards."""
    _limit_questions(request, person)
    rules, book, label = await _find_game(request, body.game)
    try:
        hole, board, _ = read_decision_cards(body.hole, body.board, "")
    except Refused as refused:
        return ValuesResponse(ready=True, hand=None, refused=refused.message)
    cards = tuple(map(int, hole)), tuple(map(int, board))
    try:
        valued = await wait_briefly(
            solver_of(request).ask(advise_hand, rules, *cards, (), Fraction(0))
        )
    except NoAnswer as error:
        raise ApiError(409, "no_values", str(error)) from None
    if valued is None:
        return ValuesResponse(ready=False, hand=None)
    return ValuesResponse(
        ready=True, hand=describe_explored_hand(book, label, *cards, valued.advice)
    )


@router.get("/chart", response_model=ChartResponse)
async def chart(
    request: Request,
    person: CurrentPerson,
    game: Annotated[str, Query(min_length=1, max_length=60)],
) -> ChartResponse:
    """The value of every option for the 169 pocket hands."""
    _limit_questions(request, person)
    rules, book, label = await _find_game(request, game)
    try:
        cells = await wait_briefly(solver_of(request).ask(pocket_chart, rules))
    except NoAnswer as error:
        raise ApiError(409, "no_values", str(error)) from None
    views = [describe_cell(cell, label) for cell in cells or ()]
    rows = [views[first : first + CHART_COLUMNS] for first in range(0, len(views), CHART_COLUMNS)]
    return ChartResponse(ready=cells is not None, rules=book, rows=rows)


@router.post("/drill", response_model=DrillResponse)
async def drill(body: DrillRequest, request: Request, person: CurrentPerson) -> DrillResponse:
    """The next question: a missed one that is due, or a new close decision."""
    _limit_questions(request, person)
    rules, book, label = await _find_game(request, body.game)
    street = Street(body.street) if body.street else None
    kind = body.kind or None
    try:
        practice = Practice(rules, book, label, street, kind)
        question = await drills_of(request).next_question(person, practice)
    except NoAnswer as error:
        raise ApiError(409, "no_values", str(error)) from None
    return DrillResponse(
        ready=question is not None,
        question=None if question is None else describe_question(question),
    )


@router.post("/drill/answer", response_model=DrillAnswerResponse)
async def answer(
    body: DrillAnswerRequest, request: Request, person: CurrentPerson
) -> DrillAnswerResponse:
    """Grade an answer. It is stored, and a missed question comes back later."""
    _limit_questions(request, person)
    chosen = body.action, body.multiple or 0
    graded = await drills_of(request).answer(person, body.id, chosen)
    if graded is None:
        raise ApiError(409, "no_such_question", "this question is not open, or has no such option")
    return DrillAnswerResponse(
        right=graded.note.judgement.correct,
        hand=describe_note(graded.note, graded.label),
        answered=graded.answered,
        correct=graded.correct,
        comes_back=graded.comes_back,
    )


@router.get("/score", response_model=ScoreResponse)
async def score(request: Request, person: CurrentPerson) -> ScoreResponse:
    """How well the player decides, overall and on the last evening."""
    _limit_questions(request, person)
    notes = await trainer_of(request).notes(person)
    return await asyncio.to_thread(_score, notes)


@router.get("/rounds", response_model=ReviewResponse)
async def rounds(request: Request, person: CurrentPerson) -> ReviewResponse:
    """The player's last ten rounds, each decision with its values."""
    _limit_questions(request, person)
    try:
        judged = await wait_briefly(trainer_of(request).rounds(person))
    except NoAnswer as error:
        raise ApiError(409, "no_values", str(error)) from None
    views = [describe_round(item) for item in judged or ()]
    return ReviewResponse(ready=judged is not None, rounds=views)


@router.get(
    "/summary",
    response_class=Response,
    responses={200: {"content": {"text/html": {}, "image/svg+xml": {}}, "description": "A file."}},
)
async def summary(request: Request, person: CurrentPerson, picture: bool = False) -> Response:
    """The last evening as a file to keep or share: an HTML page, or a picture."""
    _limit_questions(request, person)
    notes = await trainer_of(request).notes(person)
    text, day = await asyncio.to_thread(_summary, person, notes, picture)
    media_type, suffix = (
        ("image/svg+xml", "svg") if picture else ("text/html; charset=utf-8", "html")
    )
    headers = {"content-disposition": f'attachment; filename="headsup-{day}.{suffix}"'}
    return Response(text, media_type=media_type, headers=headers)


@router.delete("/notes", status_code=204)
async def forget(request: Request, person: CurrentPerson) -> None:
    """Delete all stored decisions of the player."""
    await trainer_of(request).forget(person)


def _summary(person: Person, notes: list[Note], picture: bool) -> tuple[str, str]:
    """The text of the file, and its day."""
    evening = last_evening(notes)
    day = evening[-1].at[:10] if evening else "nothing"
    summary = Summary(f"{person.name}: an evening’s decisions", day, Tally.of(evening))
    return (draw_summary if picture else summary_page)(summary), day


def _score(notes: list[Note]) -> ScoreResponse:
    tally = Tally.of(notes)
    return ScoreResponse(
        score=tally_json(tally, 0),
        evening=tally_json(Tally.of(last_evening(notes)), 0),
        mistakes=[describe_note(note) for note in tally.worst(MAX_MISTAKES)],
        due=len(Repetition.of(notes).due),
    )


async def _find_game(request: Request, name: str) -> tuple[RulesChoice, str, str]:
    """The rules of a table or of a printed rule book, with the book's id and word for a Raise."""
    table = await house_of(request).read_table(name)
    if table is not None:
        rules = table.rules
        return rules_choice_of(rules), rules.id, rules.book.label(Wager.RAISE)
    if name not in SHIPPED_BOOKS:
        raise ApiError(404, "no_such_game", "there is no table or rule book of that name")
    return shipped_rules(name), name, raise_label(name)
