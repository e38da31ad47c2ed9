"""Displays: a screen above a table that nobody is logged in at.

Staff make a link for it. Its key opens sockets that see TableVision and nothing else, and ask
nothing; it ends when the account of who made it is locked, or by itself after a month.
"""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.people.accounts import Person, Role
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    CurrentPerson,
    StrictModel,
    TicketResponse,
    accounts_of,
    settings_of,
)
from headsup.web.live.commands import limit_commands
from headsup.web.live.protocol import TableId
from headsup.web.server.errors import ApiError
from headsup.web.server.security import RateLimiter, is_same_origin

router = APIRouter(prefix="/api/displays", tags=["displays"])
_tickets = RateLimiter(burst=20, per_second=1)  # a screen whose key has ended asks in vain


class DisplayLinkRequest(StrictModel):
    table: TableId


class DisplayLinkResponse(StrictModel):
    """Whoever has the key sees what the display shows: treat it like the screen itself."""

    key: str


class DisplayKeyRequest(StrictModel):
    key: str = Field(min_length=1, max_length=100)


@router.post("", response_model=DisplayLinkResponse)
async def make_display_link(
    asked: DisplayLinkRequest, request: Request, person: CurrentPerson
) -> DisplayLinkResponse:
    """A key for the display of a table."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "a display is for the staff to make")
    limit_commands(request, person.id)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    return DisplayLinkResponse(
        key=await asyncio.to_thread(accounts_of(request).display_key, person)
    )


@router.post("/ticket", response_model=TicketResponse)
async def ticket(asked: DisplayKeyRequest, request: Request) -> TicketResponse:
    """A ticket that opens one socket for a display, within half a minute."""
    maker = await require_display_maker(request, asked.key)
    given = await asyncio.to_thread(accounts_of(request).ticket, maker, "display", asked.key)
    return TicketResponse(ticket=given)


async def require_display_maker(request: Request, key: str) -> Person:
    """Who made the link of a display; raises where it has ended."""
    if not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    if not _tickets.take(request.client.host if request.client else ""):
        raise ApiError(429, "too_many_attempts")
    maker = await asyncio.to_thread(accounts_of(request).display_maker, key)
    if maker is None:
        raise ApiError(401, "not_logged_in", "this display's link has ended; make a new one")
    return maker
