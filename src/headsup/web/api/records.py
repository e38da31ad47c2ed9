"""Rounds that were played, for players and staff: found, and shown again as a replay."""

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import Field

from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.replay import ViewerStep, write_step
from headsup.game.refusal import Refused
from headsup.game.table.round_history import RoundProof
from headsup.game.table.sealing import write_published
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.hands import Category
from headsup.game.values.money import format_cents
from headsup.game.views.viewers import Watcher, parse_viewer
from headsup.house.fairness.published_rounds import published_for_player
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recall import (
    MAX_FOUND_ROUNDS,
    HandRecord,
    RoundLocation,
    RoundQuery,
    RoundRecord,
    RoundReplay,
    corrections_of,
    find_rounds,
    hands_of,
    locate_round,
    may_recall,
    recent_hands,
    replay_round,
    round_notation,
)
from headsup.house.history.round_proof import prove_round
from headsup.house.people.accounts import Person, Role
from headsup.house.people.permissions import Act
from headsup.house.store.database import Database
from headsup.web.api.exports import exports_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, limit_reads, require_permission
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
_write_recalled = CodecRegistry().of(RoundProof).write
_CATEGORY = f"^({'|'.join(category.key for category in Category)})$"
Dollars = Annotated[str, Field(examples=["12.50"])]


class CorrectionView(StrictModel):
    amount: Dollars = Field(description="Below zero where chips were taken back.")
    reason: str
    at: str


class HandResponse(StrictModel):
    """One seat's round; `net` is what it changed in the player's money, the award included."""

    table: str
    round: int
    seat: int
    player: str
    closed_at: str
    staked: Dollars
    net: Dollars
    award: Dollars
    category: str = Field(description="Empty where the hand never came to all its cards.")
    result: str = Field(description="Of the Ante: win, lose, push, fold or void.")
    corrections: list[CorrectionView] = Field(
        description="Of its payout, after the round; `net` is without them."
    )


class RoundResponse(StrictModel):
    table: str
    round: int
    closed_at: str
    void: str = Field(description="Why all of it is void; empty where it is not.")
    hands: int
    staked: Dollars
    net: Dollars
    award: Dollars


class ReplayStep(StrictModel):
    """What the viewer was told and saw then; `posted` is left out of the view after the first."""

    step: int
    at: str
    event: dict[str, Any]
    view: dict[str, Any]


class ReplayResponse(StrictModel):
    """A round once more, marked as such; entries `first` to `last` of its floor's log."""

    replay: Literal[True] = True
    floor: str
    table: str
    round: int
    viewer: str
    first: int
    last: int | None = Field(description="Null while the round is played.")
    opened_at: str
    closed_at: str | None
    hands: list[HandResponse] = Field(description="A player's own alone.")
    steps: list[ReplayStep]
    fair: dict[str, Any] | None = Field(
        description="What the house opened of a sealed shuffle, for `headsup verify`."
    )


@router.get("/rounds/mine", response_model=list[HandResponse])
async def list_own_hands(
    request: Request,
    person: CurrentPerson,
    table: Annotated[str | None, Query(max_length=60)] = None,
    seat: Annotated[int | None, Query(ge=1, le=99)] = None,
) -> list[HandResponse]:
    """One's own last ten rounds, the newest first."""
    limit_reads(request, person)
    return await asyncio.to_thread(_load_own_hands, database_of(request), person.name, table, seat)


@router.get(
    "/rounds/mine/fair",
    response_model=None,
    responses={200: {"content": {"application/x-ndjson": {}}, "description": "JSON Lines."}},
)
async def export_own_seals(request: Request, person: CurrentPerson) -> StreamingResponse:
    """What was published of every sealed round that one was in, the newest first and at most the
    last 10,000: one file for `headsup verify` and `verifier.py`."""
    limit_recalls(request, person.id)
    sealed = sorted(
        (floor, table.id)
        for floor, host in house_of(request).hosts.items()
        for _, table in host.journal.floor.tables.unsorted()
        if table.shuffle is ShuffleSource.SEALED
    )
    found = published_for_player(database_of(request), person.name, sealed)
    lines = (f"{json.dumps(write_published(one))}\n" for one in found)
    return exports_of(request).sent(person.id, lines, "application/x-ndjson")


@router.get("/rounds", response_model=list[RoundResponse])
async def rounds(
    request: Request,
    person: CurrentPerson,
    table: Annotated[str | None, Query(max_length=60)] = None,
    number: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    player: Annotated[str | None, Query(max_length=40)] = None,
    since: TimeQuery = None,
    before: TimeQuery = None,
    category: Annotated[str | None, Query(pattern=_CATEGORY)] = None,
    result: Annotated[Literal["win", "lose", "push", "fold", "void"] | None, Query()] = None,
    least: Annotated[
        int | None, Query(ge=0, le=2**53, description="Cents that a hand won or lost.")
    ] = None,
    jackpot: bool | None = None,
    irregular: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_FOUND_ROUNDS)] = MAX_FOUND_ROUNDS,
) -> list[RoundResponse]:
    """Rounds that are closed, the newest first, by what is known of them. For staff."""
    require_permission(person, Act.FIND_ROUNDS)
    sought = RoundQuery(
        *(table, number, player, since, before, category, result, least, jackpot, irregular, limit)
    )
    found = await asyncio.to_thread(find_rounds, database_of(request), sought)
    return [_round(one) for one in found]


@router.get("/tables/{table}/rounds/{number}", response_model=ReplayResponse)
async def replay(
    request: Request,
    person: CurrentPerson,
    table: TablePath,
    number: RoundPath,
    viewer: Annotated[
        str | None, Query(max_length=20, description="Staff see it as the dealer if none is named.")
    ] = None,
) -> ReplayResponse:
    """A round step by step, as a viewer saw it. Players see their own, from the own seat; staff
    also as `dealer`, `rail` or `tablevision`, those who settle disputes from every seat."""
    limit_recalls(request, person.id)
    return await asyncio.to_thread(_replay, database_of(request), person, table, number, viewer)


@router.get(
    "/tables/{table}/rounds/{number}/notation",
    response_model=None,
    responses={200: {"content": {"text/plain": {}}, "description": "TOML."}},
)
async def notation(
    request: Request, person: CurrentPerson, table: TablePath, number: RoundPath
) -> PlainTextResponse:
    """A settled round as text with all its cards, for `headsup settle` and `headsup replay`."""
    require_permission(person, Act.READ_ROUNDS)
    limit_recalls(request, person.id)
    text = await asyncio.to_thread(_load_notation, database_of(request), table, number)
    return PlainTextResponse(text)


@router.get("/tables/{table}/rounds/{number}/recalled", response_model=dict[str, Any])
async def recalled(
    request: Request, person: CurrentPerson, table: TablePath, number: RoundPath
) -> dict[str, Any]:
    """What `CorrectPayout` takes as `recalled`, for a round before the last (R95)."""
    require_permission(person, Act.FIND_ROUNDS)
    limit_recalls(request, person.id)
    at = house_of(request).table(table)
    found = None
    if at is not None:
        found = await asyncio.to_thread(prove_round, database_of(request), at, number)
    if found is None:
        raise ApiError(404, "no_such_round")
    written: dict[str, Any] = _write_recalled(found)
    return written


def limit_recalls(request: Request, who: str) -> None:
    """What is recalled is folded from the log, in time that the tables in play would have had."""
    if not request.app.state.recall_rates.take(who):
        raise ApiError(429, "too_many_recalls")


def database_of(request: Request) -> Database:
    database: Database = request.app.state.house.database
    return database


def _load_own_hands(
    database: Database, player: str, table: str | None, seat: int | None
) -> list[HandResponse]:
    return [_hand(database, hand) for hand in recent_hands(database, player, table, seat)]


def _replay(
    database: Database, person: Person, table: str, number: int, viewer: str | None
) -> ReplayResponse:
    place = locate_round(database, table, number)
    hands = [] if place is None else hands_of(database, place)
    own = [hand for hand in hands if hand.player == person.name]
    if person.role is Role.PLAYER:
        if place is None or not own:  # of others' rounds a player learns not even that they were
            raise ApiError(404, "no_such_round")
        viewer = viewer or f"seat {own[0].seat}"
    if place is None:
        raise ApiError(404, "no_such_round")
    try:
        who = parse_viewer(viewer or Watcher.DEALER.value)
    except Refused as refused:
        raise ApiError(400, "bad_request", refused.message) from None
    if not may_recall(person, who, place, hands):
        raise ApiError(403, "not_your_view")
    try:
        found = replay_round(database, place, who)
    except BrokenLog as broken:
        raise ApiError(409, "broken_log", str(broken)) from None
    listed = own if person.role is Role.PLAYER else hands
    return _describe_replay(found, [_hand(database, hand) for hand in listed])


def _load_notation(database: Database, table: str, number: int) -> str:
    place = locate_round(database, table, number)
    if place is None:
        raise ApiError(404, "no_such_round")
    if place.last is None:
        raise ApiError(409, "round_open", "the round is not closed yet")
    try:
        text = round_notation(database, place)
    except BrokenLog as broken:
        raise ApiError(409, "broken_log", str(broken)) from None
    if text is None:
        raise ApiError(404, "nothing_settled", "nothing was settled in this round")
    return text


def _describe_replay(found: RoundReplay, hands: list[HandResponse]) -> ReplayResponse:
    place: RoundLocation = found.place
    return ReplayResponse(
        floor=place.floor,
        table=place.table,
        round=place.number,
        viewer=str(found.viewer),
        first=place.first,
        last=place.last,
        opened_at=place.opened_at,
        closed_at=place.closed_at,
        hands=hands,
        steps=[_step(step, first=number == 0) for number, step in enumerate(found.steps)],
        fair=None if found.published is None else write_published(found.published),
    )


def _step(step: ViewerStep, first: bool) -> ReplayStep:
    written: dict[str, Any] = write_step(step)
    if not first:
        written["view"].pop("posted", None)
    return ReplayStep(at=step.at, **written)


def _hand(database: Database, hand: HandRecord) -> HandResponse:
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
            CorrectionView(amount=one.amount, reason=one.reason, at=one.at)
            for one in corrections_of(database, hand)
        ],
    )


def _round(found: RoundRecord) -> RoundResponse:
    return RoundResponse(
        table=found.table,
        round=found.number,
        closed_at=found.at,
        void=found.void,
        hands=found.hands,
        staked=format_cents(found.staked),
        net=format_cents(found.net),
        award=format_cents(found.award),
    )
