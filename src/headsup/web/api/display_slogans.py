"""What the house itself says on its displays, page after page (R89).

They are shown beside the meter, the paytables and the notices that must be shown, never instead.
"""

import asyncio
import re
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house import clock
from headsup.house.people.permissions import Act
from headsup.house.store.settings import put_pages, read_display_pages
from headsup.web.api.displays import DisplayKeyRequest, require_display_maker
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.api.records import database_of
from headsup.web.live.commands import limit_commands
from headsup.web.server.log import log

router = APIRouter(prefix="/api/displays", tags=["displays"])

MAX_PAGES, MAX_PAGE_CHARACTERS = 8, 200
# One line: it is read from eight metres, and drawn as it stands. So no control characters, no line
# and paragraph separators and no format characters, which turn others around or are not seen at all
# (the categories Cc, Zl, Zp and Cf of Unicode); and it begins with something that is seen.
_FORBIDDEN_CHARACTERS = (
    r"\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
_BLANK = r"\s\u034f\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0"  # letters by name, but not seen
_LINE = rf"^[^{_BLANK}{_FORBIDDEN_CHARACTERS}][^{_FORBIDDEN_CHARACTERS}]*$"
Page = Annotated[str, Field(min_length=1, max_length=MAX_PAGE_CHARACTERS, pattern=_LINE)]


class DisplayPages(StrictModel):
    """Each is one line; every display shows them in turn."""

    pages: list[Page] = Field(max_length=MAX_PAGES)


@router.get("/pages", response_model=DisplayPages)
async def pages(request: Request, _person: CurrentPerson) -> DisplayPages:
    """What the house says on its displays."""
    return await _load_pages(request)


@router.post("/pages", response_model=DisplayPages)
async def set_pages(asked: DisplayPages, request: Request, person: CurrentPerson) -> DisplayPages:
    """Say something else on every display, or nothing; displays have it within a minute."""
    require_permission(person, Act.SET_PAGES)
    limit_commands(request, person.id)
    engine = database_of(request).engine
    await asyncio.to_thread(put_pages, engine, asked.pages, person.name, clock.now())
    log.info("displays say something else", who=person.name)
    return asked


@router.post("/pages/shown", response_model=DisplayPages)
async def pages_of_a_display(asked: DisplayKeyRequest, request: Request) -> DisplayPages:
    """The same for a display, by its key."""
    await require_display_maker(request, asked.key)
    return await _load_pages(request)


async def _load_pages(request: Request) -> DisplayPages:
    database = database_of(request)

    def kept() -> tuple[str, ...]:
        with database.reading() as connection:
            return read_display_pages(connection)

    lines = await asyncio.to_thread(kept)
    return DisplayPages(pages=[line for line in lines if re.fullmatch(_LINE, line)])
