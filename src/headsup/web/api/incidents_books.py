"""For those who look into the house: significant events, the books, and exports. It is read here,
and nothing is written."""

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse

from headsup.game.bank.balances import AccountKind
from headsup.game.bank.meter import Meter
from headsup.game.refusal import Refused
from headsup.game.values.money import Micros, format_cents, format_micros
from headsup.house import clock
from headsup.house.cash.floor_books import FloorBooks
from headsup.house.cash.reconciliation import Books, reconcile
from headsup.house.history.exports import (
    ExportFormat,
    count_closed_entries,
    export_lines,
    incident_lines,
)
from headsup.house.incidents.sentences import KIND_NAMES, describe_incident
from headsup.house.incidents.significant_events import (
    MAX_LISTED_INCIDENTS,
    IncidentQuery,
    IncidentRecord,
    find_incidents,
)
from headsup.house.people.permissions import Act
from headsup.house.store.projection_tables import IncidentKind
from headsup.web.api.exports import content_type_of, exports_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.api.records import Dollars, TimeQuery, database_of
from headsup.web.live.commands import limit_commands
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["oversight"])
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {}, "text/csv": {}}, "description": "The export."}
}


class IncidentResponse(StrictModel):
    """A significant event: who, when (UTC), where, what; `said` is its kind and `describe_incident`
    what was noted, in words. Round and entry only where it has them."""

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
    """A kind of significant events, and what people call it."""

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
    owed: str
    frozen: str
    ended: bool


class TableBooksView(StrictModel):
    table: str
    rounds: int
    playing: bool
    accounts: dict[str, str]


class FloorBooksView(StrictModel):
    """`total` is of all accounts, and nothing where all is well; `head` is the end of the log."""

    floor: str
    entries: int
    hash: str
    total: str
    accounts: dict[str, str]
    tables: list[TableBooksView]
    meters: dict[str, MeterBooks]
    differences: list[str]


class BooksResponse(StrictModel):
    """Paid in less paid out is in wallets or on floors; where something does not agree, it is
    said in `differences`. `remarks` name floors that this server does not know yet."""

    agree: bool
    at: str
    paid_in: Dollars
    in_wallets: Dollars
    on_floors: Dollars
    differences: list[str]
    remarks: list[str]
    floors: list[FloorBooksView]


# Significant events.


@router.get("/incidents", response_model=list[IncidentResponse])
async def incidents(
    request: Request,
    person: CurrentPerson,
    kind: Annotated[IncidentKind | None, Query()] = None,
    who: Annotated[str | None, Query(max_length=90)] = None,
    table: Annotated[str | None, Query(max_length=60)] = None,
    since: TimeQuery = None,
    until: TimeQuery = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED_INCIDENTS)] = MAX_LISTED_INCIDENTS,
) -> list[IncidentResponse]:
    """Significant events, the newest first; `before` is the number of the last one seen."""
    require_permission(person, Act.SEE_INCIDENTS)
    wanted = IncidentQuery(kind, who, table, since, until, before, limit)
    found = await asyncio.to_thread(find_incidents, database_of(request), wanted)
    return [_incident(one) for one in found]


@router.get("/incidents/kinds", response_model=list[IncidentKindResponse])
async def incident_kinds(person: CurrentPerson) -> list[IncidentKindResponse]:
    """Every kind that there is, to choose among."""
    require_permission(person, Act.SEE_INCIDENTS)
    return [IncidentKindResponse(kind=kind, said=said) for kind, said in KIND_NAMES.items()]


@router.get("/incidents/export", response_model=None, responses=_TEXT)
async def export_incidents(
    request: Request,
    person: CurrentPerson,
    format: Annotated[ExportFormat, Query()] = ExportFormat.JSON,
) -> StreamingResponse:
    """All of them, the oldest first, as lines of JSON or as CSV."""
    require_permission(person, Act.EXPORT)
    limit_commands(request, person.id)
    lines = incident_lines(database_of(request), format)
    return exports_of(request).sent(person.id, lines, content_type_of(format))


# The books.


@router.get("/books", response_model=BooksResponse)
async def books(request: Request, person: CurrentPerson) -> BooksResponse:
    """Whether wallets, floors, trays and meters agree at this moment."""
    require_permission(person, Act.SEE_BOOKS)
    limit_commands(request, person.id)
    house = house_of(request)
    journals = {floor: host.journal for floor, host in house.hosts.items()}
    shut = frozenset(house.shut)
    found = await asyncio.to_thread(reconcile, house.database, journals, shut)
    return _books(found, clock.now())


# Exports.


@router.get("/floors/{floor}/export", response_model=None, responses=_TEXT)
async def export_floor(
    request: Request,
    person: CurrentPerson,
    floor: Annotated[str, Path(min_length=1, max_length=60)],
    format: Annotated[ExportFormat, Query()] = ExportFormat.LOG,
) -> StreamingResponse:
    """A floor's log, up to the first round that is still played: what is in it and face down is
    nobody's to know yet. As `log` it is what `headsup audit` reads."""
    require_permission(person, Act.EXPORT)
    limit_commands(request, person.id)
    database = database_of(request)
    if floor not in await asyncio.to_thread(database.floors):
        raise ApiError(404, "no_such_floor")
    end = await asyncio.to_thread(count_closed_entries, database, floor)
    lines = _end_at_break(export_lines(format, database.links(floor, end=end)))
    return exports_of(request).sent(person.id, lines, content_type_of(format))


def _end_at_break(lines: Iterator[str]) -> Iterator[str]:
    """A log that does not hold ends where it ceases to, and says so."""
    try:
        yield from lines
    except Refused as refused:
        yield f"# {refused.message}\n"


def _incident(one: IncidentRecord) -> IncidentResponse:
    kind, what = IncidentKind(one.kind), json.loads(one.what)
    return IncidentResponse(
        number=one.number,
        at=one.at,
        kind=kind,
        said=KIND_NAMES[kind],
        who=one.who,
        place=one.place,
        what=what,
        details=describe_incident(kind, what),
        floor=one.floor,
        table=one.table,
        round=one.round or None,
        entry=one.index or None,
    )


def _books(found: Books, at: str) -> BooksResponse:
    return BooksResponse(
        agree=not found.differences,
        at=at,
        paid_in=format_cents(found.paid_in),
        in_wallets=format_cents(found.in_wallets),
        on_floors=format_cents(found.on_floors),
        differences=list(found.differences),
        remarks=list(found.remarks),
        floors=[_floor(floor) for floor in found.floors],
    )


def _floor(floor: FloorBooks) -> FloorBooksView:
    return FloorBooksView(
        floor=floor.floor,
        entries=floor.head.count,
        hash=floor.head.hash,
        total=format_micros(floor.total),
        accounts=_accounts(floor.by_kind),
        tables=[
            TableBooksView(
                table=table.table,
                rounds=table.rounds,
                playing=table.playing,
                accounts=_accounts(table.by_kind),
            )
            for table in floor.tables
        ],
        meters={name: _meter(meter) for name, meter in floor.meters.items()},
        differences=list(floor.differences),
    )


def _accounts(held: Any) -> dict[str, str]:
    by_kind: dict[AccountKind, Micros] = dict(held)
    return {kind.value: format_micros(micros) for kind, micros in sorted(by_kind.items())}


def _meter(meter: Meter) -> MeterBooks:
    return MeterBooks(
        pool=format_micros(meter.pool),
        reserve=format_micros(meter.reserve),
        seeded=format_micros(meter.seeded),
        contributed=format_micros(meter.contributed),
        awarded=format_micros(meter.awarded),
        adjusted=format_micros(meter.adjusted),
        owed=format_micros(meter.owed),
        frozen=meter.frozen,
        ended=meter.ended,
    )
