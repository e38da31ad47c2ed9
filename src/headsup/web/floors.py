"""Floors and the servers that own them."""

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.permissions import Act
from headsup.web.commands import not_too_often
from headsup.web.errors import ApiError
from headsup.web.lobby import house_of
from headsup.web.log import log
from headsup.web.people import Asker, _Strict, allowed

router = APIRouter(prefix="/api/floors", tags=["operations"])


class SpreadShown(_Strict):
    """What was done; a floor in play stays where it is until it is asked for again."""

    moved: list[str]
    in_play: list[str] = Field(description="Floors with an open round, which were left alone.")
    servers: int = Field(description="Between how many the floors are spread.")


@router.post("/spread", response_model=SpreadShown)
async def spread(request: Request, person: Asker) -> SpreadShown:
    """Let all servers of the house own about as many floors as one another, such as after one has
    come back. Floors move between their rounds only."""
    allowed(person, Act.SPREAD_FLOORS)
    not_too_often(request, person.id)
    house = house_of(request)
    if house.alone:
        raise ApiError(409, "one_server", "this house has one server")
    found = await house.spread(person.name)
    log.info("floors were spread", who=person.name, floors=len(found.moved))
    return SpreadShown(moved=list(found.moved), in_play=list(found.in_play), servers=found.servers)
