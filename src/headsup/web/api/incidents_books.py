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
from headsup.house.history.exports import ExportFormat, closed_until, export_lines, incident_lines
from headsup.house.incidents.sentences import KINDS, details
from headsup.house.incidents.significant_events import (
    MOST_LISTED,
    IncidentListed,
    IncidentsWanted,
    listed,
)
from headsup.house.people.permissions import Act
from headsup.house.store.projection_tables import IncidentKind
from headsup.web.api.exports import exports_of, kind_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict, allowed
from headsup.web.api.records import Dollars, Time, database_of
from headsup.web.live.commands import not_too_often
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["oversight"])
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {}, "text/csv": {}}, "description": "The export."}
}


class IncidentShown(_Strict):
    """A significant event: who, when (UTC), where, what; `said` is its kind and `details` what was
    noted, in words. Round and entry only where it has them."""

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


class IncidentKindShown(_Strict):
    """A kind of significant events, and what people call it."""

    kind: IncidentKind
    said: str


class MeterBooks(_Strict):
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


class TableBooksShown(_Strict):
    table: str
    rounds: int
    playing: bool
    accounts: dict[str, str]


class FloorBooksShown(_Strict):
    """`total` is of all accounts, and nothing where all is well; `head` is the end of the log."""

    floor: str
    entries: int
    hash: str
    total: str
    accounts: dict[str, str]
    tables: list[TableBooksShown]
    meters: dict[str, MeterBooks]
    differences: list[str]


class BooksShown(_Strict):
    """Paid in less paid out is in wallets or on floors; where something does not agree, it is
    said in `differences`. `remarks` name floors that this server does not know yet."""

    agree: bool
    at: str
    paid_in: Dollars
    in_wallets: Dollars
    on_floors: Dollars
    differences: list[str]
    remarks: list[str]
    floors: list[FloorBooksShown]


# Significant events.


@router.get("/incidents", response_model=list[IncidentShown])
async def incidents(
    request: Request,
    person: Asker,
    kind: Annotated[IncidentKind | None, Query()] = None,
    who: Annotated[str | None, Query(max_length=90)] = None,
    table: Annotated[str | None, Query(max_length=60)] = None,
    since: Time = None,
    until: Time = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
) -> list[IncidentShown]:
    """Significant events, the newest first; `before` is the number of the last one seen."""
    allowed(person, Act.SEE_INCIDENTS)
    wanted = IncidentsWanted(kind, who, table, since, until, before, limit)
    found = await asyncio.to_thread(listed, database_of(request), wanted)
    return [_incident(one) for one in found]


@router.get("/incidents/kinds", response_model=list[IncidentKindShown])
async def incident_kinds(person: Asker) -> list[IncidentKindShown]:
    """Every kind that there is, to choose among."""
    allowed(person, Act.SEE_INCIDENTS)
    return [IncidentKindShown(kind=kind, said=said) for kind, said in KINDS.items()]


@router.get("/incidents/export", response_model=None, responses=_TEXT)
async def export_incidents(
    request: Request,
    person: Asker,
    format: Annotated[ExportFormat, Query()] = ExportFormat.JSON,
) -> StreamingResponse:
    """All of them, the oldest first, as lines of JSON or as CSV."""
    allowed(person, Act.EXPORT)
    not_too_often(request, person.id)
    lines = incident_lines(database_of(request), format)
    return exports_of(request).sent(person.id, lines, kind_of(format))


# The books.


@router.get("/books", response_model=BooksShown)
async def books(request: Request, person: Asker) -> BooksShown:
    """Whether wallets, floors, trays and meters agree at this moment."""
    allowed(person, Act.SEE_BOOKS)
    not_too_often(request, person.id)
    house = house_of(request)
    journals = {floor: host.journal for floor, host in house.hosts.items()}
    shut = frozenset(house.shut)
    found = await asyncio.to_thread(reconcile, house.database, journals, shut)
    return _books(found, clock.now())


# Exports.


@router.get("/floors/{floor}/export", response_model=None, responses=_TEXT)
async def export_floor(
    request: Request,
    person: Asker,
    floor: Annotated[str, Path(min_length=1, max_length=60)],
    format: Annotated[ExportFormat, Query()] = ExportFormat.LOG,
) -> StreamingResponse:
    """A floor's log, up to the first round that is still played: what is in it and face down is
    nobody's to know yet. As `log` it is what `headsup audit` reads."""
    allowed(person, Act.EXPORT)
    not_too_often(request, person.id)
    database = database_of(request)
    if floor not in await asyncio.to_thread(database.floors):
        raise ApiError(404, "no_such_floor")
    end = await asyncio.to_thread(closed_until, database, floor)
    lines = _held(export_lines(format, database.links(floor, end=end)))
    return exports_of(request).sent(person.id, lines, kind_of(format))


def _held(lines: Iterator[str]) -> Iterator[str]:
    """A log that does not hold ends where it ceases to, and says so."""
    try:
        yield from lines
    except Refused as refused:
        yield f"# {refused.message}\n"


def _incident(one: IncidentListed) -> IncidentShown:
    kind, what = IncidentKind(one.kind), json.loads(one.what)
    return IncidentShown(
        number=one.number,
        at=one.at,
        kind=kind,
        said=KINDS[kind],
        who=one.who,
        place=one.place,
        what=what,
        details=details(kind, what),
        floor=one.floor,
        table=one.table,
        round=one.round or None,
        entry=one.index or None,
    )


def _books(found: Books, at: str) -> BooksShown:
    return BooksShown(
        agree=not found.differences,
        at=at,
        paid_in=format_cents(found.paid_in),
        in_wallets=format_cents(found.in_wallets),
        on_floors=format_cents(found.on_floors),
        differences=list(found.differences),
        remarks=list(found.remarks),
        floors=[_floor(floor) for floor in found.floors],
    )


def _floor(floor: FloorBooks) -> FloorBooksShown:
    return FloorBooksShown(
        floor=floor.floor,
        entries=floor.head.count,
        hash=floor.head.hash,
        total=format_micros(floor.total),
        accounts=_accounts(floor.by_kind),
        tables=[
            TableBooksShown(
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
