"""Displays: a screen above a table that nobody is logged in at.

Staff make a link for it. Its key opens sockets that see TableVision and nothing else, and ask
nothing; it ends when the account of who made it is locked, or by itself after a month.
"""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house.people.accounts import Person, Role
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, TicketGiven, _Strict, accounts_of, settings_of
from headsup.web.live.commands import not_too_often
from headsup.web.live.protocol import TableId
from headsup.web.server.errors import ApiError
from headsup.web.server.security import Rates, same_origin

router = APIRouter(prefix="/api/displays", tags=["displays"])
_tickets = Rates(burst=20, per_second=1)  # a screen whose key has ended asks in vain


class DisplayAsked(_Strict):
    table: TableId


class DisplayGiven(_Strict):
    """Whoever has the key sees what the display shows: treat it like the screen itself."""

    key: str


class DisplayKey(_Strict):
    key: str = Field(min_length=1, max_length=100)


@router.post("", response_model=DisplayGiven)
async def make(asked: DisplayAsked, request: Request, person: Asker) -> DisplayGiven:
    """A key for the display of a table."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "a display is for the staff to make")
    not_too_often(request, person.id)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    return DisplayGiven(key=await asyncio.to_thread(accounts_of(request).display_key, person))


@router.post("/ticket", response_model=TicketGiven)
async def ticket(asked: DisplayKey, request: Request) -> TicketGiven:
    """A ticket that opens one socket for a display, within half a minute."""
    maker = await display_key_of(request, asked.key)
    given = await asyncio.to_thread(accounts_of(request).ticket, maker, "display", asked.key)
    return TicketGiven(ticket=given)


async def display_key_of(request: Request, key: str) -> Person:
    """Who made the link of a display; raises where it has ended."""
    if not same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    if not _tickets.take(request.client.host if request.client else ""):
        raise ApiError(429, "too_many_attempts")
    maker = await asyncio.to_thread(accounts_of(request).display_maker, key)
    if maker is None:
        raise ApiError(401, "not_logged_in", "this display's link has ended; make a new one")
    return maker
