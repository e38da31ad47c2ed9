"""Routes for past rounds: search, replay, notation and fairness proofs."""

import asyncio
import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import Field

from headsup.game.record.replay import ViewerStep, write_step
from headsup.game.refusal import Refused
from headsup.game.rulebook.wagers import SeatResult
from headsup.game.table.sealing import write_published
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.hands import Category
from headsup.game.values.money import format_cents
from headsup.game.views.parts import Parts, TableMoment, changed_parts, viewer_parts
from headsup.game.views.viewers import Watcher, parse_viewer
from headsup.game.words.catalogue import Catalogue
from headsup.house.fairness.published_rounds import published_for_player
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recall import RoundReplay, may_recall, replay_round, round_notation
from headsup.house.people.permissions import Act
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.rounds import (
    MAX_FOUND_ROUNDS,
    HandRecord,
    RoundLocation,
    RoundQuery,
    RoundRecord,
    corrections_of,
    find_rounds,
    hands_of,
    locate_round,
    recent_hands,
)
from headsup.web.api.exports import exports_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    READ_RATE,
    CurrentPerson,
    RequestLanguage,
    StrictModel,
    needs,
)
from headsup.web.api.next_step import TablePath
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["records"])

RoundPath = Annotated[int, Path(ge=1, le=2**53)]
TimeQuery = Annotated[
    str | None,
    Query(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z$",
        examples=["2026-01-31T12:00:00Z"],
    ),
]
_CATEGORY = f"^({'|'.join(category.key for category in Category)})$"
Dollars = Annotated[str, Field(examples=["12.50"])]


class CorrectionView(StrictModel):
    amount: Dollars = Field(description="Negative if chips were taken back.")
    reason: str
    at: str


class HandResponse(StrictModel):
    """One seat's hand in a round; `net` is the change in the player's money, with any award."""

    table: str
    round: int
    seat: int
    player: str
    closed_at: str
    staked: Dollars
    net: Dollars
    award: Dollars
    category: str = Field(description="Empty if the hand did not get all its cards.")
    result: str = Field(
        description="Of the hand against the dealer's: win, lose, push, fold or void."
    )
    corrections: list[CorrectionView] = Field(
        description="Of the payout, after the round; not included in `net`."
    )


class RoundResponse(StrictModel):
    table: str
    round: int
    closed_at: str
    void: str = Field(description="Why the whole round is void; empty if it is not.")
    hands: int
    staked: Dollars
    net: Dollars
    award: Dollars


class ReplayStep(StrictModel):
    """An event and the view after it; only the first view has `posted`."""

    step: int
    at: str
    event: dict[str, Any]
    say: str = Field(description="What happened, in the language of `Accept-Language`.")
    view: dict[str, Any]
    set: dict[str, Any] = Field(
        description="The parts of the live view that changed with this step; null if one is gone."
    )


class ReplayResponse(StrictModel):
    """The replay of a round: entries `first` to `last` of its floor's log."""

    replay: Literal[True] = True
    floor: str
    table: str
    round: int
    viewer: str
    first: int
    last: int | None = Field(description="Null while the round is open.")
    opened_at: str
    closed_at: str | None
    hands: list[HandResponse] = Field(description="For a player only their own.")
    steps: list[ReplayStep]
    fair: dict[str, Any] | None = Field(
        description="The opened seal of a sealed shuffle, for `headsup verify`."
    )


@router.get("/rounds/mine", response_model=list[HandResponse], dependencies=[READ_RATE])
async def list_own_hands(
    request: Request,
    person: CurrentPerson,
    table: Annotated[str | None, Query(max_length=60)] = None,
    seat: Annotated[int | None, Query(ge=1, le=99)] = None,
) -> list[HandResponse]:
    """Your own last ten rounds, newest first."""
    return await asyncio.to_thread(_load_own_hands, database_of(request), person.name, table, seat)


@router.get(
    "/rounds/mine/fair",
    response_model=None,
    responses={200: {"content": {"application/x-ndjson": {}}, "description": "JSON Lines."}},
)
async def export_own_seals(request: Request, person: CurrentPerson) -> StreamingResponse:
    """The published seals of all sealed rounds you played, newest first, at most 10,000: a file for
    `headsup verify` and `verifier.py`."""
    limit_recalls(request, person.id)
    sealed_tables = sorted(
        (floor, table.id)
        for floor, journal in (await house_of(request).read_journals()).items()
        for table in journal.floor.tables.values()
        if table.shuffle is ShuffleSource.SEALED
    )
    published = published_for_player(database_of(request), person.name, sealed_tables)
    lines = (f"{json.dumps(write_published(seal))}\n" for seal in published)
    return exports_of(request).stream(person.id, lines, "application/x-ndjson")


@router.get("/rounds", response_model=list[RoundResponse], dependencies=[needs(Act.FIND_ROUNDS)])
async def rounds(
    request: Request,
    table: Annotated[str | None, Query(max_length=60)] = None,
    number: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    player: Annotated[str | None, Query(max_length=40)] = None,
    since: TimeQuery = None,
    before: TimeQuery = None,
    category: Annotated[str | None, Query(pattern=_CATEGORY)] = None,
    result: Annotated[SeatResult | None, Query()] = None,
    least: Annotated[
        int | None, Query(ge=0, le=2**53, description="Cents that a hand at least won or lost.")
    ] = None,
    jackpot: bool | None = None,
    irregular: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_FOUND_ROUNDS)] = MAX_FOUND_ROUNDS,
) -> list[RoundResponse]:
    """Search closed rounds, newest first. For staff."""
    query = RoundQuery(
        *(table, number, player, since, before, category, result, least, jackpot, irregular, limit)
    )
    records = await asyncio.to_thread(find_rounds, database_of(request), query)
    return [_describe_round(record) for record in records]


@router.get("/tables/{table}/rounds/{number}", response_model=ReplayResponse)
async def replay(
    request: Request,
    person: CurrentPerson,
    table: TablePath,
    number: RoundPath,
    viewer: Annotated[
        str | None, Query(max_length=20, description="For staff the default is `dealer`.")
    ] = None,
    *,
    language: RequestLanguage,
) -> ReplayResponse:
    """A round step by step, as a viewer saw it. Players see their own rounds from their seat; staff
    see any round as `dealer`, `rail` or `tablevision`; those who settle disputes, as any seat."""
    limit_recalls(request, person.id)
    database = database_of(request)
    return await asyncio.to_thread(_replay, database, person, table, number, viewer, language)


@router.get(
    "/tables/{table}/rounds/{number}/notation",
    response_model=None,
    responses={200: {"content": {"text/plain": {}}, "description": "TOML."}},
    dependencies=[needs(Act.READ_ROUNDS)],
)
async def notation(
    request: Request, person: CurrentPerson, table: TablePath, number: RoundPath
) -> PlainTextResponse:
    """A settled round in notation with all its cards, for `headsup settle` and `headsup replay`."""
    limit_recalls(request, person.id)
    text = await asyncio.to_thread(_load_notation, database_of(request), table, number)
    return PlainTextResponse(text)


def limit_recalls(request: Request, key: str) -> None:
    """Limit replays per person or display: they are computed from the log and compete with play."""
    if not request.app.state.recall_rates.take(key):
        raise ApiError(429, "too_many_recalls")


def database_of(request: Request) -> Database:
    database: Database = request.app.state.house.database
    return database


def _load_own_hands(
    database: Database, player: str, table: str | None, seat: int | None
) -> list[HandResponse]:
    return [_describe_hand(database, hand) for hand in recent_hands(database, player, table, seat)]


def _replay(
    database: Database,
    person: Person,
    table: str,
    number: int,
    viewer: str | None,
    catalogue: Catalogue,
) -> ReplayResponse:
    location = locate_round(database, table, number)
    hands = [] if location is None else hands_of(database, location)
    own_hands = [hand for hand in hands if hand.player == person.name]
    if person.role is Role.PLAYER:
        # Players must not even learn whether a round of others exists.
        if location is None or not own_hands:
            raise ApiError(404, "no_such_round")
        viewer = viewer or f"seat {own_hands[0].seat}"
    if location is None:
        raise ApiError(404, "no_such_round")
    try:
        chosen_viewer = parse_viewer(viewer or Watcher.DEALER.value)
    except Refused as error:
        raise ApiError(400, "bad_request", error.message) from None
    if not may_recall(person, chosen_viewer, location, hands):
        raise ApiError(403, "not_your_view")
    try:
        result = replay_round(database, location, chosen_viewer)
    except BrokenLog as error:
        raise ApiError(409, "broken_log", str(error)) from None
    listed = own_hands if person.role is Role.PLAYER else hands
    described = [_describe_hand(database, hand) for hand in listed]
    return _describe_replay(result, described, catalogue)


def _load_notation(database: Database, table: str, number: int) -> str:
    location = locate_round(database, table, number)
    if location is None:
        raise ApiError(404, "no_such_round")
    if location.last is None:
        raise ApiError(409, "round_open", "the round is not closed yet")
    try:
        text = round_notation(database, location)
    except BrokenLog as error:
        raise ApiError(409, "broken_log", str(error)) from None
    if text is None:
        raise ApiError(404, "nothing_settled", "nothing was settled in this round")
    return text


def _describe_replay(
    result: RoundReplay, hands: list[HandResponse], catalogue: Catalogue
) -> ReplayResponse:
    location: RoundLocation = result.location
    return ReplayResponse(
        floor=location.floor,
        table=location.table,
        round=location.number,
        viewer=str(result.viewer),
        first=location.first,
        last=location.last,
        opened_at=location.opened_at,
        closed_at=location.closed_at,
        hands=hands,
        steps=list(_describe_steps(result.steps, catalogue)),
        fair=None if result.published is None else write_published(result.published),
    )


def _describe_steps(steps: Iterable[ViewerStep], catalogue: Catalogue) -> Iterator[ReplayStep]:
    before: Parts = {}
    moment: TableMoment | None = None
    for number, step in enumerate(steps):
        written: dict[str, Any] = write_step(step, catalogue)
        if number:
            written["view"].pop("posted", None)
        moment = TableMoment(step.floor, step.table, catalogue, moment)
        parts = viewer_parts(step.viewer, moment)
        yield ReplayStep(at=step.time, set=changed_parts(before, parts), **written)
        before = parts


def _describe_hand(database: Database, hand: HandRecord) -> HandResponse:
    return HandResponse(
        table=hand.table,
        round=hand.number,
        seat=hand.seat,
        player=hand.player,
        closed_at=hand.at,
        staked=format_cents(hand.staked),
        net=format_cents(hand.net),
        award=format_cents(hand.award),
        category=hand.category,
        result=hand.result,
        corrections=[
            CorrectionView(amount=correction.amount, reason=correction.reason, at=correction.at)
            for correction in corrections_of(database, hand)
        ],
    )


def _describe_round(record: RoundRecord) -> RoundResponse:
    return RoundResponse(
        table=record.table,
        round=record.number,
        closed_at=record.at,
        void=record.void,
        hands=record.hands,
        staked=format_cents(record.staked),
        net=format_cents(record.net),
        award=format_cents(record.award),
    )
