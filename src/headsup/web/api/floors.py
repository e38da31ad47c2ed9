"""Routes about floors and the servers that own them."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.cluster.rebalance import is_in_play
from headsup.house.floor.host import FloorHost
from headsup.house.people.permissions import Act
from headsup.house.store.ownership import present_servers, read_owners
from headsup.web.api.commands import limit_commands
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api/floors", tags=["operations"])


class SpreadResponse(StrictModel):
    """The result of spreading floors. Floors in play were not moved; spread again later."""

    moved: list[str]
    in_play: list[str] = Field(description="Floors with an open round, which were not moved.")
    servers: int = Field(description="How many servers share the floors.")


class FloorView(StrictModel):
    """`server` is empty if no server owns the floor: one takes it within seconds, unless its log is
    broken."""

    floor: str
    server: str
    tables: list[str]
    in_play: bool


class ServersResponse(StrictModel):
    """The running servers of the house, and the floors they own."""

    here: str = Field(description="The server that answered.")
    alone: bool = Field(description="Whether the house can have only this one server.")
    servers: list[str]
    floors: list[FloorView]


@router.get("", response_model=ServersResponse)
async def floors(request: Request, person: CurrentPerson) -> ServersResponse:
    """Which server owns which floor right now."""
    require_permission(person, Act.SEE_FLOORS)
    house = house_of(request)
    leases = await asyncio.to_thread(read_owners, house.database)
    owned = {floor: lease.owner for floor, lease in leases.items()}
    owned_here = house.owned_floors() if house.is_alone else {}
    servers = await asyncio.to_thread(present_servers, house.database)
    return ServersResponse(
        here=house.server,
        alone=house.is_alone,
        servers=sorted(servers | {house.server}),
        floors=[
            # A single server's leases never expire, whatever their rows say.
            _describe_floor(
                floor, host, house.server if floor in owned_here else owned.get(floor, "")
            )
            for floor, host in sorted(house.hosts.items())
        ],
    )


def _describe_floor(floor: str, host: FloorHost, server: str) -> FloorView:
    tables = host.journal.floor.tables
    return FloorView(
        floor=floor,
        server=server,
        tables=sorted(tables),
        in_play=is_in_play(host.journal.floor),
    )


@router.post("/spread", response_model=SpreadResponse)
async def spread(request: Request, person: CurrentPerson) -> SpreadResponse:
    """Spread the floors evenly over all servers, such as after one has restarted. Floors move only
    between rounds."""
    require_permission(person, Act.SPREAD_FLOORS)
    limit_commands(request, person.id)
    house = house_of(request)
    if house.is_alone:
        raise ApiError(409, "one_server", "this house has only one server")
    result = await house.spread(person.name)
    log.info("floors spread", who=person.name, floors=len(result.moved))
    return SpreadResponse(
        moved=list(result.moved), in_play=list(result.in_play), servers=result.servers
    )
