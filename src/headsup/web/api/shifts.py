"""Routes for tables with real chips: guests, trays, slips, shift reports and the gaming day."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BeforeValidator, Field

from headsup.game.bank.ledger import tray_account
from headsup.game.refusal import Refused
from headsup.game.table.chips.felt import HeldAward, is_guest_name
from headsup.game.table.chips.shifts import recorded_win
from headsup.game.values.cards import format_cards
from headsup.game.values.money import MICROS_PER_CENT, format_cents
from headsup.house import clock
from headsup.house.cash.gaming_days import GamingDay, refuse_gaming_day
from headsup.house.cash.shifts import ShiftLine, Span, line_values, report_lines, shift_lines
from headsup.house.history.exports import ExportFormat
from headsup.house.people.permissions import Act, may
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import Slip, SlipKind
from headsup.house.store.settings import put_gaming_day, read_gaming_day
from headsup.house.store.wallets import read_slips
from headsup.web.api.commands import refusal_error
from headsup.web.api.exports import content_type_of, exports_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    COMMAND_RATE,
    CurrentPerson,
    StrictModel,
    needs,
)
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import Dollars, database_of
from headsup.web.live.protocol import normalize_numbers
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["real chips"])

GamingDayText = Annotated[str, Query(pattern=r"^(\d{4}-\d\d-\d\d)?$", examples=["2026-01-31"])]
SpanQuery = Annotated[Span, Query()]
_EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {}, "text/plain": {}}, "description": "The lines of the report."}
}


class GamingDayModel(StrictModel):
    """`zone` is a name of the time zone database; empty for the server's own zone. A new day begins
    at `hour`."""

    zone: str = Field(max_length=60, examples=["America/New_York"])
    hour: Annotated[int, Field(ge=0, le=23), BeforeValidator(normalize_numbers)]


class ShiftReportLine(StrictModel):
    """`win` is by count: drop + closing + credits - opening - fills. `recorded` is by the rounds.
    The difference is the `variance`. `hold` is the win divided by the drop."""

    floor: str
    table: str
    span: str
    shifts: int
    open: bool
    opening: Dollars
    fills: Dollars
    credits: Dollars
    drop: Dollars | None
    closing: Dollars | None
    win: Dollars | None
    recorded: Dollars | None
    variance: Dollars | None
    hold: str | None
    box_variance: Dollars
    opening_variance: Dollars


class SlipModel(StrictModel):
    """What a numbered slip says. Amounts are dollars; `pieces` is a number by denomination."""

    table: str
    slip: int
    kind: SlipKind
    shift: int
    at: str
    signed: str
    amount: Dollars
    pieces: dict[str, int]
    expected: Dollars


class TrayShift(StrictModel):
    """`expected` and `recorded` are only for those who see the books: whoever counts the tray must
    not know what should be in it."""

    number: int
    opening: Dollars
    fills: Dollars
    credits: Dollars
    expected: Dollars | None
    recorded: Dollars | None


class HeldAwardModel(StrictModel):
    """A share of the pool that waits. `cards` are the winner's two and the board."""

    award: int
    seat: int
    player: str
    round: int
    amount: Dollars
    cards: list[str]
    verified: bool
    by_account: bool


class FeltResponse(StrictModel):
    """The real chips of a table. `needs_fill` says that the book has the tray below zero."""

    guests: dict[int, str]
    settings: dict[str, Any]
    shift: TrayShift | None
    boxes: list[int]
    held: list[HeldAwardModel]
    needs_fill: bool


@router.get(
    "/tables/{table}/felt", response_model=FeltResponse, dependencies=[needs(Act.SEE_TRAYS)]
)
async def felt(table: TablePath, request: Request, person: CurrentPerson) -> FeltResponse:
    """The guests, the shift and the boxes of a table."""
    host = house_of(request).host_of(table)
    if host is None or table not in host.journal.floor.tables:
        raise ApiError(404, "no_such_table")
    floor = host.journal.floor
    state = floor.tables[table]
    felt, shift = state.felt, None
    tray = floor.ledger.balance(tray_account(table)) // MICROS_PER_CENT
    if felt.shift is not None:
        sees_books = may(person, Act.SEE_BOOKS)
        shift = TrayShift(
            number=felt.shift.number,
            opening=format_cents(felt.shift.opening),
            fills=format_cents(felt.shift.fills),
            credits=format_cents(felt.shift.credits),
            expected=format_cents(tray) if sees_books else None,
            recorded=format_cents(recorded_win(floor, state)) if sees_books else None,
        )
    return FeltResponse(
        guests=dict(felt.guests),
        settings=felt.settings._asdict(),
        shift=shift,
        boxes=sorted(felt.boxes),
        held=[_describe_held(number, held) for number, held in sorted(felt.held.items())],
        needs_fill=felt.shift is not None and tray < 0,
    )


def _describe_held(number: int, held: HeldAward) -> HeldAwardModel:
    return HeldAwardModel(
        award=number,
        seat=held.seat,
        player=held.player,
        round=held.round,
        amount=format_cents(held.amount),
        cards=[format_cards([card]) for card in held.cards],
        verified=held.verified,
        by_account=not is_guest_name(held.player),
    )


@router.get("/shifts", response_model=list[ShiftReportLine], dependencies=[needs(Act.SEE_BOOKS)])
async def shifts(
    request: Request,
    span: SpanQuery = Span.SHIFT,
    since: GamingDayText = "",
    until: GamingDayText = "",
) -> list[ShiftReportLine]:
    """Win, hold and variance of tables with real chips, for the gaming days from `since` until
    before `until`, by shift, day, month or year to date."""
    lines = await asyncio.to_thread(_load_lines, database_of(request), span, since, until)
    return [ShiftReportLine(**line_values(line)) for line in lines]  # type: ignore[arg-type]


@router.get(
    "/shifts/export",
    response_model=None,
    responses=_EXPORTED,
    dependencies=[needs(Act.SEE_BOOKS), COMMAND_RATE],
)
async def export_shifts(
    request: Request,
    person: CurrentPerson,
    span: SpanQuery = Span.SHIFT,
    since: GamingDayText = "",
    until: GamingDayText = "",
    format: Literal["csv", "json"] = "csv",
) -> StreamingResponse:
    """The same report as CSV, or as one JSON object per line."""
    lines = await asyncio.to_thread(_load_lines, database_of(request), span, since, until)
    text = report_lines(lines, format == "csv")
    return exports_of(request).stream(person.id, text, content_type_of(ExportFormat(format)))


def _load_lines(database: Database, span: Span, since: str, until: str) -> list[ShiftLine]:
    with database.read_connection() as connection:
        day = GamingDay(**read_gaming_day(connection))
        return shift_lines(read_slips(connection), span, day, since, until)


@router.get(
    "/tables/{table}/slips", response_model=list[SlipModel], dependencies=[needs(Act.SEE_TRAYS)]
)
async def slips(table: TablePath, request: Request) -> list[SlipModel]:
    """The slips of a table, newest first."""
    found = await asyncio.to_thread(_load_slips, database_of(request), table)
    return [_describe_slip(slip) for slip in reversed(found)]


def _load_slips(database: Database, table: str) -> list[Slip]:
    with database.read_connection() as connection:
        return [slip for _, slip in read_slips(connection, table)]


def _describe_slip(slip: Slip) -> SlipModel:
    values = {name: getattr(slip, name) for name in SlipModel.model_fields}
    amounts = {name: format_cents(values[name]) for name in ("amount", "expected")}
    return SlipModel(**{**values, **amounts, "pieces": slip.pieces_by_denomination})


@router.get("/gaming-day", response_model=GamingDayModel, dependencies=[needs(Act.SEE_BOOKS)])
async def gaming_day(request: Request) -> GamingDayModel:
    """When the house's day begins, and where (R110)."""
    return GamingDayModel(**asdict(await asyncio.to_thread(_load_day, database_of(request))))


def _load_day(database: Database) -> GamingDay:
    with database.read_connection() as connection:
        return GamingDay(**read_gaming_day(connection))


@router.post(
    "/gaming-day",
    response_model=GamingDayModel,
    dependencies=[needs(Act.SET_GAMING_DAY), COMMAND_RATE],
)
async def set_gaming_day(
    body: GamingDayModel, request: Request, person: CurrentPerson
) -> GamingDayModel:
    """Change when the house's day begins, on record. Reports of the past follow it."""
    if refused := refuse_gaming_day(GamingDay(body.zone, body.hour)):
        raise refusal_error(refused) from Refused.of(refused)
    engine = house_of(request).database.engine
    await asyncio.to_thread(put_gaming_day, engine, body.model_dump(), person.name, clock.now())
    return body
