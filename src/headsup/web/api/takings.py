"""Routes for what tables took, compared with the exact expectation."""

import asyncio
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from headsup.analysis.exact_numbers import decimal_text
from headsup.game.values.money import format_cents, format_micros
from headsup.house.cash.expected_win import (
    MIN_JUDGED_ROUNDS,
    TableExpectation,
    expected_win,
)
from headsup.house.cash.takings import TableTakings, table_takings
from headsup.house.people.permissions import Act
from headsup.house.store.database import Database
from headsup.web.api.edges import solver_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import StrictModel, needs
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import Dollars, database_of
from headsup.web.server.errors import ApiError
from headsup.web.workers.hand_values import NoAnswer, wager_theory

router = APIRouter(prefix="/api", tags=["oversight"])

Day = Annotated[str, Query(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-01-31"])]
_WAIT_SECONDS = 20.0


class Exact(StrictModel):
    exact: str = Field(examples=["1/40"])
    decimal: str = Field(examples=["0.0250000000"])


class WagerTakingsView(StrictModel):
    hands: int
    handle: Dollars
    win: Dollars
    award: Dollars


class TakingsResponse(StrictModel):
    """`win` is the house's, without what a pool paid or a meter received. `hold` is the win divided
    by the drop; null if nobody bought in."""

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
    """The expected win on the stakes placed, if every hand had been played perfectly; mistakes are
    the house's gain. `low` to `high` is a 95 % band, by a normal distribution and as if hands were
    independent; hands of one round share a board, and vary more. `within` counts only once the
    table is `judged`, after `judged_from` rounds."""

    taken: TakingsResponse
    expected: str
    standard_deviation: str
    low: str
    high: str
    within: bool
    judged: bool
    judged_from: int
    wagers: dict[str, WagerTheory]


@router.get("/takings", response_model=list[TakingsResponse], dependencies=[needs(Act.SEE_BOOKS)])
async def takings(
    request: Request, since: Day | None = None, until: Day | None = None
) -> list[TakingsResponse]:
    """Drop, handle, win and hold of every table, for the days from `since` until before `until`."""
    tables = await asyncio.to_thread(_load_takings, database_of(request), since, until, None)
    return [_describe_takings(taken) for taken in tables]


@router.get(
    "/tables/{table}/theory", response_model=TableTheory, dependencies=[needs(Act.SEE_BOOKS)]
)
async def theory(
    table: TablePath,
    request: Request,
    since: Day | None = None,
    until: Day | None = None,
) -> TableTheory:
    """The takings of one table, with what was to be expected. The first time, its rules must be
    solved, which can take a minute; until then the answer is 503 `being_solved`."""
    state = await house_of(request).read_table(table)
    tables = await asyncio.to_thread(_load_takings, database_of(request), since, until, table)
    if state is None or not tables or not tables[0].rounds or state.rules.choice is None:
        raise ApiError(404, "no_such_table", "no rounds were played at this table")
    try:
        edges = await asyncio.wait_for(
            solver_of(request).ask(wager_theory, state.rules.choice), _WAIT_SECONDS
        )
    except TimeoutError:
        raise ApiError(503, "being_solved", "the rules are being solved; ask again soon") from None
    except NoAnswer as error:
        raise ApiError(409, "no_theory", str(error)) from None
    return describe_expectation(expected_win(tables[0], edges))


def _load_takings(
    database: Database, since: str | None, until: str | None, table: str | None
) -> list[TableTakings]:
    with database.read_connection() as connection:
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
                hands=wagered.hands,
                handle=format_cents(wagered.handle),
                win=format_cents(wagered.win),
                award=format_cents(wagered.award),
            )
            for wager, wagered in taken.wagers.items()
        },
    )


def describe_expectation(found: TableExpectation) -> TableTheory:
    low, high = found.band
    return TableTheory(
        taken=_describe_takings(found.taken),
        expected=_format_dollars(found.expected),
        standard_deviation=_format_dollars(found.deviation),
        low=_format_dollars(low),
        high=_format_dollars(high),
        within=found.is_within,
        judged=found.is_judged,
        judged_from=MIN_JUDGED_ROUNDS,
        wagers={
            wager.value: WagerTheory(
                house_edge=_describe_fraction(one.house_edge),
                expected=_format_dollars(one.expected),
                standard_deviation=_format_dollars(one.deviation),
            )
            for wager, one in found.wagers.items()
        },
    )


def _describe_fraction(value: Fraction) -> Exact:
    return Exact(exact=str(value), decimal=decimal_text(value))


def _format_dollars(value: Fraction | float) -> str:
    """Cents as a decimal number of dollars."""
    return str(Decimal(round(value)) / 100)
