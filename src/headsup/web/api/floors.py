"""Floors and the servers that own them."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.cluster.rebalance import is_in_play
from headsup.house.floor.host import FloorHost
from headsup.house.people.permissions import Act
from headsup.house.store.ownership import present_servers, read_owners
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.live.commands import limit_commands
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api/floors", tags=["operations"])


class SpreadResponse(StrictModel):
    """What was done; a floor in play stays where it is until it is asked for again."""

    moved: list[str]
    in_play: list[str] = Field(description="Floors with an open round, which were left alone.")
    servers: int = Field(description="Between how many the floors are spread.")


class FloorView(StrictModel):
    """`server` is empty where nobody owns it: it is taken within seconds, or its log is broken."""

    floor: str
    server: str
    tables: list[str]
    in_play: bool


class ServersResponse(StrictModel):
    """The servers of the house that say of themselves that they are there, and what they own."""

    here: str = Field(description="The server that answers.")
    alone: bool = Field(description="Whether the house has one server and can have no other.")
    servers: list[str]
    floors: list[FloorView]


@router.get("", response_model=ServersResponse)
async def floors(request: Request, person: CurrentPerson) -> ServersResponse:
    """Which server owns which floor at this moment."""
    require_permission(person, Act.SEE_FLOORS)
    house = house_of(request)
    leases = await asyncio.to_thread(read_owners, house.database)
    owned = {floor: lease.owner for floor, lease in leases.items()}
    here = house.owned() if house.alone else {}
    there = await asyncio.to_thread(present_servers, house.database)
    return ServersResponse(
        here=house.server,
        alone=house.alone,
        servers=sorted(there | {house.server}),
        floors=[
            # The lease of one server alone is good for ever, whatever its row says.
            _floor(floor, host, house.server if floor in here else owned.get(floor, ""))
            for floor, host in sorted(house.hosts.items())
        ],
    )


def _floor(floor: str, host: FloorHost, server: str) -> FloorView:
    tables = host.journal.floor.tables
    return FloorView(
        floor=floor,
        server=server,
        tables=sorted(tables),
        in_play=is_in_play(host.journal.floor),
    )


@router.post("/spread", response_model=SpreadResponse)
async def spread(request: Request, person: CurrentPerson) -> SpreadResponse:
    """Let all servers of the house own about as many floors as one another, such as after one has
    come back. Floors move between their rounds only."""
    require_permission(person, Act.SPREAD_FLOORS)
    limit_commands(request, person.id)
    house = house_of(request)
    if house.alone:
        raise ApiError(409, "one_server", "this house has one server")
    found = await house.spread(person.name)
    log.info("floors were spread", who=person.name, floors=len(found.moved))
    return SpreadResponse(
        moved=list(found.moved), in_play=list(found.in_play), servers=found.servers
    )
