"""How fast the house deals a table: shown to the staff, set by the office for each table."""

from dataclasses import asdict

from fastapi import APIRouter, Request

from headsup.game.refusal import Refused
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.pace import MAX_STEP_SECONDS, Timings
from headsup.house.house import House
from headsup.house.people.accounts import Person
from headsup.house.people.permissions import Act, may
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.api.next_step import TablePath
from headsup.web.live.commands import limit_commands, refusal_error
from headsup.web.live.protocol import PaceSeconds
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])


class PaceResponse(StrictModel):
    """`by` and `at` say who set it and when; empty where it is the `usual` one of the house."""

    seconds: PaceSeconds
    usual: PaceSeconds
    longest: float
    by: str
    at: str
    may_set: bool  # whoever asks


class PaceRequest(StrictModel):
    """Without seconds the table goes at the usual pace again."""

    seconds: PaceSeconds | None


@router.get("/tables/{table}/pace", response_model=PaceResponse)
async def pace(table: TablePath, request: Request, person: CurrentPerson) -> PaceResponse:
    """The seconds that the automatic dealer takes at this table."""
    require_permission(person, Act.SEE_PACE)
    return _describe_pace(_require_house_dealt(request, table), table, person)


@router.post("/tables/{table}/pace", response_model=PaceResponse)
async def set_pace(
    table: TablePath, asked: PaceRequest, request: Request, person: CurrentPerson
) -> PaceResponse:
    """Deal this table at another pace, from now on and on every server."""
    require_permission(person, Act.SET_PACE)
    limit_commands(request, person.id)
    house = _require_house_dealt(request, table)
    try:
        timings = None if asked.seconds is None else Timings(**asked.seconds.model_dump())
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    await house.set_pace(table, timings, person.name)
    log.info("a table has another pace", table=table, who=person.name)
    return _describe_pace(house, table, person)


def _require_house_dealt(request: Request, table: str) -> House:
    house = house_of(request)
    found = house.table(table)
    if found is None:
        raise ApiError(404, "no_such_table")
    if found.shuffle is ShuffleSource.ENTERED:
        raise ApiError(409, "dealt_by_a_person", "a person deals at this table, at their own pace")
    return house


def _describe_pace(house: House, table: str, person: Person) -> PaceResponse:
    own, usual = house.paces.get(table), house.usual_pace
    return PaceResponse(
        seconds=PaceSeconds(**asdict(usual if own is None else own.timings)),
        usual=PaceSeconds(**asdict(usual)),
        longest=MAX_STEP_SECONDS,
        by="" if own is None else own.by,
        at="" if own is None else own.at,
        may_set=may(person, Act.SET_PACE),
    )
