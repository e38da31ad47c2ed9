"""What tables took, and how that compares with what the exact mathematics says they should."""

import asyncio
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from headsup.analysis.par.exact_numbers import decimal_text
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_CENT, format_cents, format_micros
from headsup.house.cash.takings import TableTakings, table_takings
from headsup.house.people.permissions import Act
from headsup.house.store.database import Database
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import Dollars, database_of
from headsup.web.server.errors import ApiError
from headsup.web.workers.training_values import ValueClient, ValuesUnavailable

router = APIRouter(prefix="/api", tags=["oversight"])

Day = Annotated[str, Query(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-01-31"])]
_WAIT_SECONDS = 20.0
_BAND = 1.96  # standard deviations, for nineteen in twenty by a normal distribution
_ENOUGH_ROUNDS = 30  # before which a normal distribution says too little to judge a table by


class Exact(StrictModel):
    exact: str = Field(examples=["1/40"])
    decimal: str = Field(examples=["0.0250000000"])


class WagerTakingsView(StrictModel):
    hands: int
    handle: Dollars
    win: Dollars
    award: Dollars


class TakingsResponse(StrictModel):
    """`win` is the house's: not what a pool paid, nor what went onto a meter. `hold` is of the
    drop; null where nobody bought in."""

    floor: str
    table: str
    rounds: int
    drop: Dollars
    cashed_out: Dollars
    handle: Dollars
    win: str
    hold: Exact | None
    contributed: str
    corrected: Dollars
    wagers: dict[str, WagerTakingsView]


class WagerTheory(StrictModel):
    house_edge: Exact
    expected: str
    standard_deviation: str


class TableTheory(StrictModel):
    """Expected of the stakes that were placed, if every hand was played perfectly: what people do
    otherwise is the house's gain. `low` to `high` holds the win about nineteen times in twenty, by
    a normal distribution, hands taken as if each were dealt alone; those of one round share its
    board, and vary more. `within` means something once the table is `judged`: from so many rounds
    on as `judged_from` says."""

    taken: TakingsResponse
    expected: str
    standard_deviation: str
    low: str
    high: str
    within: bool
    judged: bool
    judged_from: int
    wagers: dict[str, WagerTheory]


@router.get("/takings", response_model=list[TakingsResponse])
async def takings(
    request: Request, person: CurrentPerson, since: Day | None = None, until: Day | None = None
) -> list[TakingsResponse]:
    """Drop, handle, win and hold of every table, of the days from `since` to before `until`."""
    require_permission(person, Act.SEE_BOOKS)
    found = await asyncio.to_thread(_load_takings, database_of(request), since, until, None)
    return [_describe_takings(one) for one in found]


@router.get("/tables/{table}/theory", response_model=TableTheory)
async def theory(
    table: TablePath,
    request: Request,
    person: CurrentPerson,
    since: Day | None = None,
    until: Day | None = None,
) -> TableTheory:
    """The same for one table, beside what is expected of it. The first time the rules are solved,
    which may take a minute: until then it is said to ask again."""
    require_permission(person, Act.SEE_BOOKS)
    at = house_of(request).table(table)
    found = await asyncio.to_thread(_load_takings, database_of(request), since, until, table)
    if at is None or not found or not found[0].rounds or at.rules.choice is None:
        raise ApiError(404, "no_such_table", "nothing was played at such a table")
    values: ValueClient = request.app.state.trainer.values
    try:
        edges = await asyncio.wait_for(values.edges(at.rules.choice), _WAIT_SECONDS)
    except TimeoutError:
        raise ApiError(503, "being_solved", "the rules are being solved; ask again soon") from None
    except ValuesUnavailable as none:
        raise ApiError(409, "no_theory", str(none)) from None
    return compare_with_theory(found[0], edges)


def _load_takings(
    database: Database, since: str | None, until: str | None, table: str | None
) -> list[TableTakings]:
    with database.reading() as connection:
        return table_takings(connection, since, until, table)


def _describe_takings(taken: TableTakings) -> TakingsResponse:
    hold = taken.hold
    return TakingsResponse(
        floor=taken.floor,
        table=taken.table,
        rounds=taken.rounds,
        drop=format_cents(taken.drop),
        cashed_out=format_cents(taken.cashed_out),
        handle=format_cents(taken.handle),
        win=format_micros(taken.win),
        hold=None if hold is None else _describe_fraction(hold),
        contributed=format_micros(taken.contributed),
        corrected=format_cents(taken.corrected),
        wagers={
            wager.value: WagerTakingsView(
                hands=one.hands,
                handle=format_cents(one.handle),
                win=format_cents(one.win),
                award=format_cents(one.award),
            )
            for wager, one in taken.wagers.items()
        },
    )


def compare_with_theory(
    taken: TableTakings, edges: dict[Wager, tuple[Fraction, Fraction]]
) -> TableTheory:
    """By wager: edge and variance of one dollar. The Ante's are of Ante, Odds and Raise together,
    which no hand plays apart."""
    wagers, expected, variance = {}, Fraction(-taken.contributed, MICROS_PER_CENT), 0.0
    for wager, (edge, spread) in edges.items():
        one = taken.wagers.get(wager)
        if one is None:
            continue
        due, square = edge * one.handle, float(spread) * one.squares * 10_000
        expected += due
        variance += square
        wagers[wager.value] = WagerTheory(
            house_edge=_describe_fraction(edge),
            expected=_format_dollars(due),
            standard_deviation=_format_dollars(sqrt(square)),
        )
    spread_all = sqrt(variance)
    low, high = float(expected) - _BAND * spread_all, float(expected) + _BAND * spread_all
    return TableTheory(
        taken=_describe_takings(taken),
        expected=_format_dollars(expected),
        standard_deviation=_format_dollars(spread_all),
        low=_format_dollars(low),
        high=_format_dollars(high),
        within=low <= taken.win / MICROS_PER_CENT <= high,
        judged=taken.rounds >= _ENOUGH_ROUNDS,
        judged_from=_ENOUGH_ROUNDS,
        wagers=wagers,
    )


def _describe_fraction(value: Fraction) -> Exact:
    return Exact(exact=str(value), decimal=decimal_text(value))


def _format_dollars(value: Fraction | float) -> str:
    """Dollars and cents, for reading."""
    return str(Decimal(round(value)) / 100)
