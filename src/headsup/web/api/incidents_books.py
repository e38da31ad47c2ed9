"""Oversight routes: significant events, books, exports, the program's files, thresholds."""

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BeforeValidator, Field

from headsup.game.bank.balances import AccountKind
from headsup.game.bank.meter import Meter
from headsup.game.refusal import Refused
from headsup.game.table.reporting import (
    MAX_THRESHOLD_CENTS,
    MIN_THRESHOLD_CENTS,
    refuse_thresholds,
)
from headsup.game.table.state import ReportingThresholds
from headsup.game.values.money import Micros, format_cents, format_micros
from headsup.house import clock
from headsup.house.cash.books import Books, FloorBooks, reconcile
from headsup.house.history.exports import (
    ExportFormat,
    count_closed_entries,
    export_lines,
    incident_lines,
)
from headsup.house.incidents.sentences import KIND_NAMES, describe_incident
from headsup.house.people.permissions import Act
from headsup.house.store.incidents import (
    MAX_LISTED_INCIDENTS,
    IncidentQuery,
    IncidentRecord,
    find_incidents,
)
from headsup.house.store.projection_rows import IncidentKind
from headsup.version import __version__
from headsup.web.api.commands import refusal_error
from headsup.web.api.exports import content_type_of, exports_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    COMMAND_RATE,
    CurrentPerson,
    StrictModel,
    accounts_of,
    needs,
)
from headsup.web.api.records import Dollars, TimeQuery, database_of
from headsup.web.live.command_requests import prove_approver
from headsup.web.live.protocol import Approval, normalize_numbers
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["oversight"])
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {}, "text/csv": {}}, "description": "The export."}
}


class IncidentResponse(StrictModel):
    """A significant event: who, when (UTC), where and what. `said` is its kind in words, `details`
    the rest. `round` and `entry` are null if it has none."""

    number: int
    at: str
    kind: IncidentKind
    said: str
    who: str
    place: str
    what: dict[str, Any]
    details: str
    floor: str
    table: str
    round: int | None
    entry: int | None


class IncidentKindResponse(StrictModel):
    """A kind of significant event, and its name for people."""

    kind: IncidentKind
    said: str


class MeterBooks(StrictModel):
    """pool + reserve = seeded + contributed − awarded + adjusted, to the millionth of a dollar."""

    pool: str
    reserve: str
    seeded: str
    contributed: str
    awarded: str
    adjusted: str
    shown: str
    frozen: str
    ended: bool
    notices: list[str]


class TableBooksView(StrictModel):
    table: str
    rounds: int
    playing: bool
    accounts: dict[str, str]


class FloorBooksView(StrictModel):
    """`total` is the sum of all accounts, zero if all is well; `hash` is the head of the log."""

    floor: str
    entries: int
    hash: str
    total: str
    accounts: dict[str, str]
    tables: list[TableBooksView]
    meters: dict[str, MeterBooks]
    differences: list[str]


class BooksResponse(StrictModel):
    """Money paid in minus paid out must be in wallets or on floors; `differences` lists what does
    not agree, `remarks` the floors that this server does not know yet."""

    agree: bool
    at: str
    paid_in: Dollars
    in_wallets: Dollars
    on_floors: Dollars
    differences: list[str]
    remarks: list[str]
    floors: list[FloorBooksView]


# Significant events.


@router.get(
    "/incidents", response_model=list[IncidentResponse], dependencies=[needs(Act.SEE_INCIDENTS)]
)
async def incidents(
    request: Request,
    kind: Annotated[IncidentKind | None, Query()] = None,
    who: Annotated[str | None, Query(max_length=90)] = None,
    table: Annotated[str | None, Query(max_length=60)] = None,
    since: TimeQuery = None,
    until: TimeQuery = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED_INCIDENTS)] = MAX_LISTED_INCIDENTS,
) -> list[IncidentResponse]:
    """Significant events, newest first; `before` is the number of the last one seen."""
    query = IncidentQuery(kind, who, table, since, until, before, limit)
    records = await asyncio.to_thread(find_incidents, database_of(request), query)
    return [_describe_incident(record) for record in records]


@router.get(
    "/incidents/kinds",
    response_model=list[IncidentKindResponse],
    dependencies=[needs(Act.SEE_INCIDENTS)],
)
async def incident_kinds() -> list[IncidentKindResponse]:
    """All kinds of significant events, for a filter."""
    return [IncidentKindResponse(kind=kind, said=name) for kind, name in KIND_NAMES.items()]


@router.get(
    "/incidents/export",
    response_model=None,
    responses=_TEXT,
    dependencies=[needs(Act.EXPORT), COMMAND_RATE],
)
async def export_incidents(
    request: Request,
    person: CurrentPerson,
    format: Annotated[ExportFormat, Query()] = ExportFormat.JSON,
) -> StreamingResponse:
    """All significant events, oldest first, as JSON Lines or CSV."""
    lines = incident_lines(database_of(request), format)
    return exports_of(request).stream(person.id, lines, content_type_of(format))


# The books.


@router.get(
    "/books", response_model=BooksResponse, dependencies=[needs(Act.SEE_BOOKS), COMMAND_RATE]
)
async def books(request: Request) -> BooksResponse:
    """Whether wallets, floors, trays and meters agree right now."""
    house = house_of(request)
    journals = await house.read_journals()
    shut = frozenset(house.broken_floors)
    result = await asyncio.to_thread(reconcile, house.database, journals, shut)
    return _describe_books(result, clock.now())


# Exports.


@router.get(
    "/floors/{floor}/export",
    response_model=None,
    responses=_TEXT,
    dependencies=[needs(Act.EXPORT), COMMAND_RATE],
)
async def export_floor(
    request: Request,
    person: CurrentPerson,
    floor: Annotated[str, Path(min_length=1, max_length=60)],
    format: Annotated[ExportFormat, Query()] = ExportFormat.LOG,
) -> StreamingResponse:
    """A floor's log, up to the first open round, whose face-down cards are still secret. `log` is
    the format that `headsup audit` reads."""
    database = database_of(request)
    if floor not in await asyncio.to_thread(database.floors):
        raise ApiError(404, "no_such_floor")
    end = await asyncio.to_thread(count_closed_entries, database, floor)
    lines = _end_at_break(export_lines(format, database.links(floor, end=end)))
    return exports_of(request).stream(person.id, lines, content_type_of(format))


def _end_at_break(lines: Iterator[str]) -> Iterator[str]:
    """Replace an error in a broken log by a comment line at the end."""
    try:
        yield from lines
    except Refused as refused:
        yield f"# {refused.message}\n"


def _describe_incident(record: IncidentRecord) -> IncidentResponse:
    kind, details = IncidentKind(record.kind), json.loads(record.what)
    return IncidentResponse(
        number=record.number,
        at=record.at,
        kind=kind,
        said=KIND_NAMES[kind],
        who=record.who,
        place=record.place,
        what=details,
        details=describe_incident(kind, details),
        floor=record.floor,
        table=record.table,
        round=record.round or None,
        entry=record.index or None,
    )


def _describe_books(result: Books, at: str) -> BooksResponse:
    return BooksResponse(
        agree=not result.differences,
        at=at,
        paid_in=format_cents(result.paid_in),
        in_wallets=format_cents(result.in_wallets),
        on_floors=format_cents(result.on_floors),
        differences=list(result.differences),
        remarks=list(result.remarks),
        floors=[_describe_floor(floor) for floor in result.floors],
    )


def _describe_floor(floor: FloorBooks) -> FloorBooksView:
    return FloorBooksView(
        floor=floor.floor,
        entries=floor.head.count,
        hash=floor.head.hash,
        total=format_micros(floor.total),
        accounts=_describe_accounts(floor.by_kind),
        tables=[
            TableBooksView(
                table=table.table,
                rounds=table.rounds,
                playing=table.playing,
                accounts=_describe_accounts(table.by_kind),
            )
            for table in floor.tables
        ],
        meters={
            name: _describe_meter(meter, floor.notices.get(name, ()))
            for name, meter in floor.meters.items()
        },
        differences=list(floor.differences),
    )


def _describe_accounts(amounts: Any) -> dict[str, str]:
    by_kind: dict[AccountKind, Micros] = dict(amounts)
    return {kind.value: format_micros(micros) for kind, micros in sorted(by_kind.items())}


def _describe_meter(meter: Meter, notices: tuple[str, ...]) -> MeterBooks:
    return MeterBooks(
        pool=format_micros(meter.pool),
        reserve=format_micros(meter.reserve),
        seeded=format_micros(meter.seeded),
        contributed=format_micros(meter.contributed),
        awarded=format_micros(meter.awarded),
        adjusted=format_micros(meter.adjusted),
        shown=format_micros(meter.displayed),
        frozen=meter.frozen_reason,
        ended=meter.is_ended,
        notices=list(notices),
    )


# Program authentication.


class ProgramResponse(StrictModel):
    """This server's program files. While `changed` lists any, it opens no table or round."""

    version: str
    digest: str = Field(description="SHA-256 over all files as of the start.")
    files: int
    approved: bool = Field(description="Whether the files are checked against an approved list.")
    changed: list[str] = Field(
        description="Files changed since the start, or different from that list."
    )
    at: str


@router.get(
    "/program", response_model=ProgramResponse, dependencies=[needs(Act.SEE_PROGRAM), COMMAND_RATE]
)
async def program(request: Request) -> ProgramResponse:
    """Check the program files now."""
    diary = house_of(request).incident_queue
    changed = await diary.check_files()
    program = diary.program
    return ProgramResponse(
        version=__version__,
        digest=program.digest,
        files=program.count,
        approved=program.approved is not None,
        changed=list(changed),
        at=clock.now(),
    )


# Thresholds, from which amounts are significant.

# The bounds are checked by `refuse_thresholds`, whose refusals are sentences.
Threshold = Annotated[
    int,
    BeforeValidator(normalize_numbers),
    Field(json_schema_extra={"minimum": MIN_THRESHOLD_CENTS, "maximum": MAX_THRESHOLD_CENTS}),
]


class ThresholdsResponse(StrictModel):
    """The amounts in cents from which a win, a seat's wagers in one round, and cash in or out are
    large. They are significant events, and large cash movements need a second person."""

    win: Threshold
    wager: Threshold
    transaction: Threshold


class ThresholdsRequest(ThresholdsResponse):
    """All three thresholds, with a supervisor's approval."""

    approval: Approval | None = None


@router.get(
    "/thresholds", response_model=ThresholdsResponse, dependencies=[needs(Act.SEE_THRESHOLDS)]
)
async def thresholds(request: Request) -> ThresholdsResponse:
    """The house's thresholds for large amounts."""
    return ThresholdsResponse(**house_of(request).thresholds._asdict())


@router.post(
    "/thresholds",
    response_model=ThresholdsResponse,
    dependencies=[needs(Act.SET_THRESHOLDS), COMMAND_RATE],
)
async def set_thresholds(
    body: ThresholdsRequest, request: Request, person: CurrentPerson
) -> ThresholdsResponse:
    """Change the thresholds on every server, with a supervisor's approval."""
    try:
        thresholds = ReportingThresholds(body.win, body.wager, body.transaction)
        if refused := refuse_thresholds(thresholds):
            raise Refused.of(refused)
        approver = await prove_approver(accounts_of(request), person, body.approval)
    except Refused as error:
        raise refusal_error(error.refusal) from None
    house = house_of(request)
    await house.set_thresholds(thresholds, f"{person.name} / {approver.name}")
    log.info("thresholds changed", who=person.name)
    return ThresholdsResponse(**house.thresholds._asdict())
