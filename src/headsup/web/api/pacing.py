"""How fast the house deals a table: shown to the staff, set by the office for each table."""

from dataclasses import asdict

from fastapi import APIRouter, Request

from headsup.game.refusal import Refused
from headsup.game.table.shuffle import Shuffle
from headsup.house.dealing.pace import LONGEST, Timings
from headsup.house.house import House
from headsup.house.people.accounts import Person
from headsup.house.people.permissions import Act, may
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict, allowed
from headsup.web.api.next_step import TablePath
from headsup.web.live.commands import declined_as, not_too_often
from headsup.web.live.protocol import SecondsShown
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])


class PaceShown(_Strict):
    """`by` and `at` say who set it and when; empty where it is the `usual` one of the house."""

    seconds: SecondsShown
    usual: SecondsShown
    longest: float
    by: str
    at: str
    may_set: bool  # whoever asks


class PaceAsked(_Strict):
    """Without seconds the table goes at the usual pace again."""

    seconds: SecondsShown | None


@router.get("/tables/{table}/pace", response_model=PaceShown)
async def pace(table: TablePath, request: Request, person: Asker) -> PaceShown:
    """The seconds that the automatic dealer takes at this table."""
    allowed(person, Act.SEE_PACE)
    return _shown(_dealing_at(request, table), table, person)


@router.post("/tables/{table}/pace", response_model=PaceShown)
async def set_pace(
    table: TablePath, asked: PaceAsked, request: Request, person: Asker
) -> PaceShown:
    """Deal this table at another pace, from now on and on every server."""
    allowed(person, Act.SET_PACE)
    not_too_often(request, person.id)
    house = _dealing_at(request, table)
    try:
        timings = None if asked.seconds is None else Timings(**asked.seconds.model_dump())
    except Refused as refused:
        raise declined_as(refused.refusal) from None
    await house.set_pace(table, timings, person.name)
    log.info("a table has another pace", table=table, who=person.name)
    return _shown(house, table, person)


def _dealing_at(request: Request, table: str) -> House:
    house = house_of(request)
    found = house.table(table)
    if found is None:
        raise ApiError(404, "no_such_table")
    if found.shuffle is Shuffle.ENTERED:
        raise ApiError(409, "dealt_by_a_person", "a person deals at this table, at their own pace")
    return house


def _shown(house: House, table: str, person: Person) -> PaceShown:
    own, usual = house.paces.get(table), house.usual_pace
    return PaceShown(
        seconds=SecondsShown(**asdict(usual if own is None else own.timings)),
        usual=SecondsShown(**asdict(usual)),
        longest=LONGEST,
        by="" if own is None else own.by,
        at="" if own is None else own.at,
        may_set=may(person, Act.SET_PACE),
    )
