"""Routes for the pace of a table's automatic dealer: staff see it, the office sets it."""

from dataclasses import asdict

from fastapi import APIRouter, Request

from headsup.game.refusal import Refused
from headsup.house.dealing.pace import MAX_STEP_SECONDS, Timings, timings_of
from headsup.house.house import House
from headsup.house.people.permissions import Act, may
from headsup.house.people.person import Person
from headsup.web.api.commands import apply_to_table, refusal_error
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    COMMAND_RATE,
    CurrentPerson,
    StrictModel,
    needs,
)
from headsup.web.api.next_step import TablePath
from headsup.web.live.protocol import PaceSeconds
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])


class PaceResponse(StrictModel):
    """`by` and `at` say who set the pace and when; empty if it is the house's usual one."""

    seconds: PaceSeconds
    usual: PaceSeconds
    longest: float
    by: str
    at: str
    may_set: bool  # whether you may change it


class PaceRequest(StrictModel):
    """Null returns the table to the house's usual pace."""

    seconds: PaceSeconds | None


@router.get("/tables/{table}/pace", response_model=PaceResponse, dependencies=[needs(Act.SEE_PACE)])
async def pace(table: TablePath, request: Request, person: CurrentPerson) -> PaceResponse:
    """The seconds the automatic dealer takes for each step at this table."""
    return _describe_pace(_require_house_dealt(request, table), table, person)


@router.post(
    "/tables/{table}/pace",
    response_model=PaceResponse,
    dependencies=[needs(Act.SET_PACE), COMMAND_RATE],
)
async def set_pace(
    table: TablePath, body: PaceRequest, request: Request, person: CurrentPerson
) -> PaceResponse:
    """Set the pace of this table."""
    house = _require_house_dealt(request, table)
    try:
        timings = None if body.seconds is None else Timings(**body.seconds.model_dump())
    except Refused as error:
        raise refusal_error(error.refusal) from None
    await apply_to_table(house.set_pace(table, timings, person.name))
    log.info("pace changed", table=table, who=person.name)
    return _describe_pace(house, table, person)


def _require_house_dealt(request: Request, table: str) -> House:
    house = house_of(request)
    state = house.table(table)
    if state is None:
        raise ApiError(404, "no_such_table")
    if state.shuffle.by_hand:
        raise ApiError(409, "dealt_by_a_person", "a person deals at this table, at their own pace")
    return house


def _describe_pace(house: House, table: str, person: Person) -> PaceResponse:
    state, usual = house.table(table), house.usual_pace
    pace = None if state is None else state.pace
    return PaceResponse(
        seconds=PaceSeconds(**asdict(usual if pace is None else timings_of(pace))),
        usual=PaceSeconds(**asdict(usual)),
        longest=MAX_STEP_SECONDS,
        by="" if pace is None else pace.by,
        at="" if pace is None else pace.at,
        may_set=may(person, Act.SET_PACE),
    )
