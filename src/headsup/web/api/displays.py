"""Display routes: the screen above a table, where nobody is logged in.

Staff make a link for it. Its key opens sockets that see TableVision and cannot give commands. The
link ends after a month, or when the account that made it is locked.
"""

import asyncio
import re
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house import clock
from headsup.house.people.permissions import Act
from headsup.house.people.person import Person, Role
from headsup.house.store.settings import put_display_pages, read_display_pages
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    COMMAND_RATE,
    CurrentPerson,
    StrictModel,
    TicketResponse,
    accounts_of,
    needs,
    settings_of,
)
from headsup.web.api.records import database_of
from headsup.web.live.protocol import TableId
from headsup.web.live.sockets import socket_address
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log
from headsup.web.server.security import is_same_origin

router = APIRouter(prefix="/api/displays", tags=["displays"])
TICKET_BURST, TICKETS_PER_SECOND = 20, 1.0  # slows down displays whose key has expired


class DisplayLinkRequest(StrictModel):
    table: TableId


class DisplayLinkResponse(StrictModel):
    """Anyone with the key sees what the display shows."""

    key: str


class DisplayKeyRequest(StrictModel):
    key: str = Field(min_length=1, max_length=100)


class DisplayTicketRequest(DisplayKeyRequest):
    """`table` leads the socket to the server that runs the table."""

    table: TableId | None = None


@router.post("", response_model=DisplayLinkResponse, dependencies=[COMMAND_RATE])
async def make_display_link(
    body: DisplayLinkRequest, request: Request, person: CurrentPerson
) -> DisplayLinkResponse:
    """Make a key for TableVision displays. It opens the display of any table."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "only staff may set up a display")
    if not await asyncio.to_thread(database_of(request).floor_of_table, body.table):
        raise ApiError(404, "no_such_table")
    return DisplayLinkResponse(
        key=await asyncio.to_thread(accounts_of(request).display_key, person)
    )


@router.post("/ticket", response_model=TicketResponse)
async def ticket(body: DisplayTicketRequest, request: Request) -> TicketResponse:
    """A ticket that opens one socket for a display; valid for half a minute."""
    maker = await require_display_maker(request, body.key)
    socket = await socket_address(house_of(request), body.table or "")
    ticket = await asyncio.to_thread(accounts_of(request).ticket, maker, "display", body.key)
    return TicketResponse(ticket=ticket, socket=socket)


async def require_display_maker(request: Request, key: str) -> Person:
    """The person who made a display's link; raises if it has expired."""
    if not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    if not request.app.state.display_rates.take(request.client.host if request.client else ""):
        raise ApiError(429, "too_many_attempts")
    maker = await asyncio.to_thread(accounts_of(request).display_maker, key)
    if maker is None:
        raise ApiError(401, "not_logged_in", "this display's link has expired; make a new one")
    return maker


# The house's own pages on its displays (R89): shown in addition to the meter, the paytables and the
# required notices, never instead of them.


MAX_PAGES, MAX_PAGE_CHARACTERS = 8, 200
# One line, readable from eight metres and drawn as it is. So it has no control characters, line or
# paragraph separators, or invisible and direction-changing format characters (Unicode categories
# Cc, Zl, Zp and Cf), and it starts with a visible character.
_FORBIDDEN_CHARACTERS = (
    r"\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
# Blank, though Unicode calls some of them letters.
_BLANK = r"\s\u034f\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0"
_LINE = rf"^[^{_BLANK}{_FORBIDDEN_CHARACTERS}][^{_FORBIDDEN_CHARACTERS}]*$"
Page = Annotated[str, Field(min_length=1, max_length=MAX_PAGE_CHARACTERS, pattern=_LINE)]


class DisplayPages(StrictModel):
    """The pages, one line each; every display shows them in turn."""

    pages: list[Page] = Field(max_length=MAX_PAGES)


@router.get("/pages", response_model=DisplayPages)
async def pages(request: Request, _person: CurrentPerson) -> DisplayPages:
    """The house's own pages on its displays."""
    return await _load_pages(request)


@router.post(
    "/pages", response_model=DisplayPages, dependencies=[needs(Act.SET_PAGES), COMMAND_RATE]
)
async def set_pages(body: DisplayPages, request: Request, person: CurrentPerson) -> DisplayPages:
    """Replace the pages of all displays; they change within a minute."""
    engine = database_of(request).engine
    await asyncio.to_thread(put_display_pages, engine, body.pages, person.name, clock.now())
    log.info("display pages changed", who=person.name)
    return body


@router.post("/pages/shown", response_model=DisplayPages)
async def pages_of_a_display(body: DisplayKeyRequest, request: Request) -> DisplayPages:
    """The pages, for a display with its key."""
    await require_display_maker(request, body.key)
    return await _load_pages(request)


async def _load_pages(request: Request) -> DisplayPages:
    database = database_of(request)

    def read() -> tuple[str, ...]:
        with database.read_connection() as connection:
            return read_display_pages(connection)

    lines = await asyncio.to_thread(read)
    return DisplayPages(pages=[line for line in lines if re.fullmatch(_LINE, line)])
