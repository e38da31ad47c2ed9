"""The servers of the house and the floors that they own."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.people.permissions import Act
from headsup.house.store.servers import FloorRow, read_floor_rows
from headsup.web.api.lobby import house_of
from headsup.web.api.login import StrictModel, needs

router = APIRouter(prefix="/api/floors", tags=["operations"])


class FloorView(StrictModel):
    """`server` is empty if no server owns the floor: one takes it within seconds, unless its log is
    broken."""

    floor: str
    server: str
    tables: list[str]


class ServerView(StrictModel):
    """A running server. One that is draining gives its floors to the others and stops."""

    name: str
    at: str = Field(description="Its name in addresses; empty if it runs alone.")
    draining: bool


class ServersResponse(StrictModel):
    """The running servers of the house, and the floors they own."""

    here: str = Field(description="The server that answered.")
    alone: bool = Field(description="Whether the house can have only this one server.")
    servers: list[ServerView]
    floors: list[FloorView]


@router.get("", response_model=ServersResponse, dependencies=[needs(Act.SEE_FLOORS)])
async def floors(request: Request) -> ServersResponse:
    """Which server owns which floor right now."""
    house = house_of(request)
    servers, rows = await asyncio.to_thread(read_floor_rows, house.database)
    if house.is_alone:
        views = [ServerView(name=house.server, at="", draining=False)]
        owned = house.owned_floors()
        rows = tuple(
            FloorRow(row.floor, house.server if row.floor in owned else "", row.tables)
            for row in rows
        )
    else:
        views = [ServerView(name=one.name, at=one.at, draining=one.is_draining) for one in servers]
    return ServersResponse(
        here=house.server,
        alone=house.is_alone,
        servers=views,
        floors=[
            FloorView(floor=row.floor, server=row.owner, tables=list(row.tables)) for row in rows
        ],
    )
